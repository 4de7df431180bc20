"""The Twins console: nodes run one lock-free handler at once, on the cluster; the learner kills and stops them."""

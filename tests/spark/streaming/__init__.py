"""Starting and ending the cluster."""

"""Goes backwards: the last offset with equal epochs has everything before it in common."""


def answer(follower, leader):
    end = min(len(follower), len(leader))
    while end and follower[end - 1] != leader[end - 1]:
        end -= 1
    return end

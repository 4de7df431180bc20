def answer(acknowledged, leader):
    for offset, value in acknowledged if leader is not None else []:
        if offset >= len(leader) or leader[offset] != value:
            return False
    return True

REASON = "give the function try_again itself, without brackets"
answer = None

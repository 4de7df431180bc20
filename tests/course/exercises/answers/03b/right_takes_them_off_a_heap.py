"""Keeps two heaps, as libraries for parallel consumers do."""

import heapq


def answer(began, handed_out, finished):
    waiting, done = list(handed_out), list(finished)
    heapq.heapify(waiting)
    heapq.heapify(done)
    while waiting and done and waiting[0] == done[0]:
        heapq.heappop(done)
        began = heapq.heappop(waiting) + 1
    return began

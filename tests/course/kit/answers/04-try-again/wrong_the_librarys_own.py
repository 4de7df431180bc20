from exactly_once.course.gaps.chapter_04.try_again import try_again

REASON = "hands the work to the library's try_again"


def answer(increment):
    return try_again(increment)

"""A learner's work as one file: `save_my_work()` writes it, `bring_back(file)` puts it back, here or elsewhere.

`my_work_buttons()` offers both in a notebook. Binder forgets everything when a session ends, so the first cell of a
chapter shows the buttons there.
"""

"""HTML whose tags are all closed, with its tags and its text."""

from html.parser import HTMLParser

VOID = {"meta", "br", "link", "input", "col"}


class Balanced(HTMLParser):
    """Reads HTML, and notes its tags and its text."""

    def __init__(self, text):
        super().__init__()
        self.open, self.tags, self.text = [], set(), ""
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        self.open += [] if tag in VOID else [tag]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += "" if self.open and self.open[-1] == "style" else data

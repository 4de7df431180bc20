"""Sphinx's settings of the book; `tools/book/build.py` calls it."""

project, author, copyright = "Exactly once", "the authors of the course", "see LICENSE and LICENSE-docs"
extensions = ["myst_nb"]
html_theme = "sphinx_book_theme"
html_title = "Exactly once"
html_static_path = ["_static"]
html_css_files = ["book.css"]
html_js_files = [("book.js", {"type": "module"})]
html_theme_options = {
    "use_download_button": False,
    "use_fullscreen_button": False,
    "show_navbar_depth": 1,
    "navbar_persistent": [],
}
html_copy_source = False
html_show_sourcelink = False
nb_execution_mode = "off"
nb_ipywidgets_js = {}  # our own pages draw the widgets
myst_heading_anchors = 4
myst_heading_slug_func = "tools.book.slug"  # Sphinx keeps no function of this file
suppress_warnings = ["myst.header", "config.cache", "mystnb.mime_priority"]

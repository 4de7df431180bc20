"""What every widget has from the base, in a browser: errors in place, wrong fields, a kernel that is gone, axe."""

import os
import signal

import psutil
import pytest
from jupyter import axe_findings, kernels_below, notebook, open_notebook, wait_for_idle

from exactly_once.paths import temporary

pytestmark = pytest.mark.not_by_day

SETUP = (
    "from ipywidgets import VBox\n"
    "from exactly_once.explore import prove\n"
    "from exactly_once.handlers import at_least_once\n"
    "from exactly_once.widgets import *\n"
    "from exactly_once.widgets.debug.debug_model import DebuggerModel\n"
    "proof = prove(at_least_once, items=3, crashes=1)\n"
)
WIDGETS = {
    "eo-debugger": "debugger(proof, at_least_once)",
    "eo-playground": "clock_playground()",
    "eo-timeline": "transaction_timeline('stalled')",
    "eo-twins": "twins()",
    "eo-console": "crash_console()",
    "eo-scene": "scene('03')",
}
ALL = f"all_of_them = [{', '.join(WIDGETS.values())}]\nVBox(all_of_them)"
# A click in each widget, and the method of its model behind it, which is made to fail.
CLICKS = {
    "eo-debugger": (".eo-go-next", "go"),
    "eo-playground": (".eo-clear", "_draw"),
    "eo-timeline": (".eo-do-tick", "step"),
    "eo-twins": (".eo-start", "_start"),
    "eo-console": (".eo-run-simulated", "simulate"),
    "eo-scene": (".eo-step-0", "decide"),
}
BREAK = (
    "def fail(*_, **__):\n"
    "    raise RuntimeError('a <surprise>')\n"
    f"for widget, name in zip(all_of_them, {[name for _, name in CLICKS.values()]}):\n"
    "    setattr(widget.model, name, fail)"
)
THEMES = ("Light", "Dark")


def open_all(page, lab, name, *more, theme="JupyterLab Light"):
    notebook(lab.folder / name, SETUP, ALL, *more)
    open_notebook(page, lab, name, theme)
    for css in WIDGETS:
        page.wait_for_selector(f".{css}")
    page.wait_for_timeout(400)  # diagrams ask for their width once
    return page


CELLS = (SETUP, ALL)
RUN = (
    "code => window.jupyterapp.shell.currentWidget.context.sessionContext.session.kernel.requestExecute({code}).done"
)


@pytest.fixture
def widgets(desk):
    """Give a page with every widget, of which nobody has touched any."""
    desk.evaluate("document.querySelectorAll('.eo').forEach(each => each.remove())")
    desk.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    for css in WIDGETS:
        desk.wait_for_selector(f".{css}")
    desk.wait_for_timeout(400)  # diagrams ask for their width once
    return desk


def test_an_unexpected_error_stands_in_place_with_its_traceback_folded(widgets):
    page = widgets
    page.evaluate(RUN, BREAK)
    for css, (control, _) in CLICKS.items():
        page.click(f".{css} {control}")
        error = f".{css} [data-region=error] .eo-is-bad"
        page.wait_for_selector(f"{error}:has-text('itself failed (RuntimeError: a <surprise>)')")
        assert not page.locator(f"{error} .eo-traceback").is_visible()
        page.click(f"{error} summary")
        assert "raise RuntimeError" in page.locator(f"{error} .eo-traceback").inner_text()


FIELDS = (  # tab, field, what is typed, the sentence, what to click, and where its result stands
    (
        "run", "item", "", "The hour of the crash is empty; give a whole number from 1 to 6.",
        ".eo-run-simulated", ".eo-console-verdict .eo-is-bad",
    ),
    ("prove", "nodes", "99", "Nodes is 99; it must be between 1 and 4.", ".eo-prove", ".eo-proved .eo-is-bad"),
)  # fmt: skip


def test_a_wrong_field_is_refused_beside_it_and_kept_and_nothing_runs(widgets):
    page = widgets
    for tab, name, typed, sentence, begin, result in FIELDS:
        page.click(f".eo-tab-{tab}")
        field = f".eo-console input.eo-{name}"
        page.fill(field, typed)
        page.keyboard.press("Tab")
        says = page.locator(f".eo-console .eo-field:has(input.eo-{name}) ~ .eo-field-says")
        says.wait_for()
        assert says.inner_text() == sentence
        assert page.locator(field).input_value() == typed, "what was typed stays"
        assert page.locator(field).get_attribute("aria-invalid") == "true"
        assert not page.evaluate("field => document.activeElement === document.querySelector(field)", field)
        page.click(begin)
        page.wait_for_function("field => document.activeElement.matches(field)", arg=field)
        assert page.locator(result).count() == 0
        page.fill(field, "3")
        page.keyboard.press("Tab")
        says.wait_for(state="detached")
        page.click(begin)
        page.wait_for_selector(result)


def test_a_second_click_is_ignored_and_what_was_found_before_is_dimmed(widgets):
    page = widgets
    page.click(".eo-tab-prove")
    page.dblclick(".eo-prove")
    page.wait_for_selector(".eo-proved .eo-is-bad")
    page.wait_for_selector('.eo-console .eo-stop[aria-disabled="true"]')
    assert page.locator(".eo-proving .eo-error").inner_text() == ""
    page.click(".eo-tab-run")
    page.click(".eo-run-simulated")
    page.wait_for_selector(".eo-console-verdict .eo-is-bad")
    assert page.locator(".eo-console [data-stale]").count() == 0
    page.select_option(".eo-console .eo-strategy", "at_most_once")
    page.wait_for_selector(".eo-console-verdict[data-stale]")
    said = page.locator(".eo-console .eo-stale-says").inner_text()
    assert said == "This is of at least once, not of the handler on the left."
    page.click(".eo-point-B")
    page.wait_for_function("!document.querySelector('.eo-console [data-stale]')")


def off(page, css):
    """Tell whether everything that acts is off in a widget."""
    return page.evaluate(
        """root => [...document.querySelectorAll(`${root} :is([data-do], [data-kernel])`)]
             .every(each => each.getAttribute('aria-disabled') === 'true')""",
        f".{css}",
    )


def test_a_kernel_that_was_restarted_is_noticed_everywhere(widgets):
    page = widgets
    assert not any(off(page, css) for css in WIDGETS)
    page.evaluate("window.jupyterapp.shell.currentWidget.sessionContext.restartKernel()")
    for css, (control, _) in CLICKS.items():
        page.wait_for_selector(f".{css} > .eo-gone-says:has-text('run this cell again')")
        assert "The kernel was restarted" in page.locator(f".{css} > .eo-gone-says").inner_text()
        assert off(page, css)
        page.locator(f".{css} {control}").click(force=True)
    page.screenshot(path=temporary("screenshots") / "kernel-gone.png")
    page.click(".eo-tab-matrix")
    assert page.locator(".eo-matrix-grid").is_visible(), "what needs no kernel goes on"
    wait_for_idle(page)
    page.evaluate("window.jupyterapp.commands.execute('notebook:run-all-cells')")
    page.wait_for_function("!document.querySelector('.eo-gone')")


@pytest.mark.slow
def test_a_kernel_that_died_is_noticed(fresh_page, lab):
    page = fresh_page
    notebook(lab.folder / "base-dies.ipynb", SETUP, "scene('03')")
    before = {process.pid for process in kernels_below(psutil.Process())}
    open_notebook(page, lab, "base-dies.ipynb")
    page.wait_for_selector(".eo-scene")
    (kernel,) = [process for process in kernels_below(psutil.Process()) if process.pid not in before]
    os.kill(kernel.pid, signal.SIGKILL)
    page.wait_for_selector(".eo-gone-says:has-text('The kernel died')")
    assert off(page, "eo-scene")


@pytest.mark.slow
def test_without_a_word_of_the_notebook_silence_is_noticed_and_an_answer_brings_all_back(page, lab):
    cells = (SETUP, "viewer = scene('03')\nviewer", "viewer.on_msg(viewer._heard, remove=True)")
    notebook(lab.folder / "base-silent.ipynb", *cells)
    open_notebook(page, lab, "base-silent.ipynb")
    page.wait_for_selector(".eo-scene")
    page.click(".eo-step-0")
    page.wait_for_selector(".eo-gone-says:has-text('does not answer')")
    assert off(page, "eo-scene")


@pytest.mark.slow
def test_what_was_drawn_while_the_page_did_not_listen_yet_is_sent_again(page, lab):
    unheard = "viewer._trait_values |= {'says': '<b>It was drawn in between.</b>', 'drawn': viewer.drawn + 1}\nviewer"
    notebook(lab.folder / "base-hello.ipynb", SETUP, "viewer = scene('03')\nviewer.set_width = print", unheard)
    open_notebook(page, lab, "base-hello.ipynb")
    page.wait_for_selector(".eo-scene :text('It was drawn in between.')")


@pytest.mark.slow
def test_a_page_that_took_longer_to_load_than_anywidget_waits_hears_its_kernel(fresh_page, lab):
    page = fresh_page
    over = "const limit = new AbortController(); queueMicrotask(() => limit.abort()); return limit.signal;"
    page.add_init_script(f"AbortSignal.timeout = () => {{ {over} }};")  # its two seconds are over at once
    heard = "viewer.says = '<b>Heard.</b>'\nviewer.drawn += 1"
    notebook(lab.folder / "base-late.ipynb", SETUP, "viewer = scene('03')\nviewer.set_width = print\nviewer", heard)
    open_notebook(page, lab, "base-late.ipynb")
    page.wait_for_selector(".eo-scene :text('Heard.')")
    page.click(".eo-step-0")
    page.wait_for_selector(".eo-scene:not([data-waits])")


KIT = {  # what chapters have beside those
    "eo-adversary": "adversary(at_least_once, items=1)",
    "eo-ask": "from exactly_once.course.kit import predict\n"
    "predict('04-axe', 'What does a crash at D leave?', choices=('harmless', 'doubles'))",
    "eo-exercise": "from exactly_once.course import exercises\nexercises.open('04d')",
    "eo-log": "from exactly_once import show\nfrom exactly_once.log import open_log\n"
    "log = open_log('memory:', 3, replication='manual', elections='manual', watch=True)\n"
    "log.create_topic('orders', replicas=3)\nlog.append('orders', 0, ['tea'], acks=1)\nlog.kill(0)\nlog.elect()\n"
    "show.log(log)",
}


def findings(page, css):
    """Return what axe-core finds in a widget. Of colours it sees few; tests/widgets/test_base.py computes those."""
    return axe_findings(page, f".{css}")


@pytest.mark.some(ci=1)
@pytest.mark.parametrize("theme", THEMES)
def test_axe_finds_nothing_serious(page, lab, theme):
    open_all(page, lab, f"base-axe-{theme.lower()}.ipynb", *KIT.values(), theme=f"JupyterLab {theme}")
    for css in KIT:
        page.wait_for_selector(f".{css}")
    page.wait_for_selector(".eo-adversary button:not([aria-disabled])")
    assert {css: found for css in KIT if (found := findings(page, css))} == {}
    page.evaluate("document.querySelector('.eo-twins').insertAdjacentHTML('beforeend', '<button id=bare></button>')")
    assert [found for found in findings(page, "eo-twins") if "bare" in found], "it finds what there is to find"
    page.evaluate("document.querySelector('#bare').remove()")
    before = {css: findings(page, css) for css in WIDGETS}
    page.click(".eo-debugger .eo-next-fault")
    page.click(".eo-timeline .eo-go-last")
    page.click(".eo-scene .eo-answer-double")
    page.click(".eo-scene .eo-break")
    page.wait_for_selector(".eo-scene .eo-banner-bad")
    page.click(".eo-tab-prove")
    page.click(".eo-prove")
    page.wait_for_selector(".eo-proved .eo-is-bad")
    page.fill(".eo-console input.eo-nodes", "99")
    page.keyboard.press("Tab")
    page.wait_for_selector(".eo-console .eo-field-says")
    proving = findings(page, "eo-console")
    page.fill(".eo-console input.eo-nodes", "1")
    page.keyboard.press("Tab")
    page.locator(".eo-console .eo-field-says").wait_for(state="detached")
    page.click(".eo-tab-run")
    page.click(".eo-run-simulated")
    page.wait_for_selector(".eo-console-verdict .eo-is-bad")
    after = {css: findings(page, css) for css in WIDGETS}
    assert proving == []
    assert {css: found for css, found in after.items() if found} == {}
    assert {css: found for css, found in before.items() if found} == {}

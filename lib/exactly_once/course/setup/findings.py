"""The doctor's findings as plain data: lines in print, a table in a notebook, JSON in between."""

import html
from dataclasses import asdict, dataclass

MARKS = {"well": "✓", "careful": "!", "wrong": "✗"}
COLOURS = {"well": "#009E73", "careful": "#E69F00", "wrong": "#D55E00"}  # Okabe and Ito's, told apart by everybody


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at: its name, how it stands ("well", "careful", "wrong"), the value, the remedy."""

    name: str
    state: str
    value: str
    remedy: str = ""

    def __str__(self):
        line = f"{MARKS[self.state]} {self.state:8}{self.name:18}{self.value}"
        return f"{line}\n{'':28}→ {self.remedy}" if self.remedy else line

    def as_data(self):
        """Return a dictionary of texts, for JSON."""
        return asdict(self)


class Findings(list):
    """A list of `Finding`; in a notebook it shows as a table."""

    @property
    def well(self):
        """Tell whether nothing is wrong. What asks for care is no reason to stop."""
        return all(finding.state != "wrong" for finding in self)

    @property
    def summary(self):
        """One sentence on all of it."""
        wrong = [finding.name for finding in self if finding.state == "wrong"]
        if wrong:
            return f"Not ready: {', '.join(wrong)}. Follow the arrow, then check again."
        careful = [finding.name for finding in self if finding.state == "careful"]
        return f"All is well; mind {', '.join(careful)}." if careful else "All is well."

    def __str__(self):
        return "\n".join([*map(str, self), "", self.summary])

    def _repr_html_(self):
        rows = "".join(
            f'<tr class="eo-finding eo-{finding.state}">'
            f'<td style="color:{COLOURS[finding.state]};font-weight:bold;text-align:left">'
            f"{MARKS[finding.state]} {finding.state}</td>"
            f'<td style="text-align:left">{html.escape(finding.name)}</td>'
            f'<td style="text-align:left">{html.escape(finding.value)}</td>'
            f'<td style="text-align:left">{html.escape(finding.remedy)}</td></tr>'
            for finding in self
        )
        head = "".join(f'<th style="text-align:left">{word}</th>' for word in ("", "what", "found", "what to do"))
        return (
            f'<table class="eo-doctor"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
            f"<p>{html.escape(self.summary)}</p>"
        )

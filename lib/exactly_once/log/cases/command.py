"""`python -m exactly_once cases FILE`: run a file of cases and say which fail."""

from .driver import Driver
from .judging import Finding, run_with_each_protocol, why_not
from .reading import read_cases


def run_cases(path, make=Driver):
    """Run the cases of a file, each on a fresh log, with each transaction protocol that it is for.

    Returns a list of `Finding`s, one for each case. `make` makes a `Driver` of a case and a protocol.
    Raises `BadInput` for a file that holds no cases.
    """
    findings = []
    for case in read_cases(path):
        reason = why_not(case, Driver)
        findings.append(Finding(case["id"], "skipped", reason) if reason else run_with_each_protocol(case, make))
    return findings


def main(path):
    """Print the findings of `run_cases` on cases that failed. Returns the exit status: 1 when one failed."""
    findings = run_cases(path)
    for finding in findings:
        if finding.outcome != "passed":
            print(finding)
    counts = {outcome: sum(one.outcome == outcome for one in findings) for outcome in ("passed", "failed", "skipped")}
    print(", ".join(f"{count} {outcome}" for outcome, count in counts.items()), flush=True)
    return 1 if counts["failed"] else 0

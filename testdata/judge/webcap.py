"""webcap runs the program that is judged."""

import json
import subprocess
from dataclasses import dataclass, field


# Rules whose repairs are made only where a user names the rule.
ON_REQUEST = ("WC103", "WC224", "WC407", "WC421", "WC504", "WC506")


@dataclass
class Rewrite:
    """Rewrite is the outcome of one webcap rewrite: path is the file that holds the result."""

    path: str
    code: int
    steps: list = field(default_factory=list)
    left: list = field(default_factory=list)
    said: str = ""
    full: bool = False


class Program:
    """Program is a webcap binary."""

    def __init__(self, path):
        self.path = path

    def run(self, *arguments, timeout=300):
        command = [self.path, *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=timeout, check=False)

    def rewrite(self, path, out, *options):
        """Rewrite a file to out, with --full where nothing can be appended. Without steps the result is path."""
        for full in ((), ("--full",)):
            r = self.run("rewrite", path, "-o", out, "--break-signatures", "--format", "json", *full, *options)
            plan = parsed(r.stdout)
            said = r.stderr.strip()
            if r.returncode == 0 or not plan.get("steps"):
                break
        written = bool(plan.get("written"))
        steps, left = plan.get("steps") or [], plan.get("left") or []
        return Rewrite(out if written else path, r.returncode, steps, left, said, bool(full))

    def plan(self, path, *options):
        """Return the steps of a plan."""
        r = self.run("rewrite", path, "--break-signatures", "--format", "json", *options)
        return parsed(r.stdout).get("steps") or []

    def findings(self, path):
        """Return how often each rule with errors or warnings was broken: {rule: count}."""
        return count(self.audit(path), lambda f: f["level"] in ("error", "warning"))

    def promised(self, path):
        """Return how often each rule has findings that the audit says a rewrite repairs without being asked."""
        return count(self.audit(path), lambda f: f.get("fix") and f["rule"] not in ON_REQUEST)

    def differ(self, path, other):
        """Report whether webcap diff sees a difference; None if it fails."""
        return {0: False, 1: True}.get(self.run("diff", path, other).returncode)

    def audit(self, path):
        return parsed(self.run("audit", path, "--config", "none", "--format", "json").stdout)


def parsed(text):
    try:
        return json.loads(text)
    except ValueError:
        return {}


def count(report, wanted):
    found = {}
    for item in report.get("inputs") or ():
        for finding in item.get("findings") or ():
            if wanted(finding):
                found[finding["rule"]] = found.get(finding["rule"], 0) + 1
    return found

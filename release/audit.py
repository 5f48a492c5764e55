"""Look for known vulnerabilities of locked dependencies: ``python release/audit.py requirements/run.txt …``.

pip-audit skips packages that its index does not know, and still exits with 0. So this program counts what was audited.
It fails if a vulnerability was found or if some packages were skipped. It also fails if all were skipped, as behind a
mirror or without a network, but only with ``--strict``.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

OPTIONS = ("--require-hashes", "--disable-pip", "--progress-spinner", "off", "--format", "json")
OFFLINE = ("ConnectionError", "ConnectTimeout", "NameResolutionError", "ProxyError")
"""Names of errors of pip-audit that mean that there is no network."""
SHOWN = 3
"""Reasons for skipped packages that are printed."""


def main(arguments: list[str]) -> int:
    """Audit requirement files; print what was found and what was not audited. Return the exit code."""
    strict = "--strict" in arguments
    files = [argument for argument in arguments if argument != "--strict"]
    command = [Path(sys.executable).with_name("pip-audit"), *OPTIONS]
    done = subprocess.run(
        [*command, *(part for file in files for part in ("-r", file))], capture_output=True, text=True
    )
    try:
        packages: list[dict[str, Any]] = json.loads(done.stdout)["dependencies"]
    except ValueError:
        offline = any(word in done.stderr for word in OFFLINE)
        why = "the network is not reached" if offline else "pip-audit gave no result"
        print(f"Skipped: the audit of dependencies, because {why}.", *done.stderr.splitlines()[-1:], sep="\n  ")
        return 0 if offline and not strict else 1
    return report(packages, strict)


def report(packages: list[dict[str, Any]], strict: bool) -> int:
    """Print the result of pip-audit; return the exit code."""
    skipped = [package for package in packages if "skip_reason" in package]
    audited = [package for package in packages if "skip_reason" not in package]
    found = [(one, flaw) for one in audited for flaw in one["vulns"]]
    for one, flaw in found:
        fixed = ", ".join(flaw.get("fix_versions", ())) or "no version"
        print(f"VULNERABLE: {one['name']} {one['version']}: {flaw['id']}, fixed in {fixed}")
    print(f"{len(audited)} of {len(packages)} packages audited, {len(found)} known vulnerabilities.")
    if skipped:
        print(f"Skipped: the audit of {', '.join(sorted(one['name'] for one in skipped))}, because:")
        for reason in sorted({one["skip_reason"] for one in skipped})[:SHOWN]:
            print(f"  {reason}")
        print("A mirror of pypi.org may have no records of vulnerabilities.")
    return 1 if found or not packages or (skipped and (audited or strict)) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

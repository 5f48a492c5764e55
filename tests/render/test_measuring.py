"""What is measured of many pieces stays within bounds."""

from __future__ import annotations

import subprocess
import sys

import pytest

MEASURED = """
import resource
from fcbdsl.render import typesetting

def filled(template, values):
    at = values["at"]
    words = (f"#box[word {at}-{line}] #lorem({(at * 7 + line) % 60 + 5})" for line in range(200))
    return f"#metadata({at})<{typesetting.MEASURE}>\\n" + "\\n\\n".join(words)

typesetting.typst_source = filled
for at in range(30):
    assert typesetting.measured("", {"at": at}).measures == (at,)
    if at in (14, 29):
        print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere memory is told in other units")
def test_what_was_measured_long_ago_is_forgotten() -> None:
    done = subprocess.run([sys.executable, "-c", MEASURED], capture_output=True, text=True, check=True)
    half, whole = map(int, done.stdout.split())
    assert whole < half * 1.25  # without forgetting, another 15 such documents take twice as much

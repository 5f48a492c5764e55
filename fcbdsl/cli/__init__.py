"""The command line. Its door refuses a Python that is too old before anything else is read."""

import sys

OLDEST = (3, 11)
"""The oldest Python that this package runs on; what stands here is read by older ones, too."""

if sys.version_info < OLDEST:
    sys.stderr.write(
        "fcb needs Python %d.%d or later, but %s is Python %d.%d.\n"  # noqa: UP031
        % (OLDEST + (sys.executable,) + sys.version_info[:2])  # noqa: RUF005
    )
    sys.exit(2)

"""The command line. This module refuses an outdated Python before it imports anything else."""

import sys

OLDEST = (3, 11)
"""The oldest supported Python. Older ones must be able to parse this module, too."""

if sys.version_info < OLDEST:
    sys.stderr.write(
        "fcb needs Python %d.%d or later, but %s is Python %d.%d.\n"  # noqa: UP031
        % (OLDEST + (sys.executable,) + sys.version_info[:2])  # noqa: RUF005
    )
    sys.exit(2)

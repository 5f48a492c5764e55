"""The command line. This module refuses an outdated Python before it imports other modules of fcb."""

import gc
import sys

OLDEST = (3, 11)
"""The oldest supported Python. Older ones must be able to parse this module, too."""

if sys.version_info < OLDEST:
    sys.stderr.write(
        "fcb needs Python %d.%d or later, but %s is Python %d.%d.\n"  # noqa: UP031
        % (OLDEST + (sys.executable,) + sys.version_info[:2])  # noqa: RUF005
    )
    sys.exit(2)

YOUNG_OBJECTS = 100000
"""Least number of new objects after which Python searches for cycles: more than most commands make.

With the default of 700, it searches 16 times before it has imported click.
"""

gc.set_threshold(max(gc.get_threshold()[0], YOUNG_OBJECTS), *gc.get_threshold()[1:])

"""The start of the single-file build: the command line, and the processes that it begins."""

import multiprocessing
import sys

multiprocessing.freeze_support()  # before all imports: a process that fcb begins starts here, too

from fcbdsl.cli.main import main  # noqa: E402

if __name__ == "__main__":
    if sys.argv[1:2] == ["--fcb-typesetter"]:  # outside.FROZEN_FLAG: this process typesets for another
        from fcbdsl.print.typeset.worker_client import run

        run()
    else:
        main()

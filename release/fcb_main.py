"""The entry point of the single-file build: for the command line, and for its child processes."""

import multiprocessing
import sys

multiprocessing.freeze_support()  # before all imports: child processes of fcb also start here

from fcbdsl.cli.main import main  # noqa: E402

if __name__ == "__main__":
    if sys.argv[1:2] == ["--fcb-typesetter"]:  # outside.FROZEN_FLAG: a typesetting worker of another process
        from fcbdsl.print.typeset.worker_client import run

        run()
    else:
        main()

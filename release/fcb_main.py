"""The start of the single-file build: the command line, and the processes that it begins."""

import multiprocessing

multiprocessing.freeze_support()  # before all imports: a process that fcb begins starts here, too

from fcbdsl.cli.main import main  # noqa: E402

if __name__ == "__main__":
    main()

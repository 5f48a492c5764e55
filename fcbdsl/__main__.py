"""``python -m fcbdsl``: the command line."""

from fcbdsl.cli.main import main

if __name__ == "__main__":
    main()

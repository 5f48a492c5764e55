"""``python -m fcbdsl``: the command line."""

from fcbdsl.cli.main import main_of_process

if __name__ == "__main__":
    main_of_process()

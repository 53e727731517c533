"""The console script ``galop``: the command-line tool, inside the extension module."""

import signal
import sys


def main() -> None:
    """Runs the tool with the words of the command line, and ends the process with its exit code."""
    from galop import _galop

    # The tool handles signals by itself. Python's handlers would only take notes for an interpreter that never looks.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "SIGXFSZ"):
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    _galop.main(["galop", *sys.argv[1:]])


if __name__ == "__main__":
    main()

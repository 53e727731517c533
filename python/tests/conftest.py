"""Before all tests."""

import signal

# What runs in the background of a shell ignores Ctrl-C, and so do the programs that it starts: the tests of Ctrl-C would wait
# for ever.
signal.signal(signal.SIGINT, signal.default_int_handler)

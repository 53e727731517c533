"""``python -m galop`` is the tool."""

from galop._tool import main

main()

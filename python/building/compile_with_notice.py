"""The build backend of the package: maturin's, which first says that the build takes minutes.

pip shows nothing that a backend prints unless the build fails. So the notice goes to the terminal itself, if there is one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any

import maturin
from maturin import build_sdist as build_sdist
from maturin import get_requires_for_build_editable as get_requires_for_build_editable
from maturin import get_requires_for_build_sdist as get_requires_for_build_sdist
from maturin import get_requires_for_build_wheel as get_requires_for_build_wheel
from maturin import prepare_metadata_for_build_editable as prepare_metadata_for_build_editable
from maturin import prepare_metadata_for_build_wheel as prepare_metadata_for_build_wheel

_NOTICE = (
    "galop: compiling Rust for some minutes: five of processor time, so about three on two cores and one on eight.\n"
    "  pip prints nothing until it is done; `pip install -v` shows each package that is compiled."
)

_TERMINAL = "CONOUT$" if os.name == "nt" else "/dev/tty"


def _say() -> None:
    """Prints the notice on the terminal. Without a terminal it goes to standard error, which `pip install -v` shows."""
    try:
        with open(_TERMINAL, "w") as terminal:
            # pip is in the middle of a line.
            terminal.write(f"\n{_NOTICE}\n")
    except OSError:
        print(_NOTICE, file=sys.stderr, flush=True)


def build_wheel(
    wheel_directory: str, config_settings: Mapping[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    """Builds the wheel: the hook of PEP 517."""
    _say()
    return str(maturin.build_wheel(wheel_directory, config_settings, metadata_directory))


def build_editable(
    wheel_directory: str, config_settings: Mapping[str, Any] | None = None, metadata_directory: str | None = None
) -> str:
    """Builds the wheel of an editable installation: the hook of PEP 660."""
    _say()
    return str(maturin.build_editable(wheel_directory, config_settings, metadata_directory))

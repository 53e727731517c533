"""The accessor ``galop`` of tables of pandas. ``import galop.pandas`` registers it.

>>> import pandas
>>> import galop.pandas
>>> df = pandas.DataFrame({"id": [7, 8], "puzzle": ["12..34....1....2", "rubbish"]})
>>> df.galop.solve("puzzle")
   id            puzzle          solution     status  count  guesses
0   7  12..34....1....2  1243342123144132     solved      1        0
1   8           rubbish              None  malformed      0        0

The methods are those of :class:`Galop`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

try:
    import pandas
except ImportError as error:
    raise ImportError(f"galop.pandas needs pandas: pip install pandas ({error})") from error

from galop._accessor import Accessor

__all__ = ["Galop"]


@pandas.api.extensions.register_dataframe_accessor("galop")
class Galop(Accessor["pandas.DataFrame"]):
    """``df.galop``: the calls of this package on the columns of a table. The index stays as it is."""

    def _added(self, columns: Mapping[str, Any]) -> pandas.DataFrame:
        return self._table.assign(**columns)

    def _only(self, mask: Any) -> pandas.DataFrame:
        return self._table.loc[mask]

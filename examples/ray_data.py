"""Solves a column `puzzle` of parquet files with Ray Data. The rows stay in order, with all their columns.

python ray_data.py INPUT... OUTPUT
"""

from __future__ import annotations

import sys

import pyarrow as pa
import ray
import ray.data

import galop


def solve(table: pa.Table) -> pa.Table:
    """The rows of a batch with the columns `solution` and `status`."""
    # Ray gives a task one core.
    solved = galop.solve(table["puzzle"], threads=1).to_arrow()
    for name in ("solution", "status"):
        table = table.append_column(name, solved[name])
    return table


def main(inputs: list[str], output: str) -> None:
    context = ray.data.DataContext.get_current()
    context.execution_options.preserve_order = True
    # The reader that is new in Ray 2.60 mixes rows of different files, whatever is said of their order.
    context.use_datasource_v2 = False
    rows = ray.data.read_parquet(inputs)
    # A batch fills the 256 lanes of the engine many times.
    rows.map_batches(solve, batch_size=65_536, batch_format="pyarrow").write_parquet(output)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    main(sys.argv[1:-1], sys.argv[-1])

#!/usr/bin/env bash
# Solves a file with a job array of Slurm, a share of the input for each task:
#
#     sbatch --array=1-10 slurm.sh puzzles.txt parts
#     cat parts/part.* > solved.txt      # when all tasks are done
#
# A task that Slurm ends and starts again continues where it was; if its part is complete, it does nothing.
#SBATCH --job-name=galop
#SBATCH --cpus-per-task=16
#SBATCH --requeue
#SBATCH --open-mode=append
set -euo pipefail
input=$1 folder=$2
mkdir -p "$folder"
part=$(printf '%s/part.%05d.txt' "$folder" "$SLURM_ARRAY_TASK_ID")
galop solve "$input" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --resume --allow-malformed -q \
    --threads "${SLURM_CPUS_PER_TASK:-1}" -o "$part"

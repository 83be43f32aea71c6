#!/bin/sh
# pack_slurm.sh RUN PACKED   Packs a run item by item as a job array of Slurm, on nodes that share its folder. What sbatch is to
# be told beside that goes into SBATCH_OPTIONS. Waits for the end; can be repeated: what is there is not packed again. A task whose
# node fails is queued again by Slurm. Then: traceview PACKED
set -eu
[ $# -eq 2 ] || { sed -n '2,4s/^# //p' "$0" >&2; exit 2; }
: "${TRACEVIEW:=traceview}"
mkdir -p "$2"
run=$(readlink -f "$1") packed=$(readlink -f "$2")
"$TRACEVIEW" pack --list "$run" >"$packed/.items"
export TRACEVIEW RUN="$run" PACKED="$packed"
# shellcheck disable=SC2086  # the options are words
sbatch --wait --requeue --job-name=traceview-pack --array="1-$(wc -l <"$packed/.items")" --output="$packed/.task-%a.log" \
    --open-mode=append ${SBATCH_OPTIONS:-} <<'TASK'
#!/bin/sh
item=$(sed -n "${SLURM_ARRAY_TASK_ID}p" "$PACKED/.items")
exec "$TRACEVIEW" pack --each "$RUN" --item "$item" -o "$PACKED" --threads "${SLURM_CPUS_PER_TASK:-1}"
TASK

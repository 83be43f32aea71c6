#!/bin/sh
# pack_slurm.sh RUN PACKED   Packs a run item by item as a job array of Slurm, on nodes that share its folder. If there are more
# items than an array may have tasks (MaxArraySize), each task packs several. SBATCH_OPTIONS: more options for sbatch. Waits for
# the end. It can be repeated: items that are packed already are skipped. Slurm queues a task again if its node fails.
# Then: traceview PACKED
set -eu
[ $# -eq 2 ] || { sed -n '2,5s/^# //p' "$0" >&2; exit 2; }
: "${TRACEVIEW:=traceview}"
mkdir -p -- "$2"
# The x preserves newlines at the end of a name, which "$(...)" would drop.
run=$(readlink -f -- "$1" && echo x) packed=$(readlink -f -- "$2" && echo x)
export TRACEVIEW RUN="${run%?x}" PACKED="${packed%?x}"
"$TRACEVIEW" pack --list "$RUN" >"$PACKED/.items"
items=$(wc -l <"$PACKED/.items")
# The number of a task must be less than MaxArraySize.
most=$(scontrol show config 2>/dev/null | sed -n 's/^MaxArraySize *= *//p' || :)
most=$((${most:-1001} - 1))
TASKS=$((items < most ? items : most))
export TASKS
# shellcheck disable=SC2086  # SBATCH_OPTIONS holds several words
sbatch --wait --requeue --job-name=traceview-pack --array="1-$TASKS" --output=/dev/null ${SBATCH_OPTIONS:-} <<'TASK'
#!/bin/sh
# In a path given by --output, sbatch would expand every %.
exec >>"$PACKED/.task-$SLURM_ARRAY_TASK_ID.log" 2>&1
failed=0
n=$SLURM_ARRAY_TASK_ID
while item=$(sed -n "${n}p" "$PACKED/.items") && [ -n "$item" ]; do
    "$TRACEVIEW" pack --each "$RUN" --item "$item" -o "$PACKED" --threads "${SLURM_CPUS_PER_TASK:-1}" || failed=$?
    n=$((n + TASKS))
done
exit "$failed"
TASK

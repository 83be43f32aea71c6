#!/bin/sh
# pack_over_ssh.sh RUN PACKED HOST...   Packs a run item by item on hosts that share its folder, JOBS_PER_HOST (4) at a time on
# each. Can be repeated: what is there is not packed again. Then: traceview PACKED
set -eu
[ $# -ge 3 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
: "${JOBS_PER_HOST:=4}" "${SSH:=ssh -o BatchMode=yes}" "${TRACEVIEW:=traceview}"
RUN=$(readlink -f "$1")
mkdir -p "$2"
PACKED=$(readlink -f "$2")
shift 2
export SSH TRACEVIEW RUN PACKED
# Each item with the host whose turn it is. Paths go over standard input: there no shell takes them apart.
"$TRACEVIEW" pack --list "$RUN" |
    awk -v hosts="$*" 'BEGIN { n = split(hosts, host, " ") } { print host[NR % n + 1], $0 }' |
    xargs -P $(($# * JOBS_PER_HOST)) -L 1 sh -c 'printf "%s\n" "$TRACEVIEW" "$RUN" "$PACKED" "$2" | $SSH "$1" '\''
        read -r traceview; read -r run; read -r packed; read -r item
        exec "$traceview" pack --each "$run" --item "$item" -o "$packed" --threads 1'\' sh

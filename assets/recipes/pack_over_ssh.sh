#!/bin/sh
# pack_over_ssh.sh RUN PACKED HOST...   Packs a run item by item on hosts that share its folder, JOBS_PER_HOST (4) at a time on
# each. Can be repeated: what is there is not packed again. Then: traceview PACKED
set -eu
[ $# -ge 3 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
: "${JOBS_PER_HOST:=4}" "${SSH:=ssh -o BatchMode=yes}" "${TRACEVIEW:=traceview}"
mkdir -p -- "$2"
# The x keeps line ends that a name may end with.
run=$(readlink -f -- "$1" && echo x) packed=$(readlink -f -- "$2" && echo x)
shift 2
# As a word of a shell, whatever is in it.
quoted() {
    word=$(printf '%s.' "$1" | sed "s/'/'\\\\''/g")
    printf "'%s'" "${word%.}"
}
WORDS="traceview=$(quoted "$TRACEVIEW") run=$(quoted "${run%?x}") packed=$(quoted "${packed%?x}")"
export SSH WORDS
# Each item with the host whose turn it is. What is to be done goes over standard input to a shell that is known: paths are no words of
# the one that somebody has on that host. What ssh says of a host that is gone (255) would end xargs.
"$TRACEVIEW" pack --list "${run%?x}" |
    awk -v hosts="$*" 'BEGIN { n = split(hosts, host, " ") } { print host[NR % n + 1], $0 }' |
    xargs -P $(($# * JOBS_PER_HOST)) -L 1 sh -c '{
        printf "%s item=\"%s\"\n" "$WORDS" "$2"
        echo "exec \"\$traceview\" pack --each \"\$run\" --item \"\$item\" -o \"\$packed\" --threads 1 </dev/null"
    } | $SSH "$1" sh || exit 1' sh

#!/bin/sh
# pack_over_ssh.sh RUN PACKED HOST...   Packs a run item by item on hosts that share its folder, JOBS_PER_HOST (4) at a time on
# each. It can be repeated: items that are packed already are skipped. Then: traceview PACKED
set -eu
[ $# -ge 3 ] || { sed -n '2,3s/^# //p' "$0" >&2; exit 2; }
: "${JOBS_PER_HOST:=4}" "${SSH:=ssh -o BatchMode=yes}" "${TRACEVIEW:=traceview}"
mkdir -p -- "$2"
# The x preserves newlines at the end of a name, which "$(...)" would drop.
run=$(readlink -f -- "$1" && echo x) packed=$(readlink -f -- "$2" && echo x)
shift 2
# Quotes any text as one word of a shell.
quoted() {
    word=$(printf '%s.' "$1" | sed "s/'/'\\\\''/g")
    printf "'%s'" "${word%.}"
}
WORDS="traceview=$(quoted "$TRACEVIEW") run=$(quoted "${run%?x}") packed=$(quoted "${packed%?x}")"
export SSH WORDS
# Gives each item to the next host, round robin. The commands go to the standard input of sh, so the user's login shell on the host,
# which may be any, does not parse the paths. If a host is gone, ssh exits with 255, which would end xargs.
"$TRACEVIEW" pack --list "${run%?x}" |
    awk -v hosts="$*" 'BEGIN { n = split(hosts, host, " ") } { print host[NR % n + 1], $0 }' |
    xargs -P $(($# * JOBS_PER_HOST)) -L 1 sh -c '{
        printf "%s item=\"%s\"\n" "$WORDS" "$2"
        echo "exec \"\$traceview\" pack --each \"\$run\" --item \"\$item\" -o \"\$packed\" --threads 1 </dev/null"
    } | $SSH "$1" sh || exit 1' sh

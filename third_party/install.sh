#!/usr/bin/env bash
# third_party/install.sh SECTION...   Installs the packages of these sections of packages.txt that are
# missing. Says nothing when none is. Without apt it names them and leaves the rest to you.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")

release=unknown
if [ -r /etc/os-release ]; then
    release=$(. /etc/os-release && echo "${ID:-unknown}-${VERSION_ID:-}")
fi
names=()
for section in "$@"; do
    names+=($(sed -n -E "s/^$section(-$release)?: *([^ ]+) *$/\2/p" "$here/packages.txt"))
done

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    # Once is enough: a marker keeps later runs quiet.
    marker=$here/../build/packages-named
    if [ ! -e "$marker" ]; then
        echo "traceview: no apt here. Please see that you have what these Debian packages hold:" >&2
        echo "  ${names[*]}" >&2
        mkdir -p "${marker%/*}" && touch "$marker"
    fi
    exit 0
fi

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
known() { [ -n "$(apt-cache show --no-all-versions "$1" 2>/dev/null)" ]; }

missing=()
for name in "${names[@]}"; do
    for choice in ${name//|/ }; do
        installed "$choice" && continue 2
    done
    missing+=("$name")
done
[ ${#missing[@]} -gt 0 ] || exit 0

# When nothing can be installed the build still goes on: it stops by itself if it can't do without.
as_root=()
[ "$(id -u)" = 0 ] || as_root=(sudo)
if [ ${#as_root[@]} -gt 0 ] && ! command -v sudo >/dev/null; then
    echo "traceview: going on without ${missing[*]%%|*}: to install them takes root" >&2
    exit 0
fi
log=$here/../build/install.log
mkdir -p "${log%/*}"
echo "traceview: installing ${missing[*]}" >&2
"${as_root[@]}" apt-get update -qq >"$log" 2>&1 || true

choices=()
for name in "${missing[@]}"; do
    for choice in ${name//|/ }; do
        if known "$choice"; then
            choices+=("$choice")
            continue 2
        fi
    done
    echo "traceview: apt does not know ${name//|/ or }; going on without" >&2
done
[ ${#choices[@]} -gt 0 ] || exit 0
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq -o=Dpkg::Use-Pty=0 --no-install-recommends "${choices[@]}" >>"$log" 2>&1 || {
    tail -n 5 "$log" >&2
    echo "traceview: apt could not install them; going on without (build/install.log tells all)" >&2
}

#!/usr/bin/env bash
# third_party/install.sh SECTION...           Installs the packages of these sections of packages.txt that are missing.
#                                             Says nothing when none is. Without apt it names them and leaves the rest to you.
# third_party/install.sh --names SECTION...   Only names all of them, for apt-get install.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")

only_names=
if [ "${1:-}" = --names ]; then
    only_names=1
    shift
fi
release=unknown
if [ -r /etc/os-release ]; then
    release=$(. /etc/os-release && echo "${ID:-unknown}-${VERSION_ID:-}")
fi
names=()
for section in "$@"; do
    names+=($(sed -n -E "s/^$section(-$release)?: *([^ ]+) *$/\2/p" "$here/packages.txt"))
done

has_apt() { command -v apt-get >/dev/null && command -v dpkg-query >/dev/null && command -v apt-cache >/dev/null; }
installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
known() { [ -n "$(apt-cache show --no-all-versions "$1" 2>/dev/null)" ]; }
# Of several names for one thing: the first that apt knows, else the first.
chosen() {
    local choice
    if has_apt; then
        for choice in ${1//|/ }; do
            known "$choice" && echo "$choice" && return
        done
    fi
    echo "${1%%|*}"
}
all_chosen() {
    local name list=()
    for name in "$@"; do list+=("$(chosen "$name")"); done
    echo "${list[*]}"
}

if [ -n "$only_names" ]; then
    all_chosen "${names[@]}"
    exit 0
fi
if ! has_apt; then
    # Until something was configured; then it is known that they are there.
    for made in "$here"/../build/*/build.ninja; do
        [ ! -e "$made" ] || exit 0
    done
    echo "traceview: no apt here. Please see that you have what these Debian packages hold:" >&2
    echo "  $(all_chosen "${names[@]}")" >&2
    exit 0
fi

missing=()
for name in "${names[@]}"; do
    for choice in ${name//|/ }; do
        installed "$choice" && continue 2
    done
    missing+=("$name")
done
[ ${#missing[@]} -gt 0 ] || exit 0

# When nothing can be installed the build still goes on: it stops by itself if it can't do without.
go_on_without() {
    echo "traceview: $1; going on without. For who administers this machine:" >&2
    echo "  apt-get install --no-install-recommends $(all_chosen "${missing[@]}")" >&2
    exit 0
}
as_root=()
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || go_on_without "some packages are missing, and to install them takes root"
    as_root=(sudo)
fi
echo "traceview: installing ${missing[*]%%|*}" >&2
# Asked for once: who does not know the password is not asked again for the next command.
[ ${#as_root[@]} = 0 ] || sudo -v || go_on_without "sudo was refused"

log=$here/../build/install.log
mkdir -p "${log%/*}" 2>/dev/null && touch "$log" 2>/dev/null || log=$(mktemp "${TMPDIR:-/tmp}/traceview-install.XXXXXX")
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
    go_on_without "apt could not install them ($log tells all)"
}

# Sourced by app/run and tests/run.  tv_build PRESET TARGET...  configures and builds; nothing is said
# when there is nothing to do. All words go to stderr. Needs $root, the folder of the checkout.

tv_build() {
    local name=build/$1 folder=$root/build/$1 log=$root/build/$1/build.log
    mkdir -p "$folder"
    tv_pick_compiler
    if [ ! -e "$folder/build.ninja" ]; then
        echo "traceview: configuring $name" >&2
        (cd "$root" && cmake --preset "$1") >"$log" 2>&1 || tv_failed
    fi
    shift
    ninja -C "$folder" "$@" 2>&1 | tee "$log" | tv_progress || tv_failed
}

# Turns ninja's lines into one line of progress, or into one message where that can't be.
tv_progress() {
    local line said=
    while IFS= read -r line; do
        [[ $line =~ ^\[([0-9]+/[0-9]+)\]\ (Building|Linking) ]] || continue
        if [ -t 2 ]; then
            printf '\rtraceview: building %s %s ' "$name" "${BASH_REMATCH[1]}" >&2
        elif [ -z "$said" ]; then
            echo "traceview: building $name" >&2
        fi
        said=1
    done
    [ ! -t 2 ] || [ -z "$said" ] || echo >&2
}

tv_failed() {
    grep -v -E '^\[[0-9]+/[0-9]+\] |^ninja: Entering|^Preset CMake|^-- ' "$log" | head -n 150 >&2 || true
    echo "traceview: could not build $name; all that was said is in $log" >&2
    exit 1
}

# Ubuntu 22.04's g++ is 11; packages.txt brings g++-12 there.
tv_pick_compiler() {
    if [ -z "${CXX:-}" ] && command -v g++-12 >/dev/null &&
        [ "$(g++ -dumpversion 2>/dev/null | cut -d. -f1)" = 11 ]; then
        export CC=gcc-12 CXX=g++-12
    fi
}

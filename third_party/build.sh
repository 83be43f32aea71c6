# Sourced by app/run and tests/run. Needs $root, the folder of the checkout. All words go to stderr.
#   tv_is_built PRESET PROGRAM    true when the program is there and nothing has changed since
#   tv_build PRESET TARGET...     configures and builds; nothing is said when there is nothing to do
# Builds are in build/PRESET, or in $TV_BUILD/PRESET where that is set. What compilers said is kept in build.log there.

tv_folder() { echo "${TV_BUILD:-$root/build}/$1"; }

# Every build that came to its end leaves a mark with the time of its beginning: sources that are older are in it.
tv_is_built() {
    local folder
    folder=$(tv_folder "$1")
    [ -x "$folder/$2" ] && [ -e "$folder/build.done" ] || return 1
    local places=("$root"/{app,core,ui,third_party,CMakeLists.txt,CMakePresets.json}) place found
    [ ! -e "$root/.git/logs/HEAD" ] || places+=("$root/.git/logs/HEAD")
    # The manual, the shaders and the icon are in the program.
    [ ! -e "$root/assets" ] || places+=("$root/assets")
    found=$(find "${places[@]}" -newer "$folder/build.done" -not -name '__pycache__' -print -quit 2>/dev/null) || return 1
    [ -z "$found" ]
}

tv_build() {
    local name=build/$1 folder log status=0 preset=$1
    [ -z "${TV_BUILD:-}" ] || name=$TV_BUILD/$1
    folder=$(tv_folder "$1")
    shift
    if ! tv_can_write "$folder"; then
        tv_use_finished "$folder" "$@" && return
        echo "traceview: cannot write to $folder; to build elsewhere: TV_BUILD=\$HOME/traceview-build $0" >&2
        exit 1
    fi
    if ! tv_has_tools; then
        tv_use_finished "$folder" "$@" && return
        exit 1
    fi
    tv_pick_compiler
    tv_leave_other_checkout
    mkdir -p "$folder"
    log=$folder/build.log.now
    # A file that is newer than this was not in the build.
    touch "$folder/build.begin"
    if [ ! -e "$folder/build.ninja" ]; then
        echo "traceview: configuring $name" >&2
        rm -f "$folder/build.log"
        (cd "$root" && cmake --preset "$preset" -B "$folder") >"$log" 2>&1 || tv_failed
        tv_keep_log
    fi
    ninja -C "$folder" "$@" 2>&1 | tee "$log" | tv_progress || status=${PIPESTATUS[0]}
    [ "$status" = 0 ] || tv_failed
    tv_keep_log
    mv -f "$folder/build.begin" "$folder/build.done"
}

tv_can_write() {
    local at=$1
    while [ ! -e "$at" ]; do at=$(dirname "$at"); done
    [ -d "$at" ] && [ -w "$at" ] && { [ ! -e "$1/.ninja_log" ] || [ -w "$1/.ninja_log" ]; }
}

# A program that was built before is better than none: by root, on another machine, before the disk was mounted read-only.
tv_use_finished() {
    local folder=$1 newer
    [ "$#" = 2 ] && [ "$2" = traceview ] && [ -x "$folder/app/traceview" ] || return 1
    newer=$(find "$root"/{app,core,ui} -name '*.[ch]*' -newer "$folder/app/traceview" -print -quit 2>/dev/null) || true
    [ -z "$newer" ] || echo "traceview: running what was built earlier; it cannot be built anew here, though $newer changed since" >&2
}

tv_has_tools() {
    local tool missing=()
    for tool in cmake ninja "${CXX:-c++}"; do
        # Without the name c++ there can be a g++ or clang++.
        command -v "$tool" >/dev/null || { [ "$tool" = c++ ] && { command -v g++ || command -v clang++; } >/dev/null; } || missing+=("$tool")
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    echo "traceview: to build it, ${missing[*]} must be installed first. All that it needs, by the names of Debian and Ubuntu:" >&2
    echo "  apt-get install $("$root/third_party/install.sh" --names build run)" >&2
    return 1
}

# A build folder holds the absolute path of its sources: that of a checkout which was moved or copied is of no use.
tv_leave_other_checkout() {
    local home
    [ -e "$folder/CMakeCache.txt" ] || return 0
    home=$(sed -n 's/^CMAKE_HOME_DIRECTORY:INTERNAL=//p' "$folder/CMakeCache.txt")
    [ "$home" -ef "$root" ] && return
    echo "traceview: $name was made for $home; beginning anew" >&2
    rm -rf "$folder"
}

# What compilers said is kept until the folder is configured anew; that there was nothing to do is not.
tv_keep_log() {
    if grep -q -v -E '^ninja: (Entering|no work)' "$log"; then
        { echo "== $(date '+%F %T')" && cat "$log"; } >>"$folder/build.log"
    fi
    rm -f "$log"
}

# Turns ninja's lines into one line of progress; where that can't be, into one for every tenth of the work.
tv_progress() {
    local line said= done all percent begin=$SECONDS left
    while IFS= read -r line; do
        [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ (Building|Linking) ]] || continue
        done=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
        percent=$((100 * done / all))
        left=$(tv_time_left $((SECONDS - begin)) "$done" "$all")
        if [ -t 2 ]; then
            printf '\rtraceview: building %s %d %% (%d of %d)%s\033[K' "$name" "$percent" "$done" "$all" "$left" >&2
            said=0
        elif [ -z "$said" ] || [ "$percent" -ge $((said + 10)) ]; then
            echo "traceview: building $name $percent % ($done of $all)$left" >&2
            said=$((percent / 10 * 10))
        fi
    done
    [ ! -t 2 ] || [ -z "$said" ] || echo >&2
}

# SECONDS DONE ALL: as the steps so far took. The first pieces of each layer are the slowest, so nothing is said before a fifth is done.
tv_time_left() {
    local left=$(($1 * ($3 - $2) / $2))
    if [ "$1" -lt 10 ] || [ $((5 * $2)) -lt "$3" ] || [ "$left" -lt 5 ]; then
        return
    elif [ "$left" -lt 90 ]; then
        echo ", about $(((left + 5) / 10 * 10)) s left"
    else
        echo ", about $(((left + 30) / 60)) min left"
    fi
}

tv_failed() {
    grep -v -E '^\[[0-9]+/[0-9]+\] |^ninja: Entering|^Preset CMake|^-- ' "$log" | head -n 150 >&2 || true
    if grep -q -E 'no system package that fits|Could not resolve host|could not be downloaded' "$log"; then
        echo "traceview: libraries that this system lacks are downloaded; as packages they need no network then:" >&2
        echo "  apt-get install $("$root/third_party/install.sh" --names build)" >&2
    fi
    tv_keep_log
    echo "traceview: could not build $name; all that was said is in $folder/build.log" >&2
    exit 1
}

# Ubuntu 22.04's g++ is 11; packages.txt brings g++-12 there.
tv_pick_compiler() {
    if [ -z "${CXX:-}" ] && command -v g++-12 >/dev/null &&
        [ "$(g++ -dumpversion 2>/dev/null | cut -d. -f1)" = 11 ]; then
        export CC=gcc-12 CXX=g++-12
    fi
}

#!/bin/sh
# Makes .venv, or mends it, and installs the course into it: `sh tools/environment.sh lab`, or `dev` for the tests.
# Nothing to do: says nothing. Interrupted earlier, or the folder was moved: starts afresh.
# Plain POSIX sh, because it runs before anything is known about the machine.
set -eu
cd "$(dirname "$0")/.."

kind=${1:-lab}
stamp=.venv/.installed-$kind # written last, so it vouches for all before it
busy=.venv/.installing       # holds the process id of the installation under way
tried=14                     # the course's tests were run on Python 3.11 to 3.$tried
need_mb=1500                 # what .venv takes, with room for pip to unpack

case $kind in
lab) what='.[lab,spark,servers,demo]' ;;
dev) what='.[lab,spark,servers,demo,hub,dev,book]' ;;
*) echo "tools/environment.sh knows lab and dev, not '$kind'." >&2 && exit 2 ;;
esac

export PYTHONNOUSERSITE=1 PIP_USER=0 PIP_DISABLE_PIP_VERSION_CHECK=1
unset PYTHONPATH PYTHONHOME PIP_TARGET PIP_PREFIX PIP_ROOT 2>/dev/null || true # .venv is the place
case ${LC_ALL:-} in C | POSIX) export LC_ALL=C.UTF-8 ;; esac # pip's tools cannot write a folder's ü otherwise
# pip asks rustc for its version, and a fresh rustup would then settle in the home directory
[ -d "${HOME:-}/.rustup" ] || export RUSTUP_HOME="$PWD/.venv/.rustup"

fail() {
    printf '\n%s\n' "$*" >&2
    exit 1
}

# The folder, the lock and the package's definition: when one of them changes, the installation is of yesterday.
wanted() { pwd && cksum pyproject.toml requirements.lock; }

afresh() {
    [ -w .venv ] && [ -w . ] || fail "The environment $PWD/.venv is not yours to change, and it does not work for you.
Copy the course to a folder of yours (without .venv), and call make there."
    echo "$1: starting afresh."
    rm -rf .venv 2>/dev/null || fail "The environment $PWD/.venv cannot be removed. Delete it, then call again."
}

works() { [ -x .venv/bin/python ] && .venv/bin/python -c 'import sys, pip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }

if [ -f "$stamp" ] && [ ! -f "$busy" ] && [ "$(wanted)" = "$(cat "$stamp")" ] && [ -x .venv/bin/python ] &&
    .venv/bin/python -c '' 2>/dev/null; then
    exit 0
fi

# A Python of 3.11 to 3.$tried first, then a newer one; `PYTHON=…` leaves no choice. Sets $python, or $seen to what was wrong.
find_python() {
    python='' newer='' seen=''
    if [ -n "${PYTHON:-}" ]; then
        set -- "$PYTHON" # one name, whatever stands in it
    else
        set -- python3 python3.13 python3.12 python3.11 python3.14 python3.15 python
    fi
    for name in "$@"; do
        command -v "$name" >/dev/null 2>&1 || continue
        version=$("$name" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue
        minor=${version#3.}
        case $version in 2.* | 3.[0-9] | 3.10)
            seen="$seen
  $name is Python $version, which is too old"
            continue
            ;;
        esac
        if ! "$name" -c 'import venv, ensurepip' 2>/dev/null; then
            seen="$seen
  $name is Python $version, but has no venv module (Debian and Ubuntu: sudo apt install python$version-venv)"
            continue
        fi
        if [ "$minor" -le "$tried" ]; then
            python=$name
            return
        fi
        [ -n "$newer" ] || newer=$name
    done
    python=$newer
}

if [ -e .venv ] || [ -h .venv ]; then
    if [ -f "$busy" ]; then
        other=$(cat "$busy" 2>/dev/null || true)
        if [ -n "$other" ] && [ "$other" != "$$" ] && kill -0 "$other" 2>/dev/null; then
            fail "Another call of make (process $other) is installing into .venv. Wait until it is done, then call again."
        fi
        afresh "An earlier installation was interrupted"
    elif [ ! -f .venv/pyvenv.cfg ]; then
        fail "There is a .venv here that is not a Python environment. Move it away ($PWD/.venv), then call again."
    elif ! works || { cat .venv/.installed-* >/dev/null 2>&1 && ! grep -qxF "$PWD" .venv/.installed-*; }; then
        afresh "The environment .venv belongs to another place or to a Python that is gone"
    fi
fi

if [ ! -d .venv ]; then
    find_python
    if [ -z "$python" ]; then
        [ -z "${PYTHON:-}" ] || [ -n "$seen" ] || seen="
  PYTHON=$PYTHON does not start"
        fail "No usable Python was found: the course needs Python 3.11 or newer.${seen:-
  there is no python3 on the PATH}
Install one (Debian and Ubuntu: sudo apt install python3 python3-venv; macOS: brew install python@3.13; or python.org),
or name one that you have: make lab PYTHON=/path/to/python3"
    fi
    free_mb=$(df -Pk . | awk 'NR == 2 { print int($4 / 1024) }')
    if [ "$free_mb" -lt "$need_mb" ]; then
        fail "The disk of $PWD has $free_mb MB free; the environment needs $need_mb MB. Free some, then call again."
    fi
    mkdir .venv 2>/dev/null || fail "The folder $PWD cannot be written. Copy the course to a folder of yours, and call make there."
    echo $$ >"$busy"
    echo "Making the environment .venv with $("$python" --version 2>&1) ($(command -v "$python"))."
    "$python" -m venv .venv >.venv/install.log 2>&1 ||
        fail "The environment could not be made. Python says:
$(tail -n 5 .venv/install.log)"
fi

minor=$(.venv/bin/python -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || minor=3.0
minor=${minor#3.} anyway=
if [ "$minor" -gt "$tried" ]; then
    anyway=--ignore-requires-python # the person has no other one, or has chosen it
    echo "The course's tests were run on Python 3.11 to 3.$tried; on 3.$minor something may fail. With another Python: delete .venv, then
make lab PYTHON=python3.$tried"
fi
{ echo $$ >"$busy"; } 2>/dev/null || fail "The folder $PWD/.venv cannot be written. Give it to yourself (chown), or delete it, then call again."
echo "Installing the course's packages; the first time this takes one to two and a half minutes."
by_uv() { # several times as fast; what it cannot do, such as reading pip's own configuration, pip does
    [ -z "$anyway" ] && command -v uv >/dev/null 2>&1 && echo "Installing with uv, which is here." &&
        uv pip install --quiet --python .venv/bin/python -c requirements.lock -e "$what"
}
{
    by_uv 2>&1 || .venv/bin/python -m pip install --no-input --progress-bar off $anyway -c requirements.lock -e "$what" 2>&1 ||
        echo "pip failed"
} | {
    : >.venv/install.log
    while IFS= read -r line; do
        printf '%s\n' "$line" >>.venv/install.log
        case $line in
        *Downloading*' MB)'* | 'Installing with uv'*) printf '%s\n' "$line" ;;
        *'Building wheel for pyspark'*started*) echo "  Unpacking PySpark; this takes about a minute." ;;
        'Installing collected packages'*) echo "  Putting the packages into .venv." ;;
        esac
    done
}
rm -f "$busy"
if grep -qx 'pip failed' .venv/install.log; then
    if grep -qiE 'name resolution|getaddrinfo|nodename nor servname|unreachable|timed out|Connection(Error| refused| reset)|Failed to establish|ProxyError' .venv/install.log; then
        fail "The packages could not be downloaded: PyPI cannot be reached from here. Check the network (and HTTPS_PROXY,
if you need a proxy), then call again. What pip said is in .venv/install.log."
    elif grep -q 'No space left' .venv/install.log; then
        fail "The disk is full. Free about $need_mb MB, then call again."
    fi
    fail "The packages could not be installed. pip's errors and last words (all of them are in .venv/install.log):
$(grep '^ERROR' .venv/install.log | head -n 4)
$(grep -v '^pip failed$' .venv/install.log | tail -n 8)"
fi

# pip names the course's folder in full there, and Python before 3.13 reads that line by the locale's letters: under
# LC_ALL=C one ü in the path would keep it from starting. A line without the folder's name says the same.
for link in .venv/lib/python*/site-packages/__editable__.exactly_once-*.pth; do
    [ ! -f "$link" ] || [ "$(cat "$link")" != "$PWD/lib" ] || echo ../../../../lib >"$link"
done

.venv/bin/python -m exactly_once.course.setup.finish "--$kind"
[ "$kind" = lab ] || wanted >.venv/.installed-lab
wanted >"$stamp"
echo "Installed."

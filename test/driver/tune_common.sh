# What the scripts about tuning begin with, each as `. "$(dirname "$0")/tune_common.sh"` with SCULPT in $1: a
# folder of its own, in which nothing is kept yet, and what counts failures.
sculpt=$(realpath "$1") || exit 2
script=$(basename "$0" .sh)
root=$(realpath "$(dirname "$0")/../..") || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
mkdir -m 700 data
export SCULPT_CACHE_DIR="$work/cache" XDG_DATA_HOME="$work/data" XDG_DATA_DIRS="$work/none"
unset SCULPT_WISDOM SCULPT_TUNE SCULPT_WISDOM_MAX SCULPT_DEVICE SCULPT_MACHINE
db=$work/data/sculpt/wisdom-1.db
bad=0
check() { # name, status of the check
    [ "$2" -eq 0 ] || { echo "FAIL $script: $1"; head -n 5 out err; bad=$((bad + 1)); }
}
tune() { timeout 900 "$sculpt" tune "$@" >out 2>err; }
wisdom() { timeout 60 "$sculpt" wisdom "$@" >out 2>err; }

#!/bin/sh
# What a call costs beside its launch, once its nest is chosen: counted instructions, so no clock is asked.
# test/driver/choice.sh SCULPT
#
# A processor makes three of them in a nanosecond, about: 2700 are less than a microsecond, for all that a
# call does beside launching; choosing alone is a part of that.
sculpt=$(realpath "$1") || exit 2
command -v valgrind >/dev/null || exit 0
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
export SCULPT_CACHE_DIR="$work/cache" SCULPT_WISDOM="$work/none.db" SCULPT_DEVICE=cpu SCULPT_OFFLOAD=always
export SCULPT_SYNC=1 OMP_NUM_THREADS=1
LD_LIBRARY_PATH=$(dirname "$sculpt")
export LD_LIBRARY_PATH
cat >calls.c <<'END'
#include <stdlib.h>
static float a[4096], b[4096];
static void add(int n, float *restrict x, const float *restrict y)
{
#pragma sculpt
    for (int i = 0; i < n; i++) x[i] = x[i] + y[i];
}
int main(int argc, char **argv) /* how many calls, of how many sizes in turn */
{
    int sizes = argc > 2 ? atoi(argv[2]) : 1;
    for (int i = argc > 1 ? atoi(argv[1]) : 10; i > 0; i--) add(64 + 8 * (i % sizes), a, b);
    return 0;
}
END
"$sculpt" cc --no-remarks -O2 calls.c -o calls && ./calls && ./calls || exit 1
# instructions of a function and all that it calls
counted() { # how many calls, of how many sizes
    valgrind --tool=callgrind --callgrind-out-file=out.$1 --toggle-collect=main ./calls $1 $2 >/dev/null 2>log ||
        return 1
    callgrind_annotate --inclusive=yes --threshold=100 out.$1 | tr -d , >all.$1
    for f in sculpt_enter launch_nest kept_find call_get; do
        awk -v f=":$f " '$0 ~ f && $1 + 0 > n { n = $1 + 0 } END { printf "%d ", n }' all.$1
    done
}
bad=0
counts() { # how many sizes, what it is called
    ./calls 64 $1 && ./calls 64 $1 && few=$(counted 500 $1) && many=$(counted 1500 $1) || { head -n 3 log; bad=1; return; }
    echo "$few $many" | awk -v what="$2" '{
        beside = ($5 - $1 - ($6 - $2)) / 1000; choice = ($7 - $3 + $8 - $4) / 1000
        said = sprintf("choice, %s: beside its launch a call takes %d instructions, choosing %d, the launch %d",
                       what, beside, choice, ($6 - $2) / 1000)
        if (ENVIRON["CHOICE_SHOW"]) print said
        if (!(($6 - $2) > 0 && beside > 0 && beside < 2700 && choice < 1000 && $6 - $2 < 2500000)) {
            print "FAIL " said
            exit 1
        }
    }' || bad=1
}
counts 1 "one size"
counts 16 "16 sizes in turn"
# The same where the wisdom knows the loop: it is asked at the first call alone.
timeout 300 "$sculpt" tune --device cpu --sizes n=64 --budget 10s --most 1 calls.c >log 2>&1 &&
    "$sculpt" wisdom list 2>&1 | grep -q add || { cat log; bad=1; }
rm -rf cache
counts 1 "known to the wisdom"
counts 16 "known to the wisdom, 16 sizes in turn"
[ $bad = 0 ]

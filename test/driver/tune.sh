#!/bin/sh
# `sculpt tune` and `sculpt wisdom`: what is measured is kept at once and found again, and programs run what the judge
# proves of it.  test/driver/tune.sh SCULPT
#
# What may go wrong meanwhile is test/driver/tune_faults.sh's.
# Which candidate wins is nobody's business here, nor how long anything takes.
. "$(dirname "$0")/tune_common.sh"
tune() { timeout 900 "$sculpt" tune --device cpu "$@" >out 2>err; }

cat >loops.c <<'END'
void add(int n, int m, float a[n][m], float b[n][m])
{
#pragma sculpt
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = 2 * b[i][j] + 1;
}
END
cat >data.c <<'END'
void gather(int n, float *restrict a, const float *restrict b, const int *restrict at)
{
#pragma sculpt
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int k = at[i]; k < at[i + 1]; k++)
            s += b[k];
        a[i] = s;
    }
}
END
# ---- nothing yet
wisdom list && grep -q 'nothing was kept' out && [ ! -e "$db" ]
check "looking makes no file" $?

# ---- measured, kept, known
tune --sizes "n=40,50; m=n" --budget 20s --most 2 --log log loops.c:4 && [ "$(grep -c '^loops.c:4:5: add_4 at' out)" = 2 ]
check "each size is tuned" $?
[ ! -s err ]
check "it is quiet where nobody looks" $?
wisdom list --json && [ "$(grep -c '"sizes": "n=[45]0 m=[45]0"' out)" = 2 ]
check "and kept" $?
printf '%s\n' 'void f(int n, int *q, signed char *c) {' '#pragma sculpt' 'for (int i = 0; i < n; i++) q[i] = i - 100, c[i] = -1;' '}' >negative.c
tune --sizes n=300 --budget 5s --most 1 negative.c && ! grep -q 'wrong results' out err
check "negative numbers are right" $?
tune --sizes "zzz=5" --budget 5s --most 1 negative.c
[ $? -eq 2 ] && grep -q -- '--sizes zzz: no loop has a parameter of that name' err
check "a size of no loop is an error" $?
tune --sizes "n=40; m=n" --budget 20s --json --most 2 loops.c && grep -q '"known": [1-9]' out
check "what was measured is known" $?
tune --sizes "n=40; m=n" --budget 20s --json --most 1 --again loops.c && grep -q '"known": 0' out
check "and measured again where that is asked for" $?
SCULPT_TUNE=read tune --sizes "n=41; m=7" --budget 10s --most 1 loops.c && wisdom list && ! grep -q n=41 out
check "SCULPT_TUNE=read keeps nothing" $?
wisdom explain loops.c --arg n=40 --arg m=40 --device cpu && grep -q 'hit.*this device, these sizes' out
check "a call of that size finds it" $?
wisdom explain loops.c --arg n=45 --arg m=44 --device cpu && grep -q 'hit.*this device, near sizes' out
check "and one of a size near by" $?
wisdom explain loops.c --arg n=4000 --arg m=4 --device cpu && grep -q 'miss' out
check "but none of one far away" $?

tune --sizes "n=60; m=60" --budget 20s --json --most 1 --again loops.c && grep -q '"corrected": [1-9]' out &&
    grep -q '"ended": "that many were asked for"' out && grep -q '"ceiling_seconds": [0-9.e-]*[1-9]' out
check "prices that earlier measurements corrected, why it ended, the ceiling" $?
if command -v script >/dev/null; then
    TERM=dumb timeout 900 script -qec "'$sculpt' tune --device cpu --sizes 'n=61; m=60' --budget 20s --most 1 loops.c" /dev/null >out 2>err </dev/null &&
        grep -q '1 of [0-9]*, best [0-9.]*x, [0-9]* % of the ceiling, [0-9]* s left' out
    check "a line of progress on a terminal" $?
fi

tune --sizes "n=60; m=60" --budget 20s --most 1 --html page.html loops.c && grep -q '<svg class=search' page.html &&
    grep -q '<span class=no>1</span><span>[a-z]*</span>' page.html && grep -q 'add_4 <small>loops.c:4:5, at n=60 m=60 on' page.html
check "the search as a page" $?
tune --sizes "n=60; m=60" --budget 20s --most 1 --html nowhere/page.html loops.c
[ $? = 1 ] && grep -q "cannot write 'nowhere/page.html'" err
check "and one that can't be written" $?

# ---- a permission counts for C and for the region's text alike: both are one region
cat >dot.c <<'END'
void dot(int n, float *restrict s, const float *restrict a)
{
#pragma sculpt
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < n; k++) s[i] += a[i * n + k];
}
END
"$sculpt" emit --dump=region dot.c >dot.nest && tune --permit reassociate --sizes n=300 --budget 20s --most 1 dot.c &&
    tune --permit reassociate --sizes n=300 --budget 20s --json --most 1 dot.nest && grep -q '"known": [1-9]' out
check "what is permitted" $?

# ---- strategies on the log
sed '/^sculpt tuning/,$!d' log | awk '/^sculpt tuning/ && NR > 1 { exit } { print }' >one.log
for s in model exhaustive random annealing genetic bayesian; do
    "$sculpt" tune --replay one.log --strategy $s >out 2>err && grep -q 'of the best' out
    check "a log in the place of the device: $s" $?
    tune --sizes "n=30; m=20" --budget 10s --most 1 --strategy $s loops.c
    check "strategy $s" $?
done

# ---- a space measured whole, by the program that needs no libclang
if [ -x "$(dirname "$sculpt")/measure" ]; then
    "$sculpt" emit --dump=region loops.c >add.nest 2>err
    "$(dirname "$sculpt")/measure" space --device cpu --source add.nest --set n=40 --set m=30 --out space.log >out 2>err &&
        [ "$(grep -c '^point' space.log)" = "$(($(grep -c '^measured' space.log) + 1))" ] && "$sculpt" tune --replay space.log >out 2>err
    check "all candidates as a log" $?
    "$sculpt" tune --replay space.log --device cpu --export log add.nest >anew.log 2>err && cmp space.log anew.log >out
    check "priced anew it is the same" $?
    sed 's/ [0-9.e-]* \([0-9,-]* [0-9]* [0-9]* [a-z-]*\)$/ 0.5 \1/' space.log >dear.log
    ! cmp -s space.log dear.log && "$sculpt" tune --replay dear.log --device cpu --export log add.nest >anew.log 2>err && cmp space.log anew.log >out
    check "whatever it cost then" $?
    sed 's/2.0/3.0/' add.nest >other.nest && ! cmp -s add.nest other.nest
    "$sculpt" tune --replay space.log --device cpu other.nest >out 2>err
    [ $? = 2 ] && grep -q 'it is of another region' err
    check "a log of other loops" $?
    "$(dirname "$sculpt")/measure" tuned --device cpu --source add.nest --set n=40 --set m=30 --budget 20 --root "$root" --recipe recipes/none.sculpt --out tuned.json >out 2>err
    [ $? = 1 ] && grep -q '"kind": "tuned", .*"candidates": [1-9]' tuned.json && grep -q 'beside recipes/none.sculpt: there is no recipe' out
    check "tuned from nothing, beside a recipe that is not there" $?
fi

# ---- the forms of others
"$sculpt" tune --replay one.log --export kernel-tuner >cache.json 2>err && grep -q '"tune_params_keys"' cache.json
check "Kernel Tuner's cache file" $?
"$sculpt" tune --replay cache.json --strategy random >out 2>err && grep -q 'of the best' out
check "is read" $?
"$sculpt" tune --replay one.log --export t4 >t4.json 2>err && grep -q '"schema_version": "1.0.0"' t4.json && grep -q '"invalidity": "correct"' t4.json
check "T4 results" $?
"$sculpt" tune --replay t4.json --json >t4.said 2>err && "$sculpt" tune --replay cache.json --json | cmp -s - t4.said
check "are read as the cache file is" $?
for slip in 's/"family": [0-9]*/"family": 99/' 's/"time": [0-9.e-]*/"time": []/' '$d' 's/"cache"/"cash"/'; do
    sed "$slip" cache.json >slipped.json
    "$sculpt" tune --replay slipped.json >out 2>err
    [ $? = 2 ] && grep -q 'slipped.json: ' err
    check "a cache file that is none: $slip" $?
done

# ---- on another device, and planned as for a GPU
if "$sculpt" devices --json 2>/dev/null | grep -q '"opencl:'; then
    for as in "" H200; do
        env ${as:+SCULPT_PLAN_FOR=$as} timeout 900 "$sculpt" tune --device opencl --sizes "n=40; m=m0; m0=60" --budget 30s --most 1 loops.c >out 2>err
        [ $? = 2 ] && grep -q -- '--sizes m0: no loop has a parameter of that name' err
        check "a size that is none of the others before it" $?
        env ${as:+SCULPT_PLAN_FOR=$as} timeout 900 "$sculpt" tune --device opencl --sizes "n=40; m=n+20" --budget 30s --most 1 loops.c >out 2>err &&
            grep -q "^loops.c:4:5: add_4 at n=40 m=60 on .*${as:+as NVIDIA $as} *(opencl)" out
        check "OpenCL${as:+, planned as for $as}" $?
    done

    timeout 900 "$sculpt" tune --device opencl --sizes "n=40" --budget 20s --most 1 "$root/examples/matmul.c" >out 2>err && grep -q 'candidates' out
    check "loops of which no better nest runs there: the plain one is what is beaten" $?
fi

# ---- what can't be tuned says why
tune --sizes n=100 data.c
[ $? = 1 ] && grep -q 'not tuned: .*follow data' err
check "loops that follow data" $?
tune --sizes n loops.c
[ $? = 2 ] && grep -q -- '--sizes takes' err
check "sizes that are none" $?
tune --budget x loops.c
[ $? = 2 ] && grep -q "'x' is no value of --budget" err
check "a budget that is none" $?

# ---- from file to file
wisdom list && grep -q 'what is measured on .* beyond the model' out && grep -q '^  [a-z0-9-]* *[0-9.]* times.* ([0-9]* regions* and sizes*)$' out
check "what prices erred by is told" $?
wisdom list --json && grep -q '"waits_for": ' out
check "and for programs" $?
wisdom export --out text && grep -q '^logarithm ' text && wisdom forget all && wisdom list && grep -q 'nothing' out && ! grep -q beyond out && wisdom import text && wisdom export && cmp -s out text
check "export and import" $?
cp "$db" other.db && "$sculpt" wisdom forget add >/dev/null 2>&1 && wisdom merge other.db && wisdom export && cmp -s out text
check "merge" $?
wisdom merge text
[ $? = 1 ] && grep -q "is a text: 'sculpt wisdom import'" err && ! wisdom import other.db && grep -q "'sculpt wisdom merge' takes it" err
check "the one for the other" $?
for slip in 's/^verdict .*/verdict vouched/' 's/^total .*/total 77/' '$d' 's/^seconds .*/seconds nan/' 's/^align .*/align 3/'; do
    wisdom forget all
    sed "$slip" text >slipped
    wisdom import text slipped
    [ $? = 1 ] && grep -q 'not imported: line' err && wisdom list && grep -q 'nothing' out
    check "all or nothing: $slip" $?
done
wisdom import text

# ---- programs: what measuring chose, if the judge proves it; whatever stands there, the answer is right
cat >sums.c <<'END'
#include <stdio.h>
static void sums(int n, int m, const int *restrict a, int *restrict s)
{
#pragma sculpt
    for (int i = 0; i < n; i++) {
        s[i] = 0;
        for (int j = 0; j < m; j++)
            s[i] = 3 * s[i] + a[i * m + j];
    }
}
int main(void)
{
    static int a[60 * 50], s[60];
    unsigned all = 0;
    for (int i = 0; i < 60 * 50; i++) a[i] = i % 11;
    for (int i = 0; i < 60 * 50; i++) a[i] %= 2;
    sums(60, 12, a, s);
    for (int i = 0; i < 60; i++) all = 31 * all + (unsigned)s[i];
    printf("%u\n", all);
    return 0;
}
END
wisdom forget all
tune --sizes "n=60; m=12" --budget 20s --most 1 sums.c && wisdom export --out row && [ "$(grep -c '^total 1' row)" = 1 ]
check "a row to change" $?
gcc -O1 -w sums.c -o plain && ./plain >want && "$sculpt" cc --no-remarks -O1 sums.c -o sums >out 2>err
check "a program" $?
# its steps become those of standard input; then the program runs twice, the second time with what was kept
with() { # name, words of the log, "measured" or ""
    cat >steps
    sed '/^recipe/,$d; s/^verdict .*/verdict proved/; s/^made .*/made 4000000000/' row >changed
    { echo "recipe $(wc -l <steps)"; cat steps; echo "total 1"; } >>changed
    wisdom forget all
    wisdom import changed || { check "$1: import" 1; return; }
    rm -f times.?
    for i in 1 2; do
        SCULPT_SYNC=1 SCULPT_VERBOSE=1 SCULPT_OFFLOAD=always SCULPT_DEVICE=cpu SCULPT_TIME=times.$i ./sums >out 2>err.$i
        cmp -s out want
        check "$1: the answer" $?
    done
    cp err.1 err
    grep -q "$2" err && { [ -z "$3" ] || { grep -q '"measured": 1' times.1 && grep -q '"measured": 1' times.2; }; } &&
        { [ -n "$3" ] || ! grep -q '"measured"' times.1 times.2; }
    check "$1" $?
}
with "steps that are proved run" "by wisdom" measured <<'END'
strip i by=8 as=ib,ii
map block ib
close as=k
END
with "steps that the judge refutes do not" "what measuring chose may not run" "" <<'END'
map block j
close as=k
END
with "nor do any that somebody vouches for" "what measuring chose may not run" "" <<'END'
trust me: I am sure
map block j
close as=k
END
with "nor what are no steps" "what measuring chose may not run" "" <<'END'
frobnicate i by=8
END
with "nor a nest that the planner does not make" "what measuring chose may not run" "" <<'END'
planned 0123456789abcdef0123456789abcdef
END
SCULPT_TUNE=off SCULPT_SYNC=1 SCULPT_VERBOSE=1 SCULPT_OFFLOAD=always SCULPT_DEVICE=cpu ./sums >out 2>err && cmp -s out want && ! grep -q wisdom err
check "SCULPT_TUNE=off asks nothing" $?
SCULPT_LOG=bench SCULPT_OFFLOAD=always SCULPT_DEVICE=cpu ./sums >out 2>err && line=$(grep '^sculpt tune ' err) && cmp -s out want &&
    echo "$line" | grep -q 'sums.c:5 --device cpu --sizes "n=60; m=12"$' && eval "\"\$sculpt\" ${line#sculpt } --budget 10s --most 1" >out 2>err &&
    grep -q 'at n=60 m=12' out
check "SCULPT_LOG=bench says how to tune" $?
head -c 3000 /dev/urandom >noise && chmod 600 noise
SCULPT_WISDOM=$work/noise SCULPT_SYNC=1 SCULPT_OFFLOAD=always SCULPT_DEVICE=cpu ./sums >out 2>err && cmp -s out want && grep -q 'damaged' err
check "a damaged file costs a warning" $?

# ---- the library's plans, from C text
lib=$(dirname "$sculpt")
if gcc -I"$root/include" "$root/examples/library/plan.c" -L"$lib" -lsculpt -o library >out 2>err; then
    export LD_LIBRARY_PATH="$lib" SCULPT_DEVICE=cpu
    ./library only >out 2>err
    [ $? = 1 ] && grep -q 'wisdom knows nothing' err
    check "a plan of wisdom only, where there is none" $?
    ./library >out 2>err && grep -q '^0 wrong, 1769472 operations' out && grep -q 'by the model' err
    check "a plan by the model" $?
    tune --sizes "n=96" --budget 20s --most 1 "$root/examples/matmul.c" # other loops
    ./library only >out 2>err
    [ $? = 1 ]
    check "other loops' wisdom is none of its own" $?
    timeout 900 ./library measure >out 2>err && grep -q '^0 wrong' out && grep -q 'by wisdom of this device at n=96' err
    check "a plan that is measured" $?
    ./library only >out 2>err && grep -q '^0 wrong' out && grep -q '^wisdom: some' out
    check "and known from then on" $?
    gcc -I"$root/include" "$root/test/driver/threads.c" -L"$lib" -lsculpt -lpthread -o threads >out 2>err &&
        timeout 900 ./threads >out 2>err && grep -q '^0 wrong in 100 threads' out
    check "a hundred threads execute one plan" $?
    if command -v python3 >/dev/null; then
        PYTHONDONTWRITEBYTECODE=1 PYTHONPATH="$root/python" SCULPT_LIBRARY="$lib/libsculpt.so.0" python3 "$root/test/driver/python.py" >out 2>err
        check "the Python module" $?
    fi
    unset LD_LIBRARY_PATH SCULPT_DEVICE
else
    check "a program over the library" 1
fi
[ $bad -eq 0 ]

#!/bin/sh
# Nests that are planned where a program runs: beside it, before its call returns, once for all runs; and whatever the program
# does meanwhile, its answers are right and it ends.  test/driver/planned.sh SCULPT
sculpt=$(realpath "$1") || exit 2
root=$(realpath "$(dirname "$0")/../..") || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
bad=0
check() { # name, status of the check
    [ "$2" -eq 0 ] || { echo "FAIL planned: $1"; head -n 5 log; bad=$((bad + 1)); }
}
"$sculpt" cc --no-remarks -O1 "$root/test/driver/planned.c" -o planned -lpthread >log 2>&1
check "the program is compiled" $?
tr '\0' '\n' <planned | awk '/^sculpt 1$/ { at = 1 } at { n += length($0) + 1; nests += /^nest / } /^more$/ { at = 0 } END { exit !(n > 0 && n < 9000 && nests == 4) }'
check "it carries its regions and two plain nests each" $?
export SCULPT_DEVICE=cpu SCULPT_OFFLOAD=always SCULPT_VERBOSE=1
unset SCULPT_SYNC SCULPT_CHECK

run() { # folder of the cache, arguments
    cache=$1
    shift
    SCULPT_CACHE_DIR=$work/$cache timeout 600 ./planned "$@" >out 2>log
}
SCULPT_SYNC=1 run warm 1 && grep -q '^0 wrong' out && grep -q 'planned in [0-9.]* s: proved$' log
check "SCULPT_SYNC=1 waits for the nest that is planned, and that is proved" $?
SCULPT_SYNC=1 SCULPT_TIME=$work/time run warm 1 && ! grep -q planned log && ! grep -q '"plan"' time && grep -q '"compile": 0.000000000' time
check "the second run has the nest, its verdict and its kernels from the cache" $?
run warm 1 && SCULPT_TIME=$work/time.kept run warm 1 && grep -q '^0 wrong' out && grep -q '"kept": 1' time.kept
check "and reads no nest: its call was kept" $?
for i in 1 2; do SCULPT_SYNC=1 SCULPT_TIME=$work/time.$i run warm 1 threads && grep -q '^0 wrong' out || touch wrong; done
[ ! -e wrong ] && grep -q '"kept": 4' time.2
check "calls of other sizes are kept in their turn" $?
rm time.?
for apart in 65536 4; do
    for i in 1 2 3; do SCULPT_SYNC=1 SCULPT_TIME=$work/time.$apart run warm 1 shift $apart && grep -q '^0 wrong' out || touch wrong; done
done
[ ! -e wrong ] && grep -q '"kept": 1' time.65536 && ! grep -q '"kept"' time.4 && grep -q '"SC0' time.4
check "whether arrays overlap is asked at each call" $?

for how in "" fork threads end; do
    run "cold$how" 3 $how
    status=$?
    [ "$how" != end ] || status=$((status - 7))
    [ $status -eq 0 ] && grep -q '^0 wrong' out
    check "right answers beside the planner: ${how:-calls}" $?
    run "cold$how" 1 && grep -q '^0 wrong' out
    check "and in the next run: ${how:-calls}" $?
done

# Data that move between a region's calls are no work of libsculpt's own.
device=cpu
"$sculpt" devices --json 2>/dev/null | grep -q '"opencl:' && device=opencl
"$sculpt" cc --no-remarks -O1 "$root/test/driver/scope.c" -o scope >log 2>&1 &&
    SCULPT_SYNC=1 SCULPT_DEVICE=$device SCULPT_CACHE_DIR=$work/warm SCULPT_TIME=$work/time.scope ./scope >out 2>>log &&
    grep -q '"own": [0-9]' time.scope && ! grep -q '": -' time.scope
check "no time is negative" $?

# Of six calls two get a nest whose launches a graph replays; its estimate for the others is the least, too.
if [ $device = opencl ]; then
    "$sculpt" cc --no-remarks -O1 "$root/test/driver/likes.c" -o likes >log 2>&1 &&
        SCULPT_PLAN_FOR=H200 SCULPT_SYNC=1 SCULPT_DEVICE=opencl SCULPT_CACHE_DIR=$work/likes SCULPT_TIME=$work/time.likes ./likes >out 2>>log &&
        grep -q '"calls": 6, .*"replayed": 1,' time.likes
    check "a call runs what was planned for its kind" $?
fi

# What an index array does not promise costs the nest that rests on it, no more.
if [ $device = opencl ]; then
    "$sculpt" cc --no-remarks -O1 -fopenmp "$root/test/driver/doubted.c" -o doubted >log 2>&1 &&
        SCULPT_PLAN_FOR=H200 SCULPT_SYNC=1 SCULPT_REQUIRE=1 SCULPT_DEVICE=opencl SCULPT_CACHE_DIR=$work/doubted ./doubted >out 2>>log
    check "where a promise is broken a nest that needs none runs" $?
    for i in 1 2 3; do
        rising=rising
        [ $i -lt 3 ] || rising=
        SCULPT_PLAN_FOR=H200 SCULPT_SYNC=1 SCULPT_REQUIRE=1 SCULPT_DEVICE=opencl SCULPT_CACHE_DIR=$work/kept SCULPT_TIME=$work/time.doubted.$i ./doubted $rising >out 2>log || touch doubted.wrong
    done
    [ ! -e doubted.wrong ] && grep -q '"kept": 1' time.doubted.2
    check "and so it does where an earlier run kept a call for which it holds" $?
fi

# In the end the nest is there, with its kernels: a later call of one process, or of another.
i=1
run beside 200
until SCULPT_SYNC=1 SCULPT_TIME=$work/time.$i run beside 1 && ! grep -q '"plan"' time.$i && grep -q '"compile": 0.000000000' time.$i; do
    rm -rf time.*
    i=$((2 * i))
    [ $i -lt 2048 ] || break
    rm -rf beside
    run beside $((i * 200))
done
[ $i -lt 2048 ]
check "what was planned beside a program is kept" $?

for i in 1 2 3 4; do SCULPT_CACHE_DIR=$work/many timeout 600 ./planned 20 >out.$i 2>log.$i & done
wait
[ "$(cat out.? | grep -c '^0 wrong')" = 4 ]
check "four processes plan at once" $?
SCULPT_SYNC=1 run many 1 && grep -q '^0 wrong' out
check "and left a sound cache" $?
[ $bad -eq 0 ]

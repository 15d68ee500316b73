#!/bin/bash
# Every call that a program makes of a device fails once.  test/faults/run.sh SCULPT WORK DEVICE quick|all PROGRAM.c
#
# The calls of each kind are counted (SCULPT_FAULT=list), and for each of them the program runs again, with
# that call and all later ones of its kind failing; with data that come and go and with data that stay. It must
# print what it prints without sculpt, or, where results were on the device alone, end with a word about what is
# lost; so not before the first launch, and, where nothing stays, not before the first download. quick: a few
# calls, spread over all of them. One line a failure; the last line counts.
sculpt=$1 work=$2 device=$3 mode=$4 program=$5
ulimit -c 0
export SCULPT_OFFLOAD=always SCULPT_DEVICE=$device SCULPT_CACHE_DIR=$work/cache
name=$(basename "$program" .c) passed=0 failed=0
bad() {
    echo "FAIL $name on $device, SCULPT_FAULT=$fault${stays:+, data stay}: $1"
    head -n 4 "$work/err"
    failed=$((failed + 1))
}
gcc -w -O1 -ffp-contract=off "$program" -o "$work/plain" && "$work/plain" >"$work/want" &&
    "$sculpt" cc -w -O1 -ffp-contract=off "$program" -o "$work/prog" >"$work/err" 2>&1 || { echo "FAIL $program" && cat "$work/err"; exit; }

# A call of a kind and all after it fail.
try() { # kind, number
    local status before
    fault=list,$1:$2
    { SCULPT_FAULT=$fault timeout 1000 "$work/prog" $stays >"$work/out" 2>"$work/err"; status=$?; } 2>/dev/null
    before=$(sed "/^SCULPT_FAULT: $1 number $2\$/q" "$work/err")
    if [ $status = 0 ]; then
        if cmp -s "$work/want" "$work/out"; then passed=$((passed + 1)); else bad "another answer"; fi
    elif [ $status != 134 ] || ! grep -q 'error: .*SCULPT_FAULT: .* fails; .* lost.*\[SC0302\]' "$work/err"; then
        bad "status $status"
    elif ! grep -q "^SCULPT_FAULT: $([ -n "$stays" ] && echo launch || echo download) number" <<<"$before"; then
        bad "nothing was on the device alone"
    elif grep -q 'the original loops run' "$work/err"; then
        bad "it says that the original loops run"
    else
        passed=$((passed + 1))
    fi
}
for stays in "" stays; do
    export SCULPT_CACHE_MAX=512
    fault=list
    SCULPT_FAULT=list "$work/prog" $stays >"$work/out" 2>"$work/err"
    SCULPT_FAULT=list "$work/prog" $stays >"$work/out" 2>"$work/err" && cmp -s "$work/want" "$work/out" || bad "without a fault"
    grep '^SCULPT_FAULT' "$work/err" | sort -u >"$work/calls"
    [ -s "$work/calls" ] || bad "no call of the device"
    every=1
    [ $mode = all ] || every=$(($(wc -l <"$work/calls") / 6 + 1))
    while read -r _ kind _ number; do try "$kind" "$number"; done < <(awk "NR % $every == 0" "$work/calls")
    try open 1
    for number in 1 $([ $mode = all ] && echo 2 3); do SCULPT_CACHE_MAX=0 try compile $number; done
done
echo "$passed passed, $failed failed"

#!/bin/bash
# Recipes on their programs, at odd sizes.  test/recipes/run.sh SCULPT WORK DEVICES quick|all SEED [RECIPE…]
#
# recipes/NAME/program names the C file that recipes/NAME/*.sculpt are for; it takes sizes n m p
# and checks its own result. Lines "# Only for multiples of N." and "# Under --permit WHAT." are heeded. quick: a few sizes and, on OpenCL, a
# sample of the recipes; all: every size up to 130. One line a failure; the last line counts.
sculpt=$1 work=$2 devices=$3 mode=$4 seed=$5
shift 5
[ $# -gt 0 ] || set -- recipes/*/*.sculpt
export SCULPT_OFFLOAD=always SCULPT_REQUIRE=1 SCULPT_CHECK=1
RANDOM=$seed
passed=0 failed=0
sizes() { # lines "n m p"; $1: all sizes are multiples of it
    if [ $1 != 1 ]; then
        for s in "1 1 1" "2 1 3"; do
            set -- $1 $s
            echo "$(($1 * $2)) $(($1 * $3)) $(($1 * $4))"
        done
    elif [ $mode = all ]; then
        for s in $(seq 1 130); do echo "$s $((s * 37 % 131)) $((s * 53 % 131))"; done
    else
        echo "1 1 1"
        for _ in 1 2 3; do echo "$((RANDOM % 130 + 1)) $((RANDOM % 130 + 1)) $((RANDOM % 130 + 1))"; done
    fi
}
for recipe in "$@"; do
    folder=$(dirname "$recipe")
    [ -f "$folder/program" ] || continue
    grep -q "^# For bench/" "$recipe" && continue # loops with names of their own, and no program
    name=$(basename "$folder")/$(basename "$recipe" .sculpt)
    permit=$(sed -n 's/^# Under \(--permit .*\)\.$/\1/p' "$recipe")
    if ! timeout 3600 "$sculpt" cc -O2 $permit --recipe "$recipe" "$(cat "$folder/program")" -o "$work/recipe" -lm >"$work/recipe.log" 2>&1; then
        echo "FAIL recipe $name"
        head -n 5 "$work/recipe.log"
        failed=$((failed + 1))
        continue
    fi
    for d in $devices; do
        if [ $d != cpu ] && grep -q '^target cpu' "$recipe"; then continue; fi
        if [ $d = opencl ] && grep -q 'OpenCL compilers of CPUs' "$recipe"; then continue; fi
        if [ $d = opencl ] && [ $mode = quick ] && [ $((RANDOM / 8 % 5)) != 0 ]; then continue; fi
        of=$(sed -n 's/^# Only for multiples of \([0-9]*\)\.$/\1/p' "$recipe")
        sizes ${of:-1} >"$work/sizes"
        while read -r n m p; do
            if SCULPT_DEVICE=$d timeout 3600 "$work/recipe" "$n" "$m" "$p" >"$work/recipe.log" 2>&1 && ! grep -q 'SC0\|WRONG' "$work/recipe.log"; then
                passed=$((passed + 1))
            else
                echo "FAIL recipe $name on $d at $n $m $p"
                head -n 5 "$work/recipe.log"
                failed=$((failed + 1))
            fi
        done <"$work/sizes"
    done
done
echo "$passed passed, $failed failed"
[ $failed = 0 ]

#!/bin/sh
# `sculpt tune KERNEL.cl|KERNEL.cu|PROBLEM.json`: kernels written by hand whose macros are knobs.
# test/driver/tune_hand.sh SCULPT
#
# On PoCL, where it is there; of a .cu file the prices, beside a recorded log. Descriptions (T1) and results
# are compared with what the schemas ask for, and by Kernel Tuner itself where that is installed.
. "$(dirname "$0")/tune_common.sh"

cat >scale.cl <<'END'
__kernel void scale(__global const float *a, __global float *b, int n)
{
    int i = get_global_id(0) * per;
    for (int k = 0; k < per; k++)
        if (i + k < n) b[i + k] = 2.0f * a[i + k];
#if per == 4 && defined SLIP
    if (i + 3 < n) b[i + 3] = 0;
#endif
}
END
cat >scale.c <<'END'
void scale(int n, const float *a, float *b)
{
    for (int i = 0; i < n; i++) b[i] = 2 * a[i];
}
END
knobs='block_size_x=16,64; per=1,2,4'
scale() { # further options
    tune scale.cl --knobs "$knobs" --problem 1000 --divide "block_size_x * per" \
        --where "block_size_x * per <= 128" --arg n=1000 --arg a=n --arg b=n "$@"
}

# ---- descriptions
scale --export t1 && cp out t1.json && tune t1.json --export t1 && cmp -s out t1.json
check "a description is written and read" $?
grep -q '"AccessType": "WriteOnly"' t1.json && grep -q '"Expression": "block_size_x \* per <= 128"' t1.json
check "with what the kernel does with its arguments, and the conditions" $?
for slip in 's/"TuningParameters"/"Parameters"/' 's/"OpenCL"/"Vulkan"/' 's/\[16, 64\]/[16, 64/' '$d' \
    's/scale.cl/none.cl/' 's/per <= 128/par <= 128/' 's/per <= 128/per <= 1/'; do
    sed "$slip" t1.json >slipped.json
    tune slipped.json --export t1
    [ $? = 2 ] && grep -q 'slipped.json: ' err
    check "a description that is none: $slip" $?
done
scale --arg "a=n:i % 7 - 3" --export t1 && grep -q '"DataSource": "i % 7 - 3"' out && cp out t1.data.json &&
    tune t1.data.json --export t1 && cmp -s out t1.data.json
check "and with numbers that go with their places" $?
scale --arg m=3 --export t1
[ $? = 2 ] && grep -q 'no such parameter' err
check "an argument that is none" $?
tune scale.cl --knobs "$knobs" --problem 1000 --arg a=1000 --arg b=1000 --export t1
[ $? = 2 ] && grep -q 'n has no value' err
check "an argument that is not given" $?
tune scale.cl --knobs "$knobs" --arg n=1 --arg a=n --arg b=n --export t1
[ $? = 2 ] && grep -q 'how large is the problem' err
check "a problem without a size" $?

# ---- prices of a .cu beside a recorded log: strides and blocks
cat >walk.cu <<'END'
#define at(i) ((i) % (n / stride) * stride + (i) / (n / stride))
__global__ void walk(float *b, const float *a, int n)
{
    int i = blockIdx.x * block_size_x + threadIdx.x;
    if (i < n) b[at(i)] = a[at(i)];
}
END
{
    echo '{"device_name": "some GPU", "kernel_name": "walk", "tune_params_keys": ["stride", "block_size_x"],'
    echo '"tune_params": {"stride": [32, 16, 8, 4, 2, 1], "block_size_x": [128, 256]}, "cache": {'
    for s in 32 16 8 4 2 1; do for b in 128 256; do
        echo "\"$s,$b\": {\"stride\": $s, \"block_size_x\": $b, \"time\": $s.$b}$([ $s$b = 1256 ] || echo ,)"
    done; done
    echo '}}'
} >walk.json
walk() {
    tune walk.cu --machine H200 --knobs "stride=32,16,8,4,2,1; block_size_x=128,256" --problem 4194304 \
        --arg n=4194304 --arg a=n --arg b=n "$@"
}
walk --replay walk.json --json
python3 - <<'END'
import json
r = json.load(open("out"))
assert r["priced"] == 12 and r["rank_correlation"] > 0.8 and r["model_alone"] > 0.8, r
END
check "prices order what was measured" $?
sed 's/"stride": 32, "block/"stride": 31, "block/' walk.json >other.json
walk --replay other.json
[ $? = 2 ] && grep -q 'does not fit' err
check "a log of other values" $?
walk --where "stride < 1" --replay walk.json
[ $? = 2 ] && grep -q 'allow no configuration' err
check "conditions that allow nothing" $?

# ---- measured
if "$sculpt" devices --json 2>/dev/null | grep -q '"opencl:'; then
    tune scale.cl --device cpu --knobs "$knobs" --problem 1000 --arg n=1000 --arg a=n --arg b=n
    [ $? = 1 ] && grep -q 'needs an OpenCL device' err
    check "a device of another kind" $?
    scale --device opencl --strategy exhaustive --budget 300s --json --log log --reference scale.c &&
        [ "$(grep -c '"outcome": "ok"\|"outcome": "slow"' out)" = 5 ] && grep -q '"wrong": 0' out
    check "all configurations that the conditions allow are measured, and right" $?
    "$sculpt" wisdom list >out 2>err && grep -q '^[0-9a-f]* *scale .* x=1000 ' out
    check "and kept" $?
    scale --device opencl --budget 30s --json && grep -q '"known": 4' out
    check "and known" $?
    "$sculpt" tune --replay log --export kernel-tuner >cache.json 2>err && grep -q '"16,4": {' cache.json
    check "the log with the knobs' names" $?
    tune t1.json --machine CPU --replay cache.json && grep -q '5 points, 5 measured' out
    check "and back" $?
    "$sculpt" tune --replay log --export t4 >t4.json 2>err
    tune t1.json --machine CPU --replay t4.json && grep -q '5 points, 5 measured' out
    check "as T4, too" $?
    python3 "$root/test/driver/schemas.py" t1.json t4.json cache.json >out 2>err
    check "as the schemas have them" $?
    python3 "$root/test/driver/foreign.py" theirs.json theirs.t4.json >out 2>err
    status=$?
    [ $status = 0 ] || [ $status = 77 ]
    check "Kernel Tuner tunes the kernel" $?
    for theirs in theirs.json theirs.t4.json; do
        [ $status = 0 ] || break
        tune t1.json --machine CPU --replay $theirs && grep -q '5 points, 5 measured' out &&
            tune --replay $theirs --strategy exhaustive --json && grep -q '"best": \[.*1.0\]' out
        check "what it has written is read: $theirs" $?
    done
    scale --device opencl --strategy exhaustive --budget 300s --json -DSLIP && grep -q '"wrong": 1' out &&
        ! grep -q '"recipe": ".*per=4' out
    check "one that is wrong does not win" $?
    scale --arg "a=n:k + 1" --device opencl
    [ $? = 1 ] && grep -q 'k + 1: ' err
    check "numbers of a name that is none" $?
    scale --arg "a=n:i % 7 - 3" --arg "b=n" --device opencl --reference scale.c --budget 30s --most 2 --json && grep -q '"wrong": 0' out
    check "numbers by their places" $?

    # ---- where there is no libclang: a space as text, measured by the program that needs none
    if [ -x "$(dirname "$sculpt")/measure" ]; then
        space() { "$(dirname "$sculpt")/measure" space --device opencl --source "$1" --out "$2" --budget 300 >out 2>err; }
        scale --machine H200 --shared 64 --tolerance 0.1 --arg "a=n:i % 7" --reference scale.c --export log &&
            cp out scale.space && [ "$(grep -c '^point' out)" = 5 ] && ! grep -q '^measured' out
        check "configurations with their prices" $?
        space scale.space scale.log && [ "$(grep -c '^measured [0-9]* \(ok\|slow\)' scale.log)" = 5 ] &&
            sed '/^measured/d; s/^device .*//' scale.log >a && sed 's/^device .*//' scale.space >b && cmp a b >out
        check "measured there" $?
        ! grep -q '^device NVIDIA' scale.log
        check "on the device that measured" $?
        scale --machine H200 --replay scale.log --json && grep -q '"priced": 5, .*"quicker_than_predicted": [0-4]' out
        check "and priced anew beside it" $?
        sed 's/^per=/many=/' scale.log >other.log
        scale --machine H200 --replay other.log
        [ $? = 2 ] && grep -q 'no configuration of it is one of this kernel' err
        check "a log of another kernel" $?
        for slip in 's/^knob 0 per/knob 3 per/' 's/^memory a f32 4/memory a f16 4/' 's/^divide 0/divide 3/' 's/^text [0-9]*/text 99/' \
            '/^problem/d' 's/^fill a/fill z/'; do
            sed "$slip" scale.space >slipped.space
            ! cmp -s scale.space slipped.space && ! space slipped.space slipped.log && grep -q 'kernel by hand\|should stand\|neither a point' err
            check "a space that is none: $slip" $?
        done
    fi
    sed 's/2 \* a/3 * a/' scale.c >three.c
    scale --device opencl --reference three.c:scale --budget 30s
    [ $? = 1 ] && grep -q 'b differs at byte .* from what the reference leaves' err
    check "nor does any where the reference says otherwise" $?
fi
[ $bad -eq 0 ]

#!/bin/sh
# `sculpt tune` and `sculpt wisdom`: what is measured is kept at once and found again; whatever happens meanwhile, and
# whatever stands in the file, there is an answer or a clear error.  test/driver/tune.sh SCULPT
#
# Which candidate wins is nobody's business here, nor how long anything takes.
sculpt=$(realpath "$1") || exit 2
root=$(realpath "$(dirname "$0")/../..") || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
mkdir -m 700 data
export SCULPT_CACHE_DIR="$work/cache" XDG_DATA_HOME="$work/data" XDG_DATA_DIRS="$work/none"
unset SCULPT_WISDOM SCULPT_TUNE SCULPT_WISDOM_MAX SCULPT_DEVICE
db=$work/data/sculpt/wisdom-1.db
bad=0
check() { # name, status of the check
    [ "$2" -eq 0 ] || { echo "FAIL tune: $1"; head -n 5 out err; bad=$((bad + 1)); }
}
tune() { timeout 900 "$sculpt" tune --device cpu "$@" >out 2>err; }
wisdom() { timeout 60 "$sculpt" wisdom "$@" >out 2>err; }

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

# ---- strategies on the log
sed '/^sculpt tuning/,$!d' log | awk '/^sculpt tuning/ && NR > 1 { exit } { print }' >one.log
for s in model exhaustive random annealing genetic; do
    "$sculpt" tune --replay one.log --strategy $s >out 2>err && grep -q 'of the best' out
    check "a log in the place of the device: $s" $?
    tune --sizes "n=30; m=20" --budget 10s --most 1 --strategy $s loops.c
    check "strategy $s" $?
done

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
wisdom export --out text && wisdom forget all && wisdom list && grep -q 'nothing' out && wisdom import text && wisdom export && cmp -s out text
check "export and import" $?
cp "$db" other.db && "$sculpt" wisdom forget add >/dev/null 2>&1 && wisdom merge other.db && wisdom export && cmp -s out text
check "merge" $?
for slip in 's/^verdict .*/verdict vouched/' 's/^total .*/total 77/' '$d' 's/^seconds .*/seconds nan/' 's/^align .*/align 3/'; do
    wisdom forget all
    sed "$slip" text >slipped
    wisdom import text slipped
    [ $? = 1 ] && grep -q 'not imported: line' err && wisdom list && grep -q 'nothing' out
    check "all or nothing: $slip" $?
done
wisdom import text

# ---- a damaged file, a foreign one, folders that can't be written
cp "$db" whole.db
head -c 5000 /dev/urandom >"$db"
rm -f "$db-wal" "$db-shm"
wisdom list
[ $? = 1 ] && grep -q 'damaged' err
check "damage is told" $?
tune --sizes n=40 --budget 5s --most 1 loops.c
[ $? = 1 ] && grep -q 'damaged' err
check "and nothing is tuned that can't be kept" $?
cp whole.db "$db"
SCULPT_WISDOM=/proc/none/w.db tune --sizes n=40 --budget 5s --most 1 loops.c
[ $? = 1 ] && grep -q "can't be made" err
check "a folder that can't be" $?
chmod 666 "$db" && wisdom list
[ $? = 1 ] && grep -q 'others may write' err
check "a file that others may write to" $?
chmod 600 "$db"

# ---- killed in between, and two at once
for s in 1 2 4; do
    "$sculpt" tune --device cpu --sizes "n=64; m=64" --budget 60s loops.c >out 2>err &
    pid=$!
    sleep $s
    kill -KILL $pid
    wait $pid
done 2>/dev/null
wisdom list
check "the file is sound behind a kill" $?
tune --sizes "n=64; m=64" --budget 20s --most 2 loops.c
check "and tuning goes on" $?
for i in 1 2; do timeout 900 "$sculpt" tune --device cpu --sizes "n=7$i; m=33" --budget 20s --most 2 loops.c >out.$i 2>err.$i & done
wait
wisdom list && grep -q 'n=71' out && grep -q 'n=72' out
check "two at once" $?
[ $bad -eq 0 ]

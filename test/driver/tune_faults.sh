#!/bin/sh
# Whatever happens while `sculpt tune` measures, and whatever stands in its files, there is an answer or a clear
# error, and what was kept is kept.  test/driver/tune_faults.sh SCULPT
#
#   killed at random points (12; 100 with SCULPT_TEST_ALL)      a candidate that hangs, dies, is wrong, can't be built
#   a full disk                                                 a device that disappears
#   a folder that can't be written or made                      a database that is damaged, hostile, somebody's
#   two tuners at once                                          texts to import that are
#
# In one command: test/run --only driver (with --all as often as stands there).
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
    for (int i = 0; i < 60 * 50; i++) a[i] = i % 11 % 2;
    sums(60, 12, a, s);
    for (int i = 0; i < 60; i++) all = 31 * all + (unsigned)s[i];
    printf("%u\n", all);
    return 0;
}
END
gcc -O1 -w sums.c -o plain && ./plain >want && "$sculpt" cc --no-remarks -O1 sums.c -o sums >out 2>err
check "a program" $?
program() { SCULPT_SYNC=1 SCULPT_OFFLOAD=always SCULPT_DEVICE=cpu timeout 60 ./sums >out 2>err && cmp -s out want; }
tune --sizes "n=60; m=12" --budget 20s --most 1 sums.c && tune --sizes "n=40; m=40" --budget 20s --most 1 loops.c &&
    wisdom export --out text
check "something that is kept" $?

# ---- killed in between: what a run has told of is known to the next, but for the last of it
kills=12
[ -z "$SCULPT_TEST_ALL" ] || kills=100
for i in $(seq $kills); do
    "$sculpt" tune --device cpu --sizes "n=64; m=64" --budget 60s --strategy random --log log.$i loops.c >out 2>err &
    pid=$!
    sleep "$(awk -v i=$i 'BEGIN { printf "%.2f", 0.05 + i * 7919 % 100 / 40 }')"
    kill -KILL $pid
    wait $pid
    timeout 60 "$sculpt" wisdom list >out 2>err || break
done 2>/dev/null
[ $i = $kills ] && cp out list && grep -q ' sums' list && grep -q 'n=40 m=40' list
check "the file is sound behind each kill" $?
for i in $(seq $kills); do grep '^measured [0-9]* [a-z]* [0-9.e-]* [0-9.e-]*$' log.$i 2>/dev/null | sed '$d'; done | cut -d' ' -f2 | sort -u >told
tune --sizes "n=64; m=64" --budget 20s --json --most 2 loops.c &&
    [ "$(sed -n 's/.*"known": \([0-9]*\).*/\1/p' out)" -ge "$(wc -l <told)" ]
check "and tuning goes on where it was" $?

# ---- two at once, of two sizes and of one
for at in "71 33" "72 33" "73 33" "73 33"; do
    timeout 900 "$sculpt" tune --device cpu --sizes "n=${at% *}; m=${at#* }" --budget 20s --most 2 loops.c >out 2>>err.two ||
        echo failed >>err.two &
done
wait
[ ! -s err.two ] && wisdom list && for n in 71 72 73; do [ "$(grep -c "n=$n m=33" out)" = 1 ] || break; done && [ $n = 73 ]
check "tuners at once" $?

# ---- candidates that are wrong, die, hang; a device that disappears: a compiler that does as it is told
# The first text that it gets is that of the standard, which is left alone.
cat >compiler <<'END'
#!/bin/sh
for last; do case $last in *.c) text=$last ;; esac; done
[ -e "$FAULTS/first" ] || { : >"$FAULTS/first"; exec cc "$@"; }
case $FAULT in
wrong) sed -i 's/[23]\.0f/2.5f/g' "$text" ;;
dies) echo '__attribute__((constructor)) static void die(void) { __builtin_trap(); }' >>"$text" ;;
hangs) echo $$ >"$FAULTS/pid"; exec sleep 1000 ;;
fails) echo "no, thanks" >&2; exit 1 ;;
gone) rm -f "$0"; kill -KILL 0 ;;
esac
exec cc "$@"
END
chmod +x compiler
with_fault() { # which, how many candidates, a size, a budget (100s); what tune says goes to out and err
    rm -rf faults cache.faults
    mkdir -m 700 faults cache.faults
    FAULT=$1 FAULTS=$work/faults SCULPT_CACHE_DIR=$work/cache.faults SCULPT_HOST_CC="$work/compiler" timeout 900 \
        "$sculpt" tune --device cpu --sizes "n=90; m=$3" --budget ${4-100s} --json --most $2 loops.c >out 2>err
}
with_fault none 4 91 && grep -q '"wrong": 0' out && grep -q '"failed": 0' out && [ "$(grep -c '"outcome": "ok"\|"outcome": "slow"' out)" = 4 ]
check "a compiler in between" $?
with_fault wrong 3 92 && grep -q '"wrong": 3' out && grep -q '"verdict": "default"' out
check "wrong results never win" $?
with_fault dies 3 93 && [ "$(grep -c '"outcome": "crashed"' out)" = 3 ] && grep -q '"verdict": "default"' out
check "a candidate that dies is out" $?
with_fault fails 3 94 && [ "$(grep -c '"outcome": "failed"' out)" = 3 ] && grep -q '"verdict": "default"' out
check "and one that can't be compiled" $?
with_fault hangs 1 95 && [ "$(grep -c '"outcome": "hung"' out)" = 1 ] &&
    for i in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$(cat faults/pid)" 2>/dev/null || break; sleep 1; done && [ $i != 10 ]
check "and one that hangs, with what it started" $?
with_fault hangs 1 98 15s && grep -q '"ended": "the budget is spent"' out && ! grep -q '"outcome": "hung"' out
check "one that the budget leaves no time for is neither good nor bad" $?
wisdom list && for m in 91 92 93 94 95 98; do grep -q "n=90 m=$m" out || break; done && [ $m = 98 ]
check "what is kept of them" $?
cp compiler again
with_fault gone 2 96
[ $? = 1 ] && grep -q 'not tuned: nothing can be measured any more: no C compiler' err && mv again compiler
check "a device that disappears ends it" $?
with_fault none 2 96 && grep -q '"known": 0' out
check "and says nothing of candidates" $?

# ---- a disk that is full
rm -rf full && mkdir -m 700 full && (
    trap '' XFSZ
    export SCULPT_WISDOM=$work/full/w.db
    tune --sizes "n=40; m=40" --budget 20s --most 1 loops.c || exit 1
    size=$(wc -c <full/w.db)
    wisdom export --out one.text || exit 1
    ulimit -f $((size / 512)) 2>/dev/null # what can still be written
    for n in 41 42 43 44 45 46 47 48 49; do
        sed "s/n=40 m=40/n=$n m=40/" one.text >two.text
        wisdom import two.text || break
    done
    [ $n != 49 ] && grep -q "can't be used\|not imported" err
) && SCULPT_WISDOM=$work/full/w.db "$sculpt" wisdom list >out 2>err && grep -q 'n=40 m=40' out
check "a full disk" $?
# One that says so: writing to the file fails as it does where no space is left.
cat >space.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
static int full(int fd)
{
    char at[64], path[4096];
    snprintf(at, sizeof at, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(at, path, sizeof path - 1);
    path[n > 0 ? n : 0] = 0;
    return strstr(path, "/no-space/") && access(getenv("NO_SPACE"), F_OK) == 0;
}
#define WRITES(name, parameters, arguments)                                       \
    ssize_t name parameters                                                       \
    {                                                                             \
        ssize_t (*next) parameters = (ssize_t (*) parameters)dlsym(RTLD_NEXT, #name); \
        return full(fd) ? errno = ENOSPC, -1 : next arguments;                    \
    }
WRITES(write, (int fd, const void *b, size_t n), (fd, b, n))
WRITES(pwrite, (int fd, const void *b, size_t n, off_t at), (fd, b, n, at))
WRITES(pwrite64, (int fd, const void *b, size_t n, off_t at), (fd, b, n, at))
END
if gcc -w -fPIC -shared space.c -o space.so -ldl 2>/dev/null; then
    mkdir -m 700 no-space
    export SCULPT_WISDOM=$work/no-space/w.db
    wisdom import text && wisdom export --out before
    LD_PRELOAD=$work/space.so NO_SPACE=$work/gone tune --sizes "n=44; m=40" --budget 60s --most 3 --log log loops.c &
    for i in $(seq 600); do grep -q '^measured' log 2>/dev/null && break; sleep 0.1; done
    : >gone
    wait $!
    [ $? = 0 ] && grep -q 'at n=44 m=40' out && grep -q 'not kept: .*\(full\|No space left\)' err
    check "tuning that meets it says what it found" $?

    LD_PRELOAD=$work/space.so NO_SPACE=$work/gone tune --sizes "n=44; m=40" --budget 20s --most 1 loops.c
    [ $? = 1 ] && grep -q 'No space left' err
    check "and none begins where nothing could be kept" $?
    wisdom export --out after && cmp before after >out
    check "and what was kept stays" $?
    LD_PRELOAD=$work/space.so NO_SPACE=$work/gone wisdom import text
    [ $? = 1 ] && grep -q 'full\|No space left' err
    check "nothing is imported there" $?
    LD_PRELOAD=$work/space.so NO_SPACE=$work/gone program
    check "programs run" $?
    tune --sizes "n=44; m=40" --budget 20s --most 1 loops.c && [ ! -s err ] && wisdom list && grep -q 'n=44 m=40' out
    check "and it is kept once there is space" $?
    unset SCULPT_WISDOM
fi

# ---- folders that can't be written or made; root may write to any
other=
[ "$(id -u)" != 0 ] || other="setpriv --reuid=65534 --regid=65534 --clear-groups"
chmod 711 . && mkdir -m 700 closed && SCULPT_WISDOM=$work/closed/w.db wisdom import text && chmod 444 closed/w.db && chmod 555 closed
if $other "$sculpt" --version >out 2>err; then
    as_other() { $other env SCULPT_WISDOM=$work/closed/w.db SCULPT_CACHE_DIR="$work/theirs" timeout 900 "$@" >out 2>err; }
    as_other "$sculpt" wisdom list && grep -q ' sums' out
    check "a folder that can't be written is read" $?
    as_other "$sculpt" tune --device cpu --sizes n=40 --budget 5s --most 1 loops.c
    [ $? = 1 ] && grep -q "can't be written\|nothing can be written" err
    check "and says that nothing is kept there" $?
    as_other "$sculpt" wisdom import text
    [ $? = 1 ] && grep -q "can't be written\|nothing can be written" err
    check "nor imported" $?
    as_other env SCULPT_SYNC=1 SCULPT_OFFLOAD=always SCULPT_DEVICE=cpu ./sums && cmp -s out want && ! grep -q wisdom err
    check "programs take what is there" $?
fi
chmod 755 closed
SCULPT_WISDOM=/proc/none/w.db tune --sizes n=40 --budget 5s --most 1 loops.c
[ $? = 1 ] && grep -q "can't be made" err
check "a folder that can't be" $?
chmod 666 "$db" && wisdom list
[ $? = 1 ] && grep -q 'others may write' err
check "a file that others may write to" $?
chmod 600 "$db"

# ---- a database that is none, is damaged, or was made to do harm
cp "$db" whole.db
head -c 5000 /dev/urandom >"$db"
rm -f "$db-wal" "$db-shm"
wisdom list
[ $? = 1 ] && grep -q 'damaged' err
check "damage is told" $?
tune --sizes n=40 --budget 5s --most 1 loops.c
[ $? = 1 ] && grep -q 'damaged' err
check "and nothing is tuned that can't be kept" $?
program && grep -q 'damaged' err
check "a program warns and goes on" $?
rm -f "$db" && mkfifo -m 600 "$db" && wisdom list
[ $? = 1 ] && grep -q 'is no file' err
check "a pipe" $?
rm -f "$db"
if command -v python3 >/dev/null; then
    cat >hostile.py <<'END'
import random, sqlite3, sys
way, at, whole, seed = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
rng = random.Random(seed)
data = bytearray(open(whole, "rb").read())
if way == "bytes":  # some of them changed, or the end missing
    for _ in range(rng.randint(1, 12)):
        data[rng.randrange(len(data))] = rng.randrange(256)
    if rng.random() < 0.3:
        del data[rng.randrange(len(data)):]
open(at, "wb").write(data)
if way != "bytes":
    c = sqlite3.connect(at)
    c.execute("PRAGMA journal_mode = DELETE")
    if way == "view":
        c.executescript("ALTER TABLE wisdom RENAME TO w; CREATE VIEW wisdom AS WITH RECURSIVE r(x) AS (SELECT 1"
                        " UNION ALL SELECT x + 1 FROM r) SELECT w.* FROM w, r;")
    if way == "trigger":
        c.executescript("CREATE TRIGGER t AFTER INSERT ON wisdom BEGIN DELETE FROM wisdom; END;")
    if way == "generated":
        c.executescript("ALTER TABLE wisdom ADD COLUMN z AS (load_extension('/tmp/x.so'));"
                        "CREATE INDEX z ON trial(length(printf('%.*c', 100000000, 'x')));")
    if way == "values":
        c.execute("UPDATE wisdom SET recipe = ?, seconds = 'x', base = -1, align = 3, verdict = 'vouched'",
                  ("strip i by=8 as=ib,ii\\n" * 40000,))
    if way == "nul":
        c.execute("UPDATE wisdom SET name = ?, sizes = ?", ("a\0b", "n=\0"))
    if way == "foreign":
        c.execute("PRAGMA application_id = 7")
    c.commit()
END
    # Whatever it holds: an answer or an error in time, and the program's results are right.
    hostile() { # way, seed
        rm -f "$db" "$db-wal" "$db-shm"
        python3 hostile.py "$1" "$db" whole.db "$2" 2>/dev/null
        chmod 600 "$db"
        for verb in "list" "export" "show add"; do
            timeout 60 "$sculpt" wisdom $verb >out 2>err
            [ $? -le 1 ] || { check "wisdom $verb of a file with $1, $2" 1; return; }
        done
        program
        check "a program beside a file with $1, $2" $?
    }
    for way in view trigger generated values nul foreign; do hostile $way 1; done
    tries=10
    [ -z "$SCULPT_TEST_ALL" ] || tries=100
    for i in $(seq $tries); do hostile bytes $i; done

    # ---- texts that are: all or nothing
    rm -f "$db" "$db-wal" "$db-shm"
    wisdom import text && wisdom export --out before
    cat >spoil.py <<'END'
import random, sys
rng = random.Random(int(sys.argv[1]))
lines = open("text").read().split("\n")
for _ in range(rng.randint(1, 3)):
    k = rng.randrange(len(lines))
    lines[k] = rng.choice(["", lines[k] * 2, lines[rng.randrange(len(lines))], lines[k][:rng.randint(0, 9)],
                           "recipe 999999999", "recipe -1", "total 18446744073709551617", "x" * 100000, "\x1b[2J"])
open("spoiled", "w").write("\n".join(lines))
END
    for i in $(seq $((2 * tries))); do
        python3 spoil.py $i
        wisdom import spoiled
        status=$?
        [ $status -le 1 ] || { check "import of a spoiled text, $i" 1; continue; }
        [ $status = 1 ] && { wisdom export --out after && cmp before after >out; check "all or nothing, $i" $?; }
        wisdom forget all && wisdom import before
    done
fi
[ $bad -eq 0 ]

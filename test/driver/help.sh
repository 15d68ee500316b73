#!/bin/sh
# Help and what is said of slips.  test/driver/help.sh SCULPT
#
# Options in the texts of help/ are those that the sources take, and the other way round; the manual page
# and the words for bash can be read; each slip has its status and its sentence.
sculpt=$(realpath "$1") || exit 2
root=$(realpath "$(dirname "$0")/../..") || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
export SCULPT_CACHE_DIR="$work"
cd "$work" || exit 2
bad=0
fail() { # what, a file that shows it
    echo "FAIL help: $1"
    [ -e "$2" ] && head -n 6 "$2" | sed 's/^/    /'
    bad=$((bad + 1))
}

# ---- options
src=$root/src
# What the sources compare words with; bench/options.c keeps a table. --resume and --regions are between programs.
grep -hoE '"--[a-z][a-z-]*=?"' "$src"/driver/*.c "$src"/bench/options.c "$src"/kernel/words.c |
    tr -d '"=' | sort -u | grep -vxE -- '--(resume|regions|version|help|man|completion)' |
    # the host compiler's
    grep -vxE -- '--(output|language|include|define-macro|undefine-macro|include-directory|library-directory|std|sysroot|target-help|param|entry|static|assemble|compile|preprocess|print-)' >taken
"$sculpt" help >all
for v in run cc check explain plan emit apply rules bench tune wisdom devices cache doctor; do
    "$sculpt" help $v >$v || fail "$v has no text"
    "$sculpt" $v --help 2>&1 | cmp -s - $v || [ $v = cc ] || fail "$v --help is not 'help $v'"
    grep -q "^  $v " all || fail "'sculpt help' does not list $v"
    cat $v >>texts
done
for v in marks recipes kernels environment; do "$sculpt" help $v >>texts || fail "there is no text about $v"; done
while read -r option; do
    grep -qE -- "$option([^a-z-]|$)" texts || fail "$option is taken, and no text says so"
done <taken
grep -oE '^  --[a-z][a-z-]*(, --[a-z-]+)*' texts | grep -oE -- '--[a-z][a-z-]*' | sort -u | while read -r option; do
    grep -qx -- "$option" taken || echo "$option"
done >untaken
[ -s untaken ] && fail "told of, and not taken" untaken
grep -oE 'SCULPT_[A-Z_]+' texts | sort -u >told
grep -rhoE '(env_get|is_on|number_of|word_of)\("SCULPT_[A-Z_]+"' "$src" | grep -oE 'SCULPT_[A-Z_]+' | sort -u >asked
diff asked told >log || fail "variables that are asked for, and those told of" log
sed -n '/^static const char \*const ours/,/NULL/p' "$src/base/folder.c" | grep -oE 'SCULPT_[A-Z_]+' | sort -u | diff told - >log ||
    fail "variables that are told of, and those that slips are compared with" log

# ---- the manual page, bash's words
"$sculpt" help --man >page || fail "no manual page"
if command -v groff >/dev/null; then
    groff -K utf8 -man -Tutf8 -ww -z page 2>log
    [ -s log ] && fail "groff on the manual page" log
fi
for shell in bash zsh fish; do
    "$sculpt" help --completion $shell >words.$shell || fail "no words for $shell"
    grep -q -- registers words.$shell && grep -q TitanX words.$shell && grep -q vectorize words.$shell || fail "words for $shell lack some"
    command -v $shell >/dev/null && { $shell -n words.$shell 2>log || fail "$shell does not read its words" log; }
done
"$sculpt" help --completion | cmp -s - words.bash || fail "without a name the words are for bash"
cp words.bash words
bash -c '. ./words; COMP_WORDS=(sculpt run --ti) COMP_CWORD=2; _sculpt; [ "${COMPREPLY[*]}" = --time ]' || fail "run --ti is --time"
bash -c '. ./words; COMP_WORDS=(sculpt ex) COMP_CWORD=1; _sculpt; [ "${COMPREPLY[*]}" = explain ]' || fail "ex is explain"
bash -c '. ./words; COMP_WORDS=(sculpt rules vec) COMP_CWORD=2; _sculpt; [ "${COMPREPLY[*]}" = vectorize ]' || fail "vec is vectorize"
bash -c '. ./words; COMP_WORDS=(sculpt explain --machine Ti) COMP_CWORD=3; _sculpt; [ "${COMPREPLY[*]}" = TitanX ]' || fail "--machine Ti is TitanX"
bash -c '. ./words; COMP_WORDS=(sculpt explain --machine = Ti) COMP_CWORD=4; _sculpt; [ "${COMPREPLY[*]}" = TitanX ]' || fail "--machine=Ti is TitanX"
bash -c '. ./words; COMP_WORDS=(sculpt explain --why vec) COMP_CWORD=3; _sculpt; [ "${COMPREPLY[*]}" = vectorize ]' || fail "--why vec is vectorize"
bash -c '. ./words; COMP_WORDS=(sculpt explain loop) COMP_CWORD=2; _sculpt; [ -z "${COMPREPLY[*]}" ]' || fail "what is no option is a file"

# ---- what is here
"$sculpt" doctor >log || fail "doctor finds no device" log
grep -q '^here  *C compiler' log && grep -q '^here  *libsculpt' log && grep -q '^here  *cpu' log || fail "doctor does not find what is here" log
PATH=$work SCULPT_HOST_CC=none OCL_ICD_VENDORS=$work "$sculpt" doctor >log && fail "doctor finds a compiler where there is none" log
grep -q 'apt-get install gcc' log || fail "doctor has no cure" log

# ---- slips
cat >mark.c <<'END'
int main(void)
{
    static float a[100];
#pragma scuplt
    for (int i = 0; i < 100; i++)
        a[i] = i;
    return a[1] != 1;
}
END
cat >loop.c <<'END'
int main(int argc, char **argv)
{
    static float a[100];
    int n = argc > 1 ? argv[1][0] : 100;
#pragma sculpt
    for (int i = 0; i < n; i++)
        a[i] = i;
    return a[1] != 1;
}
END
said() { # status, sentence, words of sculpt
    want=$1 sentence=$2
    shift 2
    timeout 3600 "$sculpt" "$@" >log 2>&1
    have=$?
    [ $have = "$want" ] || fail "sculpt $*: status $have, not $want" log
    grep -qF -- "$sentence" log || fail "sculpt $*: not said: $sentence" log
}
said 2 "did you mean 'explain'?" explian loop.c
said 2 "did you mean 'rules'?" ruls
said 2 "did you mean 'marks'?" help mark
said 2 "there is no verb '--halp'" --halp
said 2 "'sculpt help emit' says more" emit loop.c
said 2 "--early is for --target cuda" emit --target opencl --early loop.c
said 2 "without --host" emit --target cuda --early --host loop.c
said 2 "--define takes NAME=NUMBER" emit --target c --define n loop.c
said 0 "no integer parameter of that name" emit --target c --define q=3 loop.c
said 0 "is more than an int holds" emit --target c --define n=3000000000 loop.c
said 2 "is a source file" explain --html loop.c
said 2 "no loop has a parameter of that name" explain --arg q=3 loop.c
said 2 "is more than its type" explain --arg n=3000000000 loop.c
said 2 "no machine is called 'K21' (did you mean 'K20'?)" explain --machine K21 loop.c
said 0 "did you mean 'sculpt'?" run mark.c
said 0 "no loop is marked" run mark.c
said 3 "ran on the host" run --require-device mark.c # it was to be marked
sed 's/#pragma sculpt/#define WORDS parallel for\n#pragma omp WORDS/' loop.c >words.c
said 0 "1 on a device" run --require-device words.c # a directive's words may be macros
sed 's/#pragma sculpt/#pragma acc xyzzy/' loop.c >other.c
said 0 "'xyzzy' marks nothing: it is no directive of acc" cc -c other.c -o other.o
said 2 "no marked loop was found" explain mark.c
said 2 "-o needs the name of a file" cc loop.c -o
said 2 "clang compiles for no target 'foo'" explain --target foo loop.c
said 2 "'x86_46-linux-gnu' (did you mean 'x86_64'?); it knows x86_64, i686" plan --target=x86_46-linux-gnu loop.c
said 0 "loop" explain --target=aarch64-linux-gnu loop.c
said 2 "not 'coda' (did you mean 'cuda'?)" emit --target coda loop.c
said 2 "there is no option '--quite'" explain --quite some.nest
said 2 "there is no option '--tagret'; did you mean '--target'?" emit --tagret cuda loop.c
said 2 "'--why' needs a value" explain loop.c --why
said 2 "there is no file '100'; what the program is to get stands behind '--'" run loop.c 100
said 2 "--device needs a value" run loop.c --device
said 0 "loop.c:6:5: main_6" explain loop.c:main
said 2 "loop.c:mian" explain loop.c:mian
said 2 "there is no option '--bogus'" emit --bogus --target cuda loop.c
said 2 "there is no option '--stpe'; did you mean '--step'?" apply --stpe "strip i by=4" loop.c
said 2 "'gpu' is no device" run --device gpu loop.c
said 2 "did you mean 'cuda'" run --device cdua loop.c
for verb in "explain" "plan" "emit --target c"; do
    SCULPT_DEVICES=$work/none said 2 "cannot read the folder $work/none" $verb loop.c
    unset SCULPT_DEVICES
done
said 2 "there is no rule 'til' (did you mean 'tile'?)" rules til
said 2 "(did you mean 'vectorize'?)" explain --why vectorise loop.c
said 2 "(did you mean 'SC0104'?)" explain --code SC014
said 2 "the recipe 'none' can't be read" apply --recipe none loop.c
said 2 "there is no rule 'tlie' (did you mean 'tile'?)" apply --step "tlie i" loop.c
said 1 "there is no loop q" apply --step "strip q by=4" loop.c

# ---- remarks: what holds of loops as a whole is said once, and a long line is cut around the caret
awk 'BEGIN { print "void deep(int n, double *a) {\n#pragma sculpt"
    for (i = 0; i < 70; i++) print "for (int i" i " = 0; i" i " < n; i" i "++)"
    print "a[0] += 1; }"
    printf "int g(int);\nvoid far(int n, double *a) {\n#pragma sculpt\nfor (int i = 0; i < n; i++) { /*"
    for (i = 0; i < 400; i++) printf "x"
    printf "*/ a[i] = g(i); /*"
    for (i = 0; i < 400; i++) printf "y"
    print "*/ }\n}" }' >long.c
"$sculpt" cc --remarks -c long.c -o long.o 2>log
[ "$(grep -c 'stand too deep' log)" = 1 ] || fail "a depth is not said once" log
awk '/ \| \.\.\.x.*= g\(i\);.*y\.\.\.$/ { shown = length($0) <= 100; at = index($0, "g(i)") }
    / \| *\^$/ { if (at && index($0, "^") == at) found = shown }
    END { exit !found }' log || fail "a long line is not cut around its caret" log

# ---- FILE.c:LINE: a region's line, its mark, the function around it
cat >two.c <<'END'
static float a[100];
void one(int n,
         float x)
{
#pragma sculpt
    for (int i = 0; i < n; i++)
        a[i] = x * (float)i;
}

void two(int n)
{
#pragma sculpt
    for (int i = 0; i < n; i++)
        a[i] = 1;
    n--;
#pragma sculpt
    for (int i = 0; i < n; i++)
        a[i] += 2;
}
int main(void) { return 0; }
END
lines() { # regions, lines
    want=$1
    shift
    for line; do
        for verb in "explain" "explain --why map" "explain --patterns" "emit --dump=region"; do
            "$sculpt" $verb two.c:$line >log 2>&1 || fail "$verb at line $line has no status 0" log
            have=$(grep -oE '(one|two)_[0-9]+' log | sort -u | tr '\n' ' ')
            [ "$have" = "$want" ] || fail "$verb at line $line is about $have" log
        done
    done
}
lines "one_6 " 2 5 7 8
lines "two_13 " 12 14
lines "two_13 two_17 " 10 15 19
for line in 3 5 6 8; do said 0 "ib = 0 .. " apply --step "strip i by=4 as=ib,it" two.c:$line; done
said 2 "there are 2 regions" apply --step "strip i by=4" two.c:10
said 2 "there is no marked loop at this line" explain two.c:9
for verb in "emit --target c" "apply --judge none" "explain --legal" "explain --patterns"; do
    said 2 "there is no marked loop at this line" $verb two.c:9
done
# ---- what is asked for wrongly is told alone: nothing of other loops, nothing of the one that is there
cat >other.c <<'END'
static float a[100];
int stays(float x)
{
    int k = 0;
#pragma sculpt
    for (int i = 0; i < 99; i++) {
        a[i + 1] = x;
        if (a[i] == x) break;
    }
    return k;
}
void goes(int n)
{
#pragma sculpt
    for (int i = 0; i < n; i++)
        a[i] = 1;
}
int main(void) { return 0; }
END
"$sculpt" explain other.c 2>&1 | grep -q 'SC0105' || fail "no remark about the loop that stays"
for verb in explain plan "apply --judge none" "emit --target c"; do
    said 2 "there is no marked loop at this line" $verb other.c:9999
    [ "$(grep -c . log)" = 1 ] || fail "$verb of a line without loops says more" log
done
said 2 "there is no rule 'grdi' (did you mean 'grid'?)" apply --step "grdi i" other.c:15
! grep -E 'SC0105|==' log || fail "apply of an unknown rule says more" log
for verb in explain plan "apply --step accumulate"; do
    "$sculpt" $verb other.c:15 >log 2>&1
    ! grep SC0105 log || fail "$verb says something of other loops" log
done
said 2 "--code needs a number" explain --code
said 2 "--host is for --target cuda or opencl" emit --host --target c two.c:6
# ---- kernels of several regions are one text
cat >helped.c <<'END'
void most(int n, const int *a, int *b)
{
#pragma sculpt
    for (int i = 0; i < n; i++) b[i] = a[i] > 3 ? a[i] : 3;
#pragma sculpt
    for (int i = 0; i < n; i++) b[i] = a[i] > b[i] ? a[i] : b[i];
}
END
for target in c cuda opencl; do
    "$sculpt" emit --target $target helped.c >kernels.$target 2>log || fail "emit of two regions as $target" log
    [ "$(grep -c 'inline.* sculpt_max_i32(' kernels.$target)" = 1 ] || fail "a function for two regions is there more than once in $target" kernels.$target
done
# ---- pages that nobody named so
said 2 "there is no page 'env' (did you mean 'environment'?)" help env
said 2 "there is no page 'openmp'; 'sculpt help marks' has the word" help openmp
said 2 "there is no page 'auto'; 'sculpt help " help auto
# ---- commands of the README
(cd "$root" && timeout 3600 "$sculpt" bench ladder first --from bench/results/ladder-first-h200.json) >log 2>&1 || fail "bench ladder --from has no status 0" log
(cd "$root" && timeout 3600 "$sculpt" emit --target cuda examples/matmul_1d.c) >log 2>&1 || fail "emit of the README has no status 0" log
exit $((bad > 0))

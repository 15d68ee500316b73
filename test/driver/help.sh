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
grep -hoE '"--[a-z][a-z-]*=?"' "$src"/driver/*.c "$src"/bench/options.c "$src"/front/kernel_words.c |
    tr -d '"=' | sort -u | grep -vxE -- '--(resume|regions|version|help|man|completion)' |
    # the host compiler's
    grep -vxE -- '--(output|language|include|define-macro|undefine-macro|include-directory|library-directory|std|sysroot|target-help|param|entry|static|assemble|compile|preprocess|print-)' >taken
"$sculpt" help >all
for v in run cc check explain emit apply rules bench devices cache; do
    "$sculpt" help $v >$v || fail "$v has no text"
    "$sculpt" $v --help 2>&1 | cmp -s - $v || [ $v = cc ] || fail "$v --help is not 'help $v'"
    grep -q "^  $v " all || fail "'sculpt help' does not list $v"
    cat $v >>texts
done
for v in marks recipes environment; do "$sculpt" help $v >>texts || fail "there is no text about $v"; done
while read -r option; do
    grep -qE -- "$option([^a-z-]|$)" texts || fail "$option is taken, and no text says so"
done <taken
grep -oE '^  --[a-z][a-z-]*(, --[a-z-]+)*' texts | grep -oE -- '--[a-z][a-z-]*' | sort -u | while read -r option; do
    grep -qx -- "$option" taken || echo "$option"
done >untaken
[ -s untaken ] && fail "told of, and not taken" untaken
grep -oE 'SCULPT_[A-Z_]+' texts | sort -u >told
grep -rhoE '(env_get|getenv|setting|is_on)\("SCULPT_[A-Z_]+"' "$src" | grep -oE 'SCULPT_[A-Z_]+' | sort -u >asked
diff asked told >log || fail "variables that are asked for, and those told of" log

# ---- the manual page, bash's words
"$sculpt" help --man >page || fail "no manual page"
if command -v groff >/dev/null; then
    groff -K utf8 -man -Tutf8 -ww -z page 2>log
    [ -s log ] && fail "groff on the manual page" log
fi
"$sculpt" help --completion >words || fail "no words for bash"
bash -n words || fail "bash does not read its words"
bash -c '. ./words; COMP_WORDS=(sculpt run --ti) COMP_CWORD=2; _sculpt; [ "${COMPREPLY[*]}" = --time ]' || fail "run --ti is --time"
bash -c '. ./words; COMP_WORDS=(sculpt ex) COMP_CWORD=1; _sculpt; [ "${COMPREPLY[*]}" = explain ]' || fail "ex is explain"
bash -c '. ./words; COMP_WORDS=(sculpt rules vec) COMP_CWORD=2; _sculpt; [ "${COMPREPLY[*]}" = vectorize ]' || fail "vec is vectorize"

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
    timeout 120 "$sculpt" "$@" >log 2>&1
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
said 2 "no machine is called 'K21'" explain --machine K21 loop.c
said 0 "did you mean 'sculpt'?" run mark.c
said 0 "no loop is marked" run mark.c
said 2 "no marked loop was found" explain mark.c
said 2 "-o needs the name of a file" cc loop.c -o
said 2 "'gpu' is no device" run --device gpu loop.c
said 2 "there is no rule 'til'" rules til
said 1 "cannot read the recipe 'none'" apply --recipe none loop.c
said 1 "there is no rule of that name" apply --step "tlie i" loop.c
said 1 "there is no loop q" apply --step "strip q by=4" loop.c
exit $((bad > 0))

# parts.sh -- the parts of test/run: each lists its jobs; a job's function checks one thing, file or program.
#
# Known here: $build $sculpt $devices $mode $seed; in a job also $work, its folder. A job says ok, bad or skip.

# ---- layers, unit ----------------------------------------------------------------------------
part_layers() {
    job layers check_layers
    job documents check_documents
    job figures check_figures
}
check_layers() {
    if test/layers >"$work/log" 2>&1; then ok; else bad layers "$work/log" 40; fi
}
check_documents() {
    if test/docs "$sculpt" >"$work/log" 2>&1; then ok; else bad documents "$work/log" 40; fi
}
check_figures() {
    if test/figures >"$work/log" 2>&1; then ok; else bad figures "$work/log" 40; fi
}

# The longest first, so that none is left over for one processor.
long="emit_phase_test flow_test variants_test storage_test edges_test sums_test catalogue_test contract_test parts_test order_test judged_test columns_test cuda_kernel_test products_test triangles_test"
# With all cases these take minutes to half an hour of one processor: each is cut in slices (test/sample.h).
cut="variants_test triangles_test random_test data_test contract_test mutant_test products_test sums_test tail_test replay_test parts_test catalogue_test order_test"
slices=16
is_long() { [[ " $long " == *" $(basename "$1") "* ]]; }
is_cut() { [[ $mode = all && " $cut " == *" $(basename "$1") "* ]]; }
part_unit() {
    local i
    for t in $cut; do
        is_cut "$t" && [ -x "$build/unit/$t" ] || continue
        for i in $(seq 0 $((slices - 1))); do job "$t, slice $i" check_unit "$build/unit/$t" $i; done
    done
    for t in $long; do
        [ -x "$build/unit/$t" ] && ! is_cut "$t" && job "$t" check_unit "$build/unit/$t"
    done
    for t in "$build"/unit/*_test; do
        [ -x "$t" ] && ! is_long "$t" && ! is_cut "$t" && job "$(basename "$t")" check_unit "$t"
    done
    [ -x "$build/unit/nest_replay" ] && job "fuzz corpus" check_corpus
}
check_unit() { # program, and which slice of its cases
    local limit=600 status
    [ $mode = all ] && limit=5400
    limited $limit env ${2:+SCULPT_TEST_SLICE=$2/$slices} "$1" >"$work/log" 2>&1
    status=$?
    [ -z "$2" ] || sed -n "s/.*SCULPT_TEST_CASES=/$(basename "$1") /p" "$work/log" >>"$top/cases"
    if [ $status = 0 ]; then
        ok "$(grep -c '\[       OK \]' "$work/log")"
    else
        bad "$(basename "$1")${2:+, slice $2}, status $status" <(grep -E 'FAILED|ERROR|error|rror:' "$work/log") 20
    fi
}
# The slices of a program together have taken all the cases that each of them met.
check_cases() {
    awk -v slices=$slices '
        { n[$1]++; taken[$1] += $2; if (!($1 in met)) met[$1] = $4; if ($4 != met[$1]) other[$1] = 1 }
        END {
            for (t in n) {
                printf "%s: %d of %d cases in %d slices\n", t, taken[t], met[t], n[t]
                bad += other[t] || n[t] != slices || taken[t] != met[t]
            }
            exit bad > 0
        }' "$top/cases" >"$work/log"
    if [ $? = 0 ]; then ok; else bad "cases are lost" "$work/log" 40; fi
}
check_corpus() {
    if "$build/unit/nest_replay" test/fuzz/corpus >"$work/log" 2>&1; then ok; else bad "fuzz corpus" "$work/log"; fi
}

# ---- marks, driver ---------------------------------------------------------------------------
# test/marks/*.c: lines "// remark 7:12 words" (error, warning, note) must be reported just there,
# "// says words" that its facts have these, "// device N" how many regions run on the device,
# "// warnings N" and "// remarks N" how many there are. No file may meet a mistake of the compiler's own.
part_marks() {
    for c in test/marks/*.c; do job "$c" check_marks "$c"; done
}
check_marks() {
    local c=$1 good=1 want have flags level
    flags=$(sed -n 's,^// flags: ,,p' "$c")
    "$sculpt" explain $flags "$c" >"$work/out" 2>"$work/err"
    while read -r level place text; do
        grep -F "$c:$place: $level: " "$work/err" "$work/out" | grep -qF -- "$text" || { good=0; echo "    $c: no $level at $place: $text"; }
    done < <(sed -n 's,^// \(remark\|error\|warning\|note\) ,\1 ,p' "$c")
    while read -r text; do
        grep -qF -- "$text" "$work/out" || { good=0; echo "    $c: not said: $text"; }
    done < <(sed -n 's,^// says ,,p' "$c")
    want=$(sed -n 's,^// device ,,p' "$c")
    if [ -n "$want" ]; then
        have=$("$sculpt" explain --json $flags "$c" 2>/dev/null | grep -c '"on_device": true')
        [ "$have" = "$want" ] || { good=0; echo "    $c: $have regions for the device, not $want"; }
    fi
    for level in warning remark; do
        want=$(sed -n "s,^// ${level}s ,,p" "$c")
        have=$(grep -c ": $level: " "$work/err")
        [ "${want:-$have}" = "$have" ] || { good=0; echo "    $c: $have ${level}s, not $want"; }
    done
    ! mistakes "$work/err" || good=0
    if [ $good = 1 ]; then ok; else bad "$c" "$work/err"; fi
}

# The compiler driver as build systems use it, its help, and what `make install` lays out.
part_driver() {
    job driver check_script run "$sculpt"
    job planned check_script planned "$sculpt"
    job guest check_script guest "$sculpt"
    job names check_script names "$sculpt"
    job stream check_script stream "$sculpt"
    job near check_script near "$sculpt"
    job help check_script help "$sculpt"
    job tune check_script tune "$sculpt"
    job tune_faults check_script tune_faults "$sculpt"
    job tune_hand check_script tune_hand "$sculpt"
    job choice check_script choice "$sculpt"
    job advise check_script advise "$sculpt"
    job plan check_script plan "$sculpt"
    job headers check_script headers "$sculpt"
    job install check_script install "$build"
}
check_script() { # NAME argument
    if env -u SCULPT_OFFLOAD sh test/driver/$1.sh "$2" >"$work/log" 2>&1; then ok; else bad "test/driver/$1.sh" "$work/log" 40; fi
}

# `explain` as text, JSON, SARIF and a page: they agree, and the page can be read.
part_page() { job page check_page; }
check_page() {
    command -v python3 >/dev/null || { skip "python3 is not installed"; return; }
    local browser
    browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
    [ -n "$browser" ] || skip "the page in a browser: chromium is not installed"
    limited 900 env -u SCULPT_OFFLOAD python3 test/page/run.py "$sculpt" "$work/page" $browser $([ $mode = all ] && echo --all) >"$work/log" 2>&1
    if tail -n 1 "$work/log" | grep -q ' passed, '; then
        grep '^FAIL' "$work/log"
        ok "$(tail -n 1 "$work/log" | awk '{ print $1 }')"
        failed=$(tail -n 1 "$work/log" | awk '{ print $3 }')
    else
        bad page "$work/log" 40
    fi
}

# ---- model: today's predictions beside what was measured and kept ----------------------------
part_model() {
    job "notes, kept" check_notes
    job "counters, kept" check_counters
    job "prices, kept" check_prices
    [ $mode != all ] || job "kernels by hand, kept" check_hand
}
# How well prices that knew no time order all configurations of kernels with knobs (bench/spaces).
check_hand() {
    command -v python3 >/dev/null || { skip "python3 is not installed"; return; }
    if python3 bench/tune --build "$build" --hand --replay bench/results/tune-hand-h200 >"$work/log" 2>&1; then ok; else bad "bench/tune --hand" <(tail -n 12 "$work/log"); fi
}
# Other times than those that were measured must be told.
check_notes() {
    local kept=bench/results/notes-h200.json
    if "$sculpt" bench notes --against $kept >"$work/log" 2>&1; then ok; else bad "bench notes --against $kept" <(tail -n 5 "$work/log"); fi
    sed 's/"measured_s": 0\./"measured_s": 9./' $kept >"$work/other"
    if "$sculpt" bench notes --against "$work/other" >"$work/log" 2>&1; then bad "bench notes: every row is wrong and no bar is missed" "$work/log"; else ok; fi
}
# What choosing among kept tries by the model's prices would lose; other times than those that were measured are told.
check_prices() {
    local kept=bench/results/sgemm-shapes-h200.json tails=bench/results/sgemm-tails-h200.json
    if "$sculpt" bench prices --from $kept --from $tails >"$work/log" 2>&1; then ok; else bad "bench prices" <(tail -n 6 "$work/log"); fi
    # small and thin products, of which the model knows less so far
    kept=bench/results/sgemm-thin-h200.json
    if "$sculpt" bench prices --from $kept --regret 0.035 >"$work/log" 2>&1; then ok; else bad "bench prices, thin" <(tail -n 6 "$work/log"); fi
    if [ $mode = all ]; then
        kept=bench/results/sgemm-sizes-h200.json
        if "$sculpt" bench prices --from $kept --regret 0.04 >"$work/log" 2>&1; then ok; else bad "bench prices, sizes" <(tail -n 6 "$work/log"); fi
    fi
    sed 's/"kernel_s": 0\.00/"kernel_s": 9.00/' $tails >"$work/other"
    if "$sculpt" bench prices --from "$work/other" >"$work/log" 2>&1; then bad "bench prices: times are wrong and no bar is missed" "$work/log"; else ok; fi
}
check_counters() {
    command -v python3 >/dev/null || { skip "python3 is not installed"; return; }
    if SCULPT=$sculpt limited 600 python3 bench/counters against >"$work/log" 2>&1; then ok; else bad "bench/counters against" <(tail -n 12 "$work/log"); fi
    if (cd bench && PYTHONDONTWRITEBYTECODE=1 python3 -c '
from counters_compare import bars
def part(**x): return {"summary": {"p": {"global accesses": [95, 100], "shared accesses (conflicts)": [95, 100], "theoretical occupancy": [9, 9], "time: median error": 0.25, **x}}, "rank correlation": {"l": 0.9}}
assert not bars(part())
assert bars(part(**{"global accesses": [94, 100]})) and bars(part(**{"shared accesses (conflicts)": [94, 100]})) and bars(part(**{"theoretical occupancy": [8, 9]}))
assert bars(part(**{"time: median error": 0.251})) and bars(part() | {"rank correlation": {"l": 0.899}})
') >"$work/log" 2>&1; then ok; else bad "bars of bench/counters" "$work/log"; fi
}

# ---- examples --------------------------------------------------------------------------------
part_examples() {
    for c in examples/*.c; do job "$c" check_example "$c"; done
}
# Compiles an example once for all parts: the program's path, in `program`.
compiled() {
    local name
    name=$(basename "$1" .c)
    program=$top/bin/$name
    [ -x "$program" ] && return
    "$sculpt" cc -O2 -std=gnu11 "$1" -o "$work/$name" -lm >"$work/log" 2>&1 || { bad "compile $1" "$work/log"; return 1; }
    mv "$work/$name" "$program"
}
check_example() {
    local c=$1 name sizes="1 2 31 32 33" want=0 have
    name=$(basename "$c" .c)
    [ $mode = all ] && sizes="1 2 31 32 33 1000 1023 1025 1600"
    [ "$name" = matmul_1d ] && sizes="$sizes 257"
    compiled "$c" || return
    for d in $devices; do
        for n in $sizes; do
            if SCULPT_DEVICE=$d limited 600 "$program" "$n" >"$work/log" 2>&1 && ! grep -q 'SC03' "$work/log"; then ok; else bad "$name $n on $d" "$work/log"; fi
        done
    done
    # Kernels launched again to be timed leave the results alone.
    if [ "$name" = matmul ] && [[ $devices == *opencl* ]]; then
        if SCULPT_DEVICE=opencl SCULPT_REPEAT=3 SCULPT_TIME=$work/times "$program" 65 >"$work/log" 2>&1 &&
            grep -q '"kernel_median_s"' "$work/times"; then ok; else bad "SCULPT_REPEAT" "$work/log"; fi
    fi
    # A program whose regions must all run on the device says so; one that can't is told.
    [ "$name" = prefix ] && want=3
    SCULPT_DEVICE=cpu SCULPT_REQUIRE=1 "$program" 64 >"$work/log" 2>&1
    have=$?
    if [ $have = $want ]; then ok; else bad "$name: --require-device gives $have, not $want" "$work/log"; fi
}

# ---- recipes: on their programs, at odd sizes; those of the product are proved ---------------------
part_recipes() {
    for folder in recipes/*/; do
        [ -f "$folder/program" ] || continue
        for r in "$folder"*.sculpt; do job "$r" check_recipe "$r" $((seed + asked)); done
    done
    for r in recipes/*.sculpt; do
        job "$r" check_proved "$r"
    done
}
check_proved() {
    local c=examples/matmul_1d.c
    [[ $1 == *_sum.sculpt ]] && c=bench/gemm/sum.c
    "$sculpt" apply --recipe "$1" "$c" >"$work/log" 2>&1
    if [ $? = 0 ] && grep -q '^== as it runs: proved' "$work/log"; then ok; else bad "$1" <(tail -n 3 "$work/log"); fi
}
check_recipe() {
    test/recipes/run.sh "$sculpt" "$work" "$devices" $mode "$2" "$1" >"$work/recipes" 2>&1
    grep -v ' passed, ' "$work/recipes"
    ok "$(tail -n 1 "$work/recipes" | awk '{ print $1 + 0 }')"
    failed=$(tail -n 1 "$work/recipes" | awk '{ print / passed, / ? $3 + 0 : 1 }')
}

# ---- suite: programs compiled unchanged; the output on each device is the output without sculpt ------
part_suite() {
    local on # a compiler of OpenCL takes most of the time, so some of them are enough for each run
    for c in test/suite/*/*.c; do
        on=$devices
        # Data of the host and of a device are two where the device has memory of its own.
        one_in 6 "$c" || [[ $c == */@(cells|classified|gaps|hosted|looked_up|newer).c ]] || on=${devices/ opencl/}
        job "$c" check_suite "$c" "$on"
    done
}
# Planned for a GPU, a loop of known sizes becomes what it would be there, and runs on whatever OpenCL finds.
part_planned() {
    [[ $devices == *opencl* ]] || { job planned skip "no OpenCL device"; return; }
    for c in test/suite/*/*.c; do # what is written for such nests, and some of the others
        case $c in */buffers.c | */rows.c | */waves.c) ;; *) one_in 20 "$c" || continue ;; esac
        job "$c, planned" check_suite "$c" planned
    done
}
# DEVICE COMMAND…; "planned": with nests as for a GPU. PoCL's optimiser gives wrong values for some of them,
# which are right without it, in a simulated device and on a GPU.
on_device() { (
    [ "$1" != planned ] ||
        export SCULPT_PLAN_FOR=H200 SCULPT_SYNC=1 SCULPT_OFFLOAD=always POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable
    SCULPT_DEVICE=${1/planned/opencl} "${@:2}"
); }
# Rules that failed, analyses that were asked wrongly, nests that are none: right all the same, for the
# original loops run.
mistakes() { grep -E '\[SC0(402|901)\]|cannot be printed' "$1"; }
check_suite() {
    local c=$1 devices=$2 flags want have
    flags=$(sed -n 's,^// flags: ,,p' "$c")
    gcc -w -O1 -std=gnu11 -fopenmp $flags "$c" -o "$work/plain" -lm >"$work/log" 2>&1 || { bad "gcc $c" "$work/log"; return; }
    OMP_NUM_THREADS=1 limited 300 "$work/plain" >"$work/want" 2>"$work/log" || { bad "plain $c" "$work/log"; return; }
    "$sculpt" cc -O1 -std=gnu11 -fopenmp $flags "$c" -o "$work/prog" -lm >"$work/remarks" 2>&1 || { bad "sculpt cc $c" "$work/remarks"; return; }
    ! mistakes "$work/remarks" >"$work/log" || bad "$c: a mistake of sculpt's own" "$work/log"
    for d in $devices; do
        if ! on_device $d limited 300 "$work/prog" >"$work/have" 2>"$work/log"; then
            bad "$c on $d: exit" "$work/log"
        elif mistakes "$work/log" >"$work/diff"; then
            bad "$c on $d: a mistake of sculpt's own" "$work/diff"
        elif ! awk -f test/numdiff.awk "$work/want" "$work/have" >"$work/diff"; then
            bad "$c on $d: other output" "$work/diff"
        else
            ok
        fi
    done
    want=$(sed -n 's,^// device ,,p' "$c")
    if [ -n "$want" ]; then
        # What the compiler says itself: loops whose marks are kept, and those inside of others.
        have=$(sed -nE '/^sculpt: /s/[^:;]*[:;] ([0-9]+) (on a device|loops? inside)/ =\1= /gp' "$work/remarks" | grep -oE '=[0-9]+=' | tr -d = | awk '{ n += $1 } END { print n + 0 }')
        if [ "$have" = "$want" ]; then ok; else bad "$c: $have regions for the device, not $want" "$work/remarks" 30; fi
    fi
}

# ---- kinds: the programs of bench/field at small sizes; one spelling of each, another with each seed; those of
# bench/polyhedral ------------------------------------------------------------------------------------------
part_kinds() {
    command -v python3 >/dev/null || { job kinds skip "python3 is not installed"; return; }
    local on=cpu
    [ $mode = all ] && on=$devices
    for k in $(awk -F'\t' '!/^#/ { print $2 }' bench/kinds/rows.tsv | sort -u); do
        for d in $on; do job "$k on $d" check_kind "$k" "$d"; done
    done
    for d in $devices; do job "thirty polyhedral loops on $d" check_polyhedral "$d"; done
}
check_polyhedral() {
    if limited 600 bench/polyhedral --build "$build" --device "$1" --small >"$work/log" 2>&1; then
        ok "$(grep -cE '^[a-z0-9]+ +[0-9.]+' "$work/log")"
    else
        bad "polyhedral on $1" "$work/log"
    fi
}
check_kind() {
    local some="--spellings one"
    [ $mode = all ] && some=""
    if limited 600 bench/field --build "$build" --device "$2" --only "$1" --small --limit 300 $some >"$work/log" 2>&1; then
        ok "$(grep -cE '^[a-z_0-9]+-[0-9]: .* ms' "$work/log")"
    else
        bad "$1 on $2" <(grep -E 'FAIL|WRONG|later' "$work/log")
    fi
}

# ---- equal: hand-written kernels against loops --------------------------------------------------------
# test/equal/*.cu: `// CHECK LOOPS OPTIONS` says how, `// FAULTS N` how many faults -DFAULT_k plants, one at a time.
# The kernel is proved (`// OPEN words`: it is not decided, with these words), each fault refuted (`// OPEN_FAULTS k …`:
# not decided; `// UNREAD_FAULTS k …`: not understood). No fault is ever proved. `// SAYS k words`: of fault k that is
# said.
part_equal() {
    for c in test/equal/*.cu test/equal/*.cl; do [ -e "$c" ] && job "$c" check_equal "$c"; done
    command -v python3 >/dev/null || { job corpus skip "python3 is not installed"; return; }
    for s in 1 2 3; do [ $mode = quick ] && job "corpus, sample $s" check_equal_corpus --sample 4 --seed $((seed + s)); done
    [ $mode = all ] && for s in $(seq $slices); do job "corpus, slice $s" check_equal_corpus --faults 6 --share $s/$slices; done
    [ $mode = quick ] && job "certificates, a sample" check_certificates --sample 8
    [ $mode = all ] && job certificates check_certificates
}
check_certificates() {
    if test/equal/certificates --build "$build" --jobs 1 "$@" >"$work/log" 2>&1; then
        ok "$(awk '/^certificates/ { print $3 + $11 }' "$work/log")"
    else
        bad certificates "$work/log" 30
    fi
}
check_equal_corpus() {
    if test/equal/corpus/run --build "$build" --jobs 1 "$@" >"$work/log" 2>&1; then
        ok "$(awk '/^(kernels|faults) / { n += $2 } END { print n }' "$work/log")"
    else
        bad corpus "$work/log" 30
    fi
}
check_equal() {
    local c=$1 args faults open open_faults unread says k status want n=0 good=1
    args=$(sed -n 's,^// CHECK ,,p' "$c")
    faults=$(sed -n 's,^// FAULTS ,,p' "$c")
    open=$(sed -n 's,^// OPEN ,,p' "$c")
    open_faults=" $(sed -n 's,^// OPEN_FAULTS ,,p' "$c") "
    unread=" $(sed -n 's,^// UNREAD_FAULTS ,,p' "$c") "
    for k in $(seq 0 "$faults"); do
        [ $mode = all ] || [[ $unread == *" $k "* ]] || [ "$k" -lt 2 ] || [ "$k" = "$faults" ] || continue
        eval "limited 60 \"$sculpt\" check test/equal/$args $c -DFAULT_$k" >"$work/log" 2>&1
        status=$?
        want=1
        [ "$k" = 0 ] && want=0
        [ "$k" = 0 ] && [ -n "$open" ] && want=2
        [[ $open_faults == *" $k "* ]] && want=2
        [[ $unread == *" $k "* ]] && want=3
        says=$(sed -n "s,^// SAYS $k ,,p" "$c")
        if [ $status != $want ] || { [ "$k" = 0 ] && [ -n "$open" ] && ! grep -qF -- "$open" "$work/log"; } ||
            { [ -n "$says" ] && ! grep -qF -- "$says" "$work/log"; }; then
            good=0
            { echo "$c, fault $k: status $status, not $want"; cat "$work/log"; } >>"$work/bad"
        fi
        n=$((n + 1))
    done
    if [ $good = 1 ]; then ok $n; else bad "$c" "$work/bad" 20; fi
}

# ---- faults: a device fails at any of its calls --------------------------------------------------------
# ---- blas: the reference's own testers, and random arguments against the reference -------------------------
part_blas() {
    [ "$(grep -c '^LIBCLANG:FILEPATH=.*NOTFOUND' "$build/CMakeCache.txt")" = 0 ] || { job blas skip "no libclang"; return; }
    cmake --build "$build" -j "$jobs" --target blas_compare blas_device blas_batch blas_capture blas_graph blas_cublas blas_lapack blas_kept >"$top/log" 2>&1 || { job "blas build" bad "blas build" "$top/log" 30; return; }
    testers=$(ls -d /usr/lib/*/blas/xblat1s 2>/dev/null | head -n 1)
    [ -n "$testers" ] || { job blas skip "the package libblas-test is not installed"; return; }
    testers=$(dirname "$testers")
    job "blas.h in a capture" check_blas_captured
    job "a measured crossover" check_blas_kept
    for d in $devices; do
        job "blas.h on $d" check_blas_unit device "$d"
        job "batches on $d" check_blas_unit batch "$d"
        [ "$d" != cuda ] || job "blas.h in a graph" check_blas_unit graph "$d"
        # The OpenCL compilers that run on CPUs are slow.
        [ $mode = quick ] && [ "$d" = opencl ] || job "cuBLAS's interface on $d" check_blas_cublas "$d"
        [ $mode = quick ] && [ "$d" = opencl ] || job "factorisations on $d" check_blas_lapack "$d"
        for t in "$testers"/x{s,d}cblat3 "$testers"/x{s,d}cblat2 "$testers"/xblat{3,2}{s,d} "$testers"/xblat1{s,d} \
            "$testers"/x{s,d}cblat1 "$testers"/x{c,z}cblat* "$testers"/xblat*{c,z}; do
            [ $mode = quick ] && [ "$d" = opencl ] && [[ $t != *xblat3s ]] && continue
            job "$(basename "$t") on $d" check_blas_tester "$t" "$d"
        done
        [ $mode = quick ] && [ "$d" = opencl ] && continue
        job "blas compared on $d" check_blas_compared "$d"
    done
}
# All calls run on the device, with plain kernels first and planned ones as they get ready.
blas_on() { limited 1800 env -u SCULPT_SYNC SCULPT_DEVICE="$1" SCULPT_BLAS_CROSSOVER=0 \
    SCULPT_CPU_BLAS="$testers/libblas.so.3" LD_LIBRARY_PATH="$build/blas" "${@:2}"; }
check_blas_tester() {
    local name=$(basename "$1") input=/dev/null
    case $name in
    xblat[23]?) input=$testers/${name:6:1}blat${name:5:1}.in ;;
    x?cblat[23]) input=$testers/${name:1:1}in${name:7:1} ;;
    esac
    # They end with 0 whatever they find, and write what they find where they are told to.
    (cd "$work" && blas_on "$2" "$1" <"$input" >log 2>&1; cat ./*.out >>log 2>/dev/null)
    if grep -q PASS "$work/log" && ! grep -qiE 'fail|suspect|illegal|INSTEAD' "$work/log"; then
        ok "$(grep -c PASS "$work/log")"
    else
        bad "$name on $2" "$work/log" 40
    fi
}
check_blas_unit() {
    if blas_on "$2" "$build/unit/blas_$1" >"$work/log" 2>&1; then ok; else bad "blas_$1 on $2" "$work/log" 20; fi
}
check_blas_cublas() {
    local rounds=3
    if LD_LIBRARY_PATH="$build/blas/cublas" limited 1800 env SCULPT_DEVICE="$1" "$build/unit/blas_cublas" \
        "$testers/libblas.so.3" $rounds "$seed" >"$work/log" 2>&1; then
        ok "$(awk '/compared/ { print $1 }' "$work/log")"
    else
        bad "cuBLAS's interface on $1, seed $seed" "$work/log" 40
    fi
}
check_blas_lapack() {
    local other=$(ls /usr/lib/*/lapack/liblapack.so.3 2>/dev/null | head -n 1) most=250
    [ -n "$other" ] || { skip "the package liblapack3 is not installed"; return; }
    [ "$1" = opencl ] && most=130
    if limited 1800 env SCULPT_DEVICE="$1" SCULPT_OFFLOAD=always "$build/unit/blas_lapack" "$other" $most \
        >"$work/log" 2>&1; then
        ok "$(awk '{ print $1 }' "$work/log")"
    else
        bad "factorisations on $1" "$work/log" 40
    fi
}
check_blas_kept() {
    if "$build/unit/blas_kept" "$work" >"$work/log" 2>&1; then ok; else bad "a measured crossover" "$work/log" 20; fi
}
# With a driver that runs nothing and counts what a capture must not meet.
check_blas_captured() {
    sh test/driver/stub.sh "$work/lib"
    if limited 600 env STUB_SAYS="$work/says" CUDA_PATH="$work" SCULPT_SYNC=1 SCULPT_DEVICE=cuda \
        LD_LIBRARY_PATH="$work/lib:$build/blas" "$build/unit/blas_capture" >"$work/log" 2>&1; then
        ok
    else
        bad "blas.h in a capture" "$work/log" 20
    fi
}
check_blas_compared() {
    local rounds=10
    [ $mode = all ] && rounds=60
    if blas_on "$1" "$build/unit/blas_compare" "$testers/libblas.so.3" $rounds "$seed" >"$work/log" 2>&1; then
        ok "$(awk '{ print $1 }' "$work/log")"
    else
        bad "blas compared on $1, seed $seed" "$work/log" 40
    fi
}

part_faults() {
    for c in test/faults/*.c; do
        for d in $devices; do job "$c on $d" check_faults "$c" "$d"; done
    done
}
check_faults() {
    test/faults/run.sh "$sculpt" "$work" "$2" $mode "$1" >"$work/faults" 2>&1
    grep -v ' passed, ' "$work/faults"
    ok "$(tail -n 1 "$work/faults" | awk '{ print $1 + 0 }')"
    failed=$(tail -n 1 "$work/faults" | awk '{ print / passed, / ? $3 + 0 : 1 }')
}

# ---- random nests: 25 a program; the judge looks at some once more -----------------------------------
part_random() {
    local batches=3 slow=1 judged=1 on judge emit # the OpenCL compilers that run on CPUs are slow, and so may the judge be
    [ $mode = all ] && batches=80 slow=16 judged=16
    for k in $(seq 1 $batches); do
        on=$devices judge=1 emit=cuda
        [ "$k" -gt $slow ] && on=${devices/ opencl/}
        [ "$k" -gt $judged ] && judge=0
        [ "$k" -gt $slow ] && emit=
        job "random nests, seed $((seed + k))" check_random $((seed + k)) "$on" $judge "$emit" 0
    done
    # Loops over counters of all types, 25 a batch: the same few here, 5,000 with all.
    local first=1 last=1
    [ $mode = all ] && first=$seed last=$((seed + 199))
    # Of all, most run while better nests are planned beside them, and end before those are.
    for k in $(seq $first $last); do
        [ $((k % 8)) = $((first % 8)) ] && on=1 || on=
        job "random counters, seed $k" check_counters_of "$k" "$on"
    done
    command -v python3 >/dev/null || { job reaches skip "python3 is not installed"; return; }
    last=1
    [ $mode = all ] && first=$seed last=$((seed + 39))
    for k in $(seq $first $last); do job "random reaches, seed $k" check_reaches "$k"; done
}
check_counters_of() { # seed, whether a run waits for planned nests
    [ -n "$2" ] || unset SCULPT_SYNC
    check_random "$1" "$devices" 0 "" 1
}
check_reaches() { # PoCL's optimiser gives wrong values for some of them, which are right without it
    python3 test/random/reaches.py "$1" >"$work/f.c"
    gcc -w -O1 -fwrapv "$work/f.c" -o "$work/plain" >"$work/log" 2>&1 && "$work/plain" >"$work/want" ||
        { bad "gcc on reaches, seed $1" "$work/log"; return; }
    "$sculpt" cc -w -O1 -fwrapv "$work/f.c" -o "$work/prog" >"$work/log" 2>&1 || { bad "reaches, seed $1" "$work/log"; return; }
    for d in $devices; do
        if POCL_EXTRA_BUILD_FLAGS=-cl-opt-disable SCULPT_DEVICE=$d limited 600 "$work/prog" >"$work/have" 2>"$work/log" &&
            diff "$work/want" "$work/have" >"$work/diff"; then
            ok
        else
            bad "reaches, seed $1, on $d" "$work/diff" 20
        fi
    done
}
check_random() {
    if "$build/unit/random_nests" --seed "$1" --count 25 --sculpt "$sculpt" --work "$work" --devices "$2" --judge "$3" --emit "$4" --counters "$5" >"$work/log" 2>&1; then
        for _ in $2; do ok 25; done
    else
        bad "random nests, seed $1, on $2" "$work/log" 60
    fi
}

# ---- emit: each example's kernels through the compilers that are here ---------------------------------
part_emit() {
    for c in examples/*.c; do
        [ "$c" = examples/prefix.c ] || job "$c" check_emit "$c"
    done
    command -v nvcc >/dev/null || job nvcc skip "nvcc is not installed"
}
check_emit() {
    local c=$1
    for t in cuda opencl c; do
        if "$sculpt" emit --target $t "$c" >"$work/k.$t" 2>"$work/log" && [ -s "$work/k.$t" ]; then ok; else bad "$t of $c" "$work/log"; fi
    done
    gcc -std=gnu11 -Wall -Wno-unknown-pragmas -Wno-unused-variable -Werror -fsyntax-only -x c "$work/k.c" >"$work/log" 2>&1 && ok || bad "C of $c" "$work/log"
    if command -v nvcc >/dev/null; then
        cp "$work/k.cuda" "$work/k.cu"
        nvcc -arch=sm_90 --fmad=false -cubin -o "$work/k.cubin" "$work/k.cu" >"$work/log" 2>&1 && ok || bad "nvcc on $c" "$work/log"
    fi
}

# ---- sanitize: unit tests, the compiler and the copies of programs under the sanitizers ----------------
part_sanitize() {
    local batches=2 tests="" targets="sculpt_tool sculpt sculpt_api sculpt_serial" t
    [ $mode = all ] && batches=400
    san=$build-sanitize
    for t in "$build"/unit/*_test; do
        t=$(basename "$t")
        case $t in *cache_test | *random* | check_test) continue ;; esac # check_test's nests write outside on purpose
        [ $mode = quick ] && is_long "$t" && continue # they have run without
        one_in 4 "$t" && tests="$tests $t"
    done
    [ $mode = quick ] && targets="$targets $tests" || targets=all # what is looked at is built
    cmake -S . -B "$san" -DSCULPT_SANITIZE=ON -DCMAKE_BUILD_TYPE=Debug >"$top/log" 2>&1 &&
        cmake --build "$san" -j "$jobs" --target $targets >"$top/log" 2>&1 ||
        { job "sanitizer build" bad "sanitizer build" "$top/log" 30; return; }
    export ASAN_OPTIONS=detect_leaks=0:use_sigaltstack=0 UBSAN_OPTIONS=print_stacktrace=1
    for t in $tests; do
        [ -x "$san/unit/$t" ] && job "$t" check_sanitized "$san/unit/$t"
    done
    for c in examples/*.c test/marks/*.c test/suite/*/*.c; do
        one_in 4 "$c" || continue
        if [[ $mode = quick && $c == test/suite/* ]]; then job "compile $c" check_sanitized_compiler "$c" compiled_under
        else job "explain $c" check_sanitized_compiler "$c" explained; fi
    done
    # Files changed at random: crashes, hangs, complaints, mistakes of the compiler's own.
    for k in $(seq 1 $batches); do
        job "mutants, seed $((seed + k))" check_mutants $((seed + k))
    done
    # What is moved to a device and back is the program's own memory: a device on the host's
    # processor copies with functions that the sanitizer sees.
    [[ $devices == *opencl* ]] || { job copies skip "sanitized copies: no OpenCL device"; return; }
    for c in test/suite/*/*.c; do # options leave marks to the host, which SCULPT_REQUIRE does not allow
        [[ $c == */ends.c ]] || grep -q '^// flags:' "$c" && continue
        one_in 20 "$c" && job "$c" check_sanitized_copies "$c"
    done
}
check_sanitized() { # a sample of what is large: all of it runs without
    if limited 3600 env -u SCULPT_TEST_ALL "$1" >"$work/log" 2>&1; then ok; else bad "$(basename "$1")" <(grep -E 'ERROR|runtime error|FAILED|#[0-9] ' "$work/log") 20; fi
}
explained() { "$san/sculpt" explain "$1"; } # of some programs there are so many plans that it takes minutes
compiled_under() { "$san/sculpt" cc -w -O1 -std=gnu11 -fopenmp $(sed -n 's,^// flags: ,,p' "$1") -c "$1" -o "$work/x.o"; }
check_sanitized_compiler() { # file, explained or compiled_under
    # The compiler frees all that it makes; what other people's libraries keep is theirs: test/leaks names them.
    ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=1 LSAN_OPTIONS=suppressions=test/leaks:print_suppressions=0 $2 "$1" >"$work/log" 2>&1
    if grep -qE 'ERROR: (Address|Leak)Sanitizer|runtime error|isl_ctx not freed' "$work/log"; then
        bad "$2 $1" <(grep -E 'ERROR|runtime error|isl_ctx|#[0-9] ' "$work/log") 20
    else
        ok
    fi
}
check_mutants() { # seed: 25 files; the sanitizers take several times as long, a file may take 20 seconds without
    mkdir "$work/files" # mutants and what is said of them: "told" in $work is the job's own
    ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=1 LSAN_OPTIONS=suppressions=test/leaks:print_suppressions=0 \
        env -u SCULPT_OFFLOAD "$build/unit/mutants" --sculpt "$san/sculpt" --work "$work/files" --seed "$1" --count 25 --limit 200 --memory 8192 \
        examples/*.c test/marks/*.c test/suite/*/*.c test/fuzz/corpus/*.nest test/emit/nests/*.nest >"$work/log" 2>&1 &&
        { ok 25; return; }
    mkdir -p "$build/mutants" && cp "$work"/files/mutant-[0-9]* "$build/mutants" # another list of files makes others
    sed "s|$work/files|$build/mutants|" "$work/log" >"$work/kept"
    bad "mutants" "$work/kept" 30
    for m in "$work"/files/mutant-*.told; do tail -n 12 "$m" | sed 's/^/    /'; done
}
check_sanitized_copies() {
    SCULPT_REQUIRE=1 "$san/sculpt" cc -w -O1 -g -std=gnu11 -fopenmp -fsanitize=address "$1" -o "$work/prog" -lm >"$work/log" 2>&1 ||
        { bad "cc $1" "$work/log"; return; }
    if SCULPT_DEVICE=opencl limited 600 "$work/prog" >"$work/log" 2>&1; then ok; else bad "$1" <(grep -E 'ERROR|runtime error|#[0-9] ' "$work/log") 20; fi
}

# ---- oclgrind: races and accesses outside, in a simulated device ---------------------------------------
part_oclgrind() {
    command -v oclgrind >/dev/null || { job oclgrind skip "oclgrind is not installed"; return; }
    # sculpt opens the OpenCL loader at run time, which would find other drivers than Oclgrind.
    local icd
    icd=$(ls "$(dirname "$(command -v oclgrind)")"/../lib*/{,*/}oclgrind/liboclgrind-rt-icd.so 2>/dev/null | head -n 1)
    local limit=120 # some programs take an interpreter many minutes: --all has these
    [ $mode = all ] && limit=5400
    grind=(limited $limit env ${icd:+OCL_ICD_VENDORS="$(realpath "$icd")"} SCULPT_DEVICE=opencl oclgrind --local-mem-size 65536)
    if ! "${grind[@]}" "$sculpt" devices 2>/dev/null | grep -qi oclgrind; then
        job oclgrind bad "sculpt does not find it"
        return
    fi
    for c in examples/*.c; do
        [ "$c" != examples/prefix.c ] && one_in 3 "$c" && job "$c" check_races "$c"
    done
    for c in test/suite/*/*.c; do
        one_in 24 "$c" || continue
        job "$c" check_outside "$c"
    done
    # Kernels whose blocks work in phases: n m p and the widths of rows.
    while read -r name sizes; do job "$name $sizes" check_phases "$name" "$sizes"; done <<-SIZES
	gemm_small 17 33 13 20 24 14
	gemm_small 31 15 3 31 31 3
	gemm_vector 32 33 15 35 36 16
	gemm_128 128 5 50 128 128 50
	stencil 35 50
	SIZES
}
check_races() {
    local status also
    compiled "$1" || return
    for also in --uninitialized ""; do # it does not know every instruction of its own compiler
        "${grind[@]}" --data-races $also "$program" 33 >"$work/log" 2>&1
        status=$?
        grep -q 'Unsupported instruction' "$work/log" || break
    done
    if [ $status = 0 ] && ! grep -qiE 'invalid (read|write)|data race|SC03' "$work/log"; then ok; else bad "$1" "$work/log" 20; fi
}
check_outside() {
    local flags status
    flags=$(sed -n 's,^// flags: ,,p' "$1")
    "$sculpt" cc -w -O1 -std=gnu11 -fopenmp $flags "$1" -o "$work/prog" -lm >"$work/log" 2>&1 || { bad "sculpt cc $1" "$work/log"; return; }
    "${grind[@]}" "$work/prog" >"$work/log" 2>&1
    status=$?
    if grep -qiE 'invalid (read|write)' "$work/log"; then bad "$1" "$work/log" 20
    elif [ $status = 0 ]; then ok
    elif [ $mode = quick ] && [ $status = $((128 + $(kill -l XCPU))) ]; then skip "$1: over ${grind[1]} seconds"
    else bad "$1" "$work/log" 20; fi
}
check_phases() { # nest, sizes
    "$sculpt" emit --target=opencl --host --from=test/emit/nests/$1.nest >"$work/$1.c" 2>"$work/log" &&
        gcc -w "$work/$1.c" -o "$work/$1" -lOpenCL >>"$work/log" 2>&1 || { bad "emit $1" "$work/log"; return; }
    if "${grind[@]}" --data-races "$work/$1" $2 >"$work/log" 2>&1 && ! grep -qiE 'invalid (read|write)|data race' "$work/log"; then ok; else bad "$1 $2" "$work/log" 20; fi
}

# SPDX-License-Identifier: MIT
"""counters_kept.py -- bench/counters keep, against: what was counted once, and today's model beside it.

What is kept of a run is enough to predict it again on any machine: of each program its nest as text, or its
file of kernels with the launch; the sizes; and of each kernel its time, its registers and the counters of its
accesses. Nothing of it is predicted.
"""
import collections, json, os, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor
from counters_compare import LADDERS, bars, put, results, show

WHOLE = ("time", "registers", "warps_percent", "instructions", "last_level_sectors", "memory_bytes")
EACH = ("executed", "threads", "on", "sectors", "wavefronts", "ideal")


# ---- keeping -----------------------------------------------------------------------------------
def kept_accesses(case, accesses):
    """Rows of one access as one; lines of printed kernels by the statement and the array that stand there."""
    sums = collections.OrderedDict()
    for a in accesses:
        place = {"line": a["line"]} if "hand" in case else dict(
            zip(("statement", "array"), case["lines"].get(str(a["line"]), (None, None))))
        into = sums.setdefault((a["kind"], *place.values()),
                               {"kind": a["kind"], **place, **dict.fromkeys(EACH, 0)})
        for figure in EACH:
            into[figure] += a[figure]
    return list(sums.values())


def keep(root, folder, out, machine, date):
    cases, counted = json.load(open(f"{folder}/cases.json")), json.load(open(f"{folder}/counted.json"))
    programs = []
    for case in (c for c in cases if "why" not in c):
        mine = [k for k in counted["kernels"] if k["kernel"].split("(")[0] == case.get("hand")
                or k["kernel"].split("(")[0].endswith("__" + case["case"])]
        if not mine:
            continue
        row = {k: case[k] for k in ("group", "name", "case", "hand") if k in case}
        row["given"] = case["explain"][:-1]
        file = case["explain"][-1]
        row.update({"file": os.path.relpath(file, root)} if "hand" in case else {"nest": open(file).read()})
        row["seconds"] = counted["programs"].get(case["case"])
        row["kernels"] = [{"kernel": k["kernel"].split("(")[0], **{w: k[w] for w in WHOLE},
                           "accesses": kept_accesses(case, k["accesses"])} for k in mine]
        programs.append(row)
    head = {"what": "counted and timed on a GPU; nothing in this file is predicted", "machine": machine,
            "date": date,
            "how": "bench/counters prepare, run (ncu --clock-control none, source counters by -lineinfo), "
            "keep"}
    put(out, head, "programs", programs)
    print(len(programs), "programs")


# ---- again -------------------------------------------------------------------------------------
def registers(program):
    """Those that the machine code had which was timed."""
    seen = {}
    for k in program["kernels"]:
        seen[k["kernel"]] = f"{k['kernel']}={k['registers']}"
    return "--registers=" + ",".join(seen.values())


def predicted(sculpt, root, folder, program):
    """The program as a case of `compare`, with what the model says of it today."""
    file = f"{root}/{program['file']}" if "file" in program else f"{folder}/{program['case']}.nest"
    if "nest" in program:
        open(file, "w").write(program["nest"])
    case = {k: program[k] for k in ("group", "name", "case", "hand") if k in program}
    told = subprocess.run([sculpt, "explain", "--json", registers(program), *program["given"], file],
                          capture_output=True, text=True)
    regions = json.loads(told.stdout)["regions"] if told.stdout else []
    case["advice"] = regions[0]["advice"] if regions else None
    if not case["advice"] or "kernels" not in case["advice"]:
        case["why"] = f"explain: {(case['advice'] or {}).get('why')} {told.stderr.strip()[:300]}"
    return case


def against(root, sculpt, file, out, only, verbose):
    """Is each bar held? Prints what is not."""
    kept = json.load(open(file))
    programs = [p for p in kept["programs"] if only in f"{p['group']} {p['name']}"]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:
        cases = list(pool.map(lambda p: predicted(sculpt, root, folder, p), programs))
    silent = [c for c in cases if "why" in c]
    for c in silent:
        print(f"{c['group']} {c['name']}: {c['why']}")
    counted = {"kernels": [k for p in programs for k in p["kernels"]],
               "programs": {p["case"]: p["seconds"] for p in programs}}
    result, rows = results(cases, counted)
    show(rows, verbose)
    models = sorted({c["advice"]["model"] for c in cases if "why" not in c})
    head = {"measured": {"file": os.path.relpath(file, root), "machine": kept["machine"],
                         "date": kept["date"]},
            "predicted": {"by": "bench/counters against", "model": " ".join(models)},
            "pairs": "[predicted, measured]", **result}
    print(json.dumps(head, indent=1))
    if out:
        put(out, head, "kernels", [{k: v for k, v in r.items() if k not in ("counted", "model")}
                                   for r in rows])
    missed = [] if only else bars(result)
    for line in missed:
        print("missed:", line, file=sys.stderr)
    print(f"{len(cases)} programs measured on {kept['machine']} on {kept['date']}, predicted by the model "
          f"{' '.join(models)}: "
          + ("no bar is looked at" if only else f"{len(missed)} bars are missed" if missed
             else "every bar is held"))
    return not missed and not silent

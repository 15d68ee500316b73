# SPDX-License-Identifier: MIT
"""counters_compare.py -- bench/counters compare: what was predicted beside what was counted."""
import collections, json, statistics

LADDERS = ("course", "first", "today", "talk", "edges", "batch")
# Of bench/unseen: looked at once, when the model first stood; what was seen went into it.
WRITTEN = ("dense", "vectors")
HELD_OUT = ("more",)            # …and counted once, at the end: nothing was fitted to them
SAME = 0.01             # sectors and wavefronts a request: within a hundredth


# ---- accesses ----------------------------------------------------------------------------------
def kind_of(access):
    if access["atomic"] or access.get("local_memory"):
        return None
    if access["async"]:
        return None if access["shared"] else "async copy"
    return ("shared " if access["shared"] else "global ") + ("store" if access["write"] else "load")


def key_of(case, access):
    """What the access's line is known by; copies that pass no register share one line, of the helper's."""
    kind = kind_of(access)
    if kind is None:
        return None
    if kind == "async copy":
        return kind, None, None
    if "hand" in case: return kind, access["place"]["line"], None
    return kind, access["statement"], access["array"]


def counted_key(case, row):
    if row["kind"] == "async copy":
        return row["kind"], None, None
    if "hand" in case:
        return row["kind"], row["line"], None
    if "statement" in row:  # as it is kept
        return row["kind"], row["statement"], row["array"]
    statement, array = case["lines"].get(str(row["line"]), (None, None))
    return row["kind"], statement, array


def summed(rows, key, figures):
    sums = collections.OrderedDict()
    for row in rows:
        k = key(row)
        if k is None:
            continue
        into = sums.setdefault(k, dict.fromkeys(figures, 0.0) | {"text": ""})
        for name, of in figures.items():
            into[name] += of(row)
        into["text"] = into["text"] or row.get("access", "") or row.get("opcode", "")
    return sums


def accesses(case, model, counted):
    """One row for each access that both know: [kind, text, figure predicted, figure counted]"""
    told = summed(model["accesses"], lambda a: key_of(case, a), {
        "requests": lambda a: a["requests"],
        "amount": lambda a: a["requests"] * (a.get("wavefronts_per_request")
                                             or a.get("sectors_per_request") or 0),
        "ideal": lambda a: a["requests"] * a.get("wavefronts_without_conflicts", 0),
        "assumed": lambda a: a["assumed"], "lanes": lambda a: a["requests"] * a["lanes_per_request"]})
    seen = summed(counted["accesses"], lambda r: counted_key(case, r), {
        "requests": lambda r: r["executed"], "lanes": lambda r: r["on"], "threads": lambda r: r["threads"],
        "sectors": lambda r: r["sectors"], "wavefronts": lambda r: r["wavefronts"],
        "ideal": lambda r: r["ideal"]})
    pool(told, seen)
    for key, p in told.items():
        c = seen.pop(key, None)
        row = {"kind": key[0], "access": p["text"], "assumed": p["assumed"] > 0}
        if not c or not c["requests"]:
            yield {**row, "missing": True}
            continue
        shared = key[0].startswith("shared")
        amount, requests = c["wavefronts"] if shared else c["sectors"], [p["requests"], c["requests"]]
        # A condition switches lanes off: warps without any count as executed too.
        if c["lanes"] < 0.999 * c["threads"]:
            requests = [p["lanes"] / 32, c["lanes"] / 32]
            row["by"] = "32 lanes at work"
        row["per_request"] = [round(p["amount"] / requests[0], 4), round(amount / requests[1], 4)]
        row["requests"] = [p["requests"], c["requests"]]
        if shared:
            row["conflicts"] = [round((p["amount"] - p["ideal"]) / requests[0], 4),
                                round((c["wavefronts"] - c["ideal"]) / requests[1], 4)]
        yield row
    for key, c in seen.items():
        if c["requests"] and "atomic" not in key[0]:
            place = f"line {key[1]}" if "hand" in case else f"{key[2]} of statement {key[1]}"
            yield {"kind": key[0], "access": place, "unknown": True, "requests": c["requests"]}


def pool(told, seen):
    """Instructions on lines of no access belong to those of their kind that have none: the compiler moved
    them."""
    for kind in {k[0] for k in seen}:
        lost = [k for k in seen if k[0] == kind and k not in told and seen[k]["requests"]]
        bare = [k for k in told if k[0] == kind and not seen.get(k, {}).get("requests")]
        if not lost or not bare:
            continue
        for rows, keys in ((told, bare), (seen, lost)):
            sums = {f: sum(rows[k][f] for k in keys) for f in rows[keys[0]] if f != "text"}
            sums["text"] = " and ".join(str(rows[k]["text"]) for k in keys)
            for k in keys:
                del rows[k]
            rows[kind, "moved", None] = sums


def agrees(row):
    if "conflicts" in row:
        return abs(row["conflicts"][0] - row["conflicts"][1]) <= SAME
    p, c = row["per_request"]
    return abs(p - c) <= SAME * c


# ---- kernels -----------------------------------------------------------------------------------
def rows_of(cases, counted):
    by_name = {}
    for k in counted["kernels"]:
        by_name.setdefault(k["kernel"].split("(")[0], []).append(k)
    for case in cases:
        if "why" in case:
            continue
        for model in case["advice"]["kernels"]:
            launches = [k for k in by_name.get(model["name"], []) if k["time"] and k["time"] == k["time"]]
            if not launches or model.get("refused"):
                continue
            middle = round(model["launches"]) == 256 and len(launches) == 2
            k = launches[1 if middle else 0]
            described = middle or round(model["launches"]) == 1  # else the model speaks of another launch
            t = model["predicted"]
            row = {"group": case["group"], "program": case["name"], "kernel": model["name"].split("__")[0],
                   "launches": model["launches"], "described": described,
                   "microseconds": [round(1e6 * (t["seconds"] - t["launch_seconds"]), 2),
                                    round(1e-3 * k["time"], 2)], "limit": t["limit"]}
            if model["occupancy"]["registers"]:  # of the same machine code (a launch counts at least 16)
                row["warps_percent"] = [round(100 * model["occupancy"]["share"], 2),
                                        round(k["warps_percent"], 2)]
            row["accesses"] = list(accesses(case, model, k)) if described else []
            row["counted"] = k
            row["model"] = model
            yield row


def ranks(values):
    order = sorted(range(len(values)), key=lambda i: values[i])
    out = [0.0] * len(values)
    i = 0
    while i < len(order):
        j = i
        while j + 1 < len(order) and values[order[j + 1]] == values[order[i]]:
            j += 1
        for k in range(i, j + 1):
            out[order[k]] = (i + j) / 2
        i = j + 1
    return out


def correlation(pairs):
    p, c = ranks([x for x, _ in pairs]), ranks([x for _, x in pairs])
    return statistics.correlation(p, c) if len(pairs) > 2 and len(set(p)) > 1 and len(set(c)) > 1 else None


def error(pair):
    return abs(pair[0] / pair[1] - 1)


def exact(pair):
    return abs(pair[0] - pair[1]) <= 0.005 * pair[1]


def summary(rows, programs):
    """The bars, for some groups of kernels."""
    listed = [a for r in rows for a in r["accesses"] if "per_request" in a]
    known = {"global accesses": [a for a in listed if a["kind"].startswith(("global", "async"))],
             "shared accesses (conflicts)": [a for a in listed if a["kind"].startswith("shared")]}
    out = {"kernels": len({(r["group"], r["program"], r["kernel"]) for r in rows})}
    for what, of in known.items():
        out[what] = [sum(map(agrees, of)), len(of)]
        sure = [a for a in of if not a["assumed"]]
        out[what + ", not decided by data"] = [sum(map(agrees, sure)), len(sure)]
    wide = [a for a in known["shared accesses (conflicts)"]
            if abs(a["per_request"][0] - a["per_request"][1]) <= SAME * a["per_request"][1]]
    out["shared accesses (wavefronts)"] = [len(wide), len(known["shared accesses (conflicts)"])]
    out["not in the machine code"] = sum("missing" in a for r in rows for a in r["accesses"])
    out["not in the model"] = sum("unknown" in a for r in rows for a in r["accesses"])
    warps = [r["warps_percent"] for r in rows if "warps_percent" in r]
    out["theoretical occupancy"] = [sum(map(exact, warps)), len(warps)]
    once = [r["microseconds"] for r in rows if r["described"]]
    if once:
        out["time: median error"] = round(statistics.median(map(error, once)), 3)
        out["time: within 25 %"] = [sum(error(x) <= 0.25 for x in once), len(once)]
    if programs:
        out["time of all launches: median error"] = round(
            statistics.median(error(x) for x in programs.values()), 3)
    return out


def whole_programs(cases, counted):
    """{case: [predicted, measured]} of hosts that launch in loops, in microseconds"""
    return {c["case"]: [round(1e6 * c["advice"]["seconds"], 2),
                        round(1e6 * counted["programs"][c["case"]], 2)]
            for c in cases if "why" not in c and c["advice"]["launches"] > 8
            and counted["programs"].get(c["case"])}


def show(rows, verbose):
    for r in rows:
        print(f"{r['group']} {r['program']} {r['kernel']}: {r['microseconds'][0]} of {r['microseconds'][1]} "
              f"us, {r['limit']}")
        for a in r["accesses"]:
            if "missing" in a or "unknown" in a:
                print(f"    {a['kind']} {a['access']}: "
                      f"{'not in the machine code' if 'missing' in a else 'not in the model'}")
            elif verbose or not agrees(a):
                print(f"    {a['kind']} {a['access']}: {a.get('conflicts', a['per_request'])} predicted, "
                      f"counted{'' if agrees(a) else '  DIFFERS'}{' (assumed)' if a['assumed'] else ''}")


def results(cases, counted):
    """The summary of all groups, and one row a kernel."""
    rows, programs = list(rows_of(cases, counted)), whole_programs(cases, counted)
    result = {"summary": {}, "rank correlation": {}}
    parts = {"ladders, examples, notes": lambda g: g not in WRITTEN + HELD_OUT + ("machine",),
             "hand-written": lambda g: g in WRITTEN,
             "hand-written, held out": lambda g: g in HELD_OUT}
    for name, belongs in parts.items():
        of = [r for r in rows if belongs(r["group"])]
        groups = {c["case"]: c["group"] for c in cases}
        if of:
            result["summary"][name] = summary(of, {k: v for k, v in programs.items() if belongs(groups[k])})
    for group in LADDERS + ("notes",) + WRITTEN + HELD_OUT:
        rungs = collections.defaultdict(lambda: [0, 0])
        for x in rows:
            if x["group"] == group and x["described"]:
                rungs[x["program"]] = [a + b for a, b in zip(rungs[x["program"]], x["microseconds"])]
        r = correlation(list(rungs.values()))
        if r is not None:
            result["rank correlation"][group] = round(r, 3)
    return result, rows


def bars(result):
    """What must hold of kernels that the model knew and of others alike; a sentence for each bar that is
    missed."""
    missed = []
    for name, part in result["summary"].items():
        for what in ("global accesses", "shared accesses (conflicts)"):
            good, all = part[what]
            if good < 0.95 * all:
                missed.append(f"{name}: {what}: {good} of {all}")
        good, all = part["theoretical occupancy"]
        if good < all:
            missed.append(f"{name}: theoretical occupancy: {good} of {all}")
        if part.get("time: median error", 0) > 0.25:
            missed.append(f"{name}: time: median error {part['time: median error']}")
    return missed + [f"{group}: rank correlation {r}" for group, r in result["rank correlation"].items()
                     if r < 0.9]


def put(file, head, name, rows):
    """JSON with each row on a line of its own."""
    text = json.dumps(head, indent=1)[:-2]
    open(file, "w").write(f'{text},\n "{name}": [\n' + ",\n".join(json.dumps(r) for r in rows) + "\n]}\n")


def compare(folder, out, verbose):
    cases, counted = json.load(open(f"{folder}/cases.json")), json.load(open(f"{folder}/counted.json"))
    result, rows = results(cases, counted)
    show(rows, verbose)
    print(json.dumps(result, indent=1))
    if out:
        models = sorted({c["advice"]["model"] for c in cases if "why" not in c})
        put(out, {"measured": {"file": f"{folder}/counted.json"},
                  "predicted": {"by": "bench/counters predict", "model": " ".join(models)},
                  "pairs": "[predicted, measured]",
                  **result}, "kernels", [{k: v for k, v in r.items() if k not in ("counted", "model")}
                                         for r in rows])

#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Is a description of a tuning problem (T1), are results (T4), what the auto-tuning schemas 1.0.0 ask for?

    test/driver/schemas.py T1.json T4.json CACHE.json

The facts stand here: what each object must have, and which words it may have. Where Kernel Tuner is
installed its own reader and its simulation take the three files, too.
"""
import json
import re
import sys

WORDS = {
    "Type": "int uint float bool string",
    "Language": "OpenCL CUDA Vulkan Hypertuner",
    "GlobalSizeType": "OpenCL CUDA Vulkan",
    "MemoryType": "Scalar Vector Local Symbol",
    "AccessType": "ReadOnly WriteOnly ReadWrite",
    "FillType": "Constant Random Generator Script BinaryRaw BinaryHDF",
    "invalidity": "timeout compile runtime correctness constraints correct",
    "argument": "bool half custom "
    + " ".join(f"{u}int{n}" for u in ("", "u") for n in (8, 16, 32, 64))
    + " "
    + " ".join(f"{t}{n}" for t in ("half", "float", "double") for n in ("", 2, 4, 8, 16)),
}


def need(o, *names):
    for n in names:
        assert n in o, f"{n} lacks in {o}"


def word(o, name, words=None):
    if name in o:
        assert o[name] in WORDS[words or name].split(), f"{name}: {o[name]}"


def t1(o):
    need(o, "ConfigurationSpace", "KernelSpecification")
    space, k = o["ConfigurationSpace"], o["KernelSpecification"]
    need(space, "TuningParameters")
    for p in space["TuningParameters"]:
        need(p, "Name", "Type", "Values")
        word(p, "Type")
        assert isinstance(p["Values"], str)
    for c in space.get("Conditions", []):
        need(c, "Parameters", "Expression")
        assert all(isinstance(x, str) for x in c["Parameters"]) and isinstance(c["Expression"], str)
    need(k, "Language", "KernelName", "KernelFile", "GlobalSize", "LocalSize")
    word(k, "Language"), word(k, "GlobalSizeType")
    assert isinstance(k.get("SharedMemory", 0), int)
    for size in (k["GlobalSize"], k["LocalSize"]):
        need(size, "X")
        assert all(isinstance(v, str) for v in size.values())
    for a in k.get("Arguments", []):
        need(a, "Type", "MemoryType")
        word(a, "Type", "argument"), word(a, "MemoryType"), word(a, "AccessType"), word(a, "FillType")
        assert isinstance(a.get("Size", 0), (int, str)) and isinstance(a.get("FillValue", 0), (int, float))
    need(o.get("Search", {"Name": ""}), "Name")


def t4(o):
    assert re.fullmatch(r"\d+\.\d+\.\d+", o["schema_version"])
    for r in o["results"]:
        need(r, "configuration", "times", "invalidity", "correctness")
        word(r, "invalidity")
        assert isinstance(r["configuration"], dict) and isinstance(r["times"]["runtimes"], list)
        assert isinstance(r["correctness"], (int, float)) and not isinstance(r["correctness"], bool)
        assert all(isinstance(m["name"], str) and isinstance(m["unit"], str) for m in r["measurements"])


def main():
    files = sys.argv[1:]
    one, four, cache = (json.load(open(f)) for f in files)
    t1(one), t4(four)
    names = [p["Name"] for p in one["ConfigurationSpace"]["TuningParameters"]]
    assert cache["tune_params_keys"] == names
    for key, e in cache["cache"].items():
        assert key == ",".join(str(e[n]) for n in names)
        assert all(e[n] in cache["tune_params"][n] for n in names)
    for r in four["results"]:
        assert list(r["configuration"]) == names
    try:
        import pathlib
        import kernel_tuner
        from kernel_tuner.file_utils import get_input_file, output_file_schema
        import jsonschema
    except ImportError:
        return print("the facts hold; Kernel Tuner is not installed")
    get_input_file(pathlib.Path(files[0]))
    jsonschema.validate(four, output_file_schema("results")[1])
    _, found = kernel_tuner.tune_kernel_T1(
        pathlib.Path(files[0]), cache_filepath=pathlib.Path(files[2]), simulation_mode=True, device=0,
        strategy="brute_force")
    best = min(e["time"] for e in cache["cache"].values() if not isinstance(e["time"], str))
    right = [r for r in found["results"] if r["invalidity"] == "correct"]
    theirs = min(m["value"] for r in right for m in r["measurements"] if m["name"] == "time")
    assert theirs == best and len(found["results"]) == len(cache["cache"]), (theirs, best)
    print("the facts hold; Kernel Tuner reads it")


main()

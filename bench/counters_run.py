# SPDX-License-Identifier: MIT
"""counters_run.py -- bench/counters run: programs under the profiler, its counters added up by line."""
import glob, json, os, shutil, subprocess, sys

# Of a whole kernel.
WHOLE = {"time": "gpu__time_duration.sum", "registers": "launch__registers_per_thread",
         "warps_percent": "sm__maximum_warps_per_active_cycle_pct",
         "instructions": "smsp__inst_executed.sum", "last_level_sectors": "lts__t_sectors.sum",
         "memory_bytes": "dram__bytes.sum",
         "memory_read": "dram__bytes_read.sum", "cycles": "sm__cycles_elapsed.max",
         "wavefronts": "l1tex__data_pipe_lsu_wavefronts.sum",
         "l1_sectors_read": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
         "l2_sectors_read": "lts__t_sectors_srcunit_tex_op_read.sum"}
# Of each instruction, in the section SourceCounters.
EACH = {"executed": "inst_executed", "threads": "thread_inst_executed", "on": "thread_inst_executed_true",
        "sectors": "memory_l2_theoretical_sectors_global",
        "wavefronts": "memory_l1_wavefronts_shared", "ideal": "memory_l1_wavefronts_shared_ideal"}
KINDS = {"LDG": "global load", "LD": "global load", "STG": "global store", "ST": "global store",
         "LDS": "shared load", "STS": "shared store",
         "LDGSTS": "async copy", "ATOMG": "global atomic", "RED": "global atomic", "REDG": "global atomic",
         "ATOM": "global atomic", "ATOMS": "shared atomic"}


# The first, and where the host launches 256 times the middle one, which the model describes.
LAUNCHES = (1, 129)


def gpus():
    listed = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True).stdout.splitlines()
    return max(1, len(listed))


def profile(folder, part, parts):
    """One GPU's share of the programs, those launches of each kernel."""
    command = ["ncu", "--clock-control", "none", "--cache-control", "none", "--kernel-id",
               f":::{'|'.join(map(str, LAUNCHES))}", "--section", "SourceCounters",
               "--section", "WarpStateStats", "--metrics", ",".join(WHOLE.values()), "-f", "-o",
               f"{folder}/report{part}", f"{folder}/all", str(part), str(parts)]
    os.makedirs(f"{folder}/temp{part}", exist_ok=True)  # profilers wait for each other by a file there
    env = {**os.environ, "CUDA_VISIBLE_DEVICES": str(part), "TMPDIR": os.path.abspath(f"{folder}/temp{part}")}
    return subprocess.Popen(command, env=env, stdout=open(f"{folder}/ncu{part}.log", "w"),
                            stderr=subprocess.STDOUT)


def times(folder):
    """Seconds of all launches of each program, by events around them."""
    env = {**os.environ, "CUDA_MODULE_LOADING": "EAGER"}
    found, name = {}, None
    for line in subprocess.run([f"{folder}/all"], capture_output=True, text=True,
                               env=env).stdout.splitlines():
        if line.startswith("program "):
            name = line[8:]
        elif line.startswith("kernels ") and name:
            found[name] = 1e-3 * float(line.split()[1])
    return found


def reader():
    """The profiler's own module for its reports."""
    ncu = os.path.realpath(shutil.which("ncu") or "")
    one = os.path.dirname(ncu)
    two = os.path.dirname(one)
    places = [os.path.join(root, "extras", "python") for root in (one, two, os.path.dirname(two))]
    places += glob.glob("/opt/nvidia/nsight-compute/*/extras/python")
    places += glob.glob("/usr/local/cuda*/nsight-compute*/extras/python")
    sys.path[:0] = places
    import ncu_report
    return ncu_report


def value(action, name):
    try:
        return action.metric_by_name(name).value()
    except Exception:
        return None


def by_address(action, name):
    """{program counter: count}"""
    try:
        m = action.metric_by_name(name)
        ids = m.correlation_ids()
        return {ids.as_uint64(k): m.as_uint64(k) for k in range(m.num_instances())}
    except Exception:
        return {}


def instructions(action):
    """Memory instructions: [line, file, opcode, kind, counts…], those of one line and opcode added up."""
    counted, lines = {short: by_address(action, name) for short, name in EACH.items()}, {}
    for pc in counted["executed"]:
        word = [w for w in (action.sass_by_pc(pc) or "").split() if not w.startswith("@")]
        kind = KINDS.get(word[0].split(".")[0]) if word else None
        if not kind:
            continue
        at = action.source_info(pc)
        key = (at.line() if at else 0, os.path.basename(at.file_name()) if at else "", word[0], kind)
        sums = lines.setdefault(key, dict.fromkeys(EACH, 0))
        for short in EACH:
            sums[short] += counted[short].get(pc, 0)
    return [{"line": k[0], "file": k[1], "opcode": k[2], "kind": k[3], **sums} for k, sums in lines.items()]


def read(path, module):
    kernels, report = [], module.load_report(path)
    for r in range(report.num_ranges()):
        for k in range(report.range_by_idx(r).num_actions()):
            action = report.range_by_idx(r).action_by_idx(k)
            stalls = {}
            for name in action.metric_names():
                before, behind = "smsp__average_warps_issue_stalled_", "_per_issue_active.ratio"
                if name.startswith(before) and name.endswith(behind) and "not_issued" not in name:
                    stalls[name[len(before):-len(behind)]] = value(action, name)
            kernels.append({"kernel": action.name(), "stalls": stalls, "accesses": instructions(action),
                            **{short: value(action, name) for short, name in WHOLE.items()}})
            if len(kernels) == 1:
                kernels[0]["metrics"] = list(action.metric_names())
    return kernels


def run(folder):
    parts = gpus()
    seconds = times(folder)
    for job in [profile(folder, part, parts) for part in range(parts)]:
        job.wait()
    module, kernels = reader(), []
    for path in sorted(glob.glob(f"{folder}/report*.ncu-rep")):
        kernels += read(path, module)
    json.dump({"programs": seconds, "kernels": kernels}, open(f"{folder}/counted.json", "w"))
    print(f"{len(kernels)} kernels, {sum(len(k['accesses']) for k in kernels)} lines of accesses, "
          f"{len(seconds)} programs timed")

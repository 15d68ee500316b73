#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
# run.py -- `sculpt explain`: text, JSON, SARIF and the page say the same; its page and that of `sculpt plan` are
# well formed, escaped, ask nothing of the network, and can be read on a phone, in light and in dark.
#
#   test/page/run.py SCULPT WORK [CHROMIUM] [--all]      one line a failure; the last line counts
import concurrent.futures
import html.parser
import json
import os
import re
import struct
import subprocess
import sys
import zlib

sculpt, work = sys.argv[1], sys.argv[2]
thorough = "--all" in sys.argv
program = next((w for w in sys.argv[3:] if w != "--all"), None)
root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
passed = failed = 0


def check(good, what):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print("FAIL " + what)
    return good


def explain(*orders):
    """Runs `sculpt explain` for each list of words, all at once; (stdout, stderr, status) of each."""
    all = [subprocess.Popen([sculpt, "explain", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE) for words in orders]
    return [(*p.communicate(timeout=3600), p.returncode) for p in all]


# ---- what is looked at -------------------------------------------------------------------------------
nasty = "a<b>&\"'<script><img src=x onerror=alert(1)>.c"
os.makedirs(work, exist_ok=True)


def write(name, data):
    path = os.path.join(work, name) if isinstance(name, str) else os.path.join(work.encode(), name)
    with open(path, "wb") as f:
        f.write(data)
    return path


turned = b"""// </code></table><script>alert("x")</script> & <b>'bold'</b> \xff\xfe \xc3\xa9 \x01
void turned(int n, float (*restrict a)[n], float (*restrict b)[n])
{
    const char *s = "</pre><svg onload=alert(2)>"; (void)s;
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i][j] = 2 * a[j][i];
#pragma endscop
#pragma scop
    for (int i = 1; i < n; i++)
        b[0][i] = b[0][i - 1] < 1 && a[0][i] > 2 ? b[0][i - 1] : a[0][i];
#pragma endscop
}
"""
tile = b"""__global__ void turn(float *b, const float *a, int n)
{
    __shared__ float tile[32][32]; // <i>&
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = a[y * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    b[y * n + x] = tile[threadIdx.x][threadIdx.y];
}
"""
slip = b"""__kernel void sums(__global float *out, __global const float *in)
{
    __local float s[64];
    int t = get_local_id(0);
    s[t] = in[get_global_id(0)];
    if (t < 32) s[t] += s[t + 32];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (t == 0) out[get_group_id(0)] = s[0] + s[65];
}
"""
near = b"""__global__ void near(float *y, int *total, const float *x, const int *p, int n)
{
    float a[16];
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 16; k++)
        a[k] = x[k * 1048576 + t];
    float s = 0;
    for (int k = 0; k < n; k++)
        s += a[p[k * 1048576 + t] & 15] + x[p[t]];
    y[t] = s;
    atomicAdd(total, 1);
}
"""
reuse = b"""__global__ void product(float *c, const float *a, const float *b, int n)
{
    int j = blockIdx.x * 16 + threadIdx.x, i = blockIdx.y * 16 + threadIdx.y;
    float s = 0;
    for (int k = 0; k < n; k++)
        s += a[i * n + k] * b[k * n + j];
    c[i * n + j] = s;
}
"""
looks = b"""#include <math.h>
int solve(int n, float *restrict a, float *restrict b, float tol)
{
    int steps = 0;
    for (float err = 2 * tol; err > tol && steps < 100; steps++) {
        err = 0;
#pragma omp parallel for reduction(max : err)
        for (int i = 1; i < n; i++) {
            b[i] = 0.5f * (a[i - 1] + a[i]);
            err = fmaxf(err, fabsf(b[i] - a[i]));
        }
    }
    return steps;
}
"""
example = lambda name: os.path.join(root, "examples", name + ".c")
cases = {
    "matmul": [example("matmul")],
    "jacobi": [example("jacobi")],
    "csr": [example("csr")],
    "prefix": [example("prefix")],
    "long": [os.path.join(root, "test", "suite", "apps", "corners.c")],
    "nasty": [write(nasty, turned), "--arg", "n=8192", "--fix=" + os.path.join(work, "nasty.sculpt")],
    "old": [example("blur"), "--machine", "GTX280"],
    "cpu": [example("euclid"), "--machine", "CPU"],
    "bytes": [write(b"\xff\xfe \xc3\xa9.c", turned), "--arg", "n=64"],
    "kernels": [os.path.join(root, "test", "kernels", "launches.cu")],
    "nests": [os.path.join(root, "bench", "notes", "banks.nest"), "--arg", "n=1048576,s=32,reps=64"],
    "cuda": [write("tile.cu", tile), "--grid", "128,128", "--block", "32,32", "--arg", "n=4096"],
    "near": [write("near.cu", near), "--grid", "4096", "--block", "256", "--arg", "n=64"],
    "reuse": [write("reuse.cu", reuse), "--grid", "64,64", "--block", "16,16", "--arg", "n=1024"],
    "looks": [write("looks.c", looks), "--arg", "n=65536"],
    "opencl": [write("slip.cl", slip), "--grid", "100", "--block", "64", "--arg", "in=6400", "--arg", "out=100"],
}
plans = {
    "matmul": [example("matmul"), "--permit", "reassociate", "--arg", "n=1000"],
    "rows": [example("softmax"), example("csr"), "--machine", "K20"],
    "nasty": [write(nasty, turned), "--arg", "n=8192"],
}
expected = {"near": {"local memory", "atomics", "coalescing"}, "reuse": {"first-level cache"}, "looks": {"read-back"}, "nests": {"bank conflicts"}}
cases["recipe"] = [os.path.join(root, "bench", "talk", "matmul.c"), "--recipe", write("plain.sculpt", b"target gpu\n"
                   b"strip i by=8 as=i_b,i_t\nstrip j by=32 as=j_b,j_t\ninterchange i_b j_b i_t j_t\nmap block i_b j_b\nmap thread i_t j_t\n"), "--judge", "each"]


# ---- without a browser ----------------------------------------------------------------------------------
VOID = {"meta", "br", "col", "link", "img", "input", "hr"}
OPTIONAL = {"li", "td", "th", "tr", "p", "dt", "dd", "tbody", "thead", "colgroup", "caption"}


class Reader(html.parser.HTMLParser):
    """Counts what stands in a page and looks for what must not."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.ids, self.links, self.bad, self.open, self.text, self.findings = {}, [], [], [], [], [], 0
        self.svg, self.marks, self.captions, self.titles = [], 0, 0, 0

    def handle_starttag(self, tag, attrs):
        a = dict(attrs)
        self.tags[tag] = self.tags.get(tag, 0) + 1
        if "id" in a:
            self.ids.append(a["id"])
        if tag == "a" and "href" in a:
            self.links.append(a["href"])
        for name, value in attrs:
            if name.startswith("on") or name == "src" or (name == "href" and not value.startswith("#")) or "url(" in (value or ""):
                self.bad.append("%s=%s" % (name, value))
        if tag in ("script", "img", "link", "iframe", "object", "style") and not (tag == "style" and self.tags[tag] == 1):
            self.bad.append("<%s>" % tag)
        self.findings += a.get("class") == "finding"
        if tag == "svg":
            self.svg.append(0)
        if self.svg and tag in ("path", "rect", "circle") and "svg" in self.open:
            self.svg[-1] += 1
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        while self.open and self.open[-1] != tag and self.open[-1] in OPTIONAL:
            self.open.pop()
        if not self.open or self.open[-1] != tag:
            self.bad.append("</%s> closes %s" % (tag, self.open[-1] if self.open else "nothing"))
        else:
            self.open.pop()

    def handle_data(self, data):
        if "style" not in self.open:
            self.text.append(data)


def squeeze(s):
    return re.sub(r"\s+", " ", s)


def advices(j):
    return [s["advice"] for s in j.get("regions", []) + j.get("kernels", []) if s.get("advice")]


def check_sarif(name, sarif, diagnostics, findings):
    check(sarif.get("version") == "2.1.0" and sarif.get("$schema", "").endswith("sarif-2.1.0.json") and len(sarif["runs"]) == 1, name + ": SARIF's head")
    run = sarif["runs"][0]
    driver = run["tool"]["driver"]
    rules = [r["id"] for r in driver["rules"]]
    check(driver["name"] == "sculpt" and len(rules) == len(set(rules)) and all(r["shortDescription"]["text"] for r in driver["rules"]), name + ": SARIF's rules")
    good = True
    for r in run["results"]:
        where = r["locations"][0]["physicalLocation"]
        good &= bool(r["message"]["text"]) and r["ruleId"] in rules and r["level"] in ("none", "note", "warning", "error")
        good &= where["region"]["startLine"] >= 1 and where["region"]["startColumn"] >= 1
        good &= re.fullmatch(r"[A-Za-z0-9._~/%-]*", where["artifactLocation"]["uri"]) is not None
        good &= 0 <= r.get("rank", 0) <= 100
    check(good, name + ": SARIF's results have their members")
    told = [r for r in run["results"] if not r["ruleId"].startswith("SC")]
    check(len(told) == len(findings), "%s: SARIF has %d findings, JSON %d" % (name, len(told), len(findings)))
    check(len(run["results"]) - len(told) == len(diagnostics), "%s: SARIF has %d diagnostics, JSON %d" % (name, len(run["results"]) - len(told), len(diagnostics)))
    check(all(any(f["text"] in r["message"]["text"] and r["level"] == f["level"] for r in told) for f in findings), name + ": SARIF's findings are JSON's")


def read_page(name, page):
    """A page that is well formed, for all readers: the reader, its source, its text."""
    r = Reader()
    with open(page, encoding="utf-8", errors="strict") as f:
        source = f.read()
    r.feed(source)
    r.close()
    check(not r.bad, "%s: %s" % (name, r.bad[:4]))
    check(not [t for t in r.open if t not in OPTIONAL], "%s: left open: %s" % (name, r.open))
    check(len(r.ids) == len(set(r.ids)), name + ": an anchor is there twice")
    check(all(l[1:] in r.ids for l in r.links), "%s: links to nothing: %s" % (name, [l for l in r.links if l[1:] not in r.ids][:4]))
    check(all(n > 0 for n in r.svg), name + ": a picture without marks")
    check(r.tags.get("table", 0) == r.tags.get("caption", 0), name + ": a table without a caption")
    check(r.tags.get("svg", 0) * 2 <= r.tags.get("title", 0) + r.tags.get("desc", 0), name + ": a picture without a title or description")
    check(r.tags.get("h1") == 1 and 'name=viewport' in source and '<html lang=en>' in source, name + ": head")
    return r, source, squeeze("".join(r.text))


def check_plan(name, words):
    """`sculpt plan`: the page says what the JSON says; the page's path, or None."""
    page = os.path.join(work, "plan-" + name + ".html")
    runs = [subprocess.run([sculpt, "plan", *words, *more], capture_output=True, timeout=3600) for more in (["--html", page], ["--json"])]
    if not check(os.path.exists(page) and not any(r.returncode for r in runs), "plan %s: %s" % (name, runs[0].stderr.decode(errors="replace")[:300])):
        return None
    _, source, seen = read_page("plan " + name, page)
    regions = json.loads(runs[1].stdout.decode())
    every = [c for r in regions for c in r["candidates"]]
    check(every and source.count("class=rung") == len(every), "plan %s: %d rows, %d in JSON" % (name, source.count("class=rung"), len(every)))
    check(source.count("class=gain>runs<") == sum(c["runs"] for c in every), "plan %s: what runs" % name)
    check(all(squeeze(c["made_by"]) in seen for c in every), "plan %s: each nest is on the page" % name)
    check(all(squeeze(c.get("why_not", "")) in seen and c.get("bounded_by", "") in seen for c in every), "plan %s: what bounds each" % name)
    check(all(squeeze(why) in seen for r in regions for why in r["does_not_fit"].values()), "plan %s: what does not fit" % name)
    return page


def check_words(name, words):
    """The four printers on one input; the page's path, or None."""
    page = os.path.join(work, name + ".html")
    bare = [w for w in words if not str(w).startswith("--fix")]
    (_, err, status), (data, _, _), (results, _, _), (text, _, _) = explain([*words, "--html", page], [*words, "--json"], [*words, "--sarif"], bare)
    text = text.decode(errors="replace")
    if not check(os.path.exists(page) and status in (0, 1), "%s: no page: %s" % (name, err.decode(errors="replace")[:300])):
        return None
    try:
        j, sarif = json.loads(data.decode()), json.loads(results.decode())
    except ValueError as e:
        check(False, "%s: not JSON: %s" % (name, e))
        return page
    findings = [f for a in advices(j) for f in a.get("findings", [])]
    check_sarif(name, sarif, j["diagnostics"], findings)
    check(expected.get(name, set()) <= {f["kind"] for f in findings}, "%s: of %s only %s are found" % (name, expected.get(name), {f["kind"] for f in findings}))
    r, source, seen = read_page(name, page)
    check(r.findings == len(findings), "%s: %d findings on the page, %d in JSON" % (name, r.findings, len(findings)))
    check(all(squeeze(f["text"]) in seen for f in findings), name + ": the page has each finding's text")
    check(all(squeeze(f["text"]) in squeeze(text) for f in findings), name + ": the text has each finding's text")
    check(len(re.findall(r"(?m)^ +\d+\. .*(?:% of the time|(?:error|warning|remark) SC\d+)\)", text)) == len(findings), name + ": the text has as many findings as JSON")
    check(all(squeeze(d["text"]) in seen for d in j["diagnostics"]), name + ": the page has each diagnostic's text")
    for a in advices(j):
        rungs = a.get("ladder", {}).get("rungs", [])
        check(all(squeeze(x["step"]) in seen and x["step"] in text for x in rungs), name + ": each step is on the page and in the text")
        for k in a.get("kernels", []):
            check(k["name"] in seen and k["name"] in text, name + ": " + k["name"] + " is told of")
    return page


# ---- --fix: it helps, or says why not -------------------------------------------------------------------
SLOW = {"matmul", "matmul_1d", "matmul_sum", "laplace_matrix"} # the judge takes seconds for their recipes


def fix_orders():
    for c in sorted(os.listdir(os.path.join(root, "examples"))):
        if c.endswith(".c") and (thorough or c[:-2] not in SLOW):
            yield c, [os.path.join(root, "examples", c)]
    notes = os.path.join(root, "bench", "notes")
    for n in sorted(os.listdir(notes)):
        with open(os.path.join(notes, n), encoding="utf-8") as f:
            rows = re.findall(r"(?m)^//row .*; nest \d+; ([^;\n]*)", f.read())
        for row in sorted(set(rows)) if thorough else rows[-1:]:
            yield n + " " + row, [os.path.join(notes, n), "--arg", row.strip().replace(" ", ",")]


def check_fix(name, words):
    recipe = os.path.join(work, "fix-%s.sculpt" % re.sub(r"\W", "_", name))
    (data, err, _), = explain([*words, "--json", "--fix=" + recipe])
    try:
        advice = advices(json.loads(data.decode()))
    except ValueError:
        return check(False, "%s: --fix --json: %s" % (name, err.decode(errors="replace")[:300]))
    for f in [a["fix"] for a in advice if a.get("fix")]:
        better = f["before"] <= 0 or 0 < f["after"] < f["before"]
        check(f["tried"] or f["why"], name + ": --fix tried nothing and says nothing")
        check(f["helps"] == (f["recipe"] is not None and better and f["after"] < 0.98 * f["before"] or f["recipe"] is not None and f["before"] <= 0) and (f["helps"] or f["why"]),
              "%s: --fix: %g s before, %g after, helps: %s, why: %s" % (name, f["before"], f["after"], f["helps"], f["why"]))
        if f["recipe"]:
            check(f["helps"] or "# It does not help: " in f["recipe"], name + ": the recipe says that it does not help")
    fixes = [a["fix"] for a in advice if a.get("fix") and a["fix"]["recipe"]]
    if len(fixes) != 1 or not words[0].endswith(".c"):
        return None
    # Followed, it takes the time that was promised.
    (data, err, _), = explain([*words, "--json", "--judge", "none", "--recipe", recipe])
    try:
        took = [a["seconds"] for a in advices(json.loads(data.decode())) if a.get("name") == "with the recipe"]
    except ValueError:
        took = []
    return check(len(took) == 1 and abs(took[0] - fixes[0]["after"]) <= 1e-3 * fixes[0]["after"], "%s: followed, the recipe takes %s, not %g: %s" % (name, took, fixes[0]["after"], err.decode(errors="replace")[:200]))


# ---- in a browser --------------------------------------------------------------------------------------
def pixels(png):
    """Rows of RGB bytes of an 8-bit PNG without interlacing."""
    at, data, width, height, depth = 8, b"", 0, 0, 3
    while at < len(png):
        n, kind = struct.unpack(">I4s", png[at:at + 8])
        if kind == b"IHDR":
            width, height, _, colour = struct.unpack(">IIBB", png[at + 8:at + 18])
            depth = 4 if colour == 6 else 3
        if kind == b"IDAT":
            data += png[at + 8:at + 8 + n]
        at += n + 12
    raw, stride, before, rows = zlib.decompress(data), width * depth, bytearray(width * depth), []
    for y in range(height):
        how, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for x in range(stride):
            left, up, corner = row[x - depth] if x >= depth else 0, before[x], before[x - depth] if x >= depth else 0
            if how == 1:
                row[x] = row[x] + left & 255
            elif how == 2:
                row[x] = row[x] + up & 255
            elif how == 3:
                row[x] = row[x] + (left + up) // 2 & 255
            elif how == 4:
                p = left + up - corner
                a, b, c = abs(p - left), abs(p - up), abs(p - corner)
                row[x] = row[x] + (left if a <= b and a <= c else up if b <= c else corner) & 255
        rows.append([tuple(row[x:x + 3]) for x in range(0, stride, depth)])
        before = row
    return rows


# The contrast of each piece of text with what lies behind it: those under 4.5 (3 where it is large).
CONTRAST = """(() => {
  const parts = c => { const m = c.match(/[\\d.]+/g).map(Number); return m.length > 3 ? m : [...m, 1]; };
  const light = c => { const f = v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4; return .2126 * f(c[0]) + .7152 * f(c[1]) + .0722 * f(c[2]); };
  const behind = e => { for (; e; e = e.parentElement) { const b = parts(getComputedStyle(e).backgroundColor); if (b[3] > .99) return b; } return [255, 255, 255, 1]; };
  const bad = new Set(), walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let t; t = walk.nextNode();) {
    const e = t.parentElement;
    if (!t.data.trim() || e.closest('svg') || !e.offsetParent) continue;
    const s = getComputedStyle(e), a = light(parts(s.color)), b = light(behind(e)), ratio = (Math.max(a, b) + .05) / (Math.min(a, b) + .05);
    if (ratio < (parseFloat(s.fontSize) >= 24 ? 3 : 4.5)) bad.add(e.tagName + '.' + e.className + ' ' + ratio.toFixed(2));
  }
  return [...bad].join('; ');
})()"""
MARKS = """[...document.querySelectorAll('svg')].filter(s => s.checkVisibility && s.checkVisibility() &&
  ![...s.querySelectorAll('path,rect,circle')].some(m => { const b = m.getBBox(); return b.width + b.height > 0; })).length"""
HEADINGS = """(() => { let last = 0, bad = 0; for (const h of document.querySelectorAll('h1,h2,h3,h4')) { const n = +h.tagName[1]; if (n > last + 1) bad++; last = n; } return bad; })()"""
WIDE = """[...document.querySelectorAll('body *')].filter(e => !e.closest('.scroll, pre, svg') && e.offsetParent && e.getBoundingClientRect().right > innerWidth + 1)
  .map(e => e.tagName + '.' + e.className).slice(0, 4).join(' ')"""


def check_page(b, name, page):
    b.open(page, 360)
    check(b.value("document.documentElement.scrollWidth") <= 360, "%s: wider than 360: %s" % (name, b.value(WIDE)))
    check(b.value(WIDE) == "", "%s: sticks out at 360: %s" % (name, b.value(WIDE)))
    b.value("document.querySelectorAll('details').forEach(d => d.open = true)")
    check(b.value("document.documentElement.scrollWidth") <= 360, "%s: wider than 360 when all is open: %s" % (name, b.value(WIDE)))
    check(b.value(MARKS) == 0, name + ": a picture shows nothing")
    check(b.value(HEADINGS) == 0, name + ": a heading skips a level")
    check(b.value("document.images.length + document.scripts.length") == 0, name + ": something was not escaped")
    check(b.value(CONTRAST) == "", "%s: too little contrast: %s" % (name, b.value(CONTRAST)))
    check(not b.complaints(), "%s: %s" % (name, b.complaints()[:3]))
    check(not b.requests(), "%s: asks for %s" % (name, b.requests()[:3]))
    b.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    check(b.value(CONTRAST) == "", "%s: too little contrast in the dark: %s" % (name, b.value(CONTRAST)))


def check_pictures(b, name, page):
    for dark in (False, True):
        b.open(page, 360, 480, dark)
        rows = pixels(b.picture())
        flat = [p for row in rows for p in row]
        colours, mean = set(flat), sum(sum(p) for p in flat) / (3 * len(flat))
        check(len(rows) == 480 and len(colours) > 60, "%s: a blank picture (%d colours)" % (name, len(colours)))
        check(mean < 90 if dark else mean > 190, "%s: %s in %s mode" % (name, mean, "dark" if dark else "light"))


def main():
    pages = {}
    for name, words in cases.items():
        pages[name] = check_words(name, words)
    for name, words in plans.items():
        pages["plan " + name] = check_plan(name, words)
    with open(pages["nasty"], encoding="utf-8") as f:
        text = f.read()
    check("&lt;img src=x onerror=alert(1)&gt;" in text and "<img" not in text, "nasty: its path is text")
    check("&lt;script&gt;" in text and "<script" not in text and "\x01" not in text, "nasty: its text is text")
    with open(pages["cuda"], encoding="utf-8") as f:
        text = f.read()
    check("32-way" in text and "pad=1" in text and text.count("class=banks") >= 2, "cuda: the tile's banks before and after the cure")
    with open(pages["recipe"], encoding="utf-8") as f:
        text = f.read()
    check("legal for all sizes" in text and "without the recipe" in text, "recipe: the judge's words and what is compared")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda order: check_fix(*order), fix_orders()))
    if program:
        sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
        from chromium import Chromium
        b = Chromium(program)
        try:
            for name, page in pages.items():
                if page:
                    check_page(b, name, page)
            check_pictures(b, "matmul", pages["matmul"])
        finally:
            b.close()
    print("%d passed, %d failed" % (passed, failed))
    return failed > 0


sys.exit(main())

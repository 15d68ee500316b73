# SPDX-License-Identifier: MIT
# chromium.py -- a headless Chromium, spoken to through a pair of pipes (--remote-debugging-pipe: messages
# of JSON, each ended by a zero byte). What the browser complains of, and what it asks the network for, is kept.
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


class Chromium:
    def __init__(self, program, limit=180):
        self.limit = limit # seconds for each answer: a busy machine is slow, a dead browser never answers
        self.profile = tempfile.mkdtemp(prefix="sculpt-page-")
        to_r, self.to = os.pipe()
        self.fro, fro_w = os.pipe()
        # The browser reads descriptor 3 and writes descriptor 4.
        command = [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--disable-extensions",
                   "--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run", "--mute-audio",
                   "--force-color-profile=srgb", "--user-data-dir=" + self.profile, "--remote-debugging-pipe", "about:blank"]
        quoted = " ".join("'%s'" % w for w in command)
        self.process = subprocess.Popen(["sh", "-c", "exec %s 3<&%d 4>&%d" % (quoted, to_r, fro_w)], pass_fds=(to_r, fro_w), stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_r)
        os.close(fro_w)
        self.number, self.buffer, self.events, self.session = 0, b"", [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(domain + ".enable")

    def message(self):
        deadline = time.time() + self.limit
        while b"\0" not in self.buffer:
            left = deadline - time.time()
            if left <= 0 or not select.select([self.fro], [], [], left)[0]:
                raise TimeoutError("chromium does not answer")
            piece = os.read(self.fro, 1 << 20)
            if not piece:
                raise RuntimeError("chromium has gone")
            self.buffer += piece
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **params):
        self.number += 1
        order = {"id": self.number, "method": method, "params": params}
        if self.session:
            order["sessionId"] = self.session
        os.write(self.to, json.dumps(order).encode() + b"\0")
        while True:
            m = self.message()
            if m.get("id") == self.number:
                if "error" in m:
                    raise RuntimeError("%s: %s" % (method, m["error"].get("message")))
                return m["result"]
            self.events.append(m)

    def open(self, path, width, height=900, dark=False):
        self.events = []
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        self.call("Page.navigate", url="file://" + os.path.abspath(path))
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self.message())

    def value(self, expression):
        r = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in r:
            raise RuntimeError(expression + ": " + json.dumps(r["exceptionDetails"]))
        return r["result"].get("value")

    def picture(self, whole=False):
        return base64.b64decode(self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"])

    # What the page or the browser complained of since it was opened.
    def complaints(self):
        found = []
        for e in self.events:
            p = e.get("params", {})
            if e.get("method") == "Log.entryAdded" and p["entry"]["level"] in ("error", "warning"):
                found.append(p["entry"]["text"])
            if e.get("method") in ("Runtime.exceptionThrown", "Runtime.consoleAPICalled"):
                found.append(json.dumps(p))
        return found

    # Addresses asked for, but for the page itself.
    def requests(self):
        return [e["params"]["request"]["url"] for e in self.events
                if e.get("method") == "Network.requestWillBeSent" and e["params"].get("type") != "Document"]

    def close(self):
        try:
            self.process.terminate()
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.to)
        os.close(self.fro)
        shutil.rmtree(self.profile, ignore_errors=True)

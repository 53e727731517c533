"""Drives a headless Chromium over the DevTools protocol, as a person would use it: keys, the mouse, pictures."""

import base64
import json
import os
import shutil
import subprocess
import time

WAIT = 30  # Seconds that something on the page may take.


def browser():
    names = [os.environ.get("BROWSER"), "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]
    return next((found for found in map(lambda name: name and shutil.which(name), names) if found), None)


SAYS = "document.getElementById('status')?.textContent"


class Tab:
    """A tab of Chromium, driven over the DevTools protocol through a pipe: messages end with a zero byte."""

    def __init__(self, program, folder):
        to_read, self.to = os.pipe()
        self.from_, to_write = os.pipe()
        def connect():
            # The protocol's file descriptors are 3 and 4.
            reader, writer = os.dup(to_read), os.dup(to_write)
            os.dup2(reader, 3)
            os.dup2(writer, 4)
        words = [program, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--hide-scrollbars",
                 "--disable-background-networking", "--disable-component-update", "--disable-sync",
                 "--remote-debugging-pipe", f"--user-data-dir={folder}/profile", "about:blank"]
        self.process = subprocess.Popen(words, preexec_fn=connect, close_fds=False, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.rest, self.number, self.session = b"", 0, None
        self.console, self.loaded = [], []
        target = next(one for one in self.call("Target.getTargets")["targetInfos"] if one["type"] == "page")
        self.session = self.call("Target.attachToTarget", targetId=target["targetId"], flatten=True)["sessionId"]
        for name in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{name}.enable")

    def call(self, method, **params):
        self.number += 1
        message = {"id": self.number, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.rest:
                self.rest += os.read(self.from_, 1 << 20)
            answer, self.rest = self.rest.split(b"\0", 1)
            answer = json.loads(answer)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']}")
                return answer["result"]
            self.note(answer)

    def note(self, event):
        name, params = event.get("method"), event.get("params", {})
        if name == "Runtime.exceptionThrown":
            self.console.append(params["exceptionDetails"].get("exception", {}).get("description", "an exception"))
        if name == "Runtime.consoleAPICalled":
            self.console.append(str([one.get("value") for one in params["args"]]))
        if name == "Log.entryAdded":
            self.console.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")
        if name == "Network.requestWillBeSent":
            self.loaded.append(params["request"]["url"])

    def value(self, script):
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            raise AssertionError(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, script, what):
        end = time.monotonic() + WAIT
        while time.monotonic() < end:
            if self.value(script):
                return
            time.sleep(0.02)
        raise AssertionError(f"{what}: not so after {WAIT} s; the page says: {self.value(SAYS)}")

    def key(self, key, text=None, modifiers=0, code=None):
        codes = {"Tab": 9, "Enter": 13, " ": 32, "Delete": 46, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, ".": 190}
        number = codes.get(key, ord(key.upper()) if len(key) == 1 else 0)
        text = text or {"Enter": "\r", " ": " "}.get(key) or (key if len(key) == 1 else None)
        press = {"type": "keyDown", "key": key, "windowsVirtualKeyCode": number, "modifiers": modifiers}
        if code:
            press["code"] = code
        if text and not modifiers & 2:
            press["text"] = text
        self.call("Input.dispatchKeyEvent", **press)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=number, modifiers=modifiers)

    def tab_to(self, name):
        """Moves the focus with the Tab key only."""
        for _ in range(200):
            if self.value(f"document.activeElement.id === {name!r}"):
                return
            self.key("Tab")
        raise AssertionError(f"the Tab key does not reach {name}")

    def press(self, name):
        """Presses a button with the keyboard only."""
        self.tab_to(name)
        self.key("Enter")

    def place(self, script):
        return self.value(f"""(() => {{ const one = {script}; one.scrollIntoView({{ block: "center" }});
            const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})()""")

    def click(self, script):
        x, y = self.place(script)
        for kind in ["mousePressed", "mouseReleased"]:
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def look(self, width, height, theme):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": theme}])

    def picture(self, path):
        """What the window shows."""
        taken = self.call("Page.captureScreenshot")
        path.write_bytes(base64.b64decode(taken["data"]))

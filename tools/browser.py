"""A headless Chromium, driven over a pipe by the DevTools protocol: open, look, click, type."""

from __future__ import annotations

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any, Final, Self

NAMES: Final = ("chromium", "chromium-browser", "google-chrome")
PACKAGE: Final = "chromium"
"""The Debian package that has it."""
FLAGS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--disable-sync",
    "--mute-audio",
    "--remote-debugging-pipe",
)
PATIENCE: Final = 20.0
"""Seconds that the browser may take for anything."""
KEYS: Final[Mapping[str, int]] = {"Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "/": 191}


def path_of_browser() -> str | None:
    """Where the browser is, None where there is none."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class BrowserFault(Exception):
    """The browser refused, or did not answer."""


class Browser:
    """One process of the browser; every page is a tab of its own."""

    def __init__(self, path: str) -> None:
        self._profile: Final = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()
        flags = [*FLAGS, f"--user-data-dir={self._profile.name}"]
        redirected = f'exec "$0" "$@" 3<&{to_read} 4>&{to_write}'
        self._process: Final = subprocess.Popen(
            ["bash", "-c", redirected, path, *flags],
            pass_fds=(to_read, to_write),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": self._profile.name},
        )
        os.close(to_read)
        os.close(to_write)
        self._number = 0
        self._rest = b""
        self.events: Final[list[dict[str, Any]]] = []
        """What happened in all pages, as the protocol tells it."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(BrowserFault, OSError):
            self.ask("Browser.close")
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        os.close(self._read)
        os.close(self._write)
        self._profile.cleanup()

    def page(self) -> Page:
        """A new, empty page."""
        target = self.ask("Target.createTarget", {"url": "about:blank"})["targetId"]
        opened = self.ask("Target.attachToTarget", {"targetId": target, "flatten": True})
        return Page(self, target, opened["sessionId"])

    def ask(
        self, method: str, params: Mapping[str, Any] | None = None, session: str | None = None
    ) -> dict[str, Any]:
        """Send a command and wait for what comes of it."""
        self._number += 1
        asked = {"id": self._number, "method": method, "params": params or {}}
        os.write(
            self._write,
            json.dumps({**asked, "sessionId": session} if session else asked).encode() + b"\0",
        )
        while True:
            heard = self._hear()
            if heard.get("id") != self._number:
                continue
            if "error" in heard:
                raise BrowserFault(f"{method}: {heard['error']['message']}")
            result: dict[str, Any] = heard["result"]
            return result

    def wait_for(self, method: str, session: str) -> dict[str, Any]:
        """The next event of this kind in a page."""
        while True:
            heard = self._hear()
            if heard.get("method") == method and heard.get("sessionId") == session:
                return heard

    def _hear(self) -> dict[str, Any]:
        deadline = monotonic() + PATIENCE
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._read], [], [], max(deadline - monotonic(), 0))
            piece = os.read(self._read, 1 << 20) if ready else b""
            if not piece:
                raise BrowserFault("The browser does not answer.")
            self._rest += piece
        message, _, self._rest = self._rest.partition(b"\0")
        heard: dict[str, Any] = json.loads(message)
        if "method" in heard:
            self.events.append(heard)
        return heard


class Page:
    """One tab."""

    def __init__(self, browser: Browser, target: str, session: str) -> None:
        self._browser: Final = browser
        self._target: Final = target
        self._session: Final = session
        for domain in ("Page", "Runtime", "Log", "Network"):
            self._ask(f"{domain}.enable")
        self.shown()

    def open(self, file: Path) -> None:
        """Open a file and wait until it is there."""
        self._ask("Page.navigate", {"url": file.as_uri()})
        self._browser.wait_for("Page.loadEventFired", self._session)

    def close(self) -> None:
        """Close the tab."""
        self._browser.ask("Target.closeTarget", {"targetId": self._target})

    def sized(self, width: int, height: int, *, phone: bool = False) -> None:
        """Show the page on a screen of this size."""
        screen = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone}
        self._ask("Emulation.setDeviceMetricsOverride", screen)

    def shown(self, *, scheme: str = "light", media: str = "") -> None:
        """Show the page in the dark or by light, on the screen or in print."""
        features = {"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"}
        told = [{"name": name, "value": value} for name, value in features.items()]
        self._ask("Emulation.setEmulatedMedia", {"media": media, "features": told})

    def without_script(self) -> None:
        """Run no script from the next page on."""
        self._ask("Emulation.setScriptExecutionDisabled", {"value": True})

    def see(self, expression: str) -> Any:
        """What a JavaScript expression gives, as JSON; a promise is waited for."""
        asked = {"expression": expression, "returnByValue": True, "awaitPromise": True}
        found = self._ask("Runtime.evaluate", asked)
        if "exceptionDetails" in found:
            raise BrowserFault(json.dumps(found["exceptionDetails"])[:2000])
        return found["result"].get("value")

    def click(self, selector: str) -> None:
        """Click on the middle of an element, scrolled into view."""
        find = f"document.querySelector({json.dumps(selector)})"
        self.see(f"{find}.scrollIntoView({{block: 'center', behavior: 'instant'}})")
        x, y = self.see(
            f"(() => {{ const r = {find}.getBoundingClientRect();"
            " return [r.x + Math.min(r.width / 2, 60), r.y + r.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            event = {"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1}
            self._ask("Input.dispatchMouseEvent", event)

    def press(self, key: str) -> None:
        """Press a key and let go of it."""
        text = {"Enter": "\r", "Tab": ""}.get(key, key if len(key) == 1 else "")
        known = {"key": key, "windowsVirtualKeyCode": KEYS.get(key, ord(key[0].upper()))}
        self._ask("Input.dispatchKeyEvent", {"type": "keyDown", "text": text, **known})
        self._ask("Input.dispatchKeyEvent", {"type": "keyUp", **known})

    def type(self, text: str) -> None:
        """Type a text into whatever has the focus."""
        for letter in text:
            self.press(letter)

    def picture(self, *, whole: bool = False) -> bytes:
        """What is on the screen as PNG, or the whole page."""
        taken = self._ask(
            "Page.captureScreenshot",
            {
                "captureBeyondViewport": whole,
                "format": "png",
                **({"clip": self._whole()} if whole else {}),
            },
        )
        return base64.b64decode(taken["data"])

    def happened(self, method: str) -> list[dict[str, Any]]:
        """The events of this kind in this page."""
        theirs = [one for one in self._browser.events if one.get("sessionId") == self._session]
        return [one["params"] for one in theirs if one["method"] == method]

    def forget(self) -> None:
        """Forget what happened in all pages."""
        self._browser.events.clear()

    def _whole(self) -> dict[str, Any]:
        size = self._ask("Page.getLayoutMetrics")["cssContentSize"]
        return {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}

    def _ask(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        return self._browser.ask(method, params, self._session)

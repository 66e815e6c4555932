"""Pages and pictures in headless Chromium. Skipped, with the reason, where there is no browser; GSAN_BROWSER_REQUIRED=1 makes
that a failure."""
import base64
import json
import os
import pathlib
import shutil
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "apps"))
try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    MISSING = [name for name in ("chromium", "chromedriver") if not shutil.which(name)]
except ImportError:
    MISSING = ["python3-selenium"]

from training_case import TrainingCase  # noqa: E402

DESKTOP, PHONE = (1280, 800), (390, 844)
FORMS = [(size, scheme) for size in (DESKTOP, PHONE) for scheme in ("light", "dark")]
# GSAN_SCREENSHOTS=FOLDER keeps a picture of everything that is opened.
SCREENSHOTS = os.environ.get("GSAN_SCREENSHOTS")


class BrowserCase(TrainingCase):
    @classmethod
    def setUpClass(cls):
        if MISSING:
            missing = f"{', '.join(MISSING)} is missing (scripts/setup.sh installs it)"
            if os.environ.get("GSAN_BROWSER_REQUIRED") == "1":
                raise RuntimeError(f"a browser is required: {missing}")
            raise unittest.SkipTest(f"no browser: {missing}")
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium")
        for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        cls.browser = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        cls.addClassCleanup(cls.browser.quit)
        cls.browser.execute_cdp_cmd("Network.enable", {})

    def setUp(self):
        super().setUp()
        self.address = None

    def tearDown(self):
        """What came after the page was open, by pointer or keyboard, is watched as well."""
        self.assert_nothing_asked_or_complained_of()
        super().tearDown()

    def assert_nothing_asked_or_complained_of(self):
        self.assertEqual(self.requests() - {self.address}, set())
        self.assertEqual(self.complaints(), [])

    def open(self, path, size=DESKTOP, scheme="light"):
        """Opens the file at a size and in a colour scheme; nothing may be asked of the network, nothing complained of."""
        width, height = size
        self.browser.get("about:blank")
        self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == PHONE})
        self.browser.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": size == PHONE})
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})
        self.assert_nothing_asked_or_complained_of()  # by what was open before
        self.address = pathlib.Path(path).resolve().as_uri()
        self.browser.get(self.address)
        self.screenshot(f"{pathlib.Path(path).stem}-{width}-{scheme}")
        self.assert_nothing_asked_or_complained_of()

    def requests(self):
        """Every address that was asked for since the last call; data: asks nobody."""
        events = [json.loads(entry["message"])["message"] for entry in self.browser.get_log("performance")]
        asked = {event["params"]["request"]["url"] for event in events if event["method"] == "Network.requestWillBeSent"}
        return {url for url in asked if not url.startswith(("data:", "about:"))}

    def complaints(self):
        return [entry["message"] for entry in self.browser.get_log("browser")]

    def screenshot(self, name):
        if not SCREENSHOTS:
            return
        pathlib.Path(SCREENSHOTS).mkdir(parents=True, exist_ok=True)
        size = self.script("return [innerWidth, Math.max(innerHeight, document.documentElement.scrollHeight)]")
        picture = self.browser.execute_cdp_cmd("Page.captureScreenshot", {
            "captureBeyondViewport": True, "clip": {"x": 0, "y": 0, "width": size[0], "height": min(size[1], 8000), "scale": 1}})
        (pathlib.Path(SCREENSHOTS) / f"{name}.png").write_bytes(base64.b64decode(picture["data"]))

    def script(self, text, *arguments):
        return self.browser.execute_script(text, *arguments)

    def marks(self, selector):
        """The data-… values of every element of the selector."""
        return self.script("return [...document.querySelectorAll(arguments[0])].map(mark => ({...mark.dataset}))", selector)

    def count(self, selector):
        return len(self.browser.find_elements(By.CSS_SELECTOR, selector))

    def assert_no_sideways_scrolling(self):
        wide, shown = self.script("return [document.documentElement.scrollWidth, innerWidth]")
        self.assertLessEqual(wide, shown)

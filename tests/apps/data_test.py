"""gsan data: what is there, what is missing and where it belongs."""
import json
import unittest

from command_case import ARGUMENT, FORMAT, IO, USAGE
from data_case import sha256, CONTENT, DataCase, TEXTS


class Offline(DataCase):
    def test_list_tells_everything(self):
        report = self.report("data", "list")
        self.assertLessEqual({"ocean", "citation", "proteins", "nci1"}, {entry["name"] for entry in report["datasets"]})
        text = self.gsan("data", "list").stdout
        self.assertTrue(text.isascii())
        for entry in report["datasets"]:
            self.assertEqual(entry["state"], "missing")
            self.assertEqual(entry["size"], sum(file["size"] for file in entry["files"]))
            for key in ("name", "what", "terms", "citation", "path"):
                self.assertIn(entry[key], text)
        self.assertFalse(self.home.exists())

    def test_the_list_is_a_catalog(self):
        text = self.gsan("data", "list", "--json").stdout
        path = self.write("list.json", text)
        self.assertEqual(self.gsan("data", "list", "--json", "--catalog", path).stdout, text)

    def test_missing_files_are_named_with_place_source_and_sum(self):
        for entry in self.report("data", "list")["datasets"]:
            run = self.gsan("data", "path", entry["name"], code=IO)
            self.told(run, f"gsan data fetch {entry['name']}")
            for file in entry["files"]:
                self.told(run, self.home / "data" / entry["folder"] / file["path"], file["url"], file["sha256"])
        self.assertFalse(self.home.exists())

    def test_files_put_there_by_hand(self):
        self.data("path", "big", code=IO)
        self.big.parent.mkdir(parents=True)
        self.big.write_bytes(CONTENT)
        self.assertEqual(self.data("path", "big").stdout, f"{self.big.parent}\n")
        self.data("verify", "big")
        self.data("fetch", "big", "--from", "https://127.0.0.1:1")  # nothing to fetch
        self.assertEqual(json.loads(self.data("list", "--json").stdout)["datasets"][0]["state"], "verified")

    def test_another_folder_that_is_only_read(self):
        place = self.folder / "place"
        (place / "big").mkdir(parents=True)
        (place / "big/big.bin").write_bytes(CONTENT)
        self.assertEqual(self.data("path", "big", "--look-in", place).stdout, f"{place}/big\n")
        self.data("verify", "big", "--look-in", "none", "--look-in", place)
        self.assertFalse(self.home.exists())

    def test_verify_judges_what_is_there(self):
        self.data("verify")  # nothing is there, nothing is wrong
        self.told_on_output(self.data("verify", "big", code=IO), self.big, sha256(CONTENT))
        self.texts.mkdir(parents=True)
        (self.texts / "T_A.txt").write_bytes(TEXTS["T_A.txt"])
        self.told_on_output(self.data("verify", code=IO), self.texts / "T_labels.txt")
        (self.texts / "T_labels.txt").write_bytes(b"damaged")
        self.told_on_output(self.data("verify", code=FORMAT), sha256(b"damaged"), sha256(TEXTS["T_labels.txt"]))
        self.told(self.data("path", "texts", code=FORMAT), sha256(b"damaged"))
        files = json.loads(self.data("verify", "texts", "--json", code=FORMAT).stdout)["datasets"][0]["files"]
        self.assertEqual([file["state"] for file in files], ["verified", "different"])
        self.assertEqual(files[1]["found_sha256"], sha256(b"damaged"))

    def told_on_output(self, run, *words):
        for word in words:
            self.assertIn(str(word), run.stdout)

    def test_bad_input(self):
        self.refused(ARGUMENT, "data", "path", "oceans", says=["oceans", "did you mean 'ocean'?"])
        self.refused(ARGUMENT, "data", "fetch", "ocean", "nci2", says=["nci2", "did you mean 'nci1'?"])
        self.refused(ARGUMENT, "data", "verify", "nothing", says=["nothing"])
        for arguments in ([], ["fetch"], ["path"], ["lst"]):
            self.refused(USAGE, "data", *arguments, says=["--help"])
        self.refused(FORMAT, "data", "list", "--catalog", self.write("bad.json", '{"datasets": ['), says=["bad.json"])
        self.catalog_json["datasets"][0]["files"][0]["path"] = "../../evil"
        self.refused(FORMAT, "data", "list", "--catalog", self.write("evil.json", json.dumps(self.catalog_json)),
                     says=["evil.json", "../../evil"])
        self.refused(IO, "data", "list", "--catalog", "none.json", says=["none.json"])


if __name__ == "__main__":
    unittest.main()

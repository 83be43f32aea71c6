#!/usr/bin/env python3
"""Reports as their readers see them, and the answers of `stats --of`, which have the same numbers.

    python3 tests/app/report_test.py --traceview build/traceview [TEST...]
"""

import argparse
import csv
import html.parser
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

TRACEVIEW = ""
STEPS, SLOW_STEP, SLOW_WORKER = 8, 5, 2
# Questions of users, and the charts that answer them.
QUESTIONS = {
    "Q1": "steps", "Q2": "blame", "Q3": "cdf", "Q4": "requests", "Q5": "requests", "Q6": "in_flight", "Q7": "turns",
    "Q8": "turn_cost", "Q9": "scatter", "Q10": "training_steps", "Q11": "training", "Q12": "what_if", "Q13": "heat_map",
    "Q14": "groups", "Q15": "compare",
}  # fmt: skip


def line(at, name, seconds, worker, step, **extra):
    stamp = f"2025-07-13T{10 + int(at) // 3600:02d}:{int(at) // 60 % 60:02d}:{at % 60:09.6f}"
    return json.dumps({"timestamp": stamp, "event": name, "duration_sec": seconds, "workid": worker, "step": step, "extra": extra})


def write_run(folder, steps=STEPS):
    """Three workers; in one step one of them has a request that takes about ten times as long."""
    console = []
    for step in range(1, steps + 1):
        begin, ends = step * 200.0, []
        for worker in range(3):
            slow = step == SLOW_STEP and worker == SLOW_WORKER
            ends.append(max((50 if slow and r == 3 else 4 + r * 0.5) for r in range(4)))
        for worker in range(3):
            lines = [line(begin, "preprocessing_duration", 1.0, worker, step)]
            for r in range(4):
                seconds = 50 if ends[worker] == 50 and r == 3 else 4 + r * 0.5
                request = f"{step:02x}{worker:02x}{r:04x}-request"
                lines.append(line(begin + seconds - 0.1, "turn_engine_call", seconds - 0.1, worker, step, request_id=request, turn=0,
                                  generated_tokens=100))
                lines.append(line(begin + seconds, "async_rollout_request_complete", seconds, worker, step, request_id=request,
                                  batch_data_id=r, turns=1))
            lines.append(line(begin + ends[worker], "async_generate_duration", ends[worker], worker, step))
            lines.append(line(begin + max(ends), "barrier_wait_duration", max(ends) - ends[worker], worker, step))
            lines.append(line(begin + max(ends) + 1, "total_step_duration", max(ends) + 2, worker, step))
            path = os.path.join(folder, "rollout", f"step_{step}", f"worker_{worker}.jsonl")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write("\n".join(lines) + "\n")
        console.append(f"step:{step} - timing_s/gen:{max(ends)} - timing_s/update_actor:9.5 - timing_s/step:{max(ends) + 10} - "
                       f"perf/throughput:{1000 - step}")
    with open(os.path.join(folder, "console.log"), "w") as file:
        file.write("\n".join(console) + "\n")


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.images, self.open, self.words = [], [], [], [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if "id" in attributes:
            self.ids.append(attributes["id"])
        if tag == "a":
            self.links.append(attributes["href"])
        if tag == "img":
            self.images.append(attributes["src"])
        if tag == "details" and "open" in attributes and "id" in attributes:
            self.open.append(attributes["id"])

    def handle_data(self, data):
        self.words += data


class Reports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp(prefix="traceview-report-")
        cls.run_folder = os.path.join(cls.folder, "exp")
        write_run(cls.run_folder)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def run_it(self, *arguments, expect=0):
        result = subprocess.run([TRACEVIEW, *arguments, "--no-cache"], capture_output=True, text=True, timeout=300)
        self.assertEqual(result.returncode, expect, result.stderr)
        return result

    def report(self, name, *arguments):
        out = os.path.join(self.folder, name)
        self.run_it("report", self.run_folder, "-o", out, *arguments)
        with open(os.path.join(out, "index.html")) as file:
            return out, Page(file.read())

    def stats(self, of, *arguments):
        return json.loads(self.run_it("stats", self.run_folder, "--of", of, "--json", *arguments).stdout)

    def test_first_page_counts_one_of_each_in_the_singular(self):
        out = os.path.join(self.folder, "one")
        self.run_it("report", os.path.join(self.run_folder, "rollout", "step_1", "worker_0.jsonl"), "-o", out)
        with open(os.path.join(out, "index.html")) as file:
            self.assertIn("1 step, 1 worker, 4 requests; 0 still in flight", Page(file.read()).words)

    def test_first_page_says_what_was_found_and_links_lead_somewhere(self):
        out, page = self.report("whole")
        found = self.stats("findings")
        self.assertEqual(found[0]["level"], "costly")
        by_id = {one["id"]: one for one in found}
        self.assertEqual(by_id["slow_step"]["numbers"]["step"], SLOW_STEP)
        self.assertEqual(by_id["culprit"]["numbers"]["worker"], SLOW_WORKER)
        # The two others waited 44.5 s each.
        self.assertAlmostEqual(by_id["request"]["numbers"]["lost (worker-s)"], 2 * 44.5)
        for one in found:
            self.assertIn(one["sentence"], page.words)
        self.assertLess(page.words.index("What was found"), page.words.index("Which step was slow"))
        for link in page.links:
            if link.startswith("#"):
                self.assertIn(link[1:], page.ids)
            else:
                self.assertTrue(os.path.exists(os.path.join(out, link)), link)
        for image in page.images:
            self.assertTrue(os.path.exists(os.path.join(out, image)), image)
        with open(os.path.join(out, "report.json")) as file:
            self.assertEqual(json.load(file)["findings"], found)

    def test_page_is_for_reading_and_not_of_a_window(self):
        out, page = self.report("reading")
        self.assertNotIn("click", page.words.lower())
        self.assertTrue(all(i.endswith(".svg") for i in page.images if not i.startswith("finding-")), page.images)
        self.assertIn("2025-07-13 10:03:", page.words)  # when
        self.assertIn(self.run_folder, page.words)
        self.assertIn("section-steps", page.open)
        self.assertNotIn("section-groups", page.open)
        # A picture has its title in it.
        with open(os.path.join(out, "step_overview.svg")) as file:
            picture = re.sub("<[^>]*>", "", file.read())
        with open(os.path.join(out, "report.json")) as file:
            title = next(c["title"] for c in json.load(file)["charts"] if c["id"] == "step_overview")
        self.assertIn(title.split(",")[0], picture)
        self.assertEqual(len(page.ids), len(set(page.ids)))

    def test_single_is_one_file(self):
        out, page = self.report("single", "--single")
        self.assertEqual(os.listdir(out), ["index.html"])
        self.assertGreater(len(page.images), 10)
        for place in page.images + page.links:
            self.assertTrue(place.startswith(("data:", "#")), place[:40])

    def test_a_report_in_the_run_s_folder_is_no_part_of_the_run(self):
        run = os.path.join(self.folder, "reported")
        write_run(run)
        before = json.loads(self.run_it("info", run, "--json").stdout)["sources"]
        for _ in range(2):  # as a batch job does when it is started again
            self.assertNotIn("report/", self.run_it("report", run, "-o", os.path.join(run, "report")).stderr)
        after = json.loads(self.run_it("info", run, "--json").stdout)["sources"]
        self.assertEqual([source["path"] for source in after], [source["path"] for source in before])
        said = self.run_it("info", os.path.join(run, "report"), expect=3).stderr
        self.assertIn("a report that traceview wrote", said)

    def test_page_says_which_steps_have_charts(self):
        run = os.path.join(self.folder, "long")
        write_run(run, STEPS + 2)
        for words, said in (([], "those that stand out"), (["--like", "verl-scripts"], "all steps"), (["--steps", "1..9"], "all steps")):
            out = os.path.join(self.folder, "of " + " ".join(words))
            self.run_it("report", run, "-o", out, *words)
            with open(os.path.join(out, "index.html")) as file:
                self.assertIn(f"Charts of a single step exist for {said}", Page(file.read()).words, words)

    def test_steps_of_several_runs_are_named_in_words(self):
        runs, out = os.path.join(self.folder, "runs"), os.path.join(self.folder, "of runs")
        for name in ("a", "b"):
            write_run(os.path.join(runs, name), 2)
        self.run_it("report", runs, "-o", out, "--charts", "cdf,workers,blame,requests")
        with open(os.path.join(out, "index.html")) as file:
            words = Page(file.read()).words
        for title in ("run 1, step 1", "run 1, step 2", "run 2, step 1", "run 2, step 2"):
            self.assertIn(title, words)

    def test_charts_by_name(self):
        out, page = self.report("some", "--charts", "steps,blame")
        with open(os.path.join(out, "report.json")) as file:
            self.assertEqual({c["kind"] for c in json.load(file)["charts"]}, {"steps", "blame"})
        nowhere = os.path.join(self.folder, "nowhere")
        said = self.run_it("report", self.run_folder, "-o", nowhere, "--charts", "steps,blam", expect=2).stderr
        self.assertIn("there is no chart blam", said)
        self.assertIn("steps, workers, cdf", said)
        self.assertFalse(os.path.exists(nowhere))
        self.assertIn("no pipeline log", self.run_it("report", self.run_folder, "-o", nowhere, "--charts", "pipeline", expect=2).stderr)

    def test_metrics_of_all_steps(self):
        out, _ = self.report("metrics", "--charts", "training")
        with open(os.path.join(out, "metrics.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual([int(row["step"]) for row in rows], list(range(1, STEPS + 1)))
        self.assertEqual([float(row["perf/throughput"]) for row in rows], [1000 - step for step in range(1, STEPS + 1)])
        with open(os.path.join(out, "training.json")) as file:
            self.assertEqual(json.load(file)[0]["metrics"]["perf/throughput"]["values"], [1000.0 - s for s in range(1, STEPS + 1)])

    def test_questions_have_answers_in_text_json_and_csv(self):
        for question, of in QUESTIONS.items():
            with self.subTest(question=question, of=of):
                charts = self.stats(of)
                self.assertTrue(all(chart["title"] for chart in charts))
                self.assertTrue(any(chart.get("rows") for chart in charts), charts)
                self.assertIn(charts[0]["title"], self.run_it("stats", self.run_folder, "--of", of).stdout)
                rows = list(csv.reader(io.StringIO(self.run_it("stats", self.run_folder, "--of", of, "--csv").stdout, newline="")))
                self.assertGreater(len(rows), 1)
        culprit = next(chart for chart in self.stats("blame") if chart["id"] == "blame")["rows"][0]
        self.assertIn(SLOW_WORKER, [value for value in culprit.values() if isinstance(value, (int, float))] +
                      [int(v) for v in re.findall(r"\d+", " ".join(str(x) for x in culprit.values()))])

    def test_of_a_step(self):
        title = self.stats("workers", "--step", str(SLOW_STEP))[0]["title"]
        self.assertIn(f"step {SLOW_STEP}", title)
        # 2^32 more than a step that exists
        far = str(2**32 + SLOW_STEP)
        picture = os.path.join(self.folder, "x.svg")
        for code, words in ((2, ["stats", "--of", "workers"]), (1, ["screenshot", "-o", picture])):
            said = self.run_it(words[0], self.run_folder, *words[1:], "--step", far, expect=code).stderr
            self.assertIn(f"there is no step {far}", said)
        self.assertIn("there is no step 99", self.run_it("stats", self.run_folder, "--of", "workers", "--step", "99", expect=2).stderr)

    def test_unknown_question_lists_those_there_are(self):
        said = self.run_it("stats", self.run_folder, "--of", "everything", expect=2).stderr
        for word in ("findings", "kernels", "gaps", "steps", "what_if"):
            self.assertIn(word, said)
        self.assertIn("no pipeline log", self.run_it("stats", self.run_folder, "--of", "pipeline", expect=3).stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--traceview", required=True)
    options, rest = parser.parse_known_args()
    TRACEVIEW = os.path.abspath(options.traceview)
    unittest.main(argv=[sys.argv[0], *rest])

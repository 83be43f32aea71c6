// Growth kinds: user actions in a window, stored data, files that are opened together.
#include <filesystem>

#include "core/analysis/filter/request_filter.h"
#include "core/io/files/file_states.h"
#include "core/session/desk/desk.h"
#include "core/session/persistence/recent_files.h"
#include "core/session/persistence/saved_session.h"
#include "core/session/search/filtered_slices.h"
#include "core/view/keys/key_file.h"
#include "core/view/lists/notes_list.h"
#include "core/view/menus/command_box.h"
#include "core/view/timeline/note_flags.h"
#include "tests/growth/trace_events.h"
#include "tests/growth/window.h"
#include "tests/io/archives.h"

using namespace tv;
using namespace tv::test;

namespace {

std::string slices_text(std::size_t n, std::size_t lanes = 1, std::size_t names = 10) {
  TraceEvents out;
  for (std::size_t i = 0; i < n; ++i) out.slice(fmt::format("op {}", i % names), 10 * i, 5, i % lanes + 1);
  return out.text();
}

// Work in a window with a trace whose numbers of slices, lanes and names depend on n.
using InWindow = std::function<void(Meter& meter, GrowthWindow& window, std::size_t n)>;
std::function<void(Meter&, std::size_t)> in_window(std::function<std::string(std::size_t n)> text, InWindow work) {
  return [text = std::move(text), work = std::move(work)](Meter& meter, std::size_t n) {
    const TempDir folder;
    GrowthWindow window;
    window.open({folder.write("trace.json", text(n))});
    work(meter, window, n);
  };
}

std::function<void(Meter&, std::size_t)> used(std::function<std::string(std::size_t n)> text) {
  return [text = std::move(text)](Meter& meter, std::size_t n) {
    const TempDir folder;
    use_window(meter, {folder.write("trace.json", text(n))});
  };
}

std::string nested(std::size_t n) {
  TraceEvents out;
  for (std::size_t i = 0; i < n; ++i) out.slice("op", i, 2 * (n - i));
  return out.text();
}

std::string overlapping(std::size_t n) {
  TraceEvents out;
  for (std::size_t i = 0; i < n; ++i) out.slice("op", i, n);
  return out.text();
}

const GrowthKind kUsedKinds[] = {
    {"slices in a window", 800, used([](std::size_t n) { return slices_text(n); })},
    {"names in a window", 800, used([](std::size_t n) { return slices_text(n, 1, n); })},
    {"lanes in a window", 640, used([](std::size_t n) { return slices_text(n, n); })},
    {"processes in a window", 96, used([](std::size_t n) {
       TraceEvents out;
       for (std::size_t i = 0; i < n; ++i) out.slice("op", 10 * i, 5, 1, i + 1), out.slice("op", 10 * i, 5, 2, i + 1);
       return out.text();
     })},
    {"depth in a window", 320, used(nested)},
    {"rows in a window", 256, used(overlapping)},
    {"instants in a window", 800, used([](std::size_t n) {
       TraceEvents out;
       for (std::size_t i = 0; i < n; ++i) out.event('i', "mark", 10 * i, R"(,"s":"t")");
       return out.text();
     })},
    {"counters in a window", 640, used([](std::size_t n) {
       TraceEvents out;
       for (std::size_t i = 0; i < 4 * n; ++i) out.event('C', fmt::format("counter {}", i % n), 10 * i, R"(,"args":{"value":1})");
       return out.text();
     })},
    {"arrows in a window", 320, used([](std::size_t n) {
       TraceEvents out;
       for (std::size_t i = 0; i < n; ++i) {
         out.slice("from", 10 * i, 5), out.slice("to", 10 * i + 3, 5, 2);
         out.event('s', "flow", 10 * i + 1, fmt::format(R"(,"id":{})", i));
         out.event('f', "flow", 10 * i + 4, fmt::format(R"(,"bp":"e","id":{})", i), 2);
       }
       return out.text();
     })},
};

// The cause is the layout of slices that overlap without nesting (event_kinds_test.cpp).
const KnownGrowth kKnownOfWindows[] = {{"rows in a window", "window open", 2.6}};

std::string few_slices(std::size_t) { return slices_text(200, 20); }
std::string many_slices(std::size_t n) { return slices_text(2 * n, 4); }
std::string many_lanes(std::size_t n) { return slices_text(n, n); }

std::vector<LaneId> lanes_of_threads(const Trace& trace) {
  std::vector<LaneId> out;
  for (std::size_t l = 0; l < trace.lanes.size(); ++l) {
    if (trace.lanes[l].row_count > 0) out.push_back(id_at<LaneId>(l));
  }
  return out;
}

std::string joined(std::size_t n, std::string_view between, const std::function<std::string(std::size_t)>& part) {
  std::string out;
  for (std::size_t i = 0; i < n; ++i) out += (i ? std::string(between) : std::string()) + part(i);
  return out;
}

const GrowthKind kChoiceKinds[] = {
    {"words of a lane filter", 160, in_window(few_slices, [](Meter& meter, GrowthWindow& window, std::size_t n) {
       meter.stage("filter", [&] { window.apply(command::FilterLanes{joined(n, " ", [](std::size_t) { return "thread"; })}); });
       meter.stage("all but", [&] { window.apply(command::FilterLanes{joined(n, " ", [](std::size_t i) { return fmt::format("!{}", i + 100); })}); });
       meter.stage("one expression", [&] {
         window.apply(command::FilterLanes{"/" + joined(n, "|", [](std::size_t i) { return fmt::format("thread {}$", i); }) + "/"});
       });
     })},
    {"numbers of a lane filter", 640, in_window(few_slices, [](Meter& meter, GrowthWindow& window, std::size_t n) {
       meter.stage("filter", [&] { window.apply(command::FilterLanes{"thread " + joined(n, ",", [](std::size_t i) { return fmt::format("{}", i); })}); });
     })},
    {"terms of a slice filter", 160, in_window(few_slices, [](Meter& meter, GrowthWindow& window, std::size_t n) {
       meter.stage("filter", [&] { window.apply(command::FilterSlices{joined(n, " || ", [](std::size_t i) { return fmt::format("dur > {}us", i); })}); });
     })},
    {"args of a slice filter", 200, in_window(few_slices, [](Meter& meter, GrowthWindow& window, std::size_t n) {
       meter.stage("filter", [&] { window.apply(command::FilterSlices{joined(n, " || ", [](std::size_t i) { return fmt::format("arg.a{} > 1", i); })}); });
     })},
    {"terms of a request filter", 640, [](Meter& meter, std::size_t n) {
       const std::string text = joined(n, " || ", [](std::size_t i) { return fmt::format("dur > {}s", i); });
       meter.stage("parse", [&] {
         const auto filter = parse_filter(text);
         REQUIRE(filter.ok());
         to_text(filter.value()), to_words(filter.value());
       });
     }},
    {"brackets of a request filter", 200, [](Meter& meter, std::size_t n) {
       meter.stage("parse", [&] { (void)parse_filter(std::string(n, '(') + "dur > 1s" + std::string(n, ')')); });
     }},
    {"hits of a search", 640, in_window(many_slices, [](Meter& meter, GrowthWindow& window, std::size_t) {
       meter.stage("names", [&] {
         window.apply(command::Search{"op"});
         for (int i = 0; i < 10; ++i) window.apply(command::NextHit{}), window.draw();
       });
       meter.stage("records", [&] {
         window.apply(command::Search{"op", true});
         for (int i = 0; i < 10; ++i) window.apply(command::NextHit{}), window.draw();
       });
       meter.stage("list", [&] {
         (void)window.ws.search().list();
         window.settle();
         use_table(HitTable(window.ws.search().list(), TimeStyle()));
       });
     })},
    {"selected lanes", 640, in_window(many_lanes, [](Meter& meter, GrowthWindow& window, std::size_t) {
       const Trace& trace = window.ws.trace();
       const auto lanes = lanes_of_threads(trace);
       meter.stage("area", [&] { window.apply(command::SelectRange{{shown_extent(trace)}, lanes}), window.draw(); });
       meter.stage("statistics", [&] {
         StatisticsQuestion question;
         question.range = shown_extent(trace);
         question.lanes = lanes;
         ask_statistics(window.ws.snapshot(), question, test_pool());
       });
       meter.stage("without some", [&] {
         for (std::size_t i = 0; i < 10; ++i) window.apply(command::ToggleAreaLane{lanes[i]});
       });
       meter.stage("copy", [&] { window.apply(command::CopyText{}); });
     })},
    {"selected slices", 640, in_window(many_slices, [](Meter& meter, GrowthWindow& window, std::size_t n) {
       const Trace& trace = window.ws.trace();
       window.apply(command::SelectSlice{id_at<SliceId>(0)});
       meter.stage("stretch", [&] {
         window.apply(command::SelectThrough{id_at<SliceId>(n / 2)}), window.draw();
         window.apply(command::CopyText{});
       });
       std::string state = view_state_json(window.ws);
       meter.stage("state", [&] { REQUIRE(apply_view_state(window.ws, state).ok()), window.settle(); });
       meter.stage("same name", [&] {
         window.apply(command::SelectName{trace.slices.label[0]});
         for (int i = 0; i < 10; ++i) window.apply(command::NextSlowest{}), window.draw();
       });
     })},
    {"slices selected one by one", 160, in_window(many_slices, [](Meter& meter, GrowthWindow& window, std::size_t n) {
       window.apply(command::SelectSlice{id_at<SliceId>(0)});
       for (std::size_t i = 1; i < n; ++i) window.ws.apply(command::AddSlice{id_at<SliceId>(i)});
       meter.stage("one more", [&] { window.apply(command::AddSlice{id_at<SliceId>(n)}), window.draw(); });
       const std::string state = view_state_json(window.ws);
       meter.stage("state", [&] { REQUIRE(apply_view_state(window.ws, state).ok()), window.settle(); });
     })},
    {"pinned lanes", 160, in_window(many_lanes, [](Meter& meter, GrowthWindow& window, std::size_t) {
       const auto lanes = lanes_of_threads(window.ws.trace());
       meter.stage("pin", [&] { window.apply(command::ChooseLanes{command::ChooseLanes::What::Pin, lanes}), window.draw(); });
       meter.stage("drag", [&] { window.apply(command::DragLane{lanes.back(), lanes.front()}), window.draw(); });
       std::string state;
       meter.stage("state", [&] { state = view_state_json(window.ws), REQUIRE(apply_view_state(window.ws, state).ok()), window.settle(); });
     })},
    {"hidden lanes", 160, in_window(many_lanes, [](Meter& meter, GrowthWindow& window, std::size_t) {
       auto lanes = lanes_of_threads(window.ws.trace());
       lanes.pop_back();
       meter.stage("hide", [&] { window.apply(command::ChooseLanes{command::ChooseLanes::What::Hide, lanes}), window.draw(); });
       meter.stage("invert", [&] { window.apply(command::ChooseLanes{command::ChooseLanes::What::Invert}), window.draw(); });
       std::string state;
       meter.stage("state", [&] { state = view_state_json(window.ws), REQUIRE(apply_view_state(window.ws, state).ok()), window.settle(); });
     })},
    {"lanes to choose from", 320, [](Meter& meter, std::size_t n) {
       std::vector<BoxLine> lines;
       for (std::size_t i = 0; i < n; ++i) lines.push_back({fmt::format("lane {}", i), fmt::format("rank {} / GPU 0 / stream {}", i / 8, i % 8)});
       const std::vector<std::string> recent = {"lane 3", "lane 5"};
       meter.stage("type", [&] { box_rows(lines, "rk1st", recent), box_rows(lines, "", recent); });
     }},
    {"recently used lanes", 160, [](Meter& meter, std::size_t n) {
       std::vector<BoxLine> lines;
       std::vector<std::string> recent;
       for (std::size_t i = 0; i < n; ++i) lines.push_back({fmt::format("lane {}", i), fmt::format("rank {}", i)}), recent.push_back(lines.back().id);
       meter.stage("type", [&] { box_rows(lines, "r", recent), box_rows(lines, "", recent); });
     }},
    {"visited views", 160, in_window(few_slices, [](Meter& meter, GrowthWindow& window, std::size_t n) {
       meter.stage("visit", [&] {
         for (std::size_t i = 0; i < n; ++i) window.apply(command::ZoomTo{{static_cast<Ns>(i) * 10, static_cast<Ns>(i) * 10 + 100'000}});
       });
     })},
};

const GrowthKind kKeptKinds[] = {
    {"notes", 320, in_window(few_slices, [](Meter& meter, GrowthWindow& window, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) window.ws.apply(command::AddMark{static_cast<Ns>(i * 7919 % n) * 100});
       window.settle();
       std::string state;
       meter.stage("state", [&] { state = view_state_json(window.ws); });
       GrowthWindow other;
       other.open(window.ws.session().paths());
       meter.stage("show", [&] { REQUIRE(apply_view_state(other.ws, state).ok()), other.settle(); });
       CHECK(other.ws.state().notes.all().size() == n);
       meter.stage("table", [&] { use_table(notes_table(other.ws.state().notes.all(), TimeStyle())); });
       meter.stage("flags", [&] {
         std::vector<NoteFlag> flags;
         place_flags(other.ws.state().notes.all(), other.ws.state().view(), 1000, [](const Note&) { return 40.0; }, 10, 100, flags);
       });
     })},
    {"files of a view", 50, [](Meter& meter, std::size_t n) {
       const TempDir folder;
       std::vector<std::string> paths;
       for (std::size_t i = 0; i < n; ++i) paths.push_back(folder.write(fmt::format("trace{}.json", i), slices_text(10)));
       GrowthWindow window;
       window.open(paths);
       meter.stage("save", [&] { window.apply(command::SaveView{folder.path("kept.tvview")}); });
       GrowthWindow other;
       meter.stage("open", [&] { other.open({folder.path("kept.tvview")}); });
     }},
    {"tabs", 24, [](Meter& meter, std::size_t n) {
       const TempDir folder;
       Desk desk(test_pool(), {}, growth_options());
       for (std::size_t i = 1; i < n; ++i) desk.apply(command::NewTab{});
       meter.stage("words", [&] { desk.tabs(); });
       meter.stage("go", [&] {
         for (int i = 0; i < 10; ++i) desk.apply(command::NextTab{}), desk.take_requests();
       });
       meter.stage("close", [&] {
         for (std::size_t i = 1; i < n; ++i) desk.apply(command::CloseTab{});
       });
     }},
    {"recent files", 320, [](Meter& meter, std::size_t n) {
       std::vector<RecentFile> recent;
       for (std::size_t i = 0; i < n; ++i) recent.push_back({{fmt::format("/logs/run {}/trace.json", i)}, static_cast<std::int64_t>(i), 100, true});
       meter.stage("add", [&] { add_recent(recent, {{"/logs/one more.json"}, 1, 1, false}); });
       meter.stage("folders", [&] { (void)recent_folders(recent); });
       meter.stage("text", [&] { REQUIRE(recent_from(recent_text(recent)).ok()); });
     }},
    {"files of one recent entry", 320, [](Meter& meter, std::size_t n) {
       RecentFile one;
       for (std::size_t i = 0; i < n; ++i) one.paths.push_back(fmt::format("/logs/run {}/trace.json", i));
       std::vector<RecentFile> recent = {one};
       meter.stage("add", [&] { add_recent(recent, one); });
       meter.stage("folders", [&] { (void)recent_folders(recent); });
       meter.stage("text", [&] { REQUIRE(recent_from(recent_text(recent)).ok()); });
     }},
    {"views of a session", 320, [](Meter& meter, std::size_t n) {
       SavedSession session;
       for (std::size_t i = 0; i < n; ++i) session.views.push_back({{fmt::format("/logs/run {}/trace.json", i)}, "{}"});
       meter.stage("text", [&] { REQUIRE(session_from(session_text(session)).ok()); });
     }},
};

std::string member(std::size_t i) { return slices_text(5, 1 + i % 2); }

// A tar archive of small files, as GNU tar writes it.
std::string tarred(const std::vector<std::pair<std::string, std::string>>& files) {
  std::string out;
  for (const auto& [name, text] : files) {
    std::string head(512, '\0');
    head.replace(0, name.size(), name);
    head.replace(100, 7, "0000644");
    head.replace(124, 11, fmt::format("{:011o}", text.size()));
    head.replace(136, 11, "00000000000");
    head.replace(148, 8, "        ");
    head[156] = '0';
    head.replace(257, 8, std::string_view("ustar  \0", 8));
    unsigned sum = 0;
    for (const char c : head) sum += static_cast<unsigned char>(c);
    head.replace(148, 7, fmt::format("{:06o}", sum) + std::string(1, '\0'));
    out += head + text + std::string((512 - text.size() % 512) % 512, '\0');
  }
  return out + std::string(1024, '\0');
}

std::vector<std::pair<std::string, std::string>> members(std::size_t n) {
  std::vector<std::pair<std::string, std::string>> out;
  for (std::size_t i = 0; i < n; ++i) out.emplace_back(fmt::format("logs/trace{}.json", i), member(i));
  return out;
}

// Each row names its lane with its file's path, whose length grows with the depth of folders.
const KnownGrowth kKnownOfFiles[] = {{"folders within folders", "export csv", 2.7}};

const GrowthKind kFileKinds[] = {
    {"files of a folder", 28, files([](const TempDir& folder, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) folder.write(fmt::format("trace{}.json", i), member(i));
     })},
    {"files that are no traces", 100, files([](const TempDir& folder, std::size_t n) {
       folder.write("trace.json", member(0));
       for (std::size_t i = 0; i < n; ++i) folder.write(fmt::format("notes{}.txt", i), "nothing to see");
     })},
    {"copies of a file", 28, files([](const TempDir& folder, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) folder.write(fmt::format("copy{}/trace.json", i), member(0));
     })},
    {"folders beside each other", 28, files([](const TempDir& folder, std::size_t n) {
       for (std::size_t i = 0; i < n; ++i) folder.write(fmt::format("run{}/trace.json", i), member(i));
     })},
    {"folders within folders", 28, files([](const TempDir& folder, std::size_t n) {
       std::string path;
       for (std::size_t i = 0; i < n; ++i) path += "d/", folder.write(path + "trace.json", member(i));
     })},
    // Many times kMostLately, because each of them looks through the files that changed lately.
    {"folders that are deleted at once", 1280, [](Meter& meter, std::size_t n) {
       const TempDir folder;
       for (std::size_t i = 0; i < n; ++i) folder.write(fmt::format("logs/run{:05}/trace.json", i), "[]");
       FileStates states({folder.path("logs")});
       meter.stage("first look", [&] { (void)states.look_at_all(); });
       for (std::size_t i = 0; i < n; ++i) std::filesystem::remove_all(folder.path(fmt::format("logs/run{:05}", i)));
       meter.stage("deleted", [&] { REQUIRE(states.look_at_all()); });
     }},
    {"files of a zip", 28, [](Meter& meter, std::size_t n) {
       const TempDir folder;
       look_at(meter, {folder.write("logs.zip", zipped(members(n)))});
     }},
    {"files of a tar", 28, [](Meter& meter, std::size_t n) {
       const TempDir folder;
       look_at(meter, {folder.write("logs.tar", tarred(members(n)))});
     }},
    {"members of a gzip file", 100, [](Meter& meter, std::size_t n) {
       const TempDir folder;
       TraceEvents out;
       for (std::size_t i = 0; i < n; ++i) out.slice("op", 10 * i, 5);
       const std::string text = out.text();
       std::string packed;
       for (std::size_t at = 0; at < text.size(); at += text.size() / n + 1) packed += gzipped(text.substr(at, text.size() / n + 1));
       look_at(meter, {folder.write("trace.json.gz", packed)});
     }},
    {"bytes of a gzip file", 4'000, [](Meter& meter, std::size_t n) {
       const TempDir folder;
       look_at(meter, {folder.write("trace.json.gz", gzipped(slices_text(n)))});
     }},
    {"given paths", 28, [](Meter& meter, std::size_t n) {
       const TempDir folder;
       std::vector<std::string> paths;
       for (std::size_t i = 0; i < n; ++i) paths.push_back(folder.write(fmt::format("trace{}.json", i), member(i)));
       look_at(meter, paths);
     }},
};

}  // namespace

TEST_SUITE("growth") {
  TEST_CASE("growth: contents of a window cost at most n log n, with known exceptions") { check_growth(kUsedKinds, kKnownOfWindows); }
  TEST_CASE("growth: choices, searches and selections cost at most n log n") { check_growth(kChoiceKinds); }
  TEST_CASE("growth: notes, tabs and saved data cost at most n log n") { check_growth(kKeptKinds); }
  TEST_CASE("growth: files opened together cost at most n log n, with known exceptions") { check_growth(kFileKinds, kKnownOfFiles); }
}

// However files came to be open, the view equals a fresh load of them. Several tabs share segments and a cache. In the tabs, files
// (some of them in archives) are opened and closed one by one, moved, aligned, cut to a range, followed, grown and packed, in
// random order. After each step, each tab's lanes, slices, arrows, statistics, findings, arrows of waits and picture are compared
// with those of a fresh load of its paths.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "core/analysis/collectives/collective_waits.h"
#include "core/analysis/findings/findings.h"
#include "core/analysis/run/run_data.h"
#include "core/query/range_stats.h"
#include "core/session/packed/packed_trace.h"
#include "core/session/workspace/session.h"
#include "core/view/timeline/timeline_frame.h"
#include "tests/io/archives.h"
#include "tests/session/trace_files.h"
#include "tests/support/gen_trace.h"
#include "tests/support/golden.h"
#include "tests/support/places.h"
#include "tests/support/temp_dir.h"
#include "tests/support/trace_text.h"

using namespace tv;
using namespace tv::test;

namespace {

namespace fs = std::filesystem;

// What the window draws of the lanes, for the whole extent and for a part of it.
std::string picture_of(const Snapshot& snapshot) {
  const Trace& trace = *snapshot.trace;
  const LaneLayout layout(trace, LaneState(), LaneMetrics());
  const Palette palette(trace.labels, ThemeKind::Dark);
  FrameParams params;
  params.width_px = 200;
  params.height_px = 4000;
  params.palette = &palette;
  FrameBuilder builder;
  TimelineFrame frame;
  std::string text;
  const auto span = static_cast<double>(std::max<Ns>(trace.extent.end, 1));
  for (const Viewport view : {Viewport{0, span}, Viewport{span * 0.4, span * 0.01}}) {
    builder.build(snapshot, layout, view, params, frame);
    for (const RectItem& r : frame.rects) text += fmt::format("{} {} {} {} {:x} {}\n", r.x0, r.x1, r.y, r.height, r.color, r.style);
    for (const TextItem& t : frame.texts) text += fmt::format("{} {} {} {}\n", t.x, t.y, t.width, trace.labels.name(t.label));
    for (const StripItem& s : frame.strips) {
      text += fmt::format("{} {} {} {:x}\n", s.y, s.height, static_cast<int>(s.kind),
                          fmt::join(frame.texels.begin() + s.first_texel, frame.texels.begin() + s.first_texel + params.width_px, " "));
    }
  }
  return text;
}

std::string text_of_all(const Snapshot& snapshot) {
  const Trace& trace = *snapshot.trace;
  std::string text = fmt::format("{} {} {}\n", trace.origin_ns, trace.extent.end, name(trace.align));
  for (const SourceInfo& source : trace.sources) {
    text += fmt::format("{} {} {} {} {} {}\n", source.path, source.shift.by, source.clock_fit.offset, source.aligned.by, name(source.state),
                        source.reason);
  }
  text += trace_text(trace);
  for (const LabelStats& stats : range_stats(trace, {.range = {}, .lanes = {}}, test_pool()).labels) {
    text += fmt::format("{} {} {} {} {}\n", trace.labels.name(stats.label), stats.count, stats.total, stats.self, stats.p95);
  }
  const RunData run = analyse_run(snapshot.trace, test_pool());
  for (const Finding& finding : findings(run, trace)) text += finding.sentence + '\n';
  for (const MatchedCollective& collective : run.waits ? run.waits->collectives : std::vector<MatchedCollective>()) {
    for (const Flow& arrow : wait_arrows(*run.waits, run.waits->last(collective).slice)) {
      text += fmt::format("{} waits from {} for {}, which begins at {}\n", trace.name_of(arrow.from), trace.begin_of(arrow.from),
                          trace.name_of(arrow.to), trace.begin_of(arrow.to));
    }
  }
  return text + picture_of(snapshot);
}

struct File {
  std::string name, path, rest;  // rest: the part that is not written yet
};

class TabsAtRandom {
 public:
  explicit TabsAtRandom(std::uint64_t seed) : random_(seed) {
    shared_.align = std::nullopt;
    shared_.store = std::make_shared<SegmentStore>();
    shared_.cache = {folder_.path("cache"), "test", true, 1ULL << 30, 0};
    for (std::size_t t = 0; t < 3; ++t) tabs_.push_back(std::make_unique<Session>(test_pool(), [] {}, shared_));
  }

  void add_file(const std::string& fixture) {
    constexpr std::size_t kMostZipped = 1 << 19;
    const std::string text = read_file(fixture), name = fs::relative(fixture, source_dir() + "/tests/fixtures").string();
    if (one_in(6) && text.size() < kMostZipped) {
      files_.push_back({name + ".zip", folder_.write("run/" + name + ".zip", zipped({{name, text}})), {}});
      return;
    }
    const std::size_t written = one_in(3) ? random_() % (text.size() + 1) : text.size();
    files_.push_back({name, folder_.write("run/" + name, text.substr(0, written)), text.substr(written)});
  }

  /// Does one random action and returns its description.
  std::string step() {
    const std::size_t t = random_() % tabs_.size();
    Session& tab = *tabs_[t];
    const std::string done = fmt::format("tab {}: {}", t, act(tab));
    settle(tab);
    read_nothing_ += !tab.paths().empty() && tab.status().bytes_total == 0;
    return done;
  }

  /// Steps after which nothing had to be read: segments were reused, cached or packed.
  std::size_t read_nothing() const { return read_nothing_; }

  void check() const {
    for (const auto& tab : tabs_) {
      LoadOptions options;
      static_cast<ReadSettings&>(options) = tab->read();
      options.follow = tab->following();
      CHECK(check_invariants(*tab->snapshot()->trace) == "");
      CHECK(first_difference(text_of_all(*load_snapshot(tab->paths(), test_pool(), options)), text_of_all(*tab->snapshot())) == "");
    }
  }

 private:
  bool one_in(std::size_t n) { return random_() % n == 0; }

  std::string act(Session& tab) {
    const std::vector<std::string> open = tab.paths();
    switch (random_() % (open.empty() ? 1 : 11)) {
      default: {
        const File& file = files_[random_() % files_.size()];
        const bool add = !one_in(4);
        tab.open({file.path}, add);
        return (add ? "also opens " : "opens ") + file.name;
      }
      case 3: {
        const std::string& path = open[random_() % open.size()];
        tab.close_files({path});
        return "closes " + path;
      }
      case 4: {
        const File& file = files_[random_() % files_.size()];
        ClockOffsets clocks = tab.read().clocks;
        const Ns by = static_cast<Ns>(random_() % 10'000'000'000) - 5 * kSecond;
        std::erase_if(clocks, [&](const auto& offset) { return offset.pattern == file.name; });
        clocks.push_back({file.name, by});
        tab.read_with(&ReadSettings::clocks, clocks);
        return fmt::format("moves {} by {} ns", file.name, by);
      }
      case 5: {
        constexpr AlignChoice kChoices[] = {std::nullopt, Align::Recorded, Align::Zero, Align::Fold};
        const AlignChoice align = kChoices[random_() % std::size(kChoices)];
        tab.read_with(&ReadSettings::align, align);
        return fmt::format("aligns {}", align ? name(*align) : "as it sees fit");
      }
      case 6: {
        const PlaceBy by = one_in(2) ? PlaceBy::Recorded : PlaceBy::Collectives;
        tab.read_with(&ReadSettings::place_by, by);
        return by == PlaceBy::Recorded ? "takes clocks as recorded" : "compares clocks";
      }
      case 7: return grow();
      case 8: return pack(tab);
      case 9: {
        LoadChoice choice;
        const Ns end = tab.snapshot()->trace->extent.end, begin = static_cast<Ns>(random_() % static_cast<std::uint64_t>(end + 1));
        if (!one_in(2)) choice.window = TimeRange{begin, begin + (end - begin) / 2 + 1};
        tab.read_with(&ReadSettings::choice, choice);
        return choice.window ? "shows " + choice.text() : "shows all times";
      }
      case 10:
        tab.close();  // else following would keep traces that were read as if complete
        tab.follow(!tab.following());
        tab.open(open);
        return tab.following() ? "opens again, and follows" : "opens again, and does not follow";
    }
  }

  std::string grow() {
    File& file = files_[random_() % files_.size()];
    const std::size_t length = one_in(2) ? file.rest.size() : random_() % (file.rest.size() + 1);
    folder_.append("run/" + file.name, file.rest.substr(0, length));
    file.rest.erase(0, length);
    for (const auto& tab : tabs_) {
      if (tab->following()) tab->look_now();
      else tab->reload();
      settle(*tab);
    }
    return fmt::format("{} grows by {} bytes", file.name, length);
  }

  std::string pack(const Session& tab) {
    const std::string name = fmt::format("pack{}.tvx", files_.size()), path = folder_.path(name);
    std::atomic<std::uint64_t> done = 0;
    const bool mapped = one_in(2);
    REQUIRE(pack_trace(*tab.snapshot()->trace, path, test_pool(), done, {.mapped = mapped}).ok());
    files_.push_back({name, path, {}});
    return fmt::format("packs what it shows into {}{}", name, mapped ? ", mapped" : "");
  }

  void settle(Session& tab) {
    wait_until([&] {
      tab.follow_up(now_s_ += 0.01);
      return !tab.status().running() && tab.up_to_date();
    });
  }

  std::mt19937_64 random_;
  double now_s_ = 0;
  std::size_t read_nothing_ = 0;
  const TempDir folder_;
  LoadOptions shared_;
  std::vector<File> files_;
  std::vector<std::unique_ptr<Session>> tabs_;
};

}  // namespace

TEST_SUITE_BEGIN("concurrent");

TEST_CASE("any_way: files of all formats, opened, closed, moved, changed and packed in any order, equal a fresh load") {
  const std::vector<std::string> fixtures = fixture_files();
  REQUIRE(fixtures.size() > 50);
  std::size_t read_nothing = 0;
  for (const std::uint64_t seed : seeds(60)) {
    CAPTURE(seed);
    TabsAtRandom tabs(seed);
    std::mt19937_64 random(seed);
    std::vector<std::string> chosen;
    std::ranges::sample(fixtures, std::back_inserter(chosen), static_cast<std::ptrdiff_t>(2 + seed % 4), random);
    for (const std::string& fixture : chosen) tabs.add_file(fixture);
    std::string steps;
    for (int step = 0; step < 12; ++step) {
      steps += tabs.step() + "\n";
      CAPTURE(steps);
      tabs.check();
    }
    read_nothing += tabs.read_nothing();
  }
  CHECK(read_nothing > 0);
}

TEST_SUITE_END();

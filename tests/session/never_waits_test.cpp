// No command blocks the window: with 2.4 million slices and any selection, it reads no more of them than a few binary searches
// do. Commands that need all slices count in the background, and act when the result arrives.
#include <doctest/doctest.h>

#include <concepts>
#include <future>
#include <cstdlib>
#include <thread>
#include <type_traits>

#include "core/session/packed/packed_trace.h"
#include "core/store/trace/trace_builder.h"
#include "tests/session/desk.h"
#include "tests/support/touched_blocks.h"

using namespace tv;
using namespace tv::test;
using namespace tv::command;

namespace {

constexpr std::size_t kOfEachKind = 600'000, kStepsApart = 20;
constexpr Ns kApart = 10 * kMicrosecond;
/// A walk over one row of a lane touches 293 blocks of a column, one over all slices 5,273.
constexpr std::size_t kMostBlocks = 60;

// A thread of nested calls, a stream of kernels, and steps.
std::shared_ptr<const Trace> large_trace() {
  SourceView view;
  view.info.path = "large.json";
  view.info.format = "chrome_json";
  view.lanes["thread"] = {.path = {{"rank 0"}, {"thread 1"}}, .kind = LaneKind::Thread};
  view.lanes["stream"] = {.path = {{"rank 0"}, {"GPU 0"}, {"stream 7"}}, .kind = LaneKind::Stream};
  view.lanes["steps"] = {.path = {{"rank 0"}, {"thread 2"}}, .kind = LaneKind::Thread};
  EventBatch names;
  const auto track = [&](const char* name) { return static_cast<std::uint32_t>(idx(names.tracks.intern(name))); };
  const std::uint32_t thread = track("thread"), stream = track("stream"), steps = track("steps");
  std::vector<LabelId> calls, kernels;
  for (int i = 0; i < 40; ++i) {
    calls.push_back(names.labels.intern("cpu_op", "aten::call_" + std::to_string(i)));
    kernels.push_back(names.labels.intern("kernel", "gemm_" + std::to_string(i)));
  }
  SliceColumns slices;
  slices.reserve(4 * kOfEachKind + kStepsApart);
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i < kOfEachKind; ++i) {
    const Ns begin = static_cast<Ns>(i) * kApart;
    slices.add(thread, begin, 8 * kMicrosecond, calls[i % 20], kNoGroup, ++offset, 0);
    const Ns inner = 5 * kMicrosecond + static_cast<Ns>(i % 999), second = 3 * kMicrosecond + static_cast<Ns>(i % 777);
    slices.add(thread, begin + kMicrosecond, inner, calls[20 + i % 20], kNoGroup, ++offset, 0);
    slices.add(stream, begin + kMicrosecond, 4 * kMicrosecond, kernels[i % 20], kNoGroup, ++offset, 0);
    slices.add(stream, begin + 5 * kMicrosecond, second, kernels[20 + i % 20], kNoGroup, ++offset, 0);
  }
  const Ns step = static_cast<Ns>(kOfEachKind) * kApart / static_cast<Ns>(kStepsApart);
  for (std::size_t i = 0; i < kStepsApart; ++i) {
    const LabelId label = names.labels.intern("user_annotation", "ProfilerStep#" + std::to_string(i));
    slices.add(steps, static_cast<Ns>(i) * step, step, label, kNoGroup, ++offset, 0);
  }
  SourceNames of_source;
  auto ids = std::make_shared<const BatchIds>(of_source.unite(names));
  auto block = std::make_shared<const SliceBlock>(slices);
  view.batches.push_back({std::move(block), std::make_shared<const BatchRest>(EventBatch()), std::move(ids)});
  view.names = std::make_shared<const SourceNames>(std::move(of_source));
  return build_trace({view}, test_pool());
}

template <class Values>
std::span<const std::byte> bytes_of(const Values& column) {
  return std::as_bytes(std::span(column.data(), column.size()));
}

void watch_slices(TouchedBlocks& blocks, const Trace& view) {
  blocks.forget_all();
  const auto of = [&](const SliceTable& slices) {
    blocks.watch(bytes_of(slices.begin));
    blocks.watch(bytes_of(slices.duration));
    blocks.watch(bytes_of(slices.self));
    blocks.watch(bytes_of(slices.label));
    blocks.watch(bytes_of(slices.ref));
  };
  if (view.parts.empty()) of(view.slices);
  for (const ViewPart& part : view.parts) of(part.segment->slices);
}

// Keeps the pool from running tasks while it lives, so that a thread has to do urgent work itself. Waits for earlier tasks.
class PoolAtRest {
 public:
  explicit PoolAtRest(ThreadPool& pool) {
    const std::shared_future<void> go = go_.get_future().share();
    std::vector<std::future<void>> resting;
    for (unsigned t = 0; t < pool.size(); ++t) {
      auto rests = std::make_shared<std::promise<void>>();
      resting.push_back(rests->get_future());
      held_.push_back(pool.submit([rests, go] {
        rests->set_value();
        go.wait();
      }));
    }
    for (std::future<void>& one : resting) one.wait();
  }
  ~PoolAtRest() {
    go_.set_value();
    for (std::future<void>& one : held_) one.wait();
  }

 private:
  std::promise<void> go_;
  std::vector<std::future<void>> held_;
};

template <class T, class... Kinds>
concept OneOf = (std::same_as<T, Kinds> || ...);

// An example of each command that has an effect. A command with members must be listed here, or this does not compile.
struct Examples {
  const TempDir& folder;
  std::string path;  // of the open files
  SliceId slice, later;
  LabelId label;
  LaneId lane;
  Gap gap;
  TimeRange all, part;

  template <class T>
    requires(std::is_empty_v<T>)
  T of() const {
    return {};
  }
  template <OneOf<OpenDialog, FilesChosen, CloseTab, NextTab, GoToTab, MoveTab, Follow, SetClocks, PlaceClocks, AlignRuns, NextGap,
                  FollowFlow, CollapseAll, ScaleRows, FoldLevels, SortLanes, OpenSearch, ToggleSearch, NextHit, SetTimeFormat,
                  RemoveFilter, SelectRequest, GoToStep, GoToTrainingStep, NextStep, GoToWorkerStep, NextSlowest, EditNote, StoredView,
                  OpenCommandBox, SetMouse, SetMouseMode, ShowText, ShowPanelNumber, ShowPanelGroup, NextPanelGroup, SizePanels,
                  NextTable, OpenManual, ChooseTheme, SetAppearance, ToggleDialog, ScaleInterface, SetInterfaceScale, Screenshot,
                  CopyText, AlignSplit, NextSplitStep, SizeSplit, ChooseFile, OrderLanes, ColorSlices, ChooseLanes, AddMark, OpenPart,
                  SaveText, TakeProblems, ChangeRecent>
                T>
  T of() const {
    return {};
  }
  template <std::same_as<OpenPaths> T> T of() const { return {{path}}; }
  template <std::same_as<CloseFiles> T> T of() const { return {{path}}; }
  template <std::same_as<SelectSlice> T> T of() const { return {later}; }
  template <std::same_as<SelectRange> T> T of() const { return {all, {}}; }
  template <std::same_as<AddSlice> T> T of() const { return {later}; }
  template <std::same_as<SelectThrough> T> T of() const { return {later}; }
  template <std::same_as<SelectName> T> T of() const { return {label}; }
  template <std::same_as<ToggleAreaLane> T> T of() const { return {lane}; }
  template <std::same_as<SelectGap> T> T of() const { return {gap}; }
  template <std::same_as<ZoomTo> T> T of() const { return {part}; }
  template <std::same_as<ZoomBy> T> T of() const { return {0.5, 0.3}; }
  template <std::same_as<PanBy> T> T of() const { return {0.25}; }
  template <std::same_as<ScrollBy> T> T of() const { return {50}; }
  template <std::same_as<ShowTime> T> T of() const { return {static_cast<double>(part.begin), static_cast<double>(part.length())}; }
  template <OneOf<ToggleLane, SizeRows, ScrollToLane, RevealLane, DragLane> T> T of() const { return {lane}; }
  template <std::same_as<LimitDepth> T> T of() const { return {lane, 1}; }
  template <std::same_as<FilterLanes> T> T of() const { return {"stream"}; }
  template <std::same_as<Search> T> T of() const { return {"gemm"}; }
  template <std::same_as<GoToHit> T> T of() const { return {later}; }
  template <std::same_as<GoTo> T> T of() const { return {"step 3"}; }
  template <std::same_as<FilterRequests> T> T of() const { return {"dur > 1s"}; }
  template <std::same_as<BrushRequests> T> T of() const { return {"dur > 1s", "request_cdf"}; }
  template <std::same_as<BrushSlices> T> T of() const { return {{label, 0, kSecond}, "durations"}; }
  template <std::same_as<GoToMarkedStep> T> T of() const { return {3}; }
  template <std::same_as<FilterSlices> T> T of() const { return {"dur > 4us"}; }
  template <std::same_as<SetChart> T> T of() const { return {"durations_bins", "50"}; }
  template <std::same_as<SaveView> T> T of() const { return {folder.path() + "/saved.tvview"}; }
  template <std::same_as<LocateSources> T> T of() const { return {folder.path()}; }
  template <std::same_as<NoteCommand> T> T of() const { return {"go.to"}; }
  template <OneOf<TogglePanel, ShowPanel, ClosePanel, MovePanel, PlaceOwnPanel> T> T of() const {
    T command{};
    if constexpr (std::same_as<T, PlaceOwnPanel>) {
      command.panel.id = "statistics";
    } else {
      command.id = "statistics";
    }
    return command;
  }
  template <std::same_as<KeepTable> T> T of() const { return {"statistics", {}}; }
  template <std::same_as<ChooseSplitLanes> T> T of() const { return {SplitHalf::Lower, {lane}}; }
};

// The state of the window at the time of the command.
struct Situation {
  const char* name;
  bool slice = false, area = false, lists = false, split = false;
};
constexpr Situation kSituations[] = {
    {"nothing is selected"},
    {"a slice and its name are selected", true},
    {"everything is in the area, filtered and found", true, true, true},
    {"the window is split", true, false, false, true},
};

class NeverWaits {
 public:
  NeverWaits() {
    path_ = folder_.path() + "/large.tvx";
    std::atomic<std::uint64_t> done = 0;
    REQUIRE(pack_trace(*large_trace(), path_, test_pool(), done, {.records = false, .mapped = true}).ok());
    open();
  }

  Examples examples() {
    const Trace& trace = desk_.ws.trace();
    const LaneId lane = desk_.lane("thread 1");
    const auto outer = trace.slices_of(trace.rows_of(trace.lane(lane)).front());
    const SliceId slice = outer.id(outer.size() / 3), later = outer.id(outer.size() / 2);
    const TimeRange all = shown_extent(trace);
    const Gap gap{lane, kNone<RowId>, {outer.end(7), outer.begin(8)}, outer.id(7), outer.id(8)};
    return {folder_, path_, slice, later, trace.label_of(slice), lane, gap, all, {all.length() / 3, all.length() / 2}};
  }

  void open_again_if_needed() {
    const Workspace& ws = desk_.ws;
    if (!ws.session().anything_open() || ws.trace().items() != 4 * kOfEachKind + kStepsApart || ws.session().paths().size() != 1) open();
  }

  void prepare(const Situation& situation, const Examples& of) {
    desk_.ws.apply(FilterLanes{""});
    desk_.ws.apply(ChooseLanes{ChooseLanes::What::ShowAll});
    if ((desk_.ws.state().split() != nullptr) != situation.split) desk_.ws.apply(ToggleSplit{});
    for (int layer = 0; layer < 6; ++layer) desk_.ws.apply(ClearSelection{});
    desk_.ws.apply(FilterSlices{situation.lists ? "dur > 1us" : ""});
    desk_.ws.apply(Search{situation.lists ? "gemm" : ""});
    desk_.ws.apply(FitAll{});
    if (situation.slice) desk_.ws.apply(SelectSlice{of.slice});
    if (situation.slice) desk_.ws.apply(SelectSameName{});
    if (situation.area) desk_.ws.apply(SelectRange{of.all, {}});
    desk_.ws.take_requests();
    desk_.wait_for_all();
  }

  // The most blocks touched in one frame: the frame of the command, or a later one until its result has arrived.
  std::size_t blocks_of(const Command& command) {
    std::size_t most = count([&] { desk_.ws.apply(command); });
    for (int frames = 0; frames < 500 && desk_.ws.busy(); ++frames) most = std::max(most, count([] {}));
    return most;
  }
  TouchedBlocks& blocks() { return blocks_; }
  TestDesk& desk() { return desk_; }

 private:
  void open() {
    blocks_.forget_all();
    desk_.open({path_});
    desk_.wait_for_all();
    REQUIRE(desk_.ws.trace().items() == 4 * kOfEachKind + kStepsApart);
  }

  template <class Given>
  std::size_t count(const Given& given) {
    const PoolAtRest rest(test_pool());
    const auto held = desk_.ws.shared_snapshot();  // so that its memory is not freed and reused meanwhile
    watch_slices(blocks_, desk_.ws.trace());
    blocks_.begin();
    given();
    desk_.frame();
    return blocks_.end();
  }

  TempDir folder_;
  std::string path_;
  TestDesk desk_;
  TouchedBlocks blocks_;
};

}  // namespace

TEST_CASE("never waits: a walk over slices by this thread is counted, one by another thread is not") {
  NeverWaits window;
  watch_slices(window.blocks(), window.desk().ws.trace());
  REQUIRE(window.blocks().watched() > 5'000);
  const Trace& trace = window.desk().ws.trace();
  const auto walk = [&] {
    Ns sum = 0;
    for (const Row& row : trace.rows) {
      const RowSlices slices = trace.slices_of(row);
      for (std::size_t i = 0; i < slices.size(); ++i) sum += slices.begin(i);
    }
    return sum;
  };
  window.blocks().begin();
  const Ns sum = walk();
  CHECK(window.blocks().end() > 10 * kMostBlocks);
  CHECK(sum > 0);
  window.blocks().begin();
  std::thread([&] { CHECK(walk() == sum); }).join();
  CHECK(window.blocks().end() == 0);
}

TEST_CASE("never waits: no command reads more than a few blocks of slices in a frame, whatever is selected") {
  NeverWaits window;
  const bool print = std::getenv("TV_BLOCKS") != nullptr;
  for (const Situation& situation : kSituations) {
    CAPTURE(situation.name);
    Command::each_kind([&]<class T>() {
      window.open_again_if_needed();
      const Examples examples = window.examples();
      window.prepare(situation, examples);
      const std::size_t blocks = window.blocks_of(examples.of<T>());
      if (print && blocks > 20) std::printf("%s, %s: %zu blocks\n", typeid(T).name(), situation.name, blocks);
      CHECK_MESSAGE(blocks <= kMostBlocks, typeid(T).name(), " looks at ", blocks, " blocks of slices where ", situation.name);
    });
  }
}

TEST_CASE("never waits: commands that count in the background take effect in the order in which they were given") {
  NeverWaits window;
  TestDesk& desk = window.desk();
  const Examples of = window.examples();
  desk.ws.apply(SelectRange{of.all, {}});
  desk.ws.apply(CopyText{});
  CHECK(desk.ws.answering());
  CHECK(desk.ws.take_requests().copies.empty());
  desk.wait_for_all();
  const auto copies = desk.ws.take_requests().copies;
  REQUIRE(copies.size() == 1);
  CHECK(copies.front().find("2,400,020 slices") != std::string::npos);

  for (int layer = 0; layer < 3; ++layer) desk.ws.apply(ClearSelection{});
  desk.ws.apply(SelectSlice{of.slice});
  desk.wait_for_all();
  desk.ws.apply(NextSlowest{});
  desk.ws.apply(NextSlowest{});  // starts from the result of the first one
  desk.wait_for_all();
  const SliceId second = desk.ws.state().selection.slice;
  desk.ws.apply(NextSlowest{false});
  desk.wait_for_all();
  const SliceId first = desk.ws.state().selection.slice;
  CHECK(first != second);
  desk.ws.apply(NextSlowest{});
  desk.wait_for_all();
  CHECK(desk.ws.state().selection.slice == second);

  desk.ws.apply(NextGap{});
  CHECK(desk.ws.answering());
  desk.ws.apply(ClearSelection{});  // cancels the count, and clears nothing
  CHECK_FALSE(desk.ws.answering());
  CHECK(desk.ws.state().selection.slice == second);
  desk.ws.apply(NextGap{});
  desk.ws.apply(SelectSlice{of.slice});  // the requested gap is still shown
  desk.wait_for_all();
  CHECK(desk.ws.state().selected.gap.has_value());
  // The view goes to the hit before it is copied, although the search ends after both key presses.
  for (int layer = 0; layer < 6; ++layer) desk.ws.apply(ClearSelection{});
  desk.wait_for_all();
  desk.ws.apply(Search{"gemm_7"});
  CHECK(desk.ws.search().pending());
  desk.ws.apply(NextHit{});
  desk.ws.apply(CopyText{});
  CHECK(desk.ws.take_requests().copies.empty());
  desk.wait_for_all();
  const auto of_hit = desk.ws.take_requests().copies;
  REQUIRE(of_hit.size() == 1);
  CHECK(of_hit.front().find("gemm_7") != std::string::npos);
}

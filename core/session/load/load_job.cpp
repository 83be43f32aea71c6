#include "core/session/load/load_job.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <exception>
#include <limits>
#include <map>
#include <new>
#include <set>
#include <system_error>
#include <utility>

#include "core/base/memory/memory.h"
#include "core/base/memory/memory_budget.h"
#include "core/io/files/open_stream.h"
#include "core/io/streams/whole_lines.h"
#include "core/read/registry.h"
#include "core/session/load/given_sources.h"
#include "core/session/load/load_source.h"
#include "core/session/load/probe_sources.h"
#include "core/session/packed/packed_trace.h"
#include "core/store/clock/time_window.h"
#include "core/store/trace/keep_ranks.h"

namespace tv {
namespace {

// t + by, saturating: an open end stays open.
Ns moved(Ns t, Ns by) {
  Ns sum = 0;
  if (!__builtin_add_overflow(t, by, &sum)) return sum;
  return by > 0 ? std::numeric_limits<Ns>::max() : std::numeric_limits<Ns>::min();
}

}  // namespace

double LoadStatus::seconds_left() const {
  const double rate = bytes_per_second();
  return rate > 0 && seconds > 0.2 ? static_cast<double>(bytes_total - bytes_done) / rate : -1;
}

LoadJob::LoadJob(std::vector<std::string> paths, ThreadPool& pool, LoadOptions options,
                 std::function<void(std::shared_ptr<const Snapshot>)> publish, EarlierLoad earlier)
    : paths_(std::move(paths)), pool_(pool), options_(options), publish_(std::move(publish)), given_(earlier),
      compared_(std::move(given_.clocks)), shown_(given_.shown), left_(std::move(earlier)) {
  if (options_.follow) options_.cache = {};
  try {
    thread_ = std::jthread([this](std::stop_token stop) { run(stop); });
  } catch (const std::system_error&) {
    run({});  // no more threads available: the caller waits
  }
}

LoadJob::~LoadJob() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

LoadStatus LoadJob::status() const {
  LoadStatus status;
  status.stage = stage_.load();
  status.bytes_total = bytes_total_.load();
  if (!status.running()) {
    status.bytes_done = std::min(final_bytes_.load(), status.bytes_total);
  } else if (sources_ready_) {
    status.bytes_done = std::min(sum_of(&ReadProgress::bytes), status.bytes_total);
  }
  status.files_done = files_done_.load();
  status.files_total = files_total_.load();
  status.seconds = status.running() ? seconds() : final_seconds_.load();
  return status;
}

std::uint64_t LoadJob::sum_of(std::atomic<std::uint64_t> ReadProgress::* measure) const {
  std::uint64_t sum = 0;
  for (const auto& source : sources_) sum += (source->progress.*measure).load(std::memory_order_relaxed);
  return sum;
}

double LoadJob::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

void LoadJob::run(std::stop_token stop) {
  bool published = false;
  try {
    const std::uint64_t asked = options_.memory_limit;
    memory_.begin(asked > 0 ? asked - std::min(asked - 1, kept_bytes()) : available_memory() / 10 * 9);
    const OnBudget charged(memory_.budget());
    published = load(stop);
  } catch (const std::bad_alloc&) {
    memory_.run_out({});
  }
  if (memory_.has_run_out()) published = !options_.stays && publish_nothing(stop);
  if (options_.follow) note_unknown();
  final_seconds_ = seconds();
  final_bytes_ = sum_of(&ReadProgress::bytes);
  stage_ = published ? LoadStatus::Stage::Done : LoadStatus::Stage::Cancelled;
  try {
    // The view is shown already. A failure is not reported, because it only makes the next start slower.
    if (!times_.nothing_read && !too_large() && keep_parts(stop)) times_.cached = seconds();
    if (!read_.empty() || !reused_.empty()) trim_cache(options_.cache, entries_in_use());
  } catch (const std::exception&) {
  }
  read_.clear();
  for (const auto& source : sources_) source->head = {};
}

bool LoadJob::load(std::stop_token stop) {
  find();
  SegmentStore::Reading reading = share(stop);
  const std::stop_callback cancelled(stop, [&reading] { reading.end(); });  // other tabs do not wait until this load has ended
  if (stop.stop_requested()) return false;
  if (keeps_files()) take_files();
  open_packed_traces();
  times_.found = seconds();
  reuse(segment_choice());
  if (!memory_.has_run_out()) probe_all(stop);
  if (!memory_.has_run_out()) take_kept_logs();
  if (options_.again && !anything_to_read()) {
    read_anew();
    probe_all(stop);
  }
  if (options_.choice.window && anything_to_read() && !reused_.empty()) {  // measuring needs all files
    give_up_kept(0);
    probe_all(stop);
  }
  if (!anything_to_read()) {
    const auto is_built = [](const auto& source) { return source->reader && !source->reused; };
    times_.nothing_read = std::ranges::none_of(sources_, is_built) && !(packed_.empty() && reused_.empty());
  } else if (!memory_.has_run_out()) {
    if (options_.choice.window) measure_window(stop);
    set_filters();
    if (!memory_.has_run_out() && !stop.stop_requested()) {
      stage_ = LoadStatus::Stage::Reading;
      read_all(stop);
      if (too_large() && !stop.stop_requested() && can_read_in_parts()) read_in_parts(stop);
    }
  }
  times_.read = seconds();
  const bool is_part = options_.stays && too_large() && bytes_in_parts_ == 0;
  if (memory_.has_run_out() || is_part || stop.stop_requested()) return false;
  stage_ = LoadStatus::Stage::Building;
  return publish_read(true, stop);
}

void LoadJob::find() {
  GivenSources found = given_sources(paths_, options_.clocks, options_.seen.get());
  archives_ = std::move(found.archives);
  // These states precede all reads: a later change may or may not be in the data, so it triggers another read.
  if (options_.follow) read_states_.files = std::move(found.states);
  if (options_.follow) read_states_.closed.insert(options_.closed.begin(), options_.closed.end());
  found_ = true;
  for (SourceInfo& info : found.sources) {
    std::string path = info.path;
    if (options_.closed.contains(path)) continue;
    sources_.push_back(std::make_unique<LoadSource>(std::move(info)));
    sources_.back()->path = std::move(path);
  }
  files_total_ = sources_.size();
}

// A packed trace already is a segment, so only the other files are read.
void LoadJob::open_packed_traces() {
  list_given_packed();
  std::vector<std::optional<Result<PackedSegment>>> opened(sources_.size());  // nullopt: not a packed trace
  pool_.parallel_for(opened.size(), [&](std::size_t s) {
    const LoadSource& source = *sources_[s];
    if (source.reused_log || memory_.has_run_out()) return;
    try {
      Result<bool> told = is_packed_trace(source.path);
      if (!told) opened[s] = told.error();
      else if (*told) opened[s] = packed_segment(source.draft.info());
    } catch (const std::bad_alloc&) {
      memory_.run_out(source.path);
    }
  });
  for (std::size_t s = 0; s < opened.size() && !memory_.has_run_out(); ++s) {
    std::unique_ptr<LoadSource>& source = sources_[s];
    if (!opened[s]) continue;
    try {
      if (!*opened[s]) {
        reject(source->draft, opened[s]->error());
        note_damage(source->draft, opened[s]->error());
        continue;
      }
      const auto& [trace, index] = opened[s]->value();
      if (index) indexed_.emplace(trace, index);
      const auto is_closed = [&](const SourceInfo& packed) { return options_.closed.contains(packed.path); };
      if (!trace->sources.empty() && std::ranges::all_of(trace->sources, is_closed)) {
        --files_total_;
        source.reset();
        continue;
      }
      packed_.add(source->draft.info(), trace, options_.clocks);
      ++files_done_;
      source.reset();
    } catch (const std::bad_alloc&) {
      memory_.run_out(source->path);
    }
  }
  std::erase(sources_, nullptr);
  if (packed_.empty() || memory_.has_run_out()) return;
  packed_.leave_out_unchosen(options_.choice);
  std::vector<SourceInfo> files;
  for (const auto& source : sources_) files.push_back(source->draft.info());
  const std::vector<bool> copies = packed_.leave_out_copies(files);
  for (std::size_t s = 0; s < copies.size(); ++s) {
    if (copies[s]) sources_[s].reset();
  }
  std::erase(sources_, nullptr);
}

// Identifies the settings that a segment depends on: a segment made with others is not reused. Closed files and clocks are not of
// a segment. A window's position depends on all files, so they are part of the key.
std::string LoadJob::segment_choice() const {
  const auto& [chosen, closed, clocks, place_by, align] = static_cast<const ReadSettings&>(options_);  // a new setting stops here
  std::string choice = chosen.text();
  if (!chosen.window) return choice;
  if (place_by == PlaceBy::Recorded) choice += "; clocks as recorded";
  if (align != Align::Recorded) choice += fmt::format("; align {}", align ? name(*align) : "auto");
  CacheKey all;
  for (const auto& source : sources_) all.files.push_back(source->key());
  const std::string files = all.text({});
  return fmt::format("{}; of {:016x}", choice, XXH3_64bits(files.data(), files.size()));
}

void LoadJob::probe_all(std::stop_token stop) {
  pool_.parallel_for(sources_.size(), [&](std::size_t i) { probe(*sources_[i], options_.choice); }, stop);
  for (LeftOut& left_out : shown_by_others(sources_)) leave_out(*left_out.source, std::move(left_out.reason));
  count_bytes();
  sources_ready_ = true;
}

void LoadJob::count_bytes() {
  std::uint64_t total = 0;
  for (const auto& source : sources_) {
    if (source->is_to_be_read()) total += source->draft.info().bytes;
  }
  bytes_total_ = total;
}

// Finds the window's position: reads only an outline of each file, then aligns all clocks as for a view.
void LoadJob::measure_window(std::stop_token stop) {
  stage_ = LoadStatus::Stage::Measuring;
  std::vector<SourceInfo> infos;
  for (const auto& source : sources_) {
    infos.push_back(source->draft.info());
    source->draft.set_filter([](EventBatch& batch) { batch = outline_of(batch); });
  }
  read_all(stop);
  std::vector<SourceView> views;
  for (const auto& source : sources_) keep_ranks(views.emplace_back(source->draft.take()), options_.choice.ranks);
  place(views);
  const Segments segments = build_groups(std::move(views), false, stop);
  if (std::ranges::count(segments, nullptr) > 0) return;
  const auto view = compose(segments, options_.place_by, {}, {}, options_.align, segments.size(), &pool_);
  if (!view) return;
  const Trace& outline = *view.value();
  measured_ = outline.align;
  std::map<std::string_view, const SourceInfo*> placed;
  for (const SourceInfo& source : outline.sources) placed[source.path] = &source;
  const bool from_begin = options_.choice.clock == LoadChoice::Clock::FromBegin;
  files_done_ = 0;
  for (std::size_t s = 0; s < sources_.size(); ++s) {
    LoadSource& source = *sources_[s];
    const SourceInfo& measured = *placed[source.path];
    const Ns shift = measured.shift;
    const TimeRange& window = *options_.choice.window;
    source.clock_base = shift - infos[s].clock_offset;  // clock_offset is added again when the trace is built
    infos[s].clock_fit = measured.clock_fit;            // the shift contains it, so it is not added again
    infos[s].aligned = measured.aligned;                // part of the shift, too
    const Ns zero = from_begin ? outline.origin_ns : measured.aligned;  // times since the epoch are recorded times
    source.window = TimeRange{moved(window.begin, zero - shift), moved(window.end, zero - shift)};
    source.progress.bytes = source.progress.handed_over = 0;
    source.draft.restart(std::move(infos[s]));
  }
  count_bytes();
}

void LoadJob::read_all(std::stop_token stop) {
  const std::stop_callback end_reading(stop, [this] { memory_.stop_reading(); });
  // Each coordinator takes one file at a time; the pool parses its chunks.
  std::atomic<std::size_t> next = 0;
  const std::size_t threads = std::min<std::size_t>(std::max(2u, pool_.size()), std::max<std::size_t>(sources_.size(), 1));
  std::atomic<std::size_t> readers_left = threads;
  std::vector<std::jthread> coordinators;
  const auto coordinate = [&] {
    try {
      const OnBudget charged(memory_.budget());
      for (std::size_t i = next++; i < sources_.size() && !stop.stop_requested(); i = next++) {
        if (sources_[i]->is_to_be_read()) read(*sources_[i], memory_.reading());
        ++files_done_;
      }
    } catch (const std::bad_alloc&) {
      memory_.run_out({});
    }
    --readers_left;
    readers_left.notify_all();
  };
  try {
    coordinators.reserve(threads);
    while (coordinators.size() < threads) coordinators.emplace_back(coordinate);
  } catch (const std::exception&) {
    // No more threads available: the ones we have (or this one) do all the work.
    readers_left -= threads - coordinators.size();
    if (coordinators.empty()) {
      ++readers_left;
      coordinate();
    }
  }
  try {
    publish_on_the_way(stop, readers_left);
  } catch (const std::bad_alloc&) {
    memory_.run_out({});
  }
}

void LoadJob::read(LoadSource& source, std::stop_token stop) {
  const auto finish = [&](SourceState state, std::string reason) {
    source.draft.edit_info([&](SourceInfo& info) {
      info.state = state;
      info.reason = std::move(reason);
    });
  };
  finish(SourceState::Reading, {});
  // Libraries may throw (regex); that must not affect more than this file. Memory is shared: running out ends the load.
  try {
    auto stream = open_stream(source.path);
    if (stream && options_.follow && source.reader->is_log) stream = whole_lines(std::move(*stream));
    if (!stream) return reject(source.draft, stream.error());
    (*stream)->note_checkpoints(source.draft.info().checkpoints);
    ReadContext context{source.path,     source.head, **stream, source.draft, pool_,
                        source.progress, stop,        chunk_bytes(source), options_.tools};
    if (by_contents()) context.wanted = [this](const SourceInfo& info) { return wanted(info); };
    source.counted = source.draft.info().bytes;
    Result<void> result = source.reader->read(context);
    const bool all = !source.window && !by_contents() && !stop.stop_requested();
    const bool readable = note_end(source.draft, **stream, {std::move(result), source.items, all, options_.follow});
    if (stage_ != LoadStatus::Stage::Measuring) source.head = {};
    if (stop.stop_requested()) {
      return too_large() ? finish(SourceState::Part, "not all of it was read: it does not fit into memory")
                         : finish(SourceState::Cancelled, "cancelled");
    }
    if (!readable) return;
    const SourceInfo info = source.draft.info();
    const bool of_all = source.draft.has_metrics();  // a log of the whole training run
    bool any = true;
    source.draft.edit_lanes([&](const LaneSpecs& lanes, SourceInfo&) { any = any_wanted(lanes, options_.choice.ranks); });
    if (!of_all && (!any || !wanted(info))) {
      static_cast<void>(source.draft.take());
      memory_.forget(source);
      source.counted = source.progress.bytes = source.progress.handed_over = 0;
      bytes_total_ -= info.bytes;
      return finish(SourceState::LeftOut, {});
    }
    source.progress.bytes = source.progress.handed_over = info.bytes;
    finish(SourceState::Ready, {});
  } catch (const std::bad_alloc&) {
    memory_.run_out(source.path);
  } catch (const std::exception& error) {
    reject(source.draft, {std::string("reading failed: ") + error.what(), {}, {}, {}, true});
  }
}

// Whether files are selected by rank or role: in some formats only the contents contain these.
bool LoadJob::by_contents() const { return !options_.choice.ranks.empty() || !options_.choice.roles.empty(); }

bool LoadJob::wanted(const SourceInfo& info) const {
  return chosen(options_.choice.ranks, info.rank) && chosen(options_.choice.roles, info.role);
}

// The fixed cost of a chunk, mainly its name table, favours large chunks; small ones keep all threads busy.
std::size_t LoadJob::chunk_bytes(const LoadSource& source) const {
  constexpr std::uint64_t kLeast = 1 << 20, kMost = 8 << 20;
  if (options_.chunk_bytes > 0) return options_.chunk_bytes;
  return static_cast<std::size_t>(std::clamp(source.draft.info().bytes / (4 * pool_.size()), kLeast, kMost));
}

std::shared_ptr<const Snapshot> load_snapshot(const std::vector<std::string>& paths, ThreadPool& pool,
                                              const LoadOptions& options) {
  std::shared_ptr<const Snapshot> last;
  LoadOptions once = options;
  once.progressive = false;
  once.stays = false;  // there is no earlier view
  LoadJob job(paths, pool, once, [&](std::shared_ptr<const Snapshot> snapshot) { last = std::move(snapshot); });
  job.wait();
  return last;
}

}  // namespace tv

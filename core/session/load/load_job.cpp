#include "core/session/load/load_job.h"

#include <algorithm>
#include <exception>
#include <limits>
#include <map>
#include <new>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/memory/memory.h"
#include "core/base/memory/memory_budget.h"
#include "core/session/files/given_sources.h"
#include "core/session/load/log_evidence.h"
#include "core/session/load/rank_by_rank.h"
#include "core/session/packed/known_damage.h"
#include "core/session/packed/packed_trace.h"
#include "core/store/segments/compose.h"

namespace tv {
namespace {

// t + by, saturating, so that an open end stays open.
Ns moved(Ns t, Ns by) {
  Ns sum = 0;
  if (!__builtin_add_overflow(t, by, &sum)) return sum;
  return by > 0 ? std::numeric_limits<Ns>::max() : std::numeric_limits<Ns>::min();
}

// The window in a file, as it was placed in a view of everything. Times since the epoch are those before runs were aligned.
FileRange window_in(const SourceInfo& placed, const Trace& view, const TimeRange& window, LoadChoice::Clock clock) {
  const ClockShift<AlignedTime, FileTime> to_file = placed.shift.inverse();
  const Ns by = clock == LoadChoice::Clock::FromBegin ? (view_origin(view) + to_file).by : (placed.aligned + to_file).by;
  return FileRange::of({moved(window.begin, by), moved(window.end, by)});
}

// Whether an earlier load read the file in another state. Detects a rewrite even with the same size and timestamp.
bool is_replaced(const std::string& path, const FilesByPath& earlier, const FilesByPath& now) {
  const auto was = earlier.find(path), is = now.find(path);
  return was != earlier.end() && is != now.end() && was->second != is->second;
}

}  // namespace

double LoadStatus::seconds_left() const {
  const double rate = bytes_per_second();
  return rate > 0 && seconds > 0.2 ? static_cast<double>(bytes_total - bytes_done) / rate : -1;
}

LoadJob::LoadJob(std::vector<std::string> paths, ThreadPool& pool, LoadOptions options,
                 std::function<void(std::shared_ptr<const Snapshot>)> publish, EarlierLoad earlier)
    : paths_(std::move(paths)),
      pool_(pool),
      options_(std::move(options)),
      publish_(std::move(publish)),
      files_(pool, options_, memory_),
      reused_(earlier.segments),
      builder_(pool, options_, memory_, earlier.logs, earlier.built),
      views_(pool, options_, earlier.clocks, earlier.shown),
      earlier_states_(earlier.states),
      left_(std::move(earlier)) {
  if (options_.follow) options_.cache = {};
  try {
    thread_ = std::jthread([this](std::stop_token stop) { run(stop); });
  } catch (const std::system_error&) {
    run({});  // the system gives no more threads: this thread loads, and the caller waits
  }
}

LoadJob::~LoadJob() {
  thread_.request_stop();
  if (thread_.joinable()) thread_.join();
}

LoadStatus LoadJob::status() const {
  LoadStatus status;
  status.stage = stage_.load();
  status.bytes_total = files_.bytes();
  status.bytes_done = std::min(status.running() ? files_.bytes_done() : final_bytes_.load(), status.bytes_total);
  status.files_done = files_.files_done();
  status.files_total = files_total_.load();
  status.seconds = status.running() ? seconds() : final_seconds_.load();
  return status;
}

void LoadJob::run(std::stop_token stop) {
  bool published = false;
  try {
    const std::uint64_t limit = options_.memory_limit;
    memory_.begin(limit > 0 ? limit - std::min(limit - 1, reused_.bytes()) : available_memory() / 10 * 9);
    const OnBudget charged(memory_.budget());
    published = load(stop);
  } catch (const std::bad_alloc&) {
    memory_.run_out({});
  }
  if (memory_.has_run_out()) published = !options_.stays && publish_nothing(stop);
  if (options_.follow) read_states_.unknown = files_.never_known();
  final_seconds_ = seconds();
  final_bytes_ = files_.bytes_read();
  stage_ = published ? LoadStatus::Stage::Done : LoadStatus::Stage::Cancelled;
  try {
    // The view is shown already. A failure is not reported, because it only makes the next start slower.
    if (!times_.nothing_read && !too_large() && write_cache(stop)) times_.cached = seconds();
    if (!read_.empty() || !reused_.taken().empty()) trim_cache(options_.cache, entries_in_use());
  } catch (const std::exception&) {
  }
  read_.clear();
  files_.drop_heads();
}

bool LoadJob::load(std::stop_token stop) {
  find();
  SegmentStore::Reading reading = share(stop);
  const std::stop_callback cancelled(stop, [&reading] { reading.end(); });  // other tabs need not wait for a cancelled load
  if (stop.stop_requested()) return false;
  builder_.reuse_logs(files_.sources());
  open_packed_traces();
  times_.found = seconds();
  reuse(segment_choice(options_, files_.sources()));
  if (!memory_.has_run_out()) probe(stop);
  if (!memory_.has_run_out()) reuse_logs();
  if (options_.again && !files_.any_to_read()) {
    reused_.give_up(0, files_.sources());
    builder_.read_logs_again(files_.sources());
    probe(stop);
  }
  if (options_.choice.window && files_.any_to_read() && !reused_.taken().empty()) {  // measuring reads all files
    reused_.give_up(0, files_.sources());
    probe(stop);
  }
  if (!files_.any_to_read()) {
    const auto is_built = [](const auto& source) { return source->reader && !source->reused; };
    times_.nothing_read = std::ranges::none_of(files_.sources(), is_built) && !(packed_.empty() && reused_.taken().empty());
  } else if (!memory_.has_run_out()) {
    if (options_.choice.window) measure_window(stop);
    if (!memory_.has_run_out() && !stop.stop_requested()) {
      stage_ = LoadStatus::Stage::Reading;
      read(LoadFiles::Pass::All, stop);
      if (too_large() && !stop.stop_requested() && can_read_rank_by_rank()) read_rank_by_rank(stop);
    }
  }
  times_.read = seconds();
  const bool is_part = options_.stays && too_large() && !files_.any_read_alone();
  if (memory_.has_run_out() || is_part || stop.stop_requested()) return false;
  stage_ = LoadStatus::Stage::Building;
  return publish_read(true, stop);
}

// ---- what is open, and what need not be read

void LoadJob::find() {
  GivenSources found = given_sources(paths_, options_.clocks, options_.seen.get());
  archives_ = std::move(found.archives);
  // These states were taken before any read. A later change may or may not be in the data, so it leads to another read.
  if (options_.follow) read_states_.files = std::move(found.states);
  if (options_.follow) read_states_.closed.insert(options_.closed.begin(), options_.closed.end());
  found_ = true;
  for (SourceInfo& info : found.sources) {
    if (options_.closed.contains(info.path)) continue;
    auto source = std::make_unique<LoadSource>(std::move(info));
    source->replaced = is_replaced(source->path, earlier_states_, read_states_.files);
    files_.sources().push_back(std::move(source));
  }
  files_total_ = files_.sources().size();
  earlier_states_.clear();
}

// Waits for other tabs that are loading these files, then reuses the segments that they show.
SegmentStore::Reading LoadJob::share(std::stop_token stop) {
  if (!options_.store || options_.follow || options_.again) return {};
  std::set<std::string_view> paths;
  for (const auto& source : files_.sources()) paths.insert(source->path);
  stage_ = LoadStatus::Stage::Waiting;
  SegmentStore::Reading reading = options_.store->read(paths, segment_choice(options_, files_.sources()), stop);
  stage_ = LoadStatus::Stage::Finding;
  reused_.add_shown(options_.store->find(paths));
  return reading;
}

// A packed trace already is a segment, so its file is no longer among those to be read.
void LoadJob::open_packed_traces() {
  LoadSources& sources = files_.sources();
  const auto known = reused_.packed();
  const auto open = [&](const SourceInfo& info) -> Result<PackedSegment> {
    const auto found = known.find(info.path);
    const bool same = found != known.end() && found->second->key.files.front().identity == FileIdentity{info.bytes, info.modified_ns};
    if (same && !is_known_damaged(info.path)) return PackedSegment{found->second->segment, found->second->index};
    return open_packed(info.path, pool_, options_.check_packed ? PackedCheck::All : PackedCheck::Tables);
  };
  std::vector<std::optional<Result<PackedSegment>>> opened(sources.size());  // nullopt: not a packed trace
  pool_.parallel_for(opened.size(), [&](std::size_t s) {
    const LoadSource& source = *sources[s];
    if (source.reused_log || memory_.has_run_out()) return;
    try {
      Result<bool> is_packed = is_packed_trace(source.path);
      if (!is_packed) opened[s] = is_packed.error();
      else if (*is_packed) opened[s] = open(source.draft.info());
    } catch (const std::bad_alloc&) {
      memory_.run_out(source.path);
    }
  });
  for (std::size_t s = 0; s < opened.size() && !memory_.has_run_out(); ++s) {
    std::unique_ptr<LoadSource>& source = sources[s];
    if (!opened[s]) continue;
    try {
      if (!*opened[s]) {
        reject(source->draft, opened[s]->error());
        note_damage(source->draft, opened[s]->error());
        continue;
      }
      PackedSegment& segment = opened[s]->value();
      const auto is_closed = [&](const SourceInfo& packed) { return options_.closed.contains(packed.path); };
      if (!segment.trace->sources.empty() && std::ranges::all_of(segment.trace->sources, is_closed)) {
        --files_total_;
        source.reset();
        continue;
      }
      packed_.add(source->draft.info(), std::move(segment), options_.clocks);
      files_.note_done();
      source.reset();
    } catch (const std::bad_alloc&) {
      memory_.run_out(source->path);
    }
  }
  std::erase(sources, nullptr);
  if (packed_.empty() || memory_.has_run_out()) return;
  packed_.leave_out_unchosen(options_.choice);
  std::vector<SourceInfo> infos;
  for (const auto& source : sources) infos.push_back(source->draft.info());
  const std::vector<bool> copies = packed_.leave_out_copies(infos);
  for (std::size_t s = 0; s < copies.size(); ++s) {
    if (!copies[s]) continue;
    sources[s].reset();
    --files_total_;
  }
  std::erase(sources, nullptr);
}

void LoadJob::reuse(const std::string& choice) {
  reused_.take(choice, files_.sources());
  if (memory_.has_run_out() || options_.again) return;
  reused_.add_cached(options_.cache, choice, files_.sources(), memory_.limit(), pool_);
  reused_.take(choice, files_.sources());
}

void LoadJob::probe(std::stop_token stop) {
  reused_.leave_out(files_.probe(stop));
}

// Reuses all logs or none: the times of each log depend on the others, and on each trace that is still to be read.
void LoadJob::reuse_logs() {
  const auto is_missing_log = [](const auto& source) { return source->reader && source->reader->is_log && !source->reused; };
  const auto is_new_trace = [](const auto& source) { return source->is_to_be_read() && !source->reader->is_log; };
  const LoadSources& sources = files_.sources();
  if (std::ranges::none_of(sources, is_missing_log) || std::ranges::any_of(sources, is_new_trace)) return;
  const std::size_t before = reused_.taken().size();
  reuse(logs_key({}));
  if (std::ranges::any_of(sources, is_missing_log)) reused_.give_up(before, sources);
}

std::string LoadJob::logs_key(const Segments& read) const {
  const LoadSources& sources = files_.sources();
  const std::string choice = segment_choice(options_, sources) + (options_.follow ? "; followed" : "");  // followed logs lack unfinished last lines
  return tv::logs_key(choice, sources, {timed_files(packed_, reused_.taken(), read), other_rollouts(packed_, sources)});
}

// ---- reading

void LoadJob::read(LoadFiles::Pass pass, std::stop_token stop) {
  files_.read(pass, stop, [&](const std::atomic<std::size_t>& readers_left) {
    if (pass == LoadFiles::Pass::All) publish_on_the_way(stop, readers_left);
  });
}

// Finds the position of the time window: reads only an outline of each file, then aligns all clocks as for a view.
void LoadJob::measure_window(std::stop_token stop) {
  stage_ = LoadStatus::Stage::Measuring;
  std::vector<SourceInfo> infos;
  for (const auto& source : files_.sources()) infos.push_back(source->draft.info());
  read(LoadFiles::Pass::Outline, stop);
  std::vector<SourceView> views = builder_.read_data(files_.sources(), true);
  place(views);
  const Segments segments = builder_.build(std::move(views), false, measured_, stop);
  if (std::ranges::count(segments, nullptr) > 0) return;
  const auto view = compose(segments, options_.place_by, {}, {}, options_.align, segments.size(), &pool_);
  if (!view) return;
  const Trace& outline = *view.value();
  measured_ = outline.align;
  std::map<std::string_view, const SourceInfo*> placed;
  for (const SourceInfo& source : outline.sources) placed[source.path] = &source;
  files_.count_again();
  for (std::size_t s = 0; s < infos.size(); ++s) {
    LoadSource& source = *files_.sources()[s];
    if (!placed.contains(source.path)) continue;
    const SourceInfo& measured = *placed[source.path];
    // The segment is built where its outline was placed. The user's offset is added again when it is built.
    source.clock_base = ClockShift<FileTime, BuiltTime>{measured.shift.by} - infos[s].clock_offset;
    infos[s].clock_fit = measured.clock_fit;  // already in the shift, so not added again
    infos[s].aligned = measured.aligned;      // already in the shift, too
    source.window = window_in(measured, outline, *options_.choice.window, options_.choice.clock);
    source.progress.bytes = source.progress.handed_over = 0;
    source.draft.restart(std::move(infos[s]));
  }
  files_.count_bytes();
}

// A time window is excluded, because its position depends on all files.
bool LoadJob::can_read_rank_by_rank() const {
  return !options_.cache.folder.empty() && archives_.empty() && !options_.choice.window && !files_.by_contents() &&
         files_by_rank(files_.sources()).size() > 1;
}

// Called after all files together turned out to be too large.
void LoadJob::read_rank_by_rank(std::stop_token stop) {
  constexpr double kBetweenViews = 9;  // pause in durations of a view, so that views take a tenth of the time
  files_.restart();
  memory_.begin_again();
  const std::size_t known = reused_.known().size();
  double next_view = 0;
  const std::vector<std::vector<LoadSource*>> ranks = files_by_rank(files_.sources());
  for (const std::vector<LoadSource*>& rank : ranks) {
    if (stop.stop_requested() || memory_.has_run_out()) return;
    read_rank(rank, stop);
    const double began = seconds();
    if (!options_.progressive || &rank == &ranks.back() || began < next_view || reused_.known().size() == known) continue;
    Segments done;
    for (std::size_t s = known; s < reused_.known().size(); ++s) done.push_back(reused_.known()[s].segment);
    publish(done, false, stop);
    next_view = seconds() + kBetweenViews * (seconds() - began);
  }
  reused_.take(segment_choice(options_, files_.sources()), files_.sources());
  files_.count_again();
  files_.note_read_alone();
  if (!memory_.has_run_out() && !stop.stop_requested()) read(LoadFiles::Pass::All, stop);  // only logs are left
}

void LoadJob::read_rank(const std::vector<LoadSource*>& files, std::stop_token stop) {
  std::vector<std::string> paths;
  for (const LoadSource* const file : files) paths.push_back(file->path);
  std::shared_ptr<const Snapshot> read;
  std::shared_ptr<const TooLarge> too_large;
  {
    LoadJob job(std::move(paths), pool_, options_of_rank(options_, memory_.limit()), [&read](auto snapshot) { read = std::move(snapshot); });
    const std::stop_callback cancel(stop, [&job] { job.cancel(); });
    job.wait();
    too_large = job.too_large();
  }
  if (stop.stop_requested()) return;
  const auto reject_all = [&](const std::string& reason) {
    for (LoadSource* const file : files) reject(file->draft, Error{reason, {}, {}, {}});
  };
  if (too_large) {
    memory_.refuse(too_large);
    return reject_all("does not fit into memory, even alone: " + too_large->amounts());
  }
  if (!read) return reject_all("it was not read");
  CachedRank cached = cache_rank(*read, options_.cache, segment_choice(options_, files_.sources()), pool_, stop);
  if (stop.stop_requested()) return;
  for (HeldSegment& segment : cached.segments) reused_.add(std::move(segment));
  if (!cached.failure.empty()) return reject_all(cached.failure);
  for (LoadSource* const file : files) {
    file->progress.bytes = file->draft.info().bytes;
    files_.note_done();
  }
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

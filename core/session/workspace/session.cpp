#include "core/session/workspace/session.h"

#include <algorithm>
#include <unordered_set>

#include "core/base/text/path_parts.h"
#include "core/session/load/segment_groups.h"
#include "core/session/packed/known_damage.h"
#include "core/session/records/load_args.h"
#include "core/store/trace/trace_builder.h"

namespace tv {

namespace {
// Shared by all sessions: caches keyed by generation must not mix up two sessions.
std::atomic<std::uint64_t> last_generation = 0;
}  // namespace

std::shared_ptr<const Snapshot> empty_snapshot(ThreadPool& pool) {
  auto snapshot = std::make_shared<Snapshot>();
  snapshot->trace = build_trace({}, pool);
  snapshot->index = build_index(*snapshot->trace, pool);
  snapshot->complete = true;
  return snapshot;
}

Session::Session(ThreadPool& pool, std::function<void()> wake, LoadOptions options)
    : pool_(pool), wake_(std::move(wake)), options_(std::move(options)), read_(options_), args_(pool, wake_) {
  snapshot_.store(empty_snapshot(pool));
  if (options_.follow) following_ = std::make_unique<Following>(wake_);
}

Session::~Session() = default;

// Destroys the job on another thread, because ending a running one can take a few milliseconds.
template <class Job>
void Session::retire(std::unique_ptr<Job> job) {
  std::erase_if(retiring_, [](const Retiring& old) { return old.ended->load(); });
  if (!job) return;
  job->cancel();
  auto ended = std::make_shared<std::atomic<bool>>(false);
  retiring_.push_back({ended, std::jthread([old = std::move(job), ended]() mutable {
                         old.reset();
                         *ended = true;
                       })});
}

void Session::open(std::vector<std::string> paths, bool add, const std::optional<LoadChoice>& part) {
  if (!add) paths_.clear(), read_.closed.clear();
  std::unordered_set<std::string> open(paths_.begin(), paths_.end());
  for (std::string& path : paths) {
    read_.closed.erase(path);
    erase_below(read_.closed, path);
    if (open.insert(path).second) paths_.push_back(std::move(path));
  }
  if (!add) retire(std::move(job_));
  if (!add) read_ = options_;
  read_.choice = part.value_or(options_.choice);
  start();
}

void Session::reload() { start({.believe_cache = false, .again = true}); }

void Session::read_as(ReadSettings read) {
  read.clocks = within_bounds(read.clocks);
  if (read == read_) return;
  const bool same_part = read.choice == read_.choice;
  read_ = std::move(read);
  if (!paths_.empty()) start({.progressive = !same_part});
}

void Session::close() {
  retire(std::move(job_));
  paths_.clear();
  read_.closed.clear();
  if (following_) following_->began({});
  publish(begin_load(), empty_snapshot(pool_));
}

void Session::close_files(const std::set<std::string>& files) {
  const std::set<std::string> given(paths_.begin(), paths_.end());
  std::erase_if(paths_, [&](const std::string& path) { return files.contains(path); });
  const std::set<std::string_view> left(paths_.begin(), paths_.end());
  for (const std::string& file : files) {
    bool in_folder = false;
    for_each_folder_of(file, [&](std::string_view folder) { in_folder |= left.contains(folder); });
    if (!given.contains(file) || in_folder) read_.closed.insert(file);
  }
  if (paths_.empty()) return close();
  start({.progressive = false});
}

void Session::go_back_to(Opened opened) {
  retire(std::move(job_));
  paths_ = std::move(opened.paths);
  read_ = std::move(opened.read);
  const bool complete = opened.snapshot->complete;
  publish(begin_load(), std::move(opened.snapshot));
  if (!complete) start();  // the earlier load had not read everything
  if (complete && following_ && !paths_.empty()) start({.progressive = false, .quiet = true});  // files may have changed since
}

void Session::cancel() {
  if (job_) job_->cancel();
}

void Session::start(const How& how) {
  if (paths_.empty()) return close();  // without files there is nothing to read
  LoadOptions options = options_;
  static_cast<ReadSettings&>(options) = read_;
  options.progressive &= how.progressive;
  options.cache.believe = how.believe_cache;
  options.again = how.again;
  options.follow = following_ != nullptr;
  options.stays = options.follow && (how.quiet || how.again) && shows_all();
  options.seen = following_ && !how.again ? following_->seen(paths_) : nullptr;
  options.hold_logs = true;
  EarlierLoad earlier = job_ ? job_->left() : EarlierLoad();
  retire(std::move(job_));
  const std::uint64_t number = begin_load();
  quiet_ = how.quiet;
  if (following_) following_->began(paths_);
  job_ = std::make_unique<LoadJob>(
      paths_, pool_, options,
      [this, number, quiet = how.quiet](std::shared_ptr<const Snapshot> snapshot) { publish(number, std::move(snapshot), quiet); },
      std::move(earlier));
}

// Whether the shown snapshot is complete, with no source cut for lack of memory.
bool Session::shows_all() const {
  const auto shown = snapshot();
  const auto is_part = [](const SourceInfo& source) { return source.state == SourceState::Part; };
  return shown->complete && !shown->trace->lanes.empty() && std::ranges::none_of(shown->trace->sources, is_part);
}

bool Session::is_old() const { return following_ && following_->old(); }

// Every load has a number, which distinguishes its snapshots from late ones of a cancelled load.
std::uint64_t Session::begin_load() {
  const std::lock_guard lock(publish_mutex_);
  return ++load_;
}

void Session::publish(std::uint64_t load, std::shared_ptr<const Snapshot> snapshot, bool quiet) {
  auto numbered = std::make_shared<Snapshot>(*snapshot);
  const auto before = snapshot_.load();  // keeps the old snapshot alive until after the lock
  if (quiet && snapshot->trace->lanes.empty() && !before->trace->lanes.empty()) return;
  {
    const std::lock_guard lock(publish_mutex_);
    if (load != load_) return;
    numbered->generation = ++last_generation;
    snapshot_.store(std::move(numbered));
  }
  if (wake_) wake_();
}

// Starting to follow reloads at once. Ending it reloads only if there are logs, because unfinished last lines are left out while
// following.
void Session::follow(bool on) {
  if (on == following()) return;
  if (on) {
    following_ = std::make_unique<Following>(wake_);
  } else {
    retire(std::move(following_));
  }
  const bool logs = std::ranges::any_of(snapshot()->trace->sources, is_log);
  if (!paths_.empty() && (on || logs)) start({.progressive = false, .quiet = true});
}

void Session::follow_up(double now_s, bool working) {
  if (!following_) return;
  const bool reading = status().running();
  if (job_ && following_->reading() && !reading && !working) {
    const bool view_stays = job_->status().stage == LoadStatus::Stage::Cancelled && job_->too_large() && shows_all();
    following_->ended(now_s, job_->read_states(), view_stays ? "memory ran out" : "");
  }
  if (following_->step(now_s, working || reading)) start({.progressive = false, .quiet = true});
}

void Session::give_up_damaged() {
  if (const std::uint64_t damage = look_for_damage(); std::exchange(damage_seen_, damage) == damage) return;
  const auto is_damaged = [](const HeldSegment& held) {
    const bool packed = held.key.choice == kPackedChoice && !held.key.files.empty();
    return is_known_damaged(packed ? held.key.files.front().path : held.part);
  };
  if (job_ && (status().running() || std::ranges::any_of(job_->left().segments, is_damaged))) start({.progressive = false});
}

std::string Session::follow_text() const {
  if (!following_ || paths_.empty()) return {};
  const auto is_shown = [](const SourceInfo& source) {
    return source.state != SourceState::Rejected && source.state != SourceState::NotReadYet && source.state != SourceState::LeftOut;
  };
  return following_->words(static_cast<std::size_t>(std::ranges::count_if(snapshot()->trace->sources, is_shown)));
}

void Session::search_records(const Snapshot& snapshot, const std::string& text) {
  retire(std::move(search_));
  if (!text.empty()) search_ = std::make_unique<RecordSearch>(snapshot.trace, text, pool_, wake_);
}

LoadStatus Session::status() const { return job_ ? job_->status() : LoadStatus{}; }

Session::Args Session::args(const Snapshot& snapshot, SliceId slice) {
  const ItemRef ref = snapshot.trace->ref_of(slice);
  const SourceInfo& source = snapshot.trace->sources[idx(ref.source())];
  const ArgsKey key{source.path, ref.offset(), source.modified_ns};
  auto view = args_.get(key, [source, ref](const ArgsKey&) { return load_args(source, ref); });
  if (!view.fresh) return {};
  return {std::move(view.value)};
}

}  // namespace tv

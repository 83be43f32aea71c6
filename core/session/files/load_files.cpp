#include "core/session/files/load_files.h"

#include <algorithm>
#include <exception>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/memory/memory_budget.h"
#include "core/io/files/open_stream.h"
#include "core/io/streams/whole_lines.h"
#include "core/session/files/given_sources.h"
#include "core/store/clock/time_window.h"
#include "core/store/trace/keep_ranks.h"

namespace tv {

std::uint64_t LoadFiles::sum_of(std::atomic<std::uint64_t> ReadProgress::* measure) const {
  std::uint64_t sum = 0;
  for (const auto& source : sources_) sum += (source->progress.*measure).load(std::memory_order_relaxed);
  return sum;
}

// ---- before reading

std::set<std::string_view> LoadFiles::probe(std::stop_token stop) {
  pool_.parallel_for(sources_.size(), [&](std::size_t i) { tv::probe(*sources_[i], options_.choice); }, stop);
  std::set<std::string_view> paths;
  for (LeftOut& left_out : shown_by_others(sources_)) {
    paths.insert(left_out.source->path);
    left_out.source->reused = false;
    left_out.source->reader = nullptr;
    left_out.source->draft.edit_info([&](SourceInfo& info) {
      info.state = SourceState::LeftOut;
      info.reason = std::move(left_out.reason);
    });
  }
  count_bytes();
  probed_ = true;
  return paths;
}

void LoadFiles::count_bytes() {
  std::uint64_t total = 0;
  for (const auto& source : sources_) {
    if (source->is_to_be_read()) total += source->draft.info().bytes;
  }
  bytes_total_ = total;
}

bool LoadFiles::any_to_read() const {
  return std::ranges::any_of(sources_, [](const auto& source) { return source->is_to_be_read(); });
}

void LoadFiles::restart() {
  for (const auto& source : sources_) {
    SourceInfo info = source->draft.info();
    static_cast<void>(source->draft.take());
    if (!source->reader) continue;
    info.state = SourceState::Waiting;
    info.reason.clear();
    info.problems = {};
    source->draft.restart(std::move(info));
    source->progress.bytes = source->progress.handed_over = 0;
    source->weighed = 0;
    source->items = 0;
  }
  files_done_ = 0;
}

// ---- reading

void LoadFiles::set_filters(Pass pass) {
  for (const auto& source : sources_) {
    if (pass == Pass::Outline) {
      source->draft.set_filter([](EventBatch& batch) { batch = outline_of(batch); });
      continue;
    }
    source->draft.set_filter([this, &source = *source](EventBatch& batch) {
      if (source.window) crop(batch, *source.window);
      if (options_.follow) batch.problems.forget(ProblemKind::truncated_record);  // the file is being written
      const std::uint64_t items = batch.slices.size() + batch.halves.size() + batch.instants.size() + batch.samples.size() +
                                  batch.flows.size();
      memory_.add(source, items, bytes_expected(), sources_);
    });
  }
}

// If the selection depends on the contents, all later files may turn out to be left out. So only files whose reading has begun
// count.
std::uint64_t LoadFiles::bytes_expected() const { return by_contents() ? bytes_begun_.load() : bytes_total_ - bytes_read_alone_; }

void LoadFiles::count_begun(LoadSource& source, std::uint64_t bytes) { bytes_begun_ += bytes - std::exchange(source.counted, bytes); }

void LoadFiles::read(Pass pass, std::stop_token stop,
                     const std::function<void(const std::atomic<std::size_t>& readers_left)>& meanwhile) {
  set_filters(pass);
  const std::stop_callback end_reading(stop, [this] { memory_.stop_reading(); });
  // Each coordinator takes one file at a time; the pool parses the file's chunks.
  std::atomic<std::size_t> next = 0;
  const std::size_t threads = std::min<std::size_t>(std::max(2u, pool_.size()), std::max<std::size_t>(sources_.size(), 1));
  std::atomic<std::size_t> readers_left = threads;
  std::vector<std::jthread> coordinators;
  const auto coordinate = [&] {
    try {
      const OnBudget charged(memory_.budget());
      for (std::size_t i = next++; i < sources_.size() && !stop.stop_requested(); i = next++) {
        if (sources_[i]->is_to_be_read()) read(*sources_[i], pass, memory_.reading());
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
    // The system gives no more threads: those that were started do all the work, or this thread if there are none.
    readers_left -= threads - coordinators.size();
    if (coordinators.empty()) {
      ++readers_left;
      coordinate();
    }
  }
  try {
    meanwhile(readers_left);
  } catch (const std::bad_alloc&) {
    memory_.run_out({});
  }
}

void LoadFiles::read(LoadSource& source, Pass pass, std::stop_token stop) {
  const auto finish = [&](SourceState state, std::string reason) {
    source.draft.edit_info([&](SourceInfo& info) {
      info.state = state;
      info.reason = std::move(reason);
    });
  };
  finish(SourceState::Reading, {});
  // Libraries may throw (regex), which must not affect other files. But all files share the memory: running out ends the load.
  try {
    auto stream = open_stream(source.path);
    if (stream && options_.follow && source.reader->is_log) stream = whole_lines(std::move(*stream));
    if (!stream) return reject(source.draft, stream.error());
    (*stream)->note_checkpoints(source.draft.info().checkpoints);
    ReadContext context{source.path,     source.head, **stream, source.draft, pool_,
                        source.progress, stop,        chunk_bytes(source), options_.tools};
    if (by_contents()) context.wanted = [this](const SourceInfo& info) { return wanted(info); };
    count_begun(source, source.draft.info().bytes);
    Result<void> result = source.reader->read(context);
    const bool all = !source.window && !by_contents() && !stop.stop_requested();
    const bool readable = note_end(source.draft, **stream, {std::move(result), source.items, all, options_.follow});
    if (pass == Pass::All) source.head = {};
    if (stop.stop_requested()) {
      return memory_.too_large() ? finish(SourceState::Part, "not all of it was read: it does not fit into memory")
                                 : finish(SourceState::Cancelled, "cancelled");
    }
    if (!readable) return;
    const SourceInfo info = source.draft.info();
    const bool is_training_log = source.draft.has_metrics();  // it describes all ranks
    bool any_lane_wanted = true;
    source.draft.edit_lanes([&](const LaneSpecs& lanes, SourceInfo&) { any_lane_wanted = any_wanted(lanes, options_.choice.ranks); });
    if (!is_training_log && (!any_lane_wanted || !wanted(info))) {
      static_cast<void>(source.draft.take());
      memory_.forget(source);
      count_begun(source, 0);
      source.progress.bytes = source.progress.handed_over = 0;
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

bool LoadFiles::wanted(const SourceInfo& info) const {
  return chosen(options_.choice.ranks, info.rank) && chosen(options_.choice.roles, info.role);
}

// Each chunk has a fixed cost, mainly its name table, so chunks should be large; but small chunks keep all threads busy.
std::size_t LoadFiles::chunk_bytes(const LoadSource& source) const {
  constexpr std::uint64_t kLeast = 1 << 20, kMost = 8 << 20;
  if (options_.chunk_bytes > 0) return options_.chunk_bytes;
  return static_cast<std::size_t>(std::clamp(source.draft.info().bytes / (4 * pool_.size()), kLeast, kMost));
}

// ---- after reading

void LoadFiles::note_read_alone() {
  for (const auto& source : sources_) bytes_read_alone_ += source->reused ? source->draft.info().bytes : 0;
}

void LoadFiles::drop_heads() {
  for (const auto& source : sources_) source->head = {};
}

// Only the beginning of a file identifies its format (given_sources.h), so a longer file stays unknown when it grows.
std::set<std::string, std::less<>> LoadFiles::never_known() const {
  constexpr std::uint64_t kLongestBeginning = 1 << 20;
  std::set<std::string, std::less<>> paths;
  for (const auto& source : sources_) {
    const auto is_unknown = [](const SourceInfo& info) {
      const bool unread = info.state == SourceState::Rejected || info.state == SourceState::NotReadYet;
      return unread && !info.refused && info.bytes >= kLongestBeginning;
    };
    if (source->draft.ask(is_unknown)) paths.insert(source->path);
  }
  return paths;
}

}  // namespace tv

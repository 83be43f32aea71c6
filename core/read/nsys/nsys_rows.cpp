#include "core/read/nsys/nsys_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <unordered_map>
#include <utility>

#include "core/read/nsys/nsys_names.h"
#include "core/store/draft/item_ref.h"
#include "core/store/rules/work_rules.h"

namespace tv {
namespace {

using namespace nsys_column;

constexpr int kRowsBetweenStops = 1024;
constexpr std::string_view kLaunch = "launch";  // key of the arrows from calls to GPU work; their ids are launch keys

NsysLane kernel_lane(std::string_view name) {
  const CommunicationRule* const rule = communication_rule(name);
  if (!rule || !rule->communicates()) return NsysLane::Kernels;
  return rule->family == "NCCL" ? NsysLane::Nccl : NsysLane::Communication;
}

class RowRead {
 public:
  RowRead(const NsysReportInfo& info, const NsysTable& table, std::size_t index, const NsysKnown& known, NsysRoom& room)
      : info_(info), table_(table), index_(index), known_(known), slices_(room.slices) {
    track_.table = static_cast<std::uint16_t>(index);
    slices_.clear();
    out_.work = std::exchange(room.work, {});
    out_.work.clear();
  }

  NsysBatch run(SqliteRows& rows, RowRange range, std::stop_token stop) {
    reserve(range);
    std::int64_t last = range.first;
    for (int until_stop = kRowsBetweenStops; rows.next();) {
      if (--until_stop == 0) {
        if (stop.stop_requested()) break;
        until_stop = kRowsBetweenStops;
      }
      last = row_ = rows.integer_or(kRowId, last);
      offset_ = index_ < kProjectedTable ? nsys_offset(index_, last) : ItemRef::kMaxOffset;
      read_row(rows);
      if (rows.take_not_an_integer()) problem(ProblemKind::not_an_integer, last);
    }
    if (!rows.error().empty()) {
      out_.events.problems.add(ProblemKind::unreadable_rows, 0,
                               fmt::format("{}, from about row {} on: {}", table_.table.name, last, rows.error()));
      // If row numbers have gaps, the number of missing rows is not known.
      const auto more = static_cast<std::uint64_t>(range.last) - static_cast<std::uint64_t>(last);
      if (!table_.end_unknown && !table_.gaps && more > 1) out_.events.problems.add_count(ProblemKind::unreadable_rows, more - 1);
    }
    if (table_.rows == NsysRows::MemoryUse) sum_memory();
    out_.events.slices = SliceBlock(slices_);
    out_.launches = launches_.take();
    return std::move(out_);
  }

 private:
  // Reserving too much costs little, because pages that stay unused are never touched.
  void reserve(RowRange range) {
    constexpr std::uint64_t kMost = 1 << 18;
    const std::uint64_t span = static_cast<std::uint64_t>(range.last) - static_cast<std::uint64_t>(range.first);
    if (table_.gaps || span > kMost) return;
    const auto rows = static_cast<std::size_t>(span) + 1;
    const bool device = table_.rows <= NsysRows::Sync, launches = table_.rows == NsysRows::Api && !known_.work.empty();
    if (device || launches) out_.events.flows.reserve(rows);
    if (device) out_.work.reserve(rows);
    if (launches && known_.ranges) launches_.expect(rows);
  }

  void problem(ProblemKind kind, std::int64_t row) {
    out_.events.problems.add(kind, 0, fmt::format("{} row {}", table_.table.name, row));
  }

  void read_row(SqliteRows& row) {
    const auto begin = row.integer(kBegin);
    if (!begin || !is_time(*begin)) return problem(ProblemKind::bad_time, row.integer_or(kRowId, -1));
    begin_ = *begin;
    switch (table_.rows) {
      case NsysRows::Kernel:
      case NsysRows::Memcpy:
      case NsysRows::Memset:
      case NsysRows::Graph:
      case NsysRows::Sync: return device_row(row);
      case NsysRows::Api:
      case NsysRows::Call: return call_row(row);
      case NsysRows::Nvtx: return nvtx_row(row);
      case NsysRows::Scheduling: return scheduling_row(row);
      case NsysRows::MemoryUse: return memory_row(row);
      case NsysRows::Metric: return metric_row(row);
      case NsysRows::Event: return event_row(row);
    }
  }

  // --- places ---

  std::uint32_t track(const NsysTrack& wanted) { return last_track_ = track(wanted, last_track_); }

  // `last` is tried first: most rows lie on the track of the row before.
  std::uint32_t track(const NsysTrack& wanted, std::uint32_t last) {
    if (last != UINT32_MAX && wanted == out_.tracks[last]) return last;
    const auto [known, is_new] = places_.try_emplace(wanted, static_cast<std::uint32_t>(out_.tracks.size()));
    if (is_new) {
      out_.tracks.push_back(wanted);
      out_.events.tracks.intern(wanted.key());
      if (wanted.owner != 0) out_.evidence.processes.insert(global_pid_of(wanted.owner));
    }
    return known->second;
  }

  NsysTrack of_thread(NsysLane lane, std::int64_t thread, std::int64_t detail = 0) const {
    NsysTrack out;
    out.lane = lane;
    out.table = lane == NsysLane::Calls || lane == NsysLane::Events ? track_.table : 0;
    out.owner = thread;
    out.detail = detail;
    return out;
  }

  // --- labels ---

  LabelId label(std::string_view category, std::string_view name) { return out_.events.labels.intern(category, name); }

  // The label for a row's text id; `make` creates it on first use.
  template <class Make>
  LabelId label_of(std::int64_t text_id, Make make) {
    if (const auto known = labels_.find(text_id); known != labels_.end()) return known->second;
    const std::uint32_t place = info_.strings.place_of(text_id);
    if (place == NsysStrings::kMissing) {
      out_.events.problems.add(ProblemKind::unnamed_event, 0, fmt::format("{}: text {}", table_.table.name, text_id));
      return label(table_.category, fmt::format("text {}", text_id));
    }
    return labels_.emplace(text_id, make(info_.strings.at(place))).first->second;
  }

  // --- slices ---

  // The length of the row's slice; kOpenEnd if the slice never ended.
  Ns duration(SqliteRows& row, std::uint8_t& flags) {
    const auto end = row.integer(kEnd);
    if (!end) {
      problem(ProblemKind::unclosed_slice, row.integer_or(kRowId, -1));
      flags |= kUnfinished;
      return kOpenEnd;
    }
    const Ns length = is_time(*end) ? *end - begin_ : -1;
    if (length < 0) {
      problem(ProblemKind::negative_duration, row.integer_or(kRowId, -1));
      flags |= kClamped;
      return 0;
    }
    return length;
  }

  void add_slice(SqliteRows& row, const NsysTrack& where, LabelId name) {
    std::uint8_t flags = 0;
    const Ns length = duration(row, flags);
    slices_.add(track(where), begin_, length, name, kNoGroup, offset_, flags);
  }

  void add_arrow(FlowPoint::Kind kind, std::uint64_t launch) {
    const auto key = static_cast<std::uint32_t>(out_.events.keys.intern(kLaunch));
    out_.events.flows.push_back({kind, FlowPoint::Bind::Record, last_track_, key, launch, begin_, offset_});
  }

  // --- rows of each kind ---

  void device_row(SqliteRows& row) {
    NsysTrack where;
    where.owner = row.integer_or(kProcess, info_.only_process());
    where.device = row.integer_or(kDevice, 0);
    LabelId name{};
    switch (table_.rows) {
      case NsysRows::Kernel: name = kernel_name(row, where.lane); break;
      case NsysRows::Memcpy:
        where.lane = NsysLane::Memory;
        name = made_once({row.integer_or(kFirstOfKind, -1), row.integer_or(kFirstOfKind + 1, -1),
                          row.integer_or(kFirstOfKind + 2, -1)},
                         [](const auto& k) { return memcpy_name(k[0], k[1], k[2]); });
        break;
      case NsysRows::Memset:
        where.lane = NsysLane::Memory;
        name = made_once({row.integer_or(kFirstOfKind, -1), 0, 0}, [](const auto& k) { return memset_name(k[0]); });
        break;
      case NsysRows::Graph:
        where.lane = NsysLane::Graphs;
        name = made_once({row.integer_or(kFirstOfKind, -1), 0, 0},
                         [](const auto& k) { return k[0] < 0 ? std::string("CUDA graph") : fmt::format("CUDA graph {}", k[0]); });
        break;
      default:
        where.lane = NsysLane::Sync;
        name = made_once({row.integer_or(kFirstOfKind, -1), 0, 0}, [](const auto& k) {
          return sync_kind_name(k[0]).empty() ? fmt::format("Synchronization, kind {}", k[0]) : std::string(sync_kind_name(k[0]));
        });
    }
    const std::int64_t context = row.integer_or(kContext, 0);
    if (where.lane == NsysLane::Sync) {
      // CUPTI gives no device for waits, and exports have 0 there.
      const auto known = known_.device_of_context.find({where.owner, context});
      if (known != known_.device_of_context.end()) where.device = known->second;
    } else {
      where.context = context;
      where.stream = row.integer_or(kStream, 0);
    }
    add_slice(row, where, name);
    const auto correlation = row.integer(kCorrelation);
    const auto launch = correlation ? launch_key(where.owner, *correlation) : std::nullopt;
    if (where.lane != NsysLane::Sync && where.owner != 0) out_.evidence.gpu_processes.insert(where.owner);
    if (!launch) return;
    add_arrow(FlowPoint::Kind::End, *launch);
    const std::int64_t device = where.lane == NsysLane::Sync ? GpuWork::kNowhere : where.device;
    out_.work.push_back({*launch, where.owner, device, begin_, begin_ + std::max<Ns>(slices_.duration.back(), 0)});
  }

  LabelId kernel_name(SqliteRows& row, NsysLane& lane) {
    auto id = row.integer(kFirstOfKind);
    if (!id) id = row.integer(kFirstOfKind + 1);
    const LabelId name = label_of(id.value_or(-1), [&](std::string_view text) { return label(table_.category, text); });
    if (idx(name) >= kernel_lanes_.size()) {
      for (std::size_t l = kernel_lanes_.size(); l < out_.events.labels.size(); ++l) {
        kernel_lanes_.push_back(kernel_lane(out_.events.labels.name(id_at<LabelId>(l))));
      }
    }
    lane = kernel_lanes_[idx(name)];
    return name;
  }

  // The label for numbers of a row; `make` names it on first use.
  using Numbers = std::array<std::int64_t, 3>;
  template <class Make>
  LabelId made_once(const Numbers& numbers, Make make) {
    const auto [known, is_new] = numbered_.try_emplace(numbers, LabelId{});
    if (is_new) known->second = label(table_.category, make(numbers));
    return known->second;
  }

  void call_row(SqliteRows& row) {
    const std::int64_t thread = row.integer_or(kThread, 0);
    const bool api = table_.rows == NsysRows::Api;
    LabelId name{};
    auto id = row.integer(kNameId);
    if (!id) id = row.integer(kNameId + 1);
    if (id) {
      name = label_of(*id, [&](std::string_view text) {
        const std::string_view call = without_api_version(text);
        return label(api ? api_category(call) : std::string_view(table_.category), call);
      });
    } else {
      name = label(table_.category, table_.lane);
    }
    add_slice(row, of_thread(thread == 0 ? NsysLane::Events : NsysLane::Calls, thread), name);
    const auto correlation = api && !known_.work.empty() ? row.integer(kCallCorrelation) : std::nullopt;
    const auto launch = correlation ? launch_key(global_pid_of(thread), *correlation) : std::nullopt;
    if (!launch) return;
    const std::span<const GpuWork> work = known_.work.of(*launch);
    // With call stacks, a call has two rows. The outer one, which belongs to the stack, gets no arrow.
    constexpr std::int64_t kCudaBacktrace = 67;
    if (work.empty() || row.integer_or(kEventClass, 0) == kCudaBacktrace) return;
    add_arrow(FlowPoint::Kind::Start, *launch);
    if (!known_.ranges) return;
    const Ns end = begin_ + std::max<Ns>(slices_.duration.back(), 0);
    for (const GpuWork& piece : work) {
      if (piece.device != GpuWork::kNowhere) launches_.add(thread, begin_, end, piece);
    }
  }

  void nvtx_row(SqliteRows& row) {
    constexpr int kType = 4, kText = 5, kTextId = 6, kDomain = 7, kEndThread = 8, kBytes = 9;
    const std::int64_t thread = row.integer_or(kThread, 0), process = global_pid_of(thread);
    const std::int64_t type = row.integer_or(kType, nvtx_type::kMark), domain = row.integer_or(kDomain, 0);
    std::string_view text = row.text(kText);
    std::string number;
    if (row.is_null(kText)) {
      if (const auto id = row.integer(kTextId)) {
        text = info_.strings.text(*id);
        if (info_.strings.place_of(*id) == NsysStrings::kMissing) {
          text = number = fmt::format("text {}", *id);
          out_.events.problems.add(ProblemKind::unnamed_event, 0, fmt::format("{}: {}", table_.table.name, text));
        }
      }
    }
    switch (type) {
      case nvtx_type::kCategory:
      case nvtx_type::kDomainEnd: return;
      case nvtx_type::kThreadName: out_.evidence.thread_names.insert_or_assign(thread, std::string(text)); return;
      case nvtx_type::kDomain: out_.evidence.domains.insert_or_assign({process, domain}, std::string(text)); return;
      default: break;
    }
    const LabelId name = label(table_.category, without_call_number(text));
    if (idx(name) >= noted_.size()) noted_.resize(idx(name) + 1, INT64_MIN);
    if (std::exchange(noted_[idx(name)], process) != process) out_.evidence.note(process, out_.events.labels.name(name));
    if (text.starts_with("ncclComm") && !row.is_null(kBytes)) {
      const std::string call(text);
      out_.evidence.note_communicator(process, info_.layouts.fields(domain, call, row.blob(kBytes)));
    }
    const bool mark = type == nvtx_type::kMark || (row.is_null(kEnd) && type != nvtx_type::kPushPop &&
                                                   type != nvtx_type::kStartEnd && type != nvtx_type::kTextPushPop &&
                                                   type != nvtx_type::kTextStartEnd);
    const bool of_process = type == nvtx_type::kStartEnd || type == nvtx_type::kTextStartEnd;
    const NsysTrack where = of_process ? of_thread(NsysLane::NvtxRanges, process, domain)
                                       : of_thread(NsysLane::Nvtx, thread, domain);
    if (mark) {
      out_.events.instants.push_back({track(where), name, begin_, offset_});
      return;
    }
    add_slice(row, where, name);
    const bool same_thread = row.is_null(kEndThread) || row.integer(kEndThread) == thread;
    const Ns length = slices_.duration.back();
    if (same_thread && length >= 0) show_on_gpus(thread, length, name);
  }

  // Adds the range's slices on GPUs. Since the row itself is shown too, they have another category.
  void show_on_gpus(std::int64_t thread, Ns length, LabelId name) {
    projected_.clear();
    known_.projection.project(thread, begin_, begin_ + length, projected_);
    if (projected_.empty()) return;
    if (idx(name) >= gpu_labels_.size()) gpu_labels_.resize(idx(name) + 1, kNone<LabelId>);
    LabelId& gpu_label = gpu_labels_[idx(name)];
    if (gpu_label == kNone<LabelId>) gpu_label = label("gpu_user_annotation", std::string(out_.events.labels.name(name)));
    for (const ProjectedRange& on_gpu : projected_) {
      NsysTrack where;
      where.lane = NsysLane::Projected;
      where.owner = on_gpu.process;
      where.device = on_gpu.device;
      last_projected_ = track(where, last_projected_);
      slices_.add(last_projected_, on_gpu.begin, on_gpu.end - on_gpu.begin, gpu_label, kNoGroup,
                  offset_ == ItemRef::kMaxOffset ? offset_ : nsys_offset(kProjectedTable, row_), 0);
    }
  }

  void scheduling_row(SqliteRows& row) {
    constexpr int kIsIn = 4;
    const bool in = row.integer_or(kIsIn, 0) != 0;
    const std::uint32_t where = track(of_thread(NsysLane::Scheduling, row.integer_or(kThread, 0)));
    out_.events.halves.push_back({in ? HalfEvent::Kind::Begin : HalfEvent::Kind::End, true, true, where, 0,
                                  label(table_.category, "running"), begin_, offset_, 0});
  }

  void memory_row(SqliteRows& row) {
    constexpr int kOwner = 3, kOnDevice = 4, kBytes = 5, kKind = 6, kOperation = 7;
    constexpr std::int64_t kRelease = 1;
    constexpr double kMebibyte = 1 << 20;
    NsysTrack where;
    where.lane = NsysLane::MemoryInUse;
    where.owner = row.integer_or(kOwner, 0);
    where.device = row.integer_or(kOnDevice, 0);
    where.detail = row.integer_or(kKind, -1);
    const auto bytes = static_cast<double>(row.integer_or(kBytes, 0));
    const bool release = row.integer_or(kOperation, 0) == kRelease;
    out_.events.samples.push_back({track(where), begin_, (release ? -bytes : bytes) / kMebibyte, false});
  }

  // Turns allocations into the memory in use after each. What was allocated before the capture is missing.
  void sum_memory() {
    std::vector<CounterSample>& samples = out_.events.samples;
    std::ranges::stable_sort(samples, {}, &CounterSample::time);
    std::map<std::uint32_t, double> in_use;
    for (CounterSample& sample : samples) sample.value = in_use[sample.track] += sample.value;
  }

  void metric_row(SqliteRows& row) {
    constexpr int kType = 3, kMetric = 4, kList = 5, kIndex = 6, kNic = 7, kValue = 8;
    const auto value = row.number(kValue);
    if (!value || !std::isfinite(*value)) return problem(ProblemKind::bad_counter, row.integer_or(kRowId, -1));
    NsysTrack where;
    where.lane = NsysLane::Metric;
    where.table = track_.table;
    const bool of_gpu = !row.is_null(kMetric);
    where.group = row.integer_or(of_gpu ? kType : kList, 0);
    where.detail = row.integer_or(of_gpu ? kMetric : kIndex, 0);
    if (!of_gpu) where.device = row.integer_or(kNic, 0);
    out_.events.samples.push_back({track(where), begin_, *value, false});
  }

  void event_row(SqliteRows& row) {
    constexpr int kOwner = 4, kName = 5, kTextId = 6, kText = 7, kNameText = 8;
    const auto thread = row.integer(kThread), process = row.integer(kOwner);
    const NsysTrack where = of_thread(NsysLane::Events, thread ? *thread : process.value_or(0) > 0 ? *process : 0);
    LabelId name{};
    if (!row.is_null(kName) || !row.is_null(kTextId)) {
      const int column = row.is_null(kName) ? kTextId : kName;
      name = label_of(row.integer_or(column, -1), [&](std::string_view text) { return label(table_.category, text); });
    } else {
      const std::string_view text = row.is_null(kText) ? row.text(kNameText) : row.text(kText);
      name = label(table_.category, text.empty() ? table_.lane : text);
    }
    if (table_.table.has("end")) return add_slice(row, where, name);
    out_.events.instants.push_back({track(where), name, begin_, offset_});
  }

  const NsysReportInfo& info_;
  const NsysTable& table_;
  const std::size_t index_;
  const NsysKnown& known_;

  SliceColumns& slices_;
  NsysBatch out_;
  LaunchesByThread launches_;
  NsysTrack track_;
  std::uint32_t last_track_ = UINT32_MAX, last_projected_ = UINT32_MAX;
  std::unordered_map<NsysTrack, std::uint32_t, NsysTrackHash> places_;
  std::unordered_map<std::int64_t, LabelId> labels_;  // by id of the text
  std::map<Numbers, LabelId> numbered_;
  std::vector<NsysLane> kernel_lanes_;      // by label
  std::vector<LabelId> gpu_labels_;         // by label
  std::vector<std::int64_t> noted_;         // by label: the process whose evidence got the name last
  std::vector<ProjectedRange> projected_;   // of the row
  std::int64_t row_ = 0;
  Ns begin_ = 0;               // of the row
  std::uint64_t offset_ = 0;
};

}  // namespace

std::optional<std::uint64_t> launch_key(std::int64_t global_pid, std::int64_t correlation) {
  if (correlation <= 0 || correlation > UINT32_MAX) return std::nullopt;
  return static_cast<std::uint64_t>(pid_of(global_pid)) << 32 | static_cast<std::uint64_t>(correlation);
}

NsysBatch read_nsys_rows(SqliteFile& file, NsysRoom& room, const NsysReportInfo& info, const NsysTable& table,
                         std::size_t table_index, RowRange range, const NsysKnown& known, std::stop_token stop) {
  auto rows = file.select(
      fmt::format("{} WHERE {} BETWEEN {} AND {}", table.select(), table.table.row_number(), range.first, range.last));
  if (!rows) {
    NsysBatch out;
    out.events.problems.add(ProblemKind::unreadable_rows, 0, fmt::format("{}: {}", table.table.name, rows.error().message));
    return out;
  }
  return RowRead(info, table, table_index, known, room).run(*rows, range, stop);
}

}  // namespace tv

#include "core/read/nsys/nsys_database.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <future>
#include <iterator>
#include <mutex>
#include <optional>
#include <utility>

#include "core/read/nsys/nsys_lanes.h"
#include "core/read/nsys/nsys_names.h"
#include "core/read/nsys/nsys_process.h"
#include "core/read/nsys/nsys_rows.h"

namespace tv {
namespace {

constexpr std::size_t kBytesPerRow = 64;  // approximately; converts chunk sizes from bytes to rows
constexpr std::int64_t kMostPieces = 4096;  // of one table

// A connection and the buffers of the thread that uses it.
struct Connection {
  SqliteFile file;
  NsysRoom room;
};

// Reuses connections, because opening one costs as much as reading a thousand rows.
class Connections {
 public:
  explicit Connections(std::string path) : path_(std::move(path)) {}

  Result<Connection> take() {
    {
      const std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        Connection connection = std::move(idle_.back());
        idle_.pop_back();
        if (!spare_work_.empty()) {
          connection.room.work = std::move(spare_work_.back());
          spare_work_.pop_back();
        }
        return connection;
      }
    }
    auto file = SqliteFile::open(path_);
    if (!file) return file.error();
    return Connection{std::move(file.value()), {}};
  }
  void give_back(Connection connection) {
    const std::lock_guard lock(mutex_);
    idle_.push_back(std::move(connection));
  }
  /// Takes back the memory that a batch used.
  void give_back(std::vector<GpuWork> work) {
    const std::lock_guard lock(mutex_);
    if (work.capacity() > 0) spare_work_.push_back(std::move(work));
  }

 private:
  std::string path_;
  std::mutex mutex_;
  std::vector<Connection> idle_;
  std::vector<std::vector<GpuWork>> spare_work_;
};

class DatabaseRead {
 public:
  DatabaseRead(ReadContext& context, const std::string& database)
      : context_(context), path_(database), connections_(database) {}

  Result<void> run() {
    auto file = SqliteFile::open(path_);
    if (!file) return file.error();
    auto tables = file->tables();
    if (!tables) return Error{tables.error().message, path_, {}, "export the report again"};
    if (!is_nsys_export(*tables)) {
      return Error{"a SQLite database, but not one that nsys export makes", path_, {}, "make one with `nsys export --type sqlite REPORT.nsys-rep`"};
    }
    note_file();
    info_ = read_report_info(*file, *tables, problems_);
    if (info_.session_start) context_.draft.set_clock_base(*info_.session_start);
    find_tables(*file, *tables);
    if (context_.wanted && !is_wanted(*file)) return {};
    NsysLanes lanes(context_.draft, info_, tables_, context_.path);
    lanes_ = &lanes;
    const auto tables_where = [&](auto is_kind) {
      std::vector<std::size_t> out;
      for (std::size_t t = 0; t < tables_.size(); ++t) {
        if (tables_[t].last_row >= tables_[t].first_row && is_kind(tables_[t].rows)) out.push_back(t);
      }
      return out;
    };
    // Each pass needs the results of the passes before it (nsys_rows.h).
    read_tables(tables_where([](NsysRows rows) { return rows < NsysRows::Sync; }));
    read_tables(tables_where([](NsysRows rows) { return rows == NsysRows::Sync; }));
    known_.work = LaunchedWork(std::exchange(work_, {}));
    known_.ranges = !tables_where([](NsysRows rows) { return rows == NsysRows::Nvtx; }).empty();
    read_tables(tables_where([](NsysRows rows) { return rows == NsysRows::Api; }));
    known_.work = {};
    known_.projection = GpuProjection(std::exchange(launches_, {}), context_.pool);
    read_tables(tables_where([](NsysRows rows) { return rows > NsysRows::Api; }));
    if (context_.stop.stop_requested()) return {};
    finish();
    return {};
  }

 private:
  void note_file() {
    if (const auto header = sqlite_header(path_); header && header.value().cut_off()) {
      problems_.add(ProblemKind::cut_off_database, 0,
                    fmt::format("{} of {} pages", header.value().pages_present, header.value().pages_expected));
    }
    if (const auto log = find_sqlite_log(path_)) problems_.add(ProblemKind::log_beside, 0, *log);
  }

  void find_tables(SqliteFile& file, const std::vector<SqliteTable>& tables) {
    for (const SqliteTable& table : tables) {
      NsysTable& out = tables_.emplace_back(classify(table));
      const bool events = is_event_table(table);
      if (!events && !is_unplaced_table(table)) continue;
      // Two separate queries each find the value at an end of the table; a single query for both would read all of it.
      const std::string name = sqlite_quoted(table.name);
      auto rows = file.select(fmt::format("SELECT (SELECT min({1}) FROM {0}), (SELECT max({1}) FROM {0})", name, table.row_number()));
      const bool known = rows && rows->next();
      if (known && rows->is_null(0)) continue;  // empty
      out.first_row = known ? rows->integer_or(0, 0) : 0;
      out.last_row = known ? rows->integer_or(1, 0) : INT64_MAX;
      out.end_unknown = !known;
      if (!events) leave_out(file, out);
    }
    // Rowids may have gaps, and can be anything in a malicious file.
    constexpr std::uint64_t kLeastRowBytes = 32;
    std::error_code unknown;
    const std::uint64_t bytes = std::filesystem::file_size(path_, unknown);
    const std::uint64_t most = unknown ? 0 : bytes / kLeastRowBytes;
    std::uint64_t device_rows = 0;
    for (NsysTable& table : tables_) {
      if (table.end_unknown || table.last_row < table.first_row) continue;
      rows_total_ += static_cast<double>(table.last_row) - static_cast<double>(table.first_row) + 1;
      const auto span = static_cast<std::uint64_t>(table.last_row) - static_cast<std::uint64_t>(table.first_row);
      table.gaps = span >= most;
      if (table.rows <= NsysRows::Sync && !table.gaps) device_rows += span + 1;
    }
    work_.reserve(static_cast<std::size_t>(std::min(device_rows, most)));
  }

  // Whether this report was asked for. Answers no only on evidence that nothing read later can overrule. So it ignores the path,
  // which counts less than ranges and communicators.
  bool is_wanted(SqliteFile& file) {
    const std::optional<NsysEvidence> early = early_evidence(file);
    if (!early) return true;
    SourceInfo about = context_.draft.info();
    describe_report(info_, *early, nsys_processes(info_, *early, {}), about);
    if (context_.wanted(about)) return true;
    context_.draft.edit_info([&](SourceInfo& source) { source = std::move(about); });
    return false;
  }

  // Finds the processes that use a GPU, and the thread names, which contain the ranks under MPI. Nullopt if a table cannot be
  // read. Takes a fifth of the time of a full read.
  std::optional<NsysEvidence> early_evidence(SqliteFile& file) {
    NsysEvidence early;
    for (const NsysTable& table : tables_) {
      if (table.last_row < table.first_row) continue;
      if (table.rows < NsysRows::Sync) {
        const std::string_view column = table.table.has("globalPid") ? "globalPid" : "NULL";
        const std::string users = fmt::format("SELECT DISTINCT {} FROM {}", column, sqlite_quoted(table.table.name));
        if (!each_row(file, table, users + " WHERE", [&](SqliteRows& row) {
              if (const std::int64_t user = row.integer_or(0, info_.only_process())) early.gpu_processes.insert(user);
            })) {
          return std::nullopt;
        }
      } else if (table.rows == NsysRows::Nvtx) {
        const std::string names = sqlite_select(table.table, {"globalTid", "text", "textId"}) +
                                  fmt::format(" WHERE \"eventType\" = {} AND", nvtx_type::kThreadName);
        if (!each_row(file, table, names, [&](SqliteRows& row) {
              const std::string_view text = row.is_null(1) ? info_.strings.text(row.integer_or(2, -1)) : row.text(1);
              early.thread_names.insert_or_assign(row.integer_or(0, 0), std::string(text));
            })) {
          return std::nullopt;
        }
      }
    }
    early.processes = early.gpu_processes;
    return early;
  }

  // Visits the rows that `select`, which ends with WHERE or AND, finds. False if the table is damaged, or after a stop request.
  template <class Visit>
  bool each_row(SqliteFile& file, const NsysTable& table, const std::string& select, Visit visit) {
    constexpr std::uint64_t kAtOnce = 1 << 18;  // rows between checks for a stop request
    if (table.end_unknown) return false;
    const auto until_last = [&](std::int64_t row) { return static_cast<std::uint64_t>(table.last_row) - static_cast<std::uint64_t>(row); };
    const std::uint64_t at_once = std::max(kAtOnce, until_last(table.first_row) / kMostPieces + 1);  // rowids may have gaps
    for (std::int64_t first = table.first_row;; first += static_cast<std::int64_t>(at_once)) {
      const bool is_last = until_last(first) < at_once;
      const std::int64_t last = is_last ? table.last_row : first + static_cast<std::int64_t>(at_once - 1);
      auto rows = file.select(fmt::format("{} {} BETWEEN {} AND {}", select, table.table.row_number(), first, last));
      while (rows && rows->next()) visit(*rows);
      if (!rows || !rows->error().empty() || context_.stop.stop_requested()) return false;
      if (is_last) return true;
    }
  }

  // Reports the rows of a table without a begin column. A known event table must have lost that column.
  void leave_out(SqliteFile& file, NsysTable& table) {
    auto counted = file.select("SELECT count(*) FROM " + sqlite_quoted(table.table.name));
    const std::int64_t rows = counted && counted->next() ? counted->integer_or(0, 1) : 1;
    const bool known = table.rows != NsysRows::Event && table.rows != NsysRows::Metric;
    const ProblemKind kind = known ? ProblemKind::missing_columns : ProblemKind::table_without_times;
    problems_.add(kind, 0, fmt::format("{}: {} rows", table.table.name, rows));
    if (known && rows > 1) problems_.add_count(kind, static_cast<std::uint64_t>(rows - 1));
    table.first_row = 0;
    table.last_row = -1;
  }

  void read_tables(const std::vector<std::size_t>& which) {
    struct Piece {
      std::size_t table;
      RowRange range;
    };
    std::vector<Piece> pieces;
    for (const std::size_t t : which) {
      const NsysTable& table = tables_[t];
      // A table is one piece if its end is unknown or its rows are summed up.
      const auto span = static_cast<std::uint64_t>(table.last_row) - static_cast<std::uint64_t>(table.first_row);
      std::uint64_t rows = std::max<std::uint64_t>(context_.chunk_bytes / kBytesPerRow, span / kMostPieces + 1);
      if (table.end_unknown || table.rows == NsysRows::MemoryUse) rows = UINT64_MAX;
      for (std::int64_t first = table.first_row;;) {
        const auto left = static_cast<std::uint64_t>(table.last_row) - static_cast<std::uint64_t>(first);
        const std::int64_t last = left < rows ? table.last_row : first + static_cast<std::int64_t>(rows - 1);
        pieces.push_back({t, {first, last}});
        if (last == table.last_row) break;
        first = last + 1;
      }
    }
    std::deque<std::pair<std::size_t, std::future<NsysBatch>>> under_way;
    struct WaitForAll {
      decltype(under_way)& tasks;
      ~WaitForAll() {
        for (auto& task : tasks) {
          if (task.second.valid()) task.second.wait();
        }
      }
    } wait_for_all{under_way};
    const auto commit_oldest = [&] {
      commit(under_way.front().second.get(), pieces[under_way.front().first].range);
      under_way.pop_front();
    };
    for (std::size_t p = 0; p < pieces.size() && !context_.stop.stop_requested(); ++p) {
      while (under_way.size() > 2 * static_cast<std::size_t>(context_.pool.size())) commit_oldest();
      under_way.emplace_back(p, std::future<NsysBatch>());  // makes room first: storing a started task must not fail
      under_way.back().second = context_.pool.submit([this, piece = pieces[p]] { return read(piece.table, piece.range); });
    }
    while (!under_way.empty()) commit_oldest();
  }

  NsysBatch read(std::size_t table, RowRange range) {
    auto connection = connections_.take();
    if (!connection) {
      NsysBatch out;
      out.events.problems.add(ProblemKind::unreadable_rows, 0, connection.error().text());
      return out;
    }
    NsysBatch out = read_nsys_rows(connection->file, connection->room, info_, tables_[table], table, range, known_, context_.stop);
    connections_.give_back(std::move(connection.value()));
    return out;
  }

  void commit(NsysBatch batch, RowRange range) {
    for (const NsysTrack& track : batch.tracks) {
      lanes_->add(track);
      if (track.device >= 0 && is_of_stream(track.lane)) {
        known_.device_of_context.emplace(std::pair(track.owner, track.context), track.device);
      }
    }
    evidence_.merge(batch.evidence);
    work_.insert(work_.end(), batch.work.begin(), batch.work.end());
    connections_.give_back(std::move(batch.work));
    std::ranges::move(batch.launches, std::back_inserter(launches_));
    context_.draft.append(std::move(batch.events));
    rows_done_ += std::min(static_cast<double>(range.last) - static_cast<double>(range.first) + 1, rows_total_);
    const double share = rows_total_ > 0 ? std::min(rows_done_ / rows_total_, 1.0) : 1;
    const std::uint64_t whole = context_.draft.info().bytes;
    const auto bytes = static_cast<std::uint64_t>(share * static_cast<double>(whole));
    const auto rest = static_cast<std::uint64_t>(share * static_cast<double>(whole - std::min(whole, exported_)));
    context_.progress.bytes.store(exported_ + rest, std::memory_order_relaxed);
    context_.progress.handed_over.store(bytes, std::memory_order_relaxed);
  }

  void finish() {
    const std::map<std::int64_t, NsysProcess> processes = nsys_processes(info_, evidence_, context_.path);
    lanes_->set_names(evidence_.domains, evidence_.thread_names, processes);
    context_.draft.edit_info([&](SourceInfo& source) { describe_report(info_, evidence_, processes, source); });
    EventBatch notes;
    notes.problems = std::move(problems_);
    context_.draft.append(std::move(notes));
  }

  ReadContext& context_;
  const std::string path_;
  Connections connections_;
  NsysReportInfo info_;
  ProblemLog problems_;
  std::vector<NsysTable> tables_;  // all tables of the file, sorted by name
  NsysLanes* lanes_ = nullptr;
  NsysEvidence evidence_;
  std::vector<GpuWork> work_;
  NsysKnown known_;
  std::vector<ThreadLaunches> launches_;
  double rows_total_ = 0, rows_done_ = 0;
  const std::uint64_t exported_ = context_.progress.bytes.load();  ///< progress of the export before this read (nsys_report.cpp)
};

}  // namespace

Result<void> read_nsys_database(ReadContext& context, const std::string& database) {
  return DatabaseRead(context, database).run();
}

}  // namespace tv

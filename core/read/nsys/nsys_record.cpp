// Looks up the row of an event in an Nsight Systems export and resolves its numbers: ids of texts, enumerations, processes and
// threads in global ids, call stacks. Cost: microseconds per row; a stack takes a pass over its table, which has no index.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "core/base/text/json_text.h"
#include "core/base/text/path_parts.h"
#include "core/read/nsys/nsys_database.h"
#include "core/read/nsys/nsys_names.h"
#include "core/read/nsys/nsys_table.h"
#include "core/read/nsys/nvtx_payload.h"

namespace tv {
namespace {

constexpr std::size_t kMostBytesShown = 64;

// Columns that hold the id of a text.
constexpr std::string_view kTextColumns[] = {"demangledName", "shortName", "mangledName", "nameId",
                                             "textId",        "jsonTextId", "filenameId", "contentId"};

// Columns that hold a value of an enumeration, and the table that names the values since 2023.
struct EnumColumn {
  std::string_view column, table;
  std::string_view (*name_of)(std::int64_t) = nullptr;  // for exports without that table
};
constexpr EnumColumn kEnumColumns[] = {{"copyKind", "ENUM_CUDA_MEMCPY_OPER", copy_kind_name},
                                       {"srcKind", "ENUM_CUDA_MEM_KIND", memory_kind_name},
                                       {"dstKind", "ENUM_CUDA_MEM_KIND", memory_kind_name},
                                       {"memKind", "ENUM_CUDA_MEM_KIND", memory_kind_name},
                                       {"syncType", "ENUM_CUPTI_SYNC_TYPE", sync_kind_name},
                                       {"launchType", "ENUM_CUDA_KERNEL_LAUNCH_TYPE"},
                                       {"cacheConfig", "ENUM_CUDA_FUNC_CACHE_CONFIG"},
                                       {"sharedMemoryLimitConfig", "ENUM_CUDA_SHARED_MEM_LIMIT_CONFIG"},
                                       {"migrationCause", "ENUM_CUDA_UNIF_MEM_MIGRATION"},
                                       {"overheadType", "ENUM_CUPTI_OVERHEAD_TYPE"},
                                       {"memoryOperationType", "ENUM_CUDA_DEV_MEM_EVENT_OPER"},
                                       {"eventType", "ENUM_NSYS_EVENT_TYPE"},
                                       {"eventClass", "ENUM_NSYS_EVENT_CLASS"},
                                       {"severity", "ENUM_DIAGNOSTIC_SEVERITY_LEVEL"},
                                       {"source", "ENUM_DIAGNOSTIC_SOURCE_TYPE"}};

// Tables whose rows have a call stack, and the tables of these stacks, which have a row per frame.
constexpr std::pair<std::string_view, std::string_view> kStacks[] = {{"CUPTI_ACTIVITY_KIND_RUNTIME", "CUDA_CALLCHAINS"},
                                                                     {"CUPTI_ACTIVITY_KIND_DRIVER", "CUDA_CALLCHAINS"},
                                                                     {"OSRT_API", "OSRT_CALLCHAINS"},
                                                                     {"COMPOSITE_EVENTS", "SAMPLING_CALLCHAINS"}};

constexpr std::size_t kMostTexts = 1 << 14;  // a cache of this size is emptied

class TreeOfRow {
 public:
  TreeOfRow() { tree_.nodes.push_back({{}, {}, ArgNode::Kind::Object, 0, 1}); }

  void text(std::string_view key, std::string_view value) { add(key, value, ArgNode::Kind::String); }
  void number(std::string_view key, std::string_view value) { add(key, value, ArgNode::Kind::Number); }
  void list(std::string_view key, const std::vector<std::string>& values) {
    const std::size_t at = tree_.nodes.size();
    add(key, {}, ArgNode::Kind::Array);
    for (const std::string& value : values) add({}, value, ArgNode::Kind::String, 2);
    tree_.nodes[at].subtree_end = static_cast<std::uint32_t>(tree_.nodes.size());
  }

  ArgTree finish() {
    tree_.nodes[0].subtree_end = static_cast<std::uint32_t>(tree_.nodes.size());
    tree_.text = "{";
    for (std::size_t n = 1; n < tree_.nodes.size(); n = tree_.nodes[n].subtree_end) put_member(n);
    tree_.text += "}";
    return std::move(tree_);
  }

 private:
  void add(std::string_view key, std::string_view value, ArgNode::Kind kind, std::uint16_t depth = 1) {
    const auto next = static_cast<std::uint32_t>(tree_.nodes.size() + 1);
    tree_.nodes.push_back({std::string(key), std::string(value), kind, depth, next});
  }

  void put_member(std::size_t n) {
    const ArgNode& node = tree_.nodes[n];
    if (n > 1) tree_.text += ", ";
    tree_.text += json_quoted(node.key) + ": ";
    if (node.kind == ArgNode::Kind::Number) tree_.text += node.value;
    if (node.kind == ArgNode::Kind::String) tree_.text += json_quoted(node.value);
    if (node.kind != ArgNode::Kind::Array) return;
    tree_.text += "[";
    for (std::size_t item = n + 1; item < node.subtree_end; ++item) {
      tree_.text += (item > n + 1 ? ", " : "") + json_quoted(tree_.nodes[item].value);
    }
    tree_.text += "]";
  }

  ArgTree tree_;
};

class NsysRecords : public RecordTable {
 public:
  NsysRecords(SqliteFile file, std::vector<SqliteTable> tables) : file_(std::move(file)), tables_(std::move(tables)) {
    layouts_.read(file_, tables_);
  }

  Result<ArgTree> at(std::uint64_t offset) override {
    const NsysPlace place = nsys_place(offset);
    const bool projected = place.table == kProjectedTable;
    const SqliteTable* const table = projected ? find("NVTX_EVENTS")
                                     : place.table < tables_.size() ? &tables_[place.table] : nullptr;
    if (!table) return Error{"the row cannot be looked up, because its number is too large", {}, {}, {}};
    auto rows = file_.select(fmt::format("SELECT * FROM {} WHERE {} = {}", sqlite_quoted(table->name), table->row_number(), place.row));
    if (!rows) return rows.error();
    if (!rows->next()) {
      return Error{rows->error().empty() ? fmt::format("{} has no row {} any more", table->name, place.row) : rows->error(), {}, {}, {}};
    }
    TreeOfRow tree;
    tree.text("table", table->name);
    tree.number("row", std::to_string(place.row));
    if (projected && !brief_) put_parent(tree, *table, place.row);
    for (int c = 0; c < rows->columns(); ++c) {
      if (!rows->is_null(c)) put_column(tree, *table, *rows, c);
    }
    return tree.finish();
  }

  void be_brief() override { brief_ = true; }

 private:
  const SqliteTable* find(std::string_view name) const {
    const auto found = std::ranges::find(tables_, name, &SqliteTable::name);
    return found == tables_.end() ? nullptr : &*found;
  }

  void put_column(TreeOfRow& tree, const SqliteTable& table, SqliteRows& rows, int c) {
    const std::string name(rows.column_name(c));
    const auto number = rows.integer(c);
    if (rows.is_blob(c) || name == "binaryData") {
      return put_bytes(tree, rows, c);
    }
    if (!number || rows.is_text(c)) return tree.text(name, rows.text(c));
    if (std::ranges::find(kTextColumns, name) != std::end(kTextColumns)) return tree.text(name, text_of(*number));
    for (const EnumColumn& column : kEnumColumns) {
      if (column.column != name) continue;
      const std::string& word = meaning(column, *number);
      return word.empty() ? tree.number(name, rows.text(c)) : tree.text(name, fmt::format("{} ({})", word, *number));
    }
    if (name == "globalTid" || name == "endGlobalTid") {
      return tree.text(name, fmt::format("pid {}, tid {} ({})", pid_of(*number), tid_of(*number), *number));
    }
    if (name == "globalPid") return tree.text(name, fmt::format("pid {} ({})", pid_of(*number), *number));
    if (name == "color") return tree.text(name, fmt::format("#{:08X}", static_cast<std::uint32_t>(*number)));
    tree.number(name, rows.text(c));
    for (const auto& [events, stacks] : kStacks) {
      if (!brief_ && table.name == events && (name == "callchainId" || name == "id")) put_stack(tree, stacks, *number);
    }
  }

  // Adds named fields if a layout explains the bytes, else the bytes themselves.
  void put_bytes(TreeOfRow& tree, SqliteRows& rows, int column) {
    const std::string bytes(rows.blob(column));
    std::string event;
    std::int64_t domain = 0;
    for (int c = 0; c < rows.columns(); ++c) {
      if (rows.column_name(c) == "text" && !rows.is_null(c)) event = rows.text(c);
      if (rows.column_name(c) == "textId" && !rows.is_null(c)) event = text_of(rows.integer_or(c, -1));
      if (rows.column_name(c) == "domainId") domain = rows.integer_or(c, 0);
    }
    const auto fields = layouts_.fields(domain, event, bytes);
    for (const auto& [label, value] : fields) tree.text(label, value);
    if (!fields.empty()) return;
    std::string shown;
    for (const char byte : bytes.substr(0, kMostBytesShown)) shown += fmt::format("{:02x} ", static_cast<unsigned char>(byte));
    if (bytes.size() > kMostBytesShown) shown += fmt::format("... {} bytes", bytes.size());
    tree.text(rows.column_name(column), shown);
  }

  const std::string& text_of(std::int64_t id) {
    if (texts_.size() >= kMostTexts) texts_.clear();
    const auto [known, is_new] = texts_.try_emplace(id);
    if (is_new) {
      auto rows = file_.select(fmt::format("SELECT value FROM StringIds WHERE id = {}", id));
      known->second = rows && rows->next() ? std::string(rows->text(0)) : fmt::format("text {}", id);
    }
    return known->second;
  }

  const std::string& meaning(const EnumColumn& column, std::int64_t number) {
    if (meanings_.size() >= kMostTexts) meanings_.clear();
    const auto [known, is_new] = meanings_.try_emplace({column.column, number});
    if (is_new) known->second = look_up(column, number);
    return known->second;
  }

  std::string look_up(const EnumColumn& column, std::int64_t number) {
    if (const SqliteTable* const table = find(column.table)) {
      auto rows = file_.select(sqlite_select(*table, {"label"}) + fmt::format(" WHERE id = {}", number));
      if (rows && rows->next() && !rows->text(0).empty()) return std::string(rows->text(0));
    }
    return column.name_of ? std::string(column.name_of(number)) : std::string();
  }

  void put_stack(TreeOfRow& tree, std::string_view stacks, std::int64_t id) {
    const SqliteTable* const table = find(stacks);
    if (!table) return;
    auto rows = file_.select(sqlite_select(*table, {"symbol", "module", "stackDepth"}) +
                             fmt::format(" WHERE id = {} ORDER BY \"stackDepth\"", id));
    std::vector<std::string> frames;
    while (rows && rows->next()) {
      const std::string symbol = text_of(rows->integer_or(0, -1)), module = text_of(rows->integer_or(1, -1));
      frames.push_back(fmt::format("{} ({})", symbol, last_part(module)));
    }
    if (!frames.empty()) tree.list("stack", frames);
  }

  // Adds the innermost range around this range on its thread.
  void put_parent(TreeOfRow& tree, const SqliteTable& table, std::int64_t row) {
    tree.text("shown", "on the GPU: from the first to the last work that calls in this range launched");
    const std::string of_row = fmt::format("FROM {} WHERE {} = {})", sqlite_quoted(table.name), table.row_number(), row);
    const std::string parent =
        sqlite_select(table, {"text", "textId"}) +
        fmt::format(" AS p WHERE p.\"eventType\" IN (59, 70) AND p.{0} <> {1} AND p.\"globalTid\" = (SELECT \"globalTid\" {2} AND "
                    "p.start <= (SELECT start {2} AND p.\"end\" >= (SELECT \"end\" {2} ORDER BY p.start DESC, p.\"end\" LIMIT 1",
                    table.row_number(), row, of_row);
    auto rows = file_.select(parent);
    if (!rows || !rows->next()) return;
    tree.text("parent", rows->is_null(0) ? text_of(rows->integer_or(1, -1)) : std::string(rows->text(0)));
  }

  SqliteFile file_;
  std::vector<SqliteTable> tables_;
  NvtxLayouts layouts_;
  bool brief_ = false;
  std::unordered_map<std::int64_t, std::string> texts_;  // by id; a cache
  std::map<std::pair<std::string_view, std::int64_t>, std::string> meanings_;
};

}  // namespace

Result<std::unique_ptr<RecordTable>> open_nsys_records(const std::string& database) {
  auto file = SqliteFile::open(database);
  if (!file) return file.error();
  auto tables = file->tables();
  if (!tables) return tables.error();
  return std::unique_ptr<RecordTable>(std::make_unique<NsysRecords>(std::move(file.value()), std::move(tables.value())));
}

}  // namespace tv

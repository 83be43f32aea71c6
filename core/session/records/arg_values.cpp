#include "core/session/records/arg_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <utility>

#include "core/base/text/count_text.h"
#include "core/session/records/record_blocks.h"
#include "core/store/draft/arg_json.h"

namespace tv {
namespace {

constexpr std::size_t kRecordsPerTask = 512;

// A top-level string is written without quotes.
void append_text(std::string& out, const ArgTree& tree, std::size_t node) {
  if (tree.nodes[node].kind == ArgNode::Kind::String) {
    out += tree.nodes[node].value;
    return;
  }
  append_arg_json(out, tree, node, [](std::string& text, std::string_view word) { text += word; });
}

std::optional<std::size_t> child_named(const ArgTree& tree, std::size_t node, std::string_view key) {
  for (std::size_t child = node + 1; child < tree.nodes[node].subtree_end; child = tree.nodes[child].subtree_end) {
    if (tree.nodes[child].key == key) return child;
  }
  return std::nullopt;
}

std::optional<std::size_t> node_of(const ArgTree& tree, std::size_t within, std::string_view key) {
  if (const auto whole = child_named(tree, within, key)) return whole;
  const std::size_t dot = key.find('.');
  if (dot == std::string_view::npos) return std::nullopt;
  const auto first = child_named(tree, within, key.substr(0, dot));
  return first ? node_of(tree, *first, key.substr(dot + 1)) : std::nullopt;
}

// Reads the records of slices in one block.
class RecordReader {
 public:
  RecordReader(const Trace& trace, const RecordBlock& block) : trace_(trace), block_(block) {
    if (block.records) table_.emplace(block.records);
  }
  Result<ArgTree> at(SliceId id) {
    const std::uint64_t offset = trace_.ref_of(id).offset();
    Result<ArgTree> tree = table_ ? table_->at(offset) : in_text(id);
    if (tree) return tree;
    Error error = tree.error();
    error.file = trace_.sources[idx(block_.source)].path;
    if (!table_) error.byte_offset = offset;
    return error;
  }

 private:
  Result<ArgTree> in_text(SliceId id) const {
    const std::string_view text = block_.from(trace_, id);
    const auto length = text.empty() ? std::nullopt : block_.reader->record_length(text);
    if (!length && text.empty()) return Error{"the record cannot be read", {}, {}, {}};
    return block_.reader->decode(length ? text.substr(0, *length) : text);
  }

  const Trace& trace_;
  const RecordBlock& block_;
  std::optional<SourceRecords::Use> table_;
};

using ValuesOfKey = std::vector<std::pair<SliceId, std::string>>;

struct ReadRecords {
  std::vector<ValuesOfKey> values;  // one per key
  std::uint64_t failed = 0;
  std::string problem;  // of the first record that failed
};

}  // namespace

bool arg_text(const ArgTree& tree, std::string_view key, std::string& out) {
  out.clear();
  if (tree.nodes.empty()) return false;
  const auto args = child_named(tree, 0, "args");
  auto node = args ? node_of(tree, *args, key) : std::nullopt;
  if (!node) node = node_of(tree, 0, key);
  if (!node) return false;
  append_text(out, tree, *node);
  return true;
}

std::string ArgColumns::limits() const {
  std::string out;
  if (read < wanted) {
    out = fmt::format("; args were read only for the first {} of {} slices; choose a smaller area to read all", format_count(read),
                      format_count(wanted));
  }
  if (failed > 0) out += fmt::format("; the records of {} cannot be read", count_text(failed, "slice"));
  if (!problems.empty()) out += (failed > 0 ? ": " : "; ") + problems.front();
  return out;
}

ArgColumns read_args(const Trace& trace, const std::vector<std::string>& keys, std::vector<SliceId> wanted,
                     ThreadPool& pool, std::stop_token stop, std::size_t most) {
  ArgColumns out;
  out.wanted = wanted.size();
  for (const std::string& key : keys) out.values.push_back({key, {}, {}, {}});
  if (wanted.size() > most) {
    const auto earlier = [&](SliceId a, SliceId b) {
      const Ns x = trace.begin_of(a), y = trace.begin_of(b);
      return x != y ? x < y : a < b;
    };
    std::nth_element(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(most), wanted.end(), earlier);
    wanted.resize(most);
  }
  out.read = wanted.size();
  if (wanted.empty() || keys.empty()) return out;
  std::vector<bool> chosen(trace.items(), false);
  for (const SliceId id : wanted) chosen[idx(id)] = true;
  RecordBlocks blocks(trace, [&chosen](SliceId id) { return chosen[idx(id)]; }, pool);
  std::vector<ValuesOfKey> found(keys.size());
  std::string first_problem;
  while (!stop.stop_requested()) {
    const auto block = blocks.next();
    if (!block) break;
    if (!block->reader) {
      out.failed += blocks.problems().empty() ? 0 : block->slices.size();
      continue;
    }
    const std::size_t tasks = (block->slices.size() + kRecordsPerTask - 1) / kRecordsPerTask;
    std::vector<ReadRecords> parts(tasks, {std::vector<ValuesOfKey>(keys.size()), 0, {}});
    pool.parallel_for(
        tasks,
        [&](std::size_t t) {
          RecordReader records(trace, *block);
          std::string text;
          const std::size_t end = std::min(block->slices.size(), (t + 1) * kRecordsPerTask);
          for (std::size_t i = t * kRecordsPerTask; i < end; ++i) {
            const auto tree = records.at(block->slices[i]);
            if (!tree && parts[t].failed++ == 0) parts[t].problem = tree.error().text();
            for (std::size_t k = 0; k < keys.size() && tree; ++k) {
              if (arg_text(tree.value(), keys[k], text)) parts[t].values[k].emplace_back(block->slices[i], text);
            }
          }
        },
        stop);
    for (ReadRecords& part : parts) {
      out.failed += part.failed;
      if (first_problem.empty()) first_problem = std::move(part.problem);
      for (std::size_t k = 0; k < keys.size(); ++k) std::ranges::move(part.values[k], std::back_inserter(found[k]));
    }
  }
  out.cancelled = stop.stop_requested();
  out.problems = blocks.problems();
  if (!first_problem.empty()) out.problems.push_back(std::move(first_problem));
  for (std::size_t k = 0; k < keys.size() && !out.cancelled; ++k) {
    ArgValues& values = out.values[k];
    std::ranges::sort(found[k], {}, &std::pair<SliceId, std::string>::first);
    std::unordered_map<std::string, std::uint32_t> known;
    for (auto& [slice, text] : found[k]) {
      const auto at = known.try_emplace(text, static_cast<std::uint32_t>(values.texts.size()));
      if (at.second) values.texts.push_back(text);
      values.slices.push_back(slice);
      values.value.push_back(at.first->second);
    }
  }
  return out;
}

}  // namespace tv

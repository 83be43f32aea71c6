#include "core/export/parts/record_args.h"

#include <fmt/format.h>

#include "core/base/text/json_text.h"
#include "core/export/parts/strict_json.h"
#include "core/read/json/json_args.h"
#include "core/store/draft/arg_json.h"

namespace tv {
namespace {

bool is_trace_event(const Reader& reader) { return reader.id == "chrome_json"; }

// Whether records have name and category outside of the member "args".
bool has_args_member(const Reader& reader) { return is_trace_event(reader) || reader.id == "perfetto"; }

// The node that is exported; null if the record has none.
const ArgNode* args_in(const Reader& reader, const ArgTree& tree) {
  return has_args_member(reader) ? tree.find("args") : &tree.nodes.front();
}

}  // namespace

RecordFacts RecordArgs::read(const Trace& trace, const RecordBlock& block, SliceId id) {
  if (!block.reader) return {};
  if (block.records) return of_table(block, trace.ref_of(id).offset());
  return of_text(*block.reader, block.from(trace, id));
}

RecordFacts RecordArgs::of_table(const RecordBlock& block, std::uint64_t offset) {
  if (!records_) records_.emplace(block.records);
  RecordFacts facts;
  const auto tree = records_->at(offset);
  if (!tree || tree.value().nodes.empty()) return facts;
  facts.readable = true;
  const ArgNode* const args = args_in(*block.reader, tree.value());
  if (!args) return facts;
  decoded_.clear();
  append_json(decoded_, tree.value(), static_cast<std::size_t>(args - tree.value().nodes.data()));
  facts.args = decoded_;
  return facts;
}

RecordFacts RecordArgs::of_text(const Reader& reader, std::string_view text) {
  RecordFacts facts;
  if (text.empty()) return facts;
  if (is_trace_event(reader)) {
    facts.readable = visit_strict_object(text, [&](std::string_view key, std::string_view value) {
      if (key == "\"args\"") facts.args = value;
      if (key == "\"cname\"" && value.starts_with('"')) facts.cname = value;
    });
    if (facts.args == "null") facts.args = {};
  } else if (reader.decode == decode_json_record) {
    facts.args = text.substr(0, strict_json_length(text));
    facts.readable = facts.args.starts_with('{');
  }
  if (facts.readable) return facts;
  facts = {};
  const auto tree = reader.decode(text.substr(0, reader.record_length(text).value_or(text.size())));
  if (!tree || tree.value().nodes.empty()) return facts;
  facts.readable = true;
  const ArgNode* const args = args_in(reader, tree.value());
  if (!args) return facts;
  decoded_.clear();
  append_json(decoded_, tree.value(), static_cast<std::size_t>(args - tree.value().nodes.data()));
  facts.args = decoded_;
  return facts;
}

void append_json(std::string& out, const ArgTree& tree, std::size_t node) {
  // Copies a word verbatim if it is JSON; otherwise writes it as a string.
  const auto append_word = [](std::string& text, std::string_view word) {
    if (!word.empty() && strict_json_length(word) == word.size()) {
      text += word;
    } else {
      append_json_quoted(text, word);
    }
  };
  append_arg_json(out, tree, node, append_word);
}

}  // namespace tv

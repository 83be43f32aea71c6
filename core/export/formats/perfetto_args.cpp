#include "core/export/formats/perfetto_args.h"

#include <atomic>
#include <charconv>
#include <cstring>
#include <protozero/pbf_writer.hpp>

#include "core/export/parts/ordered_writer.h"
#include "core/export/parts/record_args.h"
#include "core/read/json/json_args.h"
#include "core/read/perfetto/perfetto_fields.h"

namespace tv {
namespace {

namespace pf = perfetto;
constexpr std::size_t kAhead = 256 << 10;  // bytes read at a time

// The header of each entry in the file.
struct Entry {
  std::uint64_t slice, bytes;
};

// Says what the file is for, because the user never asked for a temporary file.
Error needed_for_args(Error error) {
  error.message = "the export collects args in a temporary file: " + error.message;
  return error;
}

void add_number(protozero::pbf_writer& annotation, const std::string& text) {
  const char *const first = text.data(), *const last = first + text.size();
  std::int64_t whole = 0;
  std::uint64_t large = 0;
  double value = 0;
  const auto is_all = [&](auto& number) {
    const auto [end, code] = std::from_chars(first, last, number);
    return code == std::errc() && end == last;
  };
  if (is_all(whole)) return annotation.add_int64(pf::kInt, whole);
  if (is_all(large)) return annotation.add_uint64(pf::kUint, large);
  if (is_all(value)) return annotation.add_double(pf::kDouble, value);
  annotation.add_string(pf::kString, text);
}

// Recurses to the depth of the record, which the decoder limits.
void add_value(protozero::pbf_writer& annotation, const ArgTree& tree, std::size_t node) {
  const ArgNode& at = tree.nodes[node];
  switch (at.kind) {
    case ArgNode::Kind::String:
      return annotation.add_string(pf::kString, at.value);
    case ArgNode::Kind::Number:
      return add_number(annotation, at.value);
    case ArgNode::Kind::Word:
      if (at.value == "true" || at.value == "false") return annotation.add_bool(pf::kBool, at.value == "true");
      return annotation.add_string(pf::kString, at.value);
    case ArgNode::Kind::Object:
    case ArgNode::Kind::Array:
      for (std::size_t child = node + 1; child < at.subtree_end; child = tree.nodes[child].subtree_end) {
        const bool entry = at.kind == ArgNode::Kind::Object;
        protozero::pbf_writer inner(annotation, entry ? pf::kEntries : pf::kElements);
        if (entry) inner.add_string(pf::kName, tree.nodes[child].key);
        add_value(inner, tree, child);
      }
  }
}

std::string annotations(std::string_view json) {
  std::string out;
  const auto tree = decode_json_record(json);
  if (!tree) return out;
  const ArgTree& args = tree.value();
  protozero::pbf_writer event(out);
  for (std::size_t child = 1; child < args.nodes.size(); child = args.nodes[child].subtree_end) {
    protozero::pbf_writer annotation(event, pf::kAnnotations);
    annotation.add_string(pf::kName, args.nodes[child].key);
    add_value(annotation, args, child);
  }
  return out;
}

}  // namespace

Result<PerfettoArgs> PerfettoArgs::collect(const Trace& trace, const ExportChoice& choice, ThreadPool& pool,
                                           ExportTotals& totals) {
  auto file = TemporaryFile::create();
  if (!file) return needed_for_args(file.error());
  PerfettoArgs out(std::move(*file), trace.items());
  std::atomic<std::uint64_t> unreadable = 0;
  RecordBlocks blocks(trace, chosen_records(trace, choice), pool);
  const ExportSink sink = [&](std::string_view bytes) { return out.store(bytes); };
  OrderedWriter writer(pool, sink);
  while (auto block = blocks.next()) {
    auto added = writer.add([&trace, &unreadable, block = std::move(*block)](std::string& bytes) {
      RecordArgs args;
      for (const SliceId id : block.slices) {
        const RecordFacts facts = args.read(trace, block, id);
        if (!facts.readable) ++unreadable;
        if (!facts.args.starts_with('{')) continue;
        const std::string fields = annotations(facts.args);
        const Entry entry{idx(id), fields.size()};
        bytes.append(reinterpret_cast<const char*>(&entry), sizeof entry).append(fields);
      }
    });
    if (!added) return added.error();
  }
  if (auto written = writer.finish(); !written) return written.error();
  if (auto flushed = out.file_.flush(); !flushed) return needed_for_args(flushed.error());
  totals.without_args = unreadable;
  totals.problems = blocks.problems();
  return out;
}

Result<void> PerfettoArgs::store(std::string_view entries) {
  for (std::size_t at = 0; at < entries.size();) {
    Entry entry;
    std::memcpy(&entry, entries.data() + at, sizeof entry);
    place_[entry.slice] = end_ + at + 1;
    at += sizeof entry + entry.bytes;
  }
  end_ += entries.size();
  if (auto written = file_.append(entries); !written) return needed_for_args(written.error());
  return {};
}

Result<void> PerfettoArgs::append(SliceId id, std::string& event) {
  if (place_[idx(id)] == 0) return {};
  const std::uint64_t place = place_[idx(id)] - 1;
  // Makes the window hold at least `bytes` from `place` on.
  const auto load = [&](std::size_t bytes) -> Result<void> {
    if (place >= window_begin_ && place + bytes <= window_begin_ + window_.size()) return {};
    window_begin_ = place;
    window_.resize(std::min<std::uint64_t>(std::max(kAhead, bytes), end_ - place));
    return file_.read_at(place, window_);
  };
  Entry entry;
  if (auto loaded = load(sizeof entry); !loaded) return needed_for_args(loaded.error());
  std::memcpy(&entry, window_.data() + (place - window_begin_), sizeof entry);
  if (auto loaded = load(sizeof entry + entry.bytes); !loaded) return needed_for_args(loaded.error());
  event.append(window_, static_cast<std::size_t>(place - window_begin_) + sizeof entry, entry.bytes);
  return {};
}

}  // namespace tv

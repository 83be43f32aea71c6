#include "core/read/perfetto/perfetto_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/text/json_text.h"
#include "core/base/text/utf8.h"
#include "core/io/files/open_stream.h"
#include "core/read/json/json_args.h"
#include "core/read/perfetto/perfetto_fields.h"
#include "core/read/perfetto/perfetto_index.h"
#include "core/read/perfetto/perfetto_packets.h"
#include "core/read/perfetto/perfetto_sequence.h"
#include "core/read/perfetto/proto_fields.h"
#include "core/store/draft/arg_json.h"

namespace tv {
namespace {

namespace pf = perfetto;

constexpr std::size_t kDeepestValue = 64;

class TreeOfEvent {
 public:
  TreeOfEvent() { tree_.nodes.push_back({{}, {}, ArgNode::Kind::Object, 0, 1}); }

  std::size_t open(std::string_view key, ArgNode::Kind kind) {
    add(key, {}, kind);
    ++depth_;
    return tree_.nodes.size() - 1;
  }
  void close(std::size_t node) {
    tree_.nodes[node].subtree_end = static_cast<std::uint32_t>(tree_.nodes.size());
    --depth_;
  }
  void add(std::string_view key, std::string_view value, ArgNode::Kind kind) {
    const auto end = static_cast<std::uint32_t>(tree_.nodes.size() + 1);
    tree_.nodes.push_back({valid_utf8(key), valid_utf8(value), kind, static_cast<std::uint16_t>(depth_), end});
  }
  void text(std::string_view key, std::string_view value) { add(key, value, ArgNode::Kind::String); }
  void number(std::string_view key, const std::string& value) { add(key, value, ArgNode::Kind::Number); }
  void real(std::string_view key, double value) {
    if (std::isfinite(value)) return number(key, fmt::format("{}", value));
    text(key, fmt::format("{}", value));
  }
  /// JSON text as its parsed value.
  void json(std::string_view key, std::string_view value) {
    const auto tree = decode_json_record(value);
    if (!tree || tree.value().nodes.empty()) return text(key, value);
    const std::size_t first = tree_.nodes.size();
    for (const ArgNode& node : tree.value().nodes) {
      ArgNode& copy = tree_.nodes.emplace_back(node);
      copy.depth = static_cast<std::uint16_t>(copy.depth + depth_);
      copy.subtree_end += static_cast<std::uint32_t>(first);
    }
    tree_.nodes[first].key = valid_utf8(key);
  }
  std::size_t size() const { return tree_.nodes.size(); }

  ArgTree finish() {
    tree_.nodes[0].subtree_end = static_cast<std::uint32_t>(tree_.nodes.size());
    append_arg_json(tree_.text, tree_, 0, [](std::string& text, std::string_view word) { text += word; }, {", ", ": "});
    return std::move(tree_);
  }

 private:
  ArgTree tree_;
  std::size_t depth_ = 1;
};

class PerfettoRecords : public RecordTable {
 public:
  PerfettoRecords(std::string path, std::unique_ptr<ByteStream> stream, std::shared_ptr<const PerfettoIndex> index)
      : path_(std::move(path)), stream_(std::move(stream)), index_(std::move(index)) {}

  Result<ArgTree> at(std::uint64_t offset) override {
    TreeOfEvent tree;
    if (auto added = add_packet(tree, offset, true); !added) return added.error();
    return tree.finish();
  }

 private:
  // `begins`: the packet is the record itself; else it ends the record's slice, and only its arguments are added.
  Result<void> add_packet(TreeOfEvent& tree, std::uint64_t offset, bool begins) {
    auto packet = packet_at(offset);
    if (!packet) return packet.error();
    const PerfettoEnvelope envelope = read_envelope(*packet);
    sequence_ = envelope.sequence;
    offset_ = offset;
    std::size_t args = 0;
    if (begins) {
      add_names(tree, envelope.event);
      args = tree.open("args", ArgNode::Kind::Object);
    }
    add_event(tree, envelope.event);
    if (!begins) return {};
    const auto end = std::ranges::lower_bound(index_->ends, std::pair(offset, std::uint64_t{0}));
    if (end != index_->ends.end() && end->first == offset) {
      if (auto added = add_packet(tree, end->second, false); !added) return added;
    }
    tree.close(args);
    return {};
  }

  void add_names(TreeOfEvent& tree, std::string_view event) {
    ProtoFields fields(event);
    ProtoField field, inner;
    std::string name, category;
    const auto add_category = [&](std::string_view text) {
      category += (category.empty() ? "" : ",") + std::string(text);
    };
    while (fields.next(field)) {
      if (field.number == pf::kNameText) name = field.bytes;
      if (field.number == pf::kNameIid) name = text_of(pf::kNames, field.value);
      if (field.number == pf::kCategoryText) add_category(field.bytes);
      if (field.number == pf::kCategoryIid)
        each_number(field, 0, [&](const ProtoField& one) { add_category(text_of(pf::kCategories, one.value)); });
      if (field.number != pf::kLegacyEvent) continue;
      ProtoFields legacy(field.bytes);
      while (legacy.next(inner)) {
        if (inner.number == pf::kLegacyNameIid && name.empty()) name = text_of(pf::kNames, inner.value);
      }
    }
    tree.text("name", name);
    if (!category.empty()) tree.text("category", category);
  }

  void add_event(TreeOfEvent& tree, std::string_view event) {
    ProtoFields fields(event);
    ProtoField field;
    while (fields.next(field)) {
      switch (field.number) {
        case pf::kAnnotations:
          add_annotation(tree, field.bytes, 0, true);
          break;
        case pf::kCorrelationId:
          tree.number("correlation_id", std::to_string(field.value));
          break;
        case pf::kCorrelationText:
          tree.text("correlation_id", field.bytes);
          break;
        case pf::kSourceLocationIid:
          tree.text("source_location", text_of(pf::kSourceLocations, field.value));
          break;
        // The slice itself shows times, names, tracks and arrows.
        case pf::kTimeDelta:
        case pf::kThreadTimeDelta:
        case pf::kCategoryIid:
        case pf::kType:
        case pf::kNameIid:
        case pf::kTrackUuid:
        case pf::kExtraValues:
        case pf::kTimeAbsolute:
        case pf::kThreadTimeAbsolute:
        case pf::kCategoryText:
        case pf::kNameText:
        case pf::kValue:
        case pf::kExtraTracks:
        case pf::kOldFlowIds:
        case pf::kOldEndingFlowIds:
        case pf::kDoubleValue:
        case pf::kExtraDoubleTracks:
        case pf::kExtraDoubleValues:
        case pf::kFlowIds:
        case pf::kEndingFlowIds:
        case pf::kLegacyEvent:
          break;
        default:
          add_unknown(tree, field);
      }
    }
  }

  static void add_unknown(TreeOfEvent& tree, const ProtoField& field) {
    const std::string key = fmt::format("field {}", field.number);
    if (field.wire != ProtoField::Wire::Bytes) return tree.number(key, std::to_string(field.value));
    tree.text(key, fmt::format("{} bytes that this version does not read", field.bytes.size()));
  }

  std::string text_of(std::uint32_t kind, std::uint64_t iid) const {
    const std::string_view text = index_->find(sequence_, kind, iid, offset_);
    return text.empty() ? fmt::format("#{}", iid) : std::string(text);
  }

  void add_annotation(TreeOfEvent& tree, std::string_view annotation, std::size_t depth, bool named) {
    if (depth > kDeepestValue) return;
    ProtoFields fields(annotation);
    ProtoField field;
    std::string name;
    std::optional<ProtoField> value;
    std::size_t entries = 0, elements = 0;
    while (fields.next(field)) {
      if (field.number == pf::kName)
        name = field.bytes;
      else if (field.number == pf::kAnnotationNameIid)
        name = text_of(pf::kAnnotationNames, field.value);
      else if (field.number == pf::kEntries)
        ++entries;
      else if (field.number == pf::kElements)
        ++elements;
      else
        value = field;
    }
    if (!named) name.clear();
    if (entries + elements > 0) {
      const std::size_t node = tree.open(name, entries > 0 ? ArgNode::Kind::Object : ArgNode::Kind::Array);
      ProtoFields again(annotation);
      while (again.next(field)) {
        if (field.number == (entries > 0 ? pf::kEntries : pf::kElements))
          add_annotation(tree, field.bytes, depth + 1, entries > 0);
      }
      return tree.close(node);
    }
    if (!value) return tree.add(name, {}, ArgNode::Kind::Object);  // a dictionary without entries is written like this
    switch (value->number) {
      case pf::kBool:
        return tree.add(name, value->flag() ? "true" : "false", ArgNode::Kind::Word);
      case pf::kUint:
        return tree.number(name, std::to_string(value->value));
      case pf::kInt:
        return tree.number(name, std::to_string(value->integer()));
      case pf::kDouble:
        return tree.real(name, value->real());
      case pf::kString:
        return tree.text(name, value->bytes);
      case pf::kStringIid:
        return tree.text(name, text_of(pf::kAnnotationTexts, value->value));
      case pf::kPointer:
        return tree.text(name, fmt::format("{:#x}", value->value));
      case pf::kJson:
        return tree.json(name, value->bytes);
      case pf::kNested:
        return add_nested(tree, name, value->bytes, depth + 1);
      default:
        return tree.text(name, fmt::format("field {} that this version does not read", value->number));
    }
  }

  void add_nested(TreeOfEvent& tree, std::string_view name, std::string_view message, std::size_t depth) {
    if (depth > kDeepestValue) return;
    std::vector<std::string_view> keys, values, elements;
    std::optional<ProtoField> leaf;
    std::uint64_t type = 0;
    ProtoFields fields(message);
    ProtoField field;
    while (fields.next(field)) {
      switch (field.number) {
        case pf::kNestedType:
          type = field.value;
          break;
        case pf::kDictKeys:
          keys.push_back(field.bytes);
          break;
        case pf::kDictValues:
          values.push_back(field.bytes);
          break;
        case pf::kArrayValues:
          elements.push_back(field.bytes);
          break;
        default:
          leaf = field;
      }
    }
    if (type == 1 || type == 2) {
      const std::size_t node = tree.open(name, type == 1 ? ArgNode::Kind::Object : ArgNode::Kind::Array);
      for (std::size_t i = 0; type == 1 && i < std::min(keys.size(), values.size()); ++i)
        add_nested(tree, keys[i], values[i], depth + 1);
      for (std::size_t i = 0; type == 2 && i < elements.size(); ++i) add_nested(tree, {}, elements[i], depth + 1);
      return tree.close(node);
    }
    if (!leaf) return tree.add(name, "null", ArgNode::Kind::Word);
    switch (leaf->number) {
      case pf::kNestedInt:
        return tree.number(name, std::to_string(leaf->integer()));
      case pf::kNestedDouble:
        return tree.real(name, leaf->real());
      case pf::kNestedBool:
        return tree.add(name, leaf->flag() ? "true" : "false", ArgNode::Kind::Word);
      default:
        return tree.text(name, leaf->bytes);
    }
  }

  // --- where packets are ---

  Result<std::string_view> packet_at(std::uint64_t offset) {
    const auto after = std::ranges::upper_bound(index_->folds, offset, {}, &PerfettoFold::begin);
    if (after == index_->folds.begin()) return packet_in_file(offset);
    const PerfettoFold& fold = *(after - 1);
    return offset < fold.end ? folded_packet(fold, offset) : packet_in_file(fold.file_end + (offset - fold.end));
  }

  Result<std::string_view> folded_packet(const PerfettoFold& fold, std::uint64_t offset) {
    if (fold_ != fold.file || inner_.empty()) {
      auto outer = packet_in_file(fold.file);
      if (!outer) return outer.error();
      inner_ = unfolded(*outer).value_or(std::string());
      fold_ = fold.file;
    }
    const auto at = static_cast<std::size_t>(offset - fold.begin);
    const auto packet = perfetto_packet(std::string_view(inner_).substr(std::min(at, inner_.size())));
    return packet ? Result<std::string_view>(*packet) : Result<std::string_view>(gone(offset));
  }

  Result<std::string_view> packet_in_file(std::uint64_t at) {
    if (at < text_begin_ || at > text_begin_ + text_.size()) {
      if (stream_->reach() == 0 && at < text_begin_) {
        auto again = open_stream(path_);  // the stream can only be read from beginning to end
        if (!again) return again.error();
        stream_ = std::move(*again);
        read_ = 0;
      }
      if (stream_->reach() > 0) {
        stream_->seek(at);
      } else if (auto there = go_to(*stream_, at - read_); !there) {
        return there.error();
      }
      text_begin_ = read_ = at;
      text_.clear();
    }
    while (true) {
      const std::string_view from = std::string_view(text_).substr(static_cast<std::size_t>(at - text_begin_));
      if (const auto packet = perfetto_packet(from)) return *packet;
      if (!may_begin_packet(from)) return gone(at);  // without this, the rest of the file would be read
      // Packets before this one are not needed again soon.
      text_.erase(0, static_cast<std::size_t>(at - text_begin_));
      text_begin_ = at;
      const std::size_t before = text_.size(), ahead = std::max<std::size_t>(64 << 10, before);
      text_.resize(before + ahead);
      auto n = read_fully(*stream_, std::span(text_).subspan(before));
      if (!n) return n.error();
      text_.resize(before + *n);
      read_ += *n;
      if (*n == 0) return gone(at);
    }
  }

  Error gone(std::uint64_t offset) const {
    return {"no packet is there any more", path_, offset, "read the files again"};
  }

  std::string path_;
  std::unique_ptr<ByteStream> stream_;
  std::shared_ptr<const PerfettoIndex> index_;
  std::uint32_t sequence_ = 0;
  std::uint64_t offset_ = 0;
  std::string text_;  // text of the file, from text_begin_ on
  std::uint64_t text_begin_ = 0, read_ = 0;
  std::string inner_;  // contents of the packet at fold_
  std::uint64_t fold_ = 0;
};

}  // namespace

Result<std::unique_ptr<RecordTable>> open_perfetto_records(const std::string& path) {
  auto index = perfetto_index(path);
  if (!index) return index.error();
  auto stream = open_stream(path);
  if (!stream) return stream.error();
  return std::unique_ptr<RecordTable>(std::make_unique<PerfettoRecords>(path, std::move(*stream), std::move(*index)));
}

}  // namespace tv

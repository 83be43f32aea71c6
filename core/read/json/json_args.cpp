#include "core/read/json_args.h"

#include <simdjson.h>

#include "core/base/ascii.h"
#include "core/read/iterate_json.h"
#include "core/read/json_repair.h"

namespace tv {
namespace {

namespace ondemand = simdjson::ondemand;
using simdjson::error_code;

// Deeper than any record we know, and within any thread's stack: the decoder calls itself once or twice a level.
constexpr std::uint16_t kDeepest = 4000;

// Numbers are taken as they stand in the file: 64-bit ids and exact decimals survive.
class TreeWriter {
 public:
  explicit TreeWriter(ArgTree& tree) : tree_(tree) {}

  error_code object(std::string key, ondemand::object object, std::uint16_t depth) {
    const std::size_t at = open(std::move(key), ArgNode::Kind::Object, depth);
    for (auto field : object) {
      std::string_view name;
      if (const auto code = field.unescaped_key().get(name)) return code;
      if (const auto code = value(std::string(name), field.value(), static_cast<std::uint16_t>(depth + 1))) return code;
    }
    close(at);
    return simdjson::SUCCESS;
  }

 private:
  using Value = simdjson::simdjson_result<ondemand::value>;

  error_code value(std::string key, Value value, std::uint16_t depth) {
    if (depth > kDeepest) return simdjson::DEPTH_ERROR;
    ondemand::json_type type;
    if (const auto code = value.type().get(type)) return code;
    switch (type) {
      case ondemand::json_type::object: {
        ondemand::object inner;
        if (const auto code = value.get_object().get(inner)) return code;
        return object(std::move(key), inner, depth);
      }
      case ondemand::json_type::array: {
        ondemand::array inner;
        if (const auto code = value.get_array().get(inner)) return code;
        const std::size_t at = open(std::move(key), ArgNode::Kind::Array, depth);
        for (auto element : inner) {
          if (const auto code = this->value({}, element, static_cast<std::uint16_t>(depth + 1))) return code;
        }
        close(at);
        return simdjson::SUCCESS;
      }
      case ondemand::json_type::string: {
        std::string_view text;
        if (const auto code = value.get_string().get(text)) return code;
        leaf(std::move(key), ArgNode::Kind::String, std::string(text), depth);
        return simdjson::SUCCESS;
      }
      default: {
        std::string_view token;
        if (const auto code = value.raw_json_token().get(token)) return code;
        const bool number = type == ondemand::json_type::number;
        leaf(std::move(key), number ? ArgNode::Kind::Number : ArgNode::Kind::Word,
             std::string(without_trailing_blanks(token)), depth);
        return simdjson::SUCCESS;
      }
    }
  }

  std::size_t open(std::string key, ArgNode::Kind kind, std::uint16_t depth) {
    tree_.nodes.push_back({std::move(key), {}, kind, depth, 0});
    return tree_.nodes.size() - 1;
  }
  void close(std::size_t at) { tree_.nodes[at].subtree_end = static_cast<std::uint32_t>(tree_.nodes.size()); }
  void leaf(std::string key, ArgNode::Kind kind, std::string text, std::uint16_t depth) {
    close(open(std::move(key), kind, depth));
    tree_.nodes.back().value = std::move(text);
  }

  ArgTree& tree_;
};

error_code decode(std::string_view json, ArgTree& tree) {
  tree.nodes.clear();
  ondemand::parser parser;
  const simdjson::padded_string text(json);
  ondemand::document document;
  if (const auto code = iterate_json(parser, text).get(document)) return code;
  ondemand::object root;
  if (const auto code = document.get_object().get(root)) return code;
  return TreeWriter(tree).object({}, root, 0);
}

}  // namespace

Result<ArgTree> decode_json_record(std::string_view record) {
  ArgTree tree;
  if (decode(record, tree) != simdjson::SUCCESS) {
    if (const auto code = decode(repair_json(record).json, tree)) {
      return Error{std::string("the record cannot be decoded: ") + simdjson::error_message(code), {}, {}, {}};
    }
  }
  tree.text = record;
  return tree;
}

}  // namespace tv

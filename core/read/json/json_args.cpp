#include "core/read/json/json_args.h"

#include <simdjson.h>

#include <vector>

#include "core/base/text/ascii.h"
#include "core/read/json/iterate_json.h"
#include "core/read/json/json_repair.h"

namespace tv {
namespace {

namespace ondemand = simdjson::ondemand;
using simdjson::error_code;

// Deeper than any record we know.
constexpr std::size_t kDeepest = 4000;

// Numbers keep their text from the file, so 64-bit ids and exact decimals survive. Open objects and arrays are kept in a list,
// not on the call stack, which deep nesting would overflow.
class TreeWriter {
 public:
  explicit TreeWriter(ArgTree& tree) : tree_(tree) {}

  error_code write(ondemand::object root) {
    if (const auto code = enter_object({}, root)) return code;
    while (!levels_.empty()) {
      if (const auto code = levels_.back().in_object ? next_field() : next_element()) return code;
    }
    return simdjson::SUCCESS;
  }

 private:
  using Value = simdjson::simdjson_result<ondemand::value>;

  // An object or array that is being read; one of the two iterators is used.
  struct Level {
    std::size_t node;
    bool in_object;
    ondemand::object_iterator field{};
    ondemand::array_iterator element{};
  };

  error_code next_field() {
    if (levels_.back().field == ondemand::object_iterator()) return leave();
    auto field = *levels_.back().field;
    std::string_view name;
    if (const auto code = field.unescaped_key().get(name)) return code;
    return value(std::string(name), field.value());
  }
  error_code next_element() {
    if (levels_.back().element == ondemand::array_iterator()) return leave();
    return value({}, *levels_.back().element);
  }

  // Adds a scalar and steps past it. leave() steps past objects and arrays, after their members have been read.
  error_code value(std::string key, Value value) {
    ondemand::json_type type;
    if (const auto code = value.type().get(type)) return code;
    switch (type) {
      case ondemand::json_type::object: {
        ondemand::object inner;
        if (const auto code = value.get_object().get(inner)) return code;
        return enter_object(std::move(key), inner);
      }
      case ondemand::json_type::array: {
        ondemand::array inner;
        if (const auto code = value.get_array().get(inner)) return code;
        return enter_array(std::move(key), inner);
      }
      case ondemand::json_type::string: {
        std::string_view text;
        if (const auto code = value.get_string().get(text)) return code;
        leaf(std::move(key), ArgNode::Kind::String, std::string(text));
        break;
      }
      default: {
        std::string_view token;
        if (const auto code = value.raw_json_token().get(token)) return code;
        const bool number = type == ondemand::json_type::number;
        leaf(std::move(key), number ? ArgNode::Kind::Number : ArgNode::Kind::Word,
             std::string(without_trailing_blanks(token)));
      }
    }
    step();
    return simdjson::SUCCESS;
  }

  error_code enter_object(std::string key, ondemand::object object) {
    Level level{open(std::move(key), ArgNode::Kind::Object), true};
    if (const auto code = object.begin().get(level.field)) return code;
    return enter(level);
  }
  error_code enter_array(std::string key, ondemand::array array) {
    Level level{open(std::move(key), ArgNode::Kind::Array), false};
    if (const auto code = array.begin().get(level.element)) return code;
    return enter(level);
  }
  error_code enter(const Level& level) {
    if (levels_.size() > kDeepest) return simdjson::DEPTH_ERROR;
    levels_.push_back(level);
    return simdjson::SUCCESS;
  }
  error_code leave() {
    close(levels_.back().node);
    levels_.pop_back();
    if (!levels_.empty()) step();
    return simdjson::SUCCESS;
  }
  void step() {
    Level& level = levels_.back();
    if (level.in_object) {
      ++level.field;
    } else {
      ++level.element;
    }
  }

  std::size_t open(std::string key, ArgNode::Kind kind) {
    tree_.nodes.push_back({std::move(key), {}, kind, static_cast<std::uint16_t>(levels_.size()), 0});
    return tree_.nodes.size() - 1;
  }
  void close(std::size_t at) { tree_.nodes[at].subtree_end = static_cast<std::uint32_t>(tree_.nodes.size()); }
  void leaf(std::string key, ArgNode::Kind kind, std::string text) {
    close(open(std::move(key), kind));
    tree_.nodes.back().value = std::move(text);
  }

  ArgTree& tree_;
  std::vector<Level> levels_;
};

error_code decode(std::string_view json, ArgTree& tree) {
  tree.nodes.clear();
  ondemand::parser parser;
  const simdjson::padded_string text(json);
  ondemand::document document;
  if (const auto code = iterate_json(parser, text).get(document)) return code;
  ondemand::object root;
  if (const auto code = document.get_object().get(root)) return code;
  return TreeWriter(tree).write(root);
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

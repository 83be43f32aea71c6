// Writes an ArgTree, or one value in it, as JSON text. The caller writes numbers and words, because some files hold numbers that
// strict JSON forbids, and only some callers need strict JSON. Cost: O(nodes of the value).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/base/text/json_text.h"
#include "core/store/draft/arg_tree.h"

namespace tv {

struct JsonSpacing {
  std::string_view comma = ",", colon = ":";
};

/// `append_word(out, text)` must append a number, true, false or null; `text` is as in the file.
template <class AppendWord>
void append_arg_json(std::string& out, const ArgTree& tree, std::size_t node, const AppendWord& append_word, JsonSpacing spacing = {}) {
  const ArgNode& at = tree.nodes[node];
  if (at.kind == ArgNode::Kind::String) return append_json_quoted(out, at.value);
  if (at.kind == ArgNode::Kind::Number || at.kind == ArgNode::Kind::Word) return append_word(out, at.value);
  const bool object = at.kind == ArgNode::Kind::Object;
  out += object ? '{' : '[';
  for (std::size_t child = node + 1; child < at.subtree_end; child = tree.nodes[child].subtree_end) {
    if (child > node + 1) out += spacing.comma;
    if (object) {
      append_json_quoted(out, tree.nodes[child].key);
      out += spacing.colon;
    }
    append_arg_json(out, tree, child, append_word, spacing);
  }
  out += object ? '}' : ']';
}

}  // namespace tv

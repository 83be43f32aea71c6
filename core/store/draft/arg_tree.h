// A decoded record, for the details panel and exports: a tree of keys and values, stored in preorder.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tv {

struct ArgNode {
  enum class Kind : std::uint8_t { Object, Array, String, Number, Word };  ///< Word: true, false, null
  std::string key;    ///< empty for array elements and the root
  std::string value;  ///< as in the file, but strings are unescaped; empty for objects and arrays
  Kind kind = Kind::Word;
  std::uint16_t depth = 0;
  std::uint32_t subtree_end = 0;  ///< one past the last descendant in ArgTree::nodes
};

struct ArgTree {
  std::vector<ArgNode> nodes;  ///< nodes[0] is the record itself
  std::string text;            ///< the record as written in the file

  /// The value of a top-level key. Null: the record lacks the key.
  const ArgNode* find(std::string_view key) const {
    for (std::size_t i = 1; i < nodes.size(); i = nodes[i].subtree_end) {
      if (nodes[i].key == key) return &nodes[i];
    }
    return nullptr;
  }
};

}  // namespace tv

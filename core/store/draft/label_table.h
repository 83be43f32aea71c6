// Labels: distinct pairs of category and name. A slice has one 4-byte id for both, which also determines its default colour.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/text/string_table.h"

namespace tv {

/// A category that many labels use. It is hashed only once.
class LabelCategory {
 public:
  LabelCategory() : LabelCategory(std::string_view()) {}
  explicit LabelCategory(std::string_view text);

 private:
  friend class LabelTable;
  std::string text_;
  std::uint32_t hash_;
};

class LabelTable {
 public:
  LabelTable() = default;
  /// The first `count` labels of another table, with their ids and texts.
  LabelTable(const LabelTable& other, std::size_t count) : texts_(other.texts_, count) {}

  LabelId intern(std::string_view category, std::string_view name);
  LabelId intern(const LabelCategory& category, std::string_view name) {
    return as_label(texts_.intern_pair(category.text_, category.hash_, name));
  }
  /// Copies a label from another table.
  LabelId intern_from(const LabelTable& other, LabelId id) { return as_label(texts_.intern_from(other.texts_, as_str(id))); }

  std::string_view name(LabelId id) const;
  std::string_view category(LabelId id) const;
  std::size_t size() const { return texts_.size(); }
  std::size_t bytes() const { return texts_.bytes(); }

 private:
  static LabelId as_label(StrId id) { return static_cast<LabelId>(id); }
  static StrId as_str(LabelId id) { return static_cast<StrId>(id); }

  StringTable texts_;  ///< "category\0name"; a category never contains a NUL, a name may
};

}  // namespace tv

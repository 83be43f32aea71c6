#include "core/store/draft/label_table.h"

namespace tv {
namespace {

// Cuts a category at a NUL, because NUL separates it from the name in the table.
std::string_view up_to_nul(std::string_view category) { return category.substr(0, category.find('\0')); }

}  // namespace

LabelCategory::LabelCategory(std::string_view text) : text_(up_to_nul(text)), hash_(StringTable::hash_of(text_)) {}

LabelId LabelTable::intern(std::string_view category, std::string_view name) {
  return as_label(texts_.intern_pair(up_to_nul(category), name));
}

std::string_view LabelTable::name(LabelId id) const {
  const std::string_view text = texts_[as_str(id)];
  return text.substr(text.find('\0') + 1);
}

std::string_view LabelTable::category(LabelId id) const {
  const std::string_view text = texts_[as_str(id)];
  return text.substr(0, text.find('\0'));
}

}  // namespace tv

#include "core/view/words/launch_text.h"

#include <array>
#include <cstddef>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace tv {
namespace {

// Searches the record at all depths, because the keys of a kernel are unique.
const ArgNode* node_of(const ArgTree& record, std::string_view key) {
  for (const ArgNode& node : record.nodes) {
    if (node.key == key) return &node;
  }
  return nullptr;
}

std::string value_of(const ArgTree& record, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    const ArgNode* const node = node_of(record, key);
    if (node && !node->value.empty()) return node->value;
  }
  return {};
}

// Writes "56 x 2", without trailing sizes of 1.
std::string extent_of(const ArgTree& record, std::string_view array, const std::array<std::string_view, 3>& single) {
  std::vector<std::string> sizes;
  if (const ArgNode* const node = node_of(record, array); node && node->kind == ArgNode::Kind::Array) {
    const auto at = static_cast<std::size_t>(node - record.nodes.data());
    for (std::size_t i = at + 1; i < node->subtree_end; i = record.nodes[i].subtree_end)
      sizes.push_back(record.nodes[i].value);
  } else {
    for (const std::string_view key : single) {
      if (std::string size = value_of(record, {key}); !size.empty()) sizes.push_back(std::move(size));
    }
  }
  while (sizes.size() > 1 && sizes.back() == "1") sizes.pop_back();
  std::string out;
  for (const std::string& size : sizes) out += (out.empty() ? "" : " x ") + size;
  return out;
}

}  // namespace

std::string launch_text(const ArgTree& record) {
  std::string out;
  const auto add = [&](std::string_view before, const std::string& value, std::string_view after) {
    if (value.empty()) return;
    out += out.empty() ? "" : ", ";
    out += before;
    out += value;
    out += after;
  };
  const std::string grid = extent_of(record, "grid", {"gridX", "gridY", "gridZ"});
  const std::string block = extent_of(record, "block", {"blockX", "blockY", "blockZ"});
  if (grid.empty() && block.empty()) return out;
  add("stream ", value_of(record, {"stream", "streamId"}), "");
  add("grid ", grid, "");
  add("block ", block, "");
  add("", value_of(record, {"registers per thread", "registersPerThread"}), " registers");
  return out;
}

}  // namespace tv

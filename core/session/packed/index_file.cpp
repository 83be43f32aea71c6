#include "core/session/packed/index_file.h"

#include <optional>
#include <utility>

#include "core/base/bytes.h"

namespace tv {
namespace {

constexpr std::string_view kNodes = "index.nodes", kUnions = "index.unions", kBegin = "index.begin",
                           kDuration = "index.duration", kLabel = "index.label", kUnionNodes = "index.union_nodes";

template <class T>
std::string_view text_of(const Column<T>& column) {
  return {reinterpret_cast<const char*>(column.data()), column.size() * sizeof(T)};
}

}  // namespace

void write_index(SectionWriter& file, const SegmentIndex& index) {
  const SlotUnions& unions = index.unions();
  ByteWriter slots;
  slots(std::uint64_t{unions.slots.size()});
  for (const SlotUnions::Slot& slot : unions.slots) slots(slot.first_row, slot.pieces);
  file.add(kUnions, SectionCoding::Plain, slots.bytes());
  file.add(kNodes, SectionCoding::Plain, text_of(index.all_nodes()));
  file.add(kBegin, SectionCoding::Plain, text_of(unions.begin));
  file.add(kDuration, SectionCoding::Plain, text_of(unions.duration));
  file.add(kLabel, SectionCoding::Plain, text_of(unions.label));
  file.add(kUnionNodes, SectionCoding::Plain, text_of(unions.nodes));
}

bool is_of_index(std::string_view section) { return section.starts_with("index."); }

bool has_index(const SectionFile& file) { return file.find(kNodes) != nullptr; }

Result<std::shared_ptr<const SegmentIndex>> read_index(const SectionFile& file, const Trace& segment, ThreadPool& pool) {
  std::optional<Error> error;
  const auto bytes_of = [&](std::string_view name, bool mapped) -> SectionBytes {
    const Section* const section = file.find(name);
    if (!section) error = contradictory_tables(file.path());
    if (error) return {};
    auto bytes = mapped ? file.map(*section) : file.load(*section, pool);
    if (bytes) return std::move(*bytes);
    error = bytes.error();
    return {};
  };
  const auto column = [&]<class T>(std::string_view name, Column<T>& to) {
    SectionBytes bytes = bytes_of(name, segment.columns_are == ColumnsAre::Unchecked);
    if (bytes.bytes.size() % sizeof(T) != 0) error = contradictory_tables(file.path());
    if (!error) to = column_in<T>(std::move(bytes));
  };
  SlotUnions unions;
  Column<PyramidNode> nodes;
  const SectionBytes slots = bytes_of(kUnions, false);
  ByteReader reader(slots.text());
  unions.slots.resize(reader.count(8));
  for (SlotUnions::Slot& slot : unions.slots) reader(slot.first_row, slot.pieces);
  if (!error && !reader.done()) error = contradictory_tables(file.path());
  column(kNodes, nodes);
  column(kBegin, unions.begin);
  column(kDuration, unions.duration);
  column(kLabel, unions.label);
  column(kUnionNodes, unions.nodes);
  if (error) return *error;
  auto index = SegmentIndex::of(segment, std::move(nodes), std::move(unions));
  if (!index) return contradictory_tables(file.path());
  return index;
}

}  // namespace tv

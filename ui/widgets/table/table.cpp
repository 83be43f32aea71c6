#include "ui/widgets/table/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "core/base/text/count_text.h"
#include "ui/widgets/named_places.h"
#include "ui/widgets/table/table_columns.h"
#include "ui/widgets/table/table_parts.h"
#include "ui/widgets/table/table_widths.h"
#include "ui/widgets/text/label.h"
#include "ui/widgets/text/text.h"
#include "ui/widgets/text/wrapped_text.h"

namespace tv {
namespace {

constexpr std::size_t kRowsWithoutBar = 12;
constexpr float kFilterLetters = 16;

ImGuiTableFlags flags_of_table() {
  return ImGuiTableFlags_RowBg | ImGuiTableFlags_ScrollX | ImGuiTableFlags_ScrollY | ImGuiTableFlags_Resizable |
         ImGuiTableFlags_Hideable | ImGuiTableFlags_BordersInnerV | ImGuiTableFlags_SizingFixedFit |
         ImGuiTableFlags_NoSavedSettings;
}

}  // namespace

TableAction Table::draw(const char* id, const TableModel& model, std::uint64_t version, Keys& keys, const Theme& theme,
                        const TableLook& look) {
  TableAction action;
  places_.clear();
  first_row_ = {-1, -1};
  const std::size_t columns = std::min(model.columns().size(), kMostTableColumns);
  if (columns == 0) return action;
  ImGui::PushID(id);
  rows_.update(model, version, state_);
  if (selection_rows_ != model.rows()) selection_.clear();  // the selected rows are different now
  selection_rows_ = model.rows();
  const bool is_new = fitted_for_.model != &model || fitted_for_.version != version;  // the columns that are empty may differ now
  if (is_new || shown_.empty() || shown_of_ != state_.columns || shown_.size() != columns) {
    shown_ = shown_columns(model.columns().first(columns), state_);
    shown_of_ = state_.columns;
  }
  const ImVec2 begin = ImGui::GetCursorScreenPos(), avail = ImGui::GetContentRegionAvail();
  const ImVec2 size{look.size.x > 0 ? look.size.x : avail.x, look.size.y > 0 ? look.size.y : avail.y};
  bar_ = bar_ || filter_asked_;
  if (look.bar.value_or(bar_ || model.rows() > kRowsWithoutBar || !state_.filter.empty())) draw_bar(model, version, theme);
  const float used = ImGui::GetCursorScreenPos().y - begin.y;
  follow(model, look);
  if (focused_) type(model, keys, action);
  fit_columns(model, version, size.x);
  row_height_ = ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y;
  const ImVec2 outer{size.x, std::max(size.y - used, row_height_ * 2)};
  if (ImGui::BeginTable("rows", static_cast<int>(columns), flags_of_table(), outer)) {
    take_widths();
    const auto first = std::ranges::find(shown_, false, &ShownColumn::hidden);
    const bool freeze = first != shown_.end() && fitted_[first->column] < size.x / 2;
    ImGui::TableSetupScrollFreeze(freeze ? 1 : 0, 1);
    for (std::size_t c = 0; c < columns; ++c) {
      ImGui::TableSetupColumn(model.columns()[c].title.c_str(), ImGuiTableColumnFlags_WidthFixed, fitted_[c]);
    }
    placed_.assign(columns, 0);
    for (const ShownColumn& one : shown_) {
      placed_[one.column] = one.width > 0 ? std::floor(one.width * ImGui::GetFontSize()) : fitted_[one.column];
    }
    place_columns(shown_, placed_);
    placed_once_ = true;
    measure_rows(model);
    scroll_to_asked(ImGui::GetWindowHeight() - row_height_);
    draw_heads(model);
    draw_rows(model, theme, action);
    if (const auto fit = asked_to_fit()) {
      for (ShownColumn& one : shown_) one.width = one.column == *fit ? 0 : one.width;
      remember_columns(state_, model.columns(), shown_);
      shown_of_ = state_.columns;
    }
    ImGui::EndTable();
    if (rows_.shown().empty()) {
      const std::string_view why = model.rows() > 0 ? "No row matches the filter" : look.nothing;
      const ImVec2 at{begin.x + ImGui::GetFontSize() / 2, begin.y + used + row_height_ * 1.3f};
      ImGui::GetWindowDrawList()->AddText(at, theme.text_dim, why.data(), why.data() + why.size());
    }
  }
  draw_menu(model, look, action);
  draw_columns_menu(model);
  take_keyboard(keys, model, {begin.x, begin.y + used}, {begin.x + size.x, begin.y + used + outer.y}, theme);
  ImGui::PopID();
  return action;
}

// A click in the table or its turn (F6) gives it the keyboard; a click elsewhere, the turn of another table or Esc ends this.
void Table::take_keyboard(Keys& keys, const TableModel& model, ImVec2 begin, ImVec2 end, const Theme& theme) {
  const bool clicked = ImGui::IsMouseClicked(ImGuiMouseButton_Left) || ImGui::IsMouseClicked(ImGuiMouseButton_Right);
  if (clicked && !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) {
    focused_ = ImGui::IsMouseHoveringRect(begin, end) &&
               ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows |
                                        ImGuiHoveredFlags_AllowWhenBlockedByActiveItem);
  }
  if (keys.pressed({Key::Escape, kNoModifier})) focused_ = false;
  const bool turn = keys.table_is_here(this, focused_);
  if (keys.table_turned()) {
    focused_ = turn;
    if (turn && !selection_.cursor()) scroll_to_ = selection_.move(rows_, 1, false) ? std::optional<std::size_t>(0) : std::nullopt;
  }
  if (!focused_) return;
  if (!keys.text_input_active()) keys.give_to_table();
  if (model.rows() > 0) ImGui::GetWindowDrawList()->AddRect(begin, end, theme.accent);
}

// Measures the height of rows with sentences that wrap, if the table is short enough.
void Table::measure_rows(const TableModel& model) {
  tops_.clear();
  std::size_t wrapping = kNoColumn;
  for (const ShownColumn& one : shown_) {
    if (!one.hidden && model.columns()[one.column].wraps) wrapping = one.column;
  }
  if (wrapping == kNoColumn || rows_.shown().size() > kMostWrapped) return;
  float top = 0;
  for (const std::uint32_t row : rows_.shown()) {
    tops_.push_back(top);
    model.text(row, wrapping, cell_text_);
    const auto lines = static_cast<float>(wrapped_lines(cell_text_, std::max(placed_[wrapping], 1.0f)).size());
    const float text = lines * ImGui::GetFontSize();
    top += std::max(row_height_, text + 2 * ImGui::GetStyle().CellPadding.y);
  }
  tops_.push_back(top);
}

float Table::top_of(std::size_t place) const {
  return tops_.empty() ? static_cast<float>(place) * row_height_ : tops_[std::min(place, tops_.size() - 1)];
}
float Table::height_of(std::size_t place) const {
  return place + 1 < tops_.size() ? tops_[place + 1] - tops_[place] : row_height_;
}

void Table::scroll_to_asked(float inner) {
  page_ = static_cast<std::size_t>(std::max(1.0f, std::floor(inner / row_height_) - 1));
  if (!scroll_to_) return;
  const float at = top_of(*scroll_to_), now = ImGui::GetScrollY();
  if (at < now || at + height_of(*scroll_to_) > now + inner) ImGui::SetScrollY(std::max(0.0f, at - inner / 2));
  scroll_to_.reset();
}

void Table::draw_rows(const TableModel& model, const Theme& theme, TableAction& action) {
  if (!tops_.empty()) {
    for (std::size_t place = 0; place < rows_.shown().size(); ++place) draw_row(model, place, theme, action);
    return;
  }
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(rows_.shown().size()), row_height_);
  while (clipper.Step()) {
    for (int place = clipper.DisplayStart; place < clipper.DisplayEnd; ++place) {
      draw_row(model, static_cast<std::size_t>(place), theme, action);
    }
  }
}

float Table::bar_width() {
  const ImGuiStyle& style = ImGui::GetStyle();
  return ImGui::GetFontSize() * kFilterLetters + style.ItemSpacing.x + ImGui::CalcTextSize("Columns").x + 2 * style.FramePadding.x;
}

// Draws the filter, the choice of columns and the number of rows.
void Table::draw_bar(const TableModel& model, std::uint64_t version, const Theme& theme) {
  rows_.update(model, version, state_);
  char buffer[256];
  buffer[state_.filter.copy(buffer, sizeof(buffer) - 1)] = '\0';
  const bool filtered = !state_.filter.empty();
  ImGui::SetNextItemWidth(std::min(ImGui::GetFontSize() * kFilterLetters, ImGui::GetContentRegionAvail().x * 0.6f));
  if (filtered) ImGui::PushStyleColor(ImGuiCol_FrameBg, theme.accent_soft);
  const bool begun = std::exchange(filter_asked_, false);
  if (begun) ImGui::SetKeyboardFocusHere();
  if (ImGui::InputTextWithHint("##filter", "Filter: words, or count>10", buffer, sizeof(buffer),
                               ImGuiInputTextFlags_AutoSelectAll)) {
    state_.filter = buffer;
    rows_.update(model, version, state_);
  }
  if (filtered) ImGui::PopStyleColor();
  filter_place_ = middle_of_item();
  // While the user types, the count of rows next to it is more important than the tooltip.
  if (ImGui::IsItemHovered() && !ImGui::IsItemActive()) {
    ImGui::SetTooltip("Words in a row's text, and comparisons on columns:\n"
                      "gemm   \"two words\"   !copy   count>10   total>=2ms   name!=foo   \"self time\"<1s");
  }
  ImGui::SameLine();
  if (ImGui::SmallButton("Columns")) columns_asked_ = true;
  columns_place_ = middle_of_item();
  if (ImGui::IsItemHovered()) ImGui::SetTooltip("Choose which columns are shown. Drag a header to move its column");
  std::string& count = whole_text_;
  count.clear();
  if (rows_.shown().size() < model.rows()) {
    fmt::format_to(std::back_inserter(count), "{} of {}", format_count(rows_.shown().size()), format_count(model.rows()));
  } else {
    fmt::format_to(std::back_inserter(count), "{}", count_text(model.rows(), "row"));
  }
  if (selection_.count() > 1) fmt::format_to(std::back_inserter(count), ", {} selected", format_count(selection_.count()));
  ImGui::SameLine();
  if (rows_.complaint().empty()) {
    ImGui::TextUnformatted(count.c_str());
  } else {
    ImGui::PushStyleColor(ImGuiCol_Text, theme.warning);
    ImGui::TextUnformatted(rows_.complaint().c_str());
    ImGui::PopStyleColor();
  }
}

// Finds the highlighted row again if the selection or the order changes. Only a new selection scrolls.
void Table::follow(const TableModel& model, const TableLook& look) {
  const bool changed = lit_ != look.lit;
  if (!changed && lit_revision_ == rows_.revision()) return;
  lit_revision_ = rows_.revision();
  lit_ = look.lit;
  const auto place = rows_.place_of(model, lit_);
  lit_row_ = place ? std::optional<std::size_t>(rows_.shown()[*place]) : std::nullopt;
  if (place && changed) scroll_to_ = place;
}

void Table::fit_columns(const TableModel& model, std::uint64_t version, float room) {
  const FittedFor wanted{&model, version, room, ImGui::GetFontSize()};
  if (wanted == fitted_for_ && fitted_.size() == shown_.size()) return;
  fitted_for_ = wanted;
  fitted_ = fitted_widths(model, shown_, rows_.shown(), room);
  placed_once_ = false;
}

// Call after BeginTable, which applies drags.
void Table::take_widths() {
  if (!placed_once_ || placed_.size() != shown_.size()) return;
  bool dragged = false;
  for (ShownColumn& one : shown_) {
    const float now = placed_width(one.column);
    if (now <= 0 || std::fabs(now - placed_[one.column]) < 0.5f) continue;
    one.width = now / ImGui::GetFontSize();
    dragged = true;
  }
  if (!dragged) return;
  for (const ShownColumn& one : shown_) {
    const auto stored = std::ranges::find(state_.columns, fitted_for_.model->columns()[one.column].id, &ColumnState::id);
    if (stored != state_.columns.end()) stored->width = one.width;
    if (stored == state_.columns.end()) {
      remember_columns(state_, fitted_for_.model->columns(), shown_);
      break;
    }
  }
  shown_of_ = state_.columns;
}

void Table::draw_heads(const TableModel& model) {
  ImGui::TableNextRow(ImGuiTableRowFlags_Headers, row_height_);
  for (std::size_t place = 0; place < shown_.size(); ++place) {
    const std::size_t c = shown_[place].column;  // a drag changes which column is at this place
    if (!shown_[place].hidden && ImGui::TableSetColumnIndex(static_cast<int>(c))) draw_head(model.columns()[c], c);
  }
}

void Table::draw_head(const TableColumn& column, std::size_t c) {
  const auto key = std::ranges::find(state_.sort, column.id, &TableSort::column);
  const bool sorted = key != state_.sort.end();
  const bool clicked = table_head({column.title, column.meaning, column.number() || column.right,
                                   sorted ? static_cast<int>(key - state_.sort.begin()) + 1 : 0, sorted && key->falling},
                                  c);
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  places_[column.id] = middle_of_item();
  places_["edge " + column.id] = {column_edge(c), (low.y + high.y) / 2};
  if (ImGui::IsItemHovered() && ImGui::IsMouseReleased(ImGuiMouseButton_Right)) columns_asked_ = true;
  if (ImGui::IsItemActivated()) moved_column_ = false;
  if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
    const float x = ImGui::GetMousePos().x;
    if ((x < low.x || x > high.x) && move_column(shown_, c, x > high.x)) {
      moved_column_ = true;
      remember_columns(state_, fitted_for_.model->columns(), shown_);
      shown_of_ = state_.columns;
    }
  }
  if (clicked && !moved_column_) sort_by(state_, column, ImGui::GetIO().KeyShift);
}

void Table::draw_row(const TableModel& model, std::size_t place, const Theme& theme, TableAction& action) {
  const std::uint32_t row = rows_.shown()[place];
  const float height = height_of(place);
  ImGui::TableNextRow(ImGuiTableRowFlags_None, height);
  if (lit_row_ && *lit_row_ == row) ImGui::TableSetBgColor(ImGuiTableBgTarget_RowBg1, theme.accent_soft);
  const RowTone tone = model.tone(row);
  if (tone != RowTone::Plain) {
    ImGui::PushStyleColor(ImGuiCol_Text, tone == RowTone::Loss ? theme.loss : tone == RowTone::Warning ? theme.warning : theme.text_dim);
  }
  bool first = true;
  for (const ShownColumn& one : shown_) {
    if (one.hidden) continue;
    const bool seen = ImGui::TableSetColumnIndex(static_cast<int>(one.column));
    if (first) {
      ImGui::PushID(static_cast<int>(row));
      const float inside = tops_.empty() ? 0 : height - 2 * ImGui::GetStyle().CellPadding.y;
      const bool clicked = ImGui::Selectable("##row", selection_.has(row),
                                             ImGuiSelectableFlags_SpanAllColumns | ImGuiSelectableFlags_AllowDoubleClick |
                                                 ImGuiSelectableFlags_AllowItemOverlap,
                                             {0, inside});
      ImGui::PopID();
      if (first_row_.x < 0) {
        first_row_ = {middle_of_item().x, ImGui::GetItemRectMin().y + row_height_ / 2};
        first_place_ = place;
      }
      rows_end_ = ImGui::GetItemRectMax().y;
      if (clicked) {
        const ImGuiIO& io = ImGui::GetIO();
        selection_.pick(rows_, row, io.KeyShift, io.KeyCtrl);
        if (!io.KeyShift && !io.KeyCtrl) action.chosen = row;
        if (ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left)) action.go = row;
      }
      if (ImGui::IsItemHovered()) {
        action.hovered = row;
        if (ImGui::IsMouseReleased(ImGuiMouseButton_Right)) {
          if (!selection_.has(row)) selection_.pick(rows_, row, false, false);
          menu_row_ = row;
          menu_asked_ = true;
        }
      }
      ImGui::SameLine(0, 0);
    }
    if (seen || first) draw_cell(model, row, one.column, action);
    first = false;
  }
  if (tone != RowTone::Plain) ImGui::PopStyleColor();
}

void Table::draw_cell(const TableModel& model, std::uint32_t row, std::size_t column, TableAction& action) {
  const TableColumn& heading = model.columns()[column];
  model.text(row, column, cell_text_);
  if (heading.button) {
    if (cell_text_.empty()) return;
    ImGui::PushID(static_cast<int>(row));
    if (ImGui::SmallButton(whole_label(cell_text_).c_str())) action.pressed = row;
    ImGui::PopID();
    places_["button " + std::to_string(row)] = middle_of_item();
    return;
  }
  if (heading.number() || heading.right) return table_cell(cell_text_, true);
  const float room = ImGui::GetContentRegionAvail().x;
  if (heading.wraps && !tops_.empty()) {
    ImVec2 at = ImGui::GetCursorScreenPos();
    const std::vector<std::string_view> lines = wrapped_lines(cell_text_, room);
    for (const std::string_view line : lines) {
      draw_text(*ImGui::GetWindowDrawList(), at, ImGui::GetColorU32(ImGuiCol_Text), line);
      at.y += ImGui::GetFontSize();
    }
    ImGui::Dummy({room, ImGui::GetFontSize() * static_cast<float>(lines.size())});
    return;
  }
  model.whole(row, column, whole_text_);
  for (std::size_t n = 1; ImGui::CalcTextSize(cell_text_.c_str()).x > room && model.shorter(row, column, n, cell_text_); ++n) {
  }
  table_cell(std::string_view(cell_text_).substr(0, cell_text_.find('\n')), false, &whole_text_);
}

std::string Table::as_text(const TableModel& model, TableFormat format) const {
  return table_as_text(model, selection_.selected_or_all(rows_), state_, format);
}

bool Table::menu_item(const char* title, const char* keys) {
  const bool chosen = ImGui::MenuItem(title, keys);
  places_[std::string("item ") + title] = middle_of_item();
  return chosen;
}

void Table::draw_menu(const TableModel& model, const TableLook& look, TableAction& action) {
  if (std::exchange(menu_asked_, false)) ImGui::OpenPopup("rows menu");
  if (!ImGui::BeginPopup("rows menu")) return;
  const std::size_t rows = selection_.count() > 0 ? selection_.count() : rows_.shown().size();
  ImGui::TextDisabled("%s", count_text(rows, "row").c_str());
  if (menu_row_ && menu_item("Go there", "Enter")) action.go = menu_row_;
  if (menu_row_ && look.narrow && menu_item(look.narrow)) action.narrow = menu_row_;
  ImGui::Separator();
  if (menu_item("Copy for a spreadsheet", "Ctrl+C")) action.copy = as_text(model, TableFormat::Tsv);
  if (menu_item("Copy as CSV")) action.copy = as_text(model, TableFormat::Csv);
  if (menu_item("Copy as JSON")) action.copy = as_text(model, TableFormat::Json);
  if (menu_item("Copy as Markdown")) action.copy = as_text(model, TableFormat::Markdown);
  ImGui::Separator();
  const std::string file(look.file);
  if (menu_item("Save as CSV")) action.save = {file + ".csv", as_text(model, TableFormat::Csv)};
  if (menu_item("Save as JSON")) action.save = {file + ".json", as_text(model, TableFormat::Json)};
  ImGui::Separator();
  if (menu_item("Select all rows", "Ctrl+A")) selection_.pick_all(rows_);
  ImGui::EndPopup();
}

void Table::draw_columns_menu(const TableModel& model) {
  if (std::exchange(columns_asked_, false)) ImGui::OpenPopup("columns menu");
  if (!ImGui::BeginPopup("columns menu")) return;
  const auto left = std::ranges::count(shown_, false, &ShownColumn::hidden);
  bool changed = false;
  for (ShownColumn& one : shown_) {
    bool on = !one.hidden;
    const TableColumn& column = model.columns()[one.column];
    if (ImGui::MenuItem(whole_label(column.title).c_str(), nullptr, &on, one.hidden || left > 1)) {
      one.hidden = !on;
      changed = true;
    }
    places_["item " + column.title] = middle_of_item();
    if (!column.meaning.empty() && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", column.meaning.c_str());
  }
  if (changed) {
    remember_columns(state_, model.columns(), shown_);
    shown_of_ = state_.columns;
    fitted_for_ = {};
  }
  ImGui::Separator();
  if (menu_item("Reset columns")) {
    state_.columns.clear();
    fitted_for_ = {};
  }
  ImGui::EndPopup();
}

void Table::type(const TableModel& model, Keys& keys, TableAction& action) {
  const auto to = [&](std::ptrdiff_t by, bool shift) {
    const auto row = selection_.move(rows_, by, shift);
    if (!row) return;
    scroll_to_ = rows_.place_of(*row);
    if (!shift) action.chosen = row;
  };
  constexpr std::ptrdiff_t kFar = std::ptrdiff_t{1} << 40;
  const auto page = static_cast<std::ptrdiff_t>(page_);
  const std::pair<Key, std::ptrdiff_t> moves[] = {{Key::Up, -1},        {Key::Down, 1},    {Key::PageUp, -page},
                                                  {Key::PageDown, page}, {Key::Home, -kFar}, {Key::End, kFar}};
  for (const auto& [key, by] : moves) {
    if (keys.typed_in_table({key, kNoModifier})) to(by, false);
    if (keys.typed_in_table({key, kShift})) to(by, true);
  }
  if (keys.typed_in_table({Key::Enter, kNoModifier})) action.go = selection_.cursor();
  if (keys.typed_in_table({Key::Space, kNoModifier}) && selection_.cursor()) {
    selection_.pick(rows_, *selection_.cursor(), false, true);
  }
  if (keys.typed_in_table({Key::Slash, kNoModifier})) filter_asked_ = true;
  if (keys.typed_in_table({Key::A, kCtrl})) selection_.pick_all(rows_);
  if (keys.typed_in_table({Key::C, kCtrl})) action.copy = as_text(model, TableFormat::Tsv);
}

std::optional<ImVec2> Table::place_of(std::string_view what) const {
  constexpr std::string_view kRow = "row ";
  if (what.starts_with(kRow)) {
    const auto down = static_cast<std::size_t>(std::atoi(std::string(what.substr(kRow.size())).c_str()));
    const float y = first_row_.y + top_of(first_place_ + down) - top_of(first_place_);
    return first_row_.x < 0 || y > rows_end_ ? std::nullopt : std::optional(ImVec2{first_row_.x, y});
  }
  if (what == "filter") return filter_place_;
  if (what == "columns") return columns_place_;
  const auto found = places_.find(what);
  return found == places_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace tv

#include <fmt/format.h>

#include "core/analysis/scope/scope.h"
#include "core/base/text/utf8.h"
#include "core/view/words/launch_text.h"
#include "core/view/words/request_label.h"
#include "core/view/words/short_name.h"
#include "ui/panels/side_panels.h"
#include "ui/widgets/text/label.h"
#include "ui/widgets/text/letters.h"
#include "ui/widgets/text/text.h"

namespace tv {
namespace {

constexpr float kTwoColumns = 640;
constexpr std::size_t kLongText = 400;  // bytes; a longer value is shown cut, but copied whole

// `places`: where the relatives drawn so far are. The same slice can be several of them, so it does not identify its button.
void related(const PanelContext& context, const char* label, const RelatedSlice& slice, float value_x, NamedPlaces& places) {
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
  ImGui::TextUnformatted(label);
  ImGui::PopStyleColor();
  ImGui::SameLine(value_x);
  ImGui::PushID(static_cast<int>(places.size()));
  const std::string text = whole_label(fmt::format("{}  ({})", slice.name, slice.lane));
  if (ImGui::SmallButton(text.c_str())) context.push(command::SelectSlice{slice.slice, true});
  ImGui::PopID();
  places.emplace_back(label, middle_of_item());
}

// Counts the members of an object or list, without those nested in them.
std::size_t members_of(const ArgTree& tree, std::size_t node) {
  std::size_t members = 0;
  for (std::size_t i = node + 1; i < tree.nodes[node].subtree_end; i = tree.nodes[i].subtree_end) ++members;
  return members;
}

void arg_rows(const PanelContext& context, const ArgTree& tree, std::size_t begin, std::size_t end) {
  for (std::size_t i = begin; i < end; i = tree.nodes[i].subtree_end) {
    const ArgNode& node = tree.nodes[i];
    const bool leaf = node.kind != ArgNode::Kind::Object && node.kind != ArgNode::Kind::Array;
    const std::size_t members = members_of(tree, i);
    ImGui::PushID(static_cast<int>(i));
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    const std::string key = node.key.empty() ? "-" : whole_label(node.key);
    constexpr ImGuiTreeNodeFlags kBase = ImGuiTreeNodeFlags_SpanFullWidth;
    if (leaf || members == 0) {
      ImGui::TreeNodeEx(key.c_str(), kBase | ImGuiTreeNodeFlags_Leaf | ImGuiTreeNodeFlags_NoTreePushOnOpen);
      ImGui::TableNextColumn();
      const bool cut = node.value.size() > kLongText;
      const std::string value = cut ? std::string(utf8_prefix(node.value, kLongText)) + " ..." : node.value;
      ImGui::PushTextWrapPos(0);
      want_letters(value);
      ImGui::TextUnformatted(leaf ? value.c_str() : node.kind == ArgNode::Kind::Object ? "{}" : "[]");
      ImGui::PopTextWrapPos();
      if (leaf && ImGui::IsItemClicked(ImGuiMouseButton_Right)) context.push(command::CopyText{node.value});
      if (cut && ImGui::IsItemHovered()) ImGui::SetTooltip("%zu bytes; right-click copies all", node.value.size());
    } else {
      const bool open = ImGui::TreeNodeEx(key.c_str(), kBase | (node.depth <= 1 ? ImGuiTreeNodeFlags_DefaultOpen : 0));
      ImGui::TableNextColumn();
      ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_disabled);
      ImGui::Text(node.kind == ArgNode::Kind::Object ? "{%zu}" : "[%zu]", members);
      ImGui::PopStyleColor();
      if (open) {
        arg_rows(context, tree, i + 1, node.subtree_end);
        ImGui::TreePop();
      }
    }
    ImGui::PopID();
  }
}

}  // namespace

// If an area is selected too, says where its statistics are.
void DetailsPanel::draw_area_line(const PanelContext& context) const {
  const Selection& selection = context.workspace.state().selection;
  if (!selection.range) return;
  ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
  ImGui::TextUnformatted(fmt::format("The selected area, {}:", words_of({*selection.range, selection.lanes})).c_str());
  ImGui::PopStyleColor();
  ImGui::SameLine();
  if (ImGui::SmallButton("time per name in Statistics")) context.push(command::ShowPanel{"statistics"});
}

void DetailsPanel::draw(const PanelContext& context) {
  places_.clear();
  const Workspace& workspace = context.workspace;
  const ShownPanels& shown = workspace.state().panels.shown();
  const bool slice = workspace.state().selected.details || workspace.state().selected.gap;
  if (!slice && workspace.state().selection.range && !shown.has("statistics")) return statistics_.draw(context);
  draw_slice(context);
  if (slice || workspace.run().data().empty() || shown.has("findings")) return;
  ImGui::Separator();
  findings_.draw(context);
}

void DetailsPanel::draw_slice(const PanelContext& context) {
  const auto& details = context.workspace.state().selected.details;
  if (details || context.workspace.state().selected.gap) draw_area_line(context);
  if (const auto& gap = context.workspace.state().selected.gap) return draw_gap_details(context, *gap);
  if (!details) {
    ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
    const std::string hint =
        fmt::format("Click a slice to see what it is.   {}/{} zoom at the mouse, {}/{} pan, {} shows all keys, {} all commands.",
                    key_or_title(Action::ZoomIn), key_or_title(Action::ZoomOut), key_or_title(Action::PanLeft),
                    key_or_title(Action::PanRight), key_or_title(Action::ToggleHelp), key_or_title(Action::CommandBox));
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(hint.c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
    return;
  }
  const float room = ImGui::GetContentRegionAvail().x, half = room * 0.5f;
  if (room < context.theme.px(kTwoColumns)) {  // too narrow for two columns, as in half a drawer or at the side
    draw_facts(context, *details);
    draw_relatives(context, *details);
    ImGui::Separator();
    return draw_args(context, *details);
  }
  ImGui::BeginChild("facts", {half, 0});
  draw_facts(context, *details);
  draw_relatives(context, *details);
  ImGui::EndChild();
  ImGui::SameLine();
  ImGui::BeginChild("args", {0, 0});
  draw_args(context, *details);
  ImGui::EndChild();
}

// Shows the name in one line, then the most important facts, so that a low drawer shows them. If the first line is not the
// full name, the full name comes near the end.
void DetailsPanel::draw_facts(const PanelContext& context, const SliceDetails& details) const {
  const float x = context.theme.px(90);
  const Rgba dim = context.theme.text_dim;
  const float room = ImGui::GetContentRegionAvail().x - context.theme.px(60);
  const NameForms forms = name_forms(details.category, details.name);
  const Rollout* const rollout = context.workspace.results().rollout;
  const auto request = rollout ? request_of_bar(*rollout, details.slice) : std::nullopt;
  const bool whole = !request && text_fits(details.name, room);
  std::string title = details.name;
  if (request) {
    title = std::string_view(request_label(*rollout, *request, 0));
  } else if (!whole) {
    title = form_that_fits(forms, [&](std::string_view form) { return text_fits(form, room); });
  }
  ImGui::TextUnformatted(details.name.empty() ? "(no name)" : with_letters(title.c_str()));
  if (!whole && ImGui::IsItemHovered()) ImGui::SetTooltip("%s", with_letters(details.name.c_str()));
  ImGui::SameLine();
  if (ImGui::SmallButton("Copy")) context.push(command::CopyText{});
  if (!details.instant) {
    const double share = details.duration > 0
                             ? 100.0 * static_cast<double>(details.self) / static_cast<double>(details.duration)
                             : 100.0;
    label_and_value("Duration", format_exact(details.duration), x, dim);
    if (details.self != details.duration) {
      label_and_value("Self time", fmt::format("{} ({:.1f} %)", format_exact(details.self), share), x, dim);
    }
  }
  for (const std::string& difference : context.workspace.differences()) label_and_value("Compared", difference, x, dim);
  const std::string& same_name = context.workspace.same_name();
  if (!same_name.empty()) label_and_value("All", same_name, x, dim);
  const std::string& waits = context.workspace.state().selected.waits.text;
  if (!waits.empty()) label_and_value("Wait", waits, x, dim);
  const Session::Args args = context.workspace.session().args(context.workspace.snapshot(), details.slice);
  if (args.tree && args.tree->ok()) {
    const std::string launch = launch_text(args.tree->value());
    if (!launch.empty()) label_and_value("Launch", launch, x, dim);
  }
  const TimeStyle& style = context.workspace.state().time_style();
  const bool plain = !style.clock && style.format != TimeFormat::SinceStep;
  const std::string since_begin = format_exact(details.begin);
  label_and_value(details.instant ? "Time" : "Start", plain ? since_begin : time_sentence(style, details.begin, 1), x, dim);
  if (!plain) label_and_value("", since_begin, x, dim);
  // Without a wall clock, this time would repeat the one above.
  const std::string clock = format_wall_clock(details.begin_abs);
  if (!style.dated() && clock != since_begin) label_and_value("", clock + " " + details.zone, x, dim);
  std::string lane;
  for (const std::string& part : details.lane_path) lane += (lane.empty() ? "" : " > ") + part;
  label_and_value("Lane", lane, x, dim);
  if (!details.category.empty()) label_and_value("Category", details.category, x, dim);
  for (const std::string& note : details.notes) label_and_value("Note", note, x, context.theme.warning);
  if (!whole) label_and_value("Name", details.name, x, dim);
  label_and_value("File", details.source, x, dim);
}

void DetailsPanel::draw_relatives(const PanelContext& context, const SliceDetails& details) {
  const float x = context.theme.px(90);
  if (details.parent) related(context, "Parent", *details.parent, x, places_);
  if (details.children > 0 && details.first_child) {
    ImGui::PushStyleColor(ImGuiCol_Text, context.theme.text_dim);
    ImGui::TextUnformatted("Children");
    ImGui::PopStyleColor();
    ImGui::SameLine(x);
    const std::string text = fmt::format("{}: go to the first", details.children);
    if (ImGui::SmallButton(text.c_str())) context.push(command::SelectSlice{*details.first_child, true});
  }
  for (const RelatedSlice& from : details.incoming) related(context, "From", from, x, places_);
  for (const RelatedSlice& to : details.outgoing) related(context, "To", to, x, places_);
  const WaitDetails& waits = context.workspace.state().selected.waits;
  if (waits.last) related(context, "Last", *waits.last, x, places_);
  for (const RelatedSlice& waited : waits.waited) {
    related(context, fmt::format("{} waited", format_duration(waited.gap)).c_str(), waited, context.theme.px(130), places_);
  }
}

void DetailsPanel::draw_args(const PanelContext& context, const SliceDetails& details) const {
  const Session::Args args = context.workspace.session().args(context.workspace.snapshot(), details.slice);
  if (!args.tree) {
    ImGui::TextUnformatted("...");
    return;
  }
  if (!args.tree->ok()) {
    ImGui::PushStyleColor(ImGuiCol_Text, context.theme.warning);
    ImGui::PushTextWrapPos(0);
    ImGui::TextUnformatted(args.tree->error().text().c_str());
    ImGui::PopTextWrapPos();
    ImGui::PopStyleColor();
    return;
  }
  const ArgTree& tree = args.tree->value();
  if (ImGui::SmallButton("Copy record")) context.push(command::CopyText{tree.text});
  constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_Resizable | ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp;
  if (!ImGui::BeginTable("tree", 2, kFlags)) return;
  ImGui::TableSetupColumn("key", 0, 0.35f);
  ImGui::TableSetupColumn("value", 0, 0.65f);
  // Shows the arguments that the program recorded, then the rest of the record. The name is left out, because the facts have it.
  const auto draw_members = [&](bool of_program) {
    for (std::size_t i = 1; i < tree.nodes.size() && i < tree.nodes[0].subtree_end; i = tree.nodes[i].subtree_end) {
      const ArgNode& node = tree.nodes[i];
      const bool is_args = node.key == "args" || node.key == "extra";
      if (is_args == of_program && !(node.key == "name" && node.value == details.name)) arg_rows(context, tree, i, node.subtree_end);
    }
  };
  draw_members(true);
  draw_members(false);
  ImGui::EndTable();
}

}  // namespace tv

// Draws the lines of a frame. A line is a row, or rows of several segments, whose slices are concatenated and instants merged.
// Everything that is folded in a line becomes one strip.
#include <algorithm>
#include <string_view>

#include "core/view/timeline/timeline_frame.h"

namespace tv {
namespace {

// Shares of a line's height: the extent of letters with ascenders and descenders, and the lowest point of a letter. ImGui puts
// letters on whole pixels. The space between lines is above the letters.
constexpr float kLetters = 0.9f, kLowest = 1;
constexpr float kSmallestText = 0.75f;  // factor of the font size; smaller letters cannot be read

// A pipeline's job is identified by the number of its micro-batch, which is centred if nothing else fits.
constexpr float kDigit = 1.15f;  // in widths of a letter
bool is_numbered_job(std::string_view category) { return category.starts_with("forward") || category.starts_with("backward"); }
std::size_t digits_at_end(std::string_view name) {
  const std::size_t last = name.find_last_not_of("0123456789");
  return last == std::string_view::npos ? name.size() : name.size() - last - 1;
}
constexpr float kLeastName = 6;  // an instant has a name if there is room for this many letters

}  // namespace

void FrameBuilder::begin_line(Band band) {
  line_ = band;
  row_.clear(params_->width_px);
  if (marks()) begin_marks();
}

void FrameBuilder::end_line() {
  out_->stats.nodes_visited += row_.visits;
  if (row_.folded_columns == 0) return;
  const std::uint32_t strip = begin_strip(StripItem::Kind::Density, line_);
  for (const std::uint32_t x : row_.filled()) out_->texels[strip + x] = folded_or_marked(x);
}

// The folded form of a whole row. Computed once.
const WholeRow& FrameBuilder::whole_of(RowId row) {
  if (whole_.empty()) whole_.resize(trace_->rows.size());
  WholeRow& whole = whole_[idx(row)];
  if (whole.representative == kNone<SliceId>) whole = whole_row(index_->row(*trace_, row));
  return whole;
}

// Draws a row that is narrower than a pixel in one piece, so that a frame need not read all rows of a line of many segments.
// Returns false if the row is wider.
bool FrameBuilder::fold_whole(RowId row) {
  const WholeRow& whole = whole_of(row);
  if (static_cast<double>(whole.extent.length()) >= map_.ns_per_px) return false;
  ++out_->stats.rows;
  add_visible(whole, map_, row_);
  if (marks()) mark_whole(trace_->row(row), whole);
  return true;
}

void FrameBuilder::fold(const IndexedRow& row) {
  ++out_->stats.rows;
  add_visible(row, map_, row_);
  if (marks() && row_.folded_columns > 0) mark_columns(row.slices);
}

void FrameBuilder::add_row(RowId id, bool of_several) {
  if (of_several && fold_whole(id)) return;
  const IndexedRow row = index_->row(*trace_, id);
  fold(row);
  add_slices(row.slices);
}

void FrameBuilder::add_slices(const RowSlices& row) {
  const FrameParams& params = *params_;
  const Band band = line_;
  const float text_scale = std::min(1.0f, band.height / (kLetters * params.text_height_px));
  const bool text_fits = text_scale >= kSmallestText;
  // Text is centred in the row. If a whole line does not fit, its top, which has no letters, sticks out.
  const float line = text_scale * params.text_height_px;
  const float text_y = band.y + std::min(band.height - kLowest * line, (band.height - line) / 2);
  const float letter = text_scale * params.char_width_px, least_text = 3 * letter;
  for (const VisibleSlice& slice : row_.slices) {
    const LabelId label = row.label(slice.at);
    std::uint32_t style = kPlain;
    if (slice.clipped_left) style |= kClippedLeft;
    if (slice.clipped_right) style |= kClippedRight;
    const SliceId id = row.id(slice.at);
    if (dimmed(label, id)) style |= kDimmed;
    if (trace_->ref_of(id).is(kUnfinished) || params.palette->waits(label)) style |= kHatched;
    RectItem rect{slice.x0, slice.x1, band.y, band.height, fill(label, id), style};
    if (params.collectives && params.palette->communicates(label) && slice.x1 - slice.x0 >= 3) add_waiting(id, rect);
    if (rect.x1 > rect.x0) out_->rects.push_back(rect);
    const float before = params.text_padding_px + (slice.clipped_left ? params.fade_px : 0);
    const float room = slice.x1 - slice.x0 - before - params.text_padding_px - (slice.clipped_right ? params.fade_px : 0);
    if (!text_fits) continue;
    if (room >= least_text) {
      out_->texts.push_back({slice.x0 + before, text_y, room, text_scale, label, text_color(label, id), id});
    } else if (is_numbered_job(trace_->labels.category(label))) {
      const float wide = static_cast<float>(digits_at_end(trace_->labels.name(label))) * kDigit * letter;
      const float free = slice.x1 - slice.x0 - wide;
      if (wide > 0 && free >= 0)
        out_->texts.push_back({slice.x0 + free / 2, text_y, wide, text_scale, label, text_color(label, id), id});
    }
  }
}

void FrameBuilder::add_instants(IdRange<RowId> rows, Band band) {
  begin_line(band);
  for (const RowId row : rows) {
    if (rows.size() == 1 || !fold_whole(row)) fold(index_->row(*trace_, row));
  }
  const bool room_for_diamonds = static_cast<float>(row_.folded_columns) * params_->diamond_px * 2 <=
                                 static_cast<float>(params_->width_px);
  if (!room_for_diamonds) return end_line();
  out_->stats.nodes_visited += row_.visits;
  for (const std::uint32_t at : row_.filled()) {
    const SliceId shown = shown_in(at);
    const LabelId label = trace_->label_of(shown);
    const auto x = static_cast<float>(map_.x_of(static_cast<double>(trace_->begin_of(shown))));
    const std::uint32_t style = kDiamond | (dimmed(label, shown) ? kDimmed : kPlain);
    out_->rects.push_back({x, x + params_->diamond_px, line_.y, line_.height, fill(label, shown), style});
  }
  name_diamonds();
}

// A name follows its diamond, up to the next diamond: a mark without its name says nothing.
void FrameBuilder::name_diamonds() {
  const FrameParams& params = *params_;
  const float scale = std::min(1.0f, line_.height / (kLetters * params.text_height_px)), letter = scale * params.char_width_px;
  if (scale < kSmallestText) return;
  diamonds_.assign(row_.filled().begin(), row_.filled().end());
  std::ranges::sort(diamonds_);
  const Rgba on_lane = with_alpha(text_on(params.lane_color), kFaintText);
  for (std::size_t d = 0; d < diamonds_.size(); ++d) {
    const SliceId shown = shown_in(diamonds_[d]);
    const LabelId label = trace_->label_of(shown);
    const float x = static_cast<float>(map_.x_of(static_cast<double>(trace_->begin_of(shown)))) + params.diamond_px;
    const float end = d + 1 < diamonds_.size() ? static_cast<float>(diamonds_[d + 1]) - params.diamond_px / 2
                                               : static_cast<float>(params.width_px);
    const float room = end - x - 2 * params.text_padding_px;
    if (room < kLeastName * letter || dimmed(label, shown)) continue;
    const float line = scale * params.text_height_px;
    const float y = line_.y + std::min(line_.height - kLowest * line, (line_.height - line) / 2);
    out_->texts.push_back({x + params.text_padding_px, y, room, scale, label, on_lane, shown});
  }
}

}  // namespace tv

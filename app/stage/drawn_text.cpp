#include "app/stage/drawn_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>
#include <utility>

#include "imgui.h"
#include "imgui_internal.h"

namespace tv {
namespace {

#if IMGUI_VERSION_NUM < 19200

struct Box {
  float x0 = 1e9f, y0 = 1e9f, x1 = -1e9f, y1 = -1e9f;

  void include(ImVec2 at) {
    x0 = std::min(x0, at.x);
    y0 = std::min(y0, at.y);
    x1 = std::max(x1, at.x);
    y1 = std::max(y1, at.y);
  }
  Box within(const ImVec4& clip) const {
    return {std::max(x0, clip.x), std::max(y0, clip.y), std::min(x1, clip.z), std::min(y1, clip.w)};
  }
  bool empty() const { return x1 <= x0 || y1 <= y0; }
};

// Adds slightly more than 0.5, so that float sums close to .5 are rounded the same on every machine.
int whole(float v) { return static_cast<int>(std::floor(v + 0.51f)); }

std::string text_of(const Box& box, ImU32 color) {
  const auto part = [&](int shift) { return color >> shift & 255; };
  return fmt::format("{} {} {} {} #{:02x}{:02x}{:02x}{:02x}", whole(box.x0), whole(box.y0), whole(box.x1), whole(box.y1),
                     part(IM_COL32_R_SHIFT), part(IM_COL32_G_SHIFT), part(IM_COL32_B_SHIFT), part(IM_COL32_A_SHIFT));
}

// Maps glyph rectangles to letters, by both corners in the atlas: a glyph that is clipped at an edge still has one of them.
class Letters {
 public:
  Letters() {
    for (const ImFont* const font : ImGui::GetIO().Fonts->Fonts) {
      for (const ImFontGlyph& glyph : font->Glyphs) {
        if (!glyph.Visible) continue;
        corners_.emplace(std::pair(glyph.U0, glyph.V0), glyph.Codepoint);
        corners_.emplace(std::pair(glyph.U1, glyph.V1), glyph.Codepoint);
      }
    }
  }
  /// Returns 0 if the rectangle is not a letter.
  char32_t at(std::span<const ImDrawVert> quad) const {
    for (const ImDrawVert* const vertex : {&quad[0], &quad[2]}) {
      if (const auto found = corners_.find({vertex->uv.x, vertex->uv.y}); found != corners_.end()) return found->second;
    }
    return 0;
  }

 private:
  std::map<std::pair<float, float>, char32_t> corners_;
};

class Writer {
 public:
  void list(const ImDrawList& list) {
    out_ += fmt::format("window {}\n", list._OwnerName ? list._OwnerName : "");
    for (const ImDrawCmd& command : list.CmdBuffer) {
      if (command.UserCallback) {
        if (command.UserCallback != ImDrawCallback_ResetRenderState) out_ += "lanes\n";
        continue;
      }
      shapes(list, command);
      end_text();
    }
  }
  std::string take() { return std::move(out_); }

 private:
  // Triangles that share corners form a shape. The corners of the next shape may come before or after those of this one, because
  // ImGui reorders a table's columns.
  void shapes(const ImDrawList& list, const ImDrawCmd& command) {
    const auto indices = std::span(list.IdxBuffer.Data + command.IdxOffset, command.ElemCount);
    const ImDrawVert* const vertices = list.VtxBuffer.Data + command.VtxOffset;
    for (std::size_t at = 0; at < indices.size();) {
      std::size_t first = indices[at], last = first, end = at;
      for (; end + 2 < indices.size(); end += 3) {
        const auto [low, high] = std::minmax({indices[end], indices[end + 1], indices[end + 2]});
        if (end > at && (low > last || high < first)) break;
        first = std::min<std::size_t>(first, low);
        last = std::max<std::size_t>(last, high);
      }
      shape(std::span(vertices + first, last + 1 - first), command.ClipRect);
      at = end;
    }
  }

  void shape(std::span<const ImDrawVert> corners, const ImVec4& clip) {
    Box box;
    for (const ImDrawVert& corner : corners) box.include(corner.pos);
    const Box seen = box.within(clip);
    const ImU32 color = corners.front().col;
    const char32_t letter = corners.size() == 4 ? letters_.at(corners) : 0;
    if (seen.empty() || color >> IM_COL32_A_SHIFT == 0) return;
    if (letter == 0) {
      end_text();
      out_ += fmt::format("{} {}\n", corners.size() == 4 ? "box" : "shape", text_of(seen, color));
      return;
    }
    const float height = ImGui::GetFontSize();
    const bool continues = !text_.empty() && color == color_ && box.x0 >= line_.x1 - 2 && box.x0 < line_.x1 + 2 * height &&
                         box.y0 < line_.y1 + height / 2 && box.y1 > line_.y0 - height / 2;
    if (!continues) end_text();
    if (continues && box.x0 > line_.x1 + height / 2) text_ += ' ';
    char utf8[5];
    text_ += ImTextCharToUtf8(utf8, static_cast<unsigned>(letter));
    color_ = color;
    line_ = {std::min(line_.x0, seen.x0), std::min(line_.y0, seen.y0), seen.x1, std::max(line_.y1, seen.y1)};
  }

  void end_text() {
    if (!text_.empty()) out_ += fmt::format("text {} {}\n", text_of(line_, color_), text_);
    text_.clear();
    line_ = {};
  }

  Letters letters_;
  std::string out_, text_;
  Box line_;
  ImU32 color_ = 0;
};

#endif

}  // namespace

std::string drawn_text() {
#if IMGUI_VERSION_NUM < 19200
  const ImDrawData* const data = ImGui::GetDrawData();
  if (!data) return {};
  Writer writer;
  for (int l = 0; l < data->CmdListsCount; ++l) writer.list(*data->CmdLists[l]);
  return fmt::format("imgui {}\nmouse {}\n", IMGUI_VERSION, ImGui::GetMouseCursor()) + writer.take();
#else
  return {};
#endif
}

}  // namespace tv

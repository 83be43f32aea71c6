#include "core/session/persistence/saved_session.h"

#include <algorithm>

namespace tv {
namespace {

constexpr int kSeenWidth = 120, kSeenHeight = 60;   // a window of which less is in sight is hard to grab
constexpr int kLeastWindow = 200;

int shared_length(int a, int a_length, int b, int b_length) {
  return std::min(a + a_length, b + b_length) - std::max(a, b);
}

}  // namespace

std::optional<WindowPlace> place_on_screens(WindowPlace place, const std::vector<ScreenPart>& screens) {
  if (place.width < kLeastWindow || place.height < kLeastWindow) return std::nullopt;
  const ScreenPart* best = nullptr;
  long long most = 0;
  for (const ScreenPart& screen : screens) {
    const int width = shared_length(place.x, place.width, screen.x, screen.width);
    const int height = shared_length(place.y, place.height, screen.y, screen.height);
    if (width < kSeenWidth || height < kSeenHeight || static_cast<long long>(width) * height <= most) continue;
    most = static_cast<long long>(width) * height;
    best = &screen;
  }
  if (screens.empty()) return std::nullopt;
  const bool gone = best == nullptr;
  if (gone) best = &screens.front();
  place.width = std::min(place.width, best->width);
  place.height = std::min(place.height, best->height);
  if (gone) {
    place.x = best->x + (best->width - place.width) / 2;
    place.y = best->y + (best->height - place.height) / 2;
  }
  place.x = std::clamp(place.x, best->x, best->x + best->width - place.width);
  place.y = std::clamp(place.y, best->y, best->y + best->height - place.height);
  return place;
}

}  // namespace tv

// A sentence on one line of a given width. Long words (names and paths) are cut in their middle before the end of the sentence is
// cut: the end may be the important number. Cost: O(letters) for each text that is measured, a handful.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace tv {

/// `fits`: whether a text fits. Returns the sentence itself if it fits; else it shortens words of more than twelve letters as far
/// as needed; else it cuts these to twelve letters and takes as many whole words as fit, plus "…". Empty if not even that fits.
std::string fitted_sentence(std::string_view sentence, const std::function<bool(std::string_view)>& fits);

}  // namespace tv

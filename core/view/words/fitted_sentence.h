// A sentence on one line of a given width. Long words, which are names and paths, are cut in their middle before the sentence loses
// its end: it may end with the number that it is about. Cost: O(letters) widths, a handful of times.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace tv {

/// `fits`: whether a text does. The sentence itself if it does; else its words of more than twelve letters as short as they have to
/// be; else, with these at twelve letters, as many whole words as fit and "…". Empty if not even that fits.
std::string fitted_sentence(std::string_view sentence, const std::function<bool(std::string_view)>& fits);

}  // namespace tv

// Finds a member of a JSON object in its text, without parsing it. The same key in an object inside it does not count, nor does
// a string that equals the key.
// Cost: a search for the key; if an object stands before the key, also a pass over the text.
#pragma once

#include <cstddef>
#include <string_view>

namespace tv {

/// Where the value of the first member with this key begins. Npos if the text does not begin with an object that has one.
/// `quoted`: the key with its quotes. If other text follows the object, its keys can be found too.
std::size_t own_member(std::string_view object, std::string_view quoted);

}  // namespace tv

# tv_embed(TARGET header FILES...) turns text files into one generated C++ header that TARGET's own sources can include:
# shaders/rect.vert.glsl becomes  inline constexpr std::string_view k_rect_vert_glsl.  Changing a file builds it anew.
# tv_embed_text(header FILES...) is that without a target: only sources that are given the folder embedded/ can include it.
function(tv_embed target header)
  tv_embed_text(${header} ${ARGN})
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/embedded)
endfunction()

function(tv_embed_text header)
  set(text "#pragma once\n#include <string_view>\nnamespace tv::embedded {\n")
  foreach(file IN LISTS ARGN)
    get_filename_component(name ${file} NAME)
    string(MAKE_C_IDENTIFIER ${name} name)
    file(READ ${file} content)
    string(APPEND text "inline constexpr std::string_view k_${name} = R\"TV_TEXT(${content})TV_TEXT\";\n")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  endforeach()
  string(APPEND text "}  // namespace tv::embedded\n")
  file(GENERATE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/embedded/${header} CONTENT "${text}")
endfunction()

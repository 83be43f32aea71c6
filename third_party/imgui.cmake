# Dear ImGui with its GLFW and OpenGL 3 backends, as tv::imgui. Upstream has no CMake file.
# Debian's libimgui.a holds the backends too, and was built with the system's stb and FreeType.
find_path(IMGUI_INCLUDE imgui.h PATH_SUFFIXES imgui)
find_library(IMGUI_LIBRARY imgui)
mark_as_advanced(IMGUI_INCLUDE IMGUI_LIBRARY)

if(IMGUI_INCLUDE AND IMGUI_LIBRARY)
  find_path(IMGUI_BACKENDS_INCLUDE imgui_impl_glfw.h
    HINTS ${IMGUI_INCLUDE} ${IMGUI_INCLUDE}/backends PATH_SUFFIXES imgui imgui/backends)
  set(imgui_libraries ${IMGUI_LIBRARY})
  foreach(library stb freetype) # a static libimgui needs them, a shared one brings its own
    find_library(IMGUI_${library}_LIBRARY ${library})
    if(IMGUI_${library}_LIBRARY)
      list(APPEND imgui_libraries ${IMGUI_${library}_LIBRARY})
    endif()
    mark_as_advanced(IMGUI_${library}_LIBRARY)
  endforeach()
  tv_dep(imgui APT libimgui-dev
    INCLUDE ${IMGUI_INCLUDE} ${IMGUI_BACKENDS_INCLUDE}
    LIBRARIES ${imgui_libraries} tv::glfw ${CMAKE_DL_LIBS})
else()
  tv_fetch(imgui https://github.com/ocornut/imgui/archive/refs/tags/v1.90.1.tar.gz
    21dcc985bb2ae8fe48047c86135dbc438d6980a8f2e08babbda5be820592f282)
  if(imgui_SOURCE_DIR)
    add_library(tv_imgui STATIC
      ${imgui_SOURCE_DIR}/imgui.cpp
      ${imgui_SOURCE_DIR}/imgui_demo.cpp
      ${imgui_SOURCE_DIR}/imgui_draw.cpp
      ${imgui_SOURCE_DIR}/imgui_tables.cpp
      ${imgui_SOURCE_DIR}/imgui_widgets.cpp
      ${imgui_SOURCE_DIR}/backends/imgui_impl_glfw.cpp
      ${imgui_SOURCE_DIR}/backends/imgui_impl_opengl3.cpp
      ${imgui_SOURCE_DIR}/misc/cpp/imgui_stdlib.cpp)
    target_include_directories(tv_imgui SYSTEM PUBLIC
      ${imgui_SOURCE_DIR} ${imgui_SOURCE_DIR}/backends ${imgui_SOURCE_DIR}/misc/cpp)
    target_link_libraries(tv_imgui PUBLIC tv::glfw ${CMAKE_DL_LIBS})
  endif()
  tv_dep(imgui APT libimgui-dev TARGET tv_imgui)
endif()

# The tests in C++, and the benchmarks:
# tests/FOLDER/X_test.cpp   one program FOLDER_tests; one ctest entry for each doctest case (fuzz preset: for all of them)
# tests/X_test.cpp          the same, program rules_tests
# tests/growth/X_test.cpp   only in the growth preset's build, which counts what core does
# tests/support/*.cpp       linked into the programs; those named ui_*.cpp only with ui, app and rules
# tests/fuzz/fuzz_X.cpp     one program and one short ctest entry, label fuzz
# tests/bench/bench_X.cpp   one program each, with ui, which ctest does not run
# tests/bench/X.cpp         likewise, without ui: tools that write what is measured

# Seventeen of them: a minute and a half of one core, with what they read first.
set(TV_FUZZ_SECONDS 4 CACHE STRING "How long ctest runs each fuzz program, at most")

# The folders whose tests link the user interface as well; all others link tv_core alone.
set(ui_folders ui app rules)

# --- support ---

add_library(tv_test_deps INTERFACE)
target_link_libraries(tv_test_deps INTERFACE
  tv_core tv::doctest tv::json tv::isal tv::zstd tv::archive)
# CHECK without a handler of exceptions in each: a fifth of compiling tests. Developers' builds stay as they are.
if(CMAKE_UNITY_BUILD)
  target_compile_definitions(tv_test_deps INTERFACE DOCTEST_CONFIG_SUPER_FAST_ASSERTS)
endif()
# Fuzzers, which have no doctest, link what else is there.
set_source_files_properties(support/skip.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
set_source_files_properties(support/places.cpp PROPERTIES
  COMPILE_DEFINITIONS "TV_SOURCE_DIR=\"${PROJECT_SOURCE_DIR}\";TV_SHARED_DIR=\"${TV_SHARED_DIR}\""
  SKIP_UNITY_BUILD_INCLUSION ON)
add_library(tv_test_deps_ui INTERFACE)
target_link_libraries(tv_test_deps_ui INTERFACE
  tv_test_deps tv_app tv_ui tv::imgui tv::glfw tv::gl tv::egl tv::stb)

file(GLOB support_ui CONFIGURE_DEPENDS support/ui_*.cpp)
file(GLOB support CONFIGURE_DEPENDS support/*.cpp)
list(REMOVE_ITEM support ${support_ui} ${CMAKE_CURRENT_SOURCE_DIR}/support/main.cpp)
set(empty ${CMAKE_CURRENT_BINARY_DIR}/empty.cpp)
file(CONFIGURE OUTPUT ${empty} CONTENT "")
add_library(tv_test_support STATIC ${support} ${empty})
target_link_libraries(tv_test_support PUBLIC tv_test_deps)
add_library(tv_test_support_ui STATIC ${support_ui} ${empty})
target_link_libraries(tv_test_support_ui PUBLIC tv_test_support tv_test_deps_ui)

# main() of every doctest program: support/main.cpp, or doctest's own while there is none.
set(test_main ${CMAKE_CURRENT_SOURCE_DIR}/support/main.cpp)
if(NOT EXISTS ${test_main})
  set(test_main ${CMAKE_CURRENT_BINARY_DIR}/main.cpp)
  file(CONFIGURE OUTPUT ${test_main} CONTENT
    "#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN\n#include <doctest/doctest.h>\n")
endif()
# It replaces operator new: no other file may see how.
set_source_files_properties(${CMAKE_CURRENT_SOURCE_DIR}/view/timeline_frame_test.cpp
  PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
add_library(tv_test_main OBJECT ${test_main})
if(TV_SANITIZE STREQUAL "address")
  target_sources(tv_test_main PRIVATE ${keep_libraries})
endif()
target_link_libraries(tv_test_main PRIVATE tv_test_deps)

# --- doctest programs ---

file(GLOB cases CONFIGURE_DEPENDS *_test.cpp */*_test.cpp)
set(folders "")
foreach(case IN LISTS cases)
  file(RELATIVE_PATH folder ${CMAKE_CURRENT_SOURCE_DIR} ${case})
  get_filename_component(folder ${folder} DIRECTORY)
  if(NOT folder)
    set(folder rules)
  endif()
  list(APPEND folders ${folder})
  list(APPEND cases_${folder} ${case})
endforeach()
list(REMOVE_DUPLICATES folders)

# What is worth the thread sanitizer: files with tests labelled concurrent, and the session, which starts all threads. A build
# with it has these alone. The growth preset's build has growth alone.
if(TV_COUNT_BLOCKS)
  set(folders growth)
else()
  list(REMOVE_ITEM folders growth)
endif()
foreach(folder IN LISTS folders)
  set(concurrent_${folder} "")
  foreach(case IN LISTS cases_${folder})
    file(STRINGS ${case} concurrent REGEX "TEST_SUITE.*concurrent" LIMIT_COUNT 1)
    if(concurrent OR folder STREQUAL session)
      list(APPEND concurrent_${folder} ${case})
    endif()
  endforeach()
  if(TV_SANITIZE STREQUAL "thread")
    set(cases_${folder} ${concurrent_${folder}})
  endif()
endforeach()
add_custom_target(suites)
add_custom_target(concurrent_tests)
foreach(folder IN LISTS folders)
  if(NOT cases_${folder})
    continue()
  endif()
  set(program ${folder}_tests)
  add_executable(${program} ${cases_${folder}})
  target_link_libraries(${program} PRIVATE tv_test_main)
  if(folder IN_LIST ui_folders)
    target_link_libraries(${program} PRIVATE tv_test_support_ui)
  else()
    target_link_libraries(${program} PRIVATE tv_test_support)
  endif()
  tv_compile_quickly(${program})
  add_dependencies(suites ${program})
  if(concurrent_${folder})
    add_dependencies(concurrent_tests ${program})
  endif()
  # ctest itself asks the program for its cases each time it runs: see discover.cmake.
  set(discover ${CMAKE_CURRENT_BINARY_DIR}/${program}_discover.cmake)
  file(GENERATE OUTPUT ${discover} CONTENT
"set(program [==[$<TARGET_FILE:${program}>]==])
set(folder ${folder})
set(whole ${TV_FUZZ})
set(properties ${common_properties})
set(environment [==[${common_environment}]==])
include([==[${CMAKE_CURRENT_SOURCE_DIR}/discover.cmake]==])
")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${discover})
endforeach()

# Its own copies of the standard library's functions count as well: the linker takes the first that it sees.
if(TARGET growth_tests)
  target_compile_options(growth_tests PRIVATE -fsanitize-coverage=trace-pc)
  set(counted memmove memcpy memset memcmp memchr memmem strlen)
  list(TRANSFORM counted PREPEND "-Wl,--wrap=")
  target_link_options(growth_tests PRIVATE ${counted})
  target_link_libraries(growth_tests PRIVATE tv::sqlite)
endif()

# --- fuzz programs: libFuzzer with the fuzz preset, else a small driver of our own ---

file(GLOB fuzzers CONFIGURE_DEPENDS fuzz/fuzz_*.cpp)
# The presets of CI build them once, where libFuzzer drives them.
if(CMAKE_UNITY_BUILD AND NOT TV_FUZZ)
  set(fuzzers "")
endif()
foreach(fuzzer IN LISTS fuzzers)
  get_filename_component(name ${fuzzer} NAME_WE)
  add_executable(${name} ${fuzzer})
  target_link_libraries(${name} PRIVATE tv_test_support tv::sqlite tv::xxhash)
  tv_compile_quickly(${name})
  if(TV_FUZZ)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  else()
    target_sources(${name} PRIVATE fuzz/standalone_main.cpp)
  endif()
  # New finds go to the first folder; it starts with what corpus/NAME and fixtures/READER hold.
  set(finds ${CMAKE_CURRENT_BINARY_DIR}/corpus/${name})
  file(MAKE_DIRECTORY ${finds})
  string(REGEX REPLACE "^fuzz_" "" reader ${name})
  set(seeds ${finds})
  foreach(folder corpus/${name} corpus/${reader} ../fixtures/${reader})
    if(IS_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/${folder})
      list(APPEND seeds ${CMAKE_CURRENT_SOURCE_DIR}/fuzz/${folder})
    endif()
  endforeach()
  add_test(NAME "fuzz: ${reader}" COMMAND ${name} -runs=20000 -seed=1 -max_len=65536 -error_exitcode=1
    -max_total_time=${TV_FUZZ_SECONDS} -artifact_prefix=${finds}/ ${seeds})
  set_tests_properties("fuzz: ${reader}" PROPERTIES LABELS fuzz
    ${common_properties} ENVIRONMENT "${common_environment}")
endforeach()

# --- benchmarks ---

file(GLOB benches CONFIGURE_DEPENDS bench/*.cpp)
foreach(bench IN LISTS benches)
  get_filename_component(name ${bench} NAME_WE)
  add_executable(${name} ${bench})
  # Of those with a sanitizer the fuzz preset's build alone has them, so that CI sees that they compile.
  if(TV_SANITIZE AND NOT TV_FUZZ)
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
  tv_compile_quickly(${name})
  if(name MATCHES "^bench_")
    target_link_libraries(${name} PRIVATE tv_test_support_ui)
  else()
    target_link_libraries(${name} PRIVATE tv_test_support tv::cli11)
  endif()
endforeach()
# What the libraries below us can do at most, with the instructions that core is compiled for.
target_link_libraries(bench_limits PRIVATE tv_core_flags)

# Run by ctest, not by cmake: asks a doctest program for its cases and adds a ctest entry for each.
# Takes program, folder, properties, environment and whole. Labels: the folder and the case's test suite.
if(NOT EXISTS ${program})
  add_test("${folder}: NOT BUILT" ${program})
  return()
endif()
# The fuzz preset's programs of 60 MB take a tenth of a second to begin with: there one entry runs all cases of a folder.
if(whole)
  set(test "${folder}: all cases")
  # The longest first, so that none runs alone at the end.
  set(longest_first session store read)
  list(FIND longest_first "${folder}" place)
  set(cost 200)
  if(place GREATER -1)
    math(EXPR cost "400 - ${place}")
  endif()
  add_test("${test}" ${program})
  set_tests_properties("${test}" PROPERTIES ${properties}
    LABELS "${folder}" COST ${cost} ENVIRONMENT "${environment}")
  return()
endif()
execute_process(COMMAND ${program} --list-test-cases --reporters=xml
  OUTPUT_VARIABLE listing RESULT_VARIABLE failed)
if(failed)
  add_test("${folder}: CASES CANNOT BE LISTED" ${program} --list-test-cases)
  return()
endif()

# In a CMake list these three characters would mean something.
string(REPLACE "[" "{open}" listing "${listing}")
string(REPLACE "]" "{close}" listing "${listing}")
string(REPLACE ";" "{semicolon}" listing "${listing}")
string(REPLACE "\n" ";" lines "${listing}")
foreach(line IN LISTS lines)
  if(NOT line MATCHES "<TestCase name=\"([^\"]*)\"( testsuite=\"([^\"]*)\")?")
    continue()
  endif()
  set(name "${CMAKE_MATCH_1}")
  set(suite "${CMAKE_MATCH_3}")
  foreach(text name suite)
    string(REPLACE "{semicolon}" ";" ${text} "${${text}}")
    string(REPLACE "{open}" "[" ${text} "${${text}}")
    string(REPLACE "{close}" "]" ${text} "${${text}}")
    string(REPLACE "&lt;" "<" ${text} "${${text}}")
    string(REPLACE "&gt;" ">" ${text} "${${text}}")
    string(REPLACE "&quot;" "\"" ${text} "${${text}}")
    string(REPLACE "&amp;" "&" ${text} "${${text}}")
  endforeach()
  # A comma would separate filters, and a semicolon arguments: ? stands for any one character.
  string(REGEX REPLACE "[,;]" "?" arguments "--test-case=${name}")
  if(suite)
    string(REGEX REPLACE "[,;]" "?" filter "--test-suite=${suite}")
    list(APPEND arguments "${filter}")
  endif()
  set(test "${folder}: ${name}")
  add_test("${test}" ${program} ${arguments})
  # doctest is content when a filter fits no case; we are not.
  set_tests_properties("${test}" PROPERTIES ${properties}
    LABELS "${folder};${suite}" ENVIRONMENT "${environment}"
    FAIL_REGULAR_EXPRESSION "test cases: +0 ")
endforeach()

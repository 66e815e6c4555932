# Run at every build: writes the git revision of SOURCE into HEADER, when it has changed. A source tree without its repository has the revision
# GIVEN, of which the builder must be sure.
cmake_minimum_required(VERSION 3.22)
set(revision "")
find_package(Git QUIET)
if(GIT_FOUND)
  execute_process(COMMAND "${GIT_EXECUTABLE}" describe --always --dirty --abbrev=40
    WORKING_DIRECTORY "${SOURCE}" OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(revision STREQUAL "")
  set(revision "${GIVEN}")
endif()
file(CONFIGURE OUTPUT "${HEADER}" CONTENT "#pragma once\n#define GSAN_GIT_REVISION \"@revision@\"\n" @ONLY)

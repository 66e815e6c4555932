# Run at every build: writes the git revision of SOURCE into HEADER, when it has changed.
cmake_minimum_required(VERSION 3.22)
set(revision "")
find_package(Git QUIET)
if(GIT_FOUND)
  execute_process(COMMAND "${GIT_EXECUTABLE}" describe --always --dirty --abbrev=40
    WORKING_DIRECTORY "${SOURCE}" OUTPUT_VARIABLE revision OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT "${HEADER}" CONTENT "#pragma once\n#define GSAN_GIT_REVISION \"@revision@\"\n" @ONLY)

#pragma once
// A page of results: a template with the words, and what was measured in the place of
//
//   {{table NAME PROTOCOL}}       the table as Markdown, with its notes; rows without a number are only named
//   {{agreement}}                 how many printed cells are measured, and how they compare (agreement.h)
//   {{misses}}                    measured cells far from the printed ones
//   {{targets}}                   all targets, as printed and by the best variant
//   {{records}}                   how many records there are, when, where and with what they were made
//   {{records NAME PROTOCOL}}     the same of one table, in a line
//   {{estimate PROTOCOL}}         the time of one seed of every cell on two cores
//   {{within PROTOCOL HOURS}}     whether that takes at most so many hours: met, missed or not known yet
//   {{script FILE NAME}}          numbers about a table that a script left in FILE.json (script_numbers.h)
//   {{cell NAME|PROTOCOL|BLOCK|ROW|COLUMN}}      one number, "98.7 ± 0.3 (10)"; BLOCK may be empty
//   {{last NAME|PROTOCOL|BLOCK|ROW|COLUMN}}      its mean with the last epoch in the place of the chosen one
//   {{own-best NAME|PROTOCOL|BLOCK|ROW|COLUMN}}  mean of the folds' own best epochs
//
// What is not measured yet is said in words. The page is a function of template, plan and records alone.

#include <filesystem>
#include <string>

#include "gsan/report/record_store.h"

namespace gsan::report {

std::string results_page(const std::filesystem::path& experiments, const std::filesystem::path& results,
                         const std::filesystem::path& page_template, const RecordStore& store);

}  // namespace gsan::report

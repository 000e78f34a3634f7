/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"

G_BEGIN_DECLS

/* Prints the run in a few sentences, the table of its cases, and below it what went wrong or makes numbers
 * doubtful: in a line, or with `--notes` in full, with the values that were not measured. */
void dyno_cli_cases_print (DynoRun *run);
/* Prints what it is, when, where and on which devices it was taken, and what was noted about it. */
void dyno_cli_cases_print_heading (DynoRun *run);
/* Prints all of it: every value with its source, the modules and the operators that took longest, every
 * diagnostic. */
void dyno_cli_cases_print_one (DynoResult *result);

G_END_DECLS

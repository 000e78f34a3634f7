/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"

G_BEGIN_DECLS

/* Prints a summary of the run, the table of its cases, and below it failures and doubts about numbers: in one
 * line, or with `--notes` in full, with the values that were not measured. */
void dyno_cli_cases_print (DynoRun *run);
/* Prints the title, id, date, tool, machine, devices and notes of the run. */
void dyno_cli_cases_print_heading (DynoRun *run);
/* Prints all details: every value with its source, the slowest modules and operators, and every diagnostic. */
void dyno_cli_cases_print_one (DynoResult *result);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"

G_BEGIN_DECLS

void dyno_cli_cases_print (DynoRun *run);
void dyno_cli_cases_print_heading (DynoRun *run);
void dyno_cli_cases_print_one (DynoResult *result);

G_END_DECLS

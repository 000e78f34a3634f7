/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-comparison.h"

G_BEGIN_DECLS

char *dyno_report_junit_write (const DynoComparison *comparison);

G_END_DECLS

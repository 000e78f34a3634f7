/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-comparison.h"

G_BEGIN_DECLS

/* Writes the comparison as test results for build services: a case is a test, which fails if it is shown to
 * be worse, and is skipped, with the reason, if there is no verdict. Returns JUnit XML. The caller owns it. */
char *dyno_report_junit_write (const DynoComparison *comparison);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-comparison.h"

G_BEGIN_DECLS

/* Writes it in the form of test results that build services show: a case is a test, which fails where it
 * was shown to be worse, and is skipped, with the reason, where nothing can be said. Returns JUnit XML.
 * The caller owns it. */
char *dyno_report_junit_write (const DynoComparison *comparison);

G_END_DECLS

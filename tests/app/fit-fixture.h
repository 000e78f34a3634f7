/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"

G_BEGIN_DECLS

/* Whether everything fits in the narrowest window. Failures name the widget and let the test go on. */

void fit_fixture_assert_template (const char *resource);
void fit_fixture_assert_pages (DynoRun *run);

G_END_DECLS

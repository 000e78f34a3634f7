/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dyno-comparison.h"

G_BEGIN_DECLS

/* Returns the whole comparison. Sides are numbered from 0, in the order of `sides`; unknown values are null.
 * The caller owns it. */
JsonNode *dyno_report_comparison_to_json (const DynoComparison *comparison);

G_END_DECLS

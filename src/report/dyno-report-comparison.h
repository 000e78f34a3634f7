/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dyno-comparison.h"

G_BEGIN_DECLS

/* Returns all of it. Sides are numbered from 0, as they stand in `sides`; what is not known is null. The
 * caller owns it. */
JsonNode *dyno_report_comparison_to_json (const DynoComparison *comparison);

G_END_DECLS

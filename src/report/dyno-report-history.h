/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dyno-history.h"

G_BEGIN_DECLS

/* Returns the whole history; unknown values are null. The caller owns it. */
JsonNode *dyno_report_history_to_json (const DynoHistory *history);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-run.h"

G_BEGIN_DECLS

char *dyno_report_json_write (GPtrArray *runs, GHashTable *ceilings);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dyno-run.h"

G_BEGIN_DECLS

const char *dyno_run_engines_find (JsonObject *machine, const char *backend);
char *dyno_run_engines_dup (DynoRun *run);

G_END_DECLS

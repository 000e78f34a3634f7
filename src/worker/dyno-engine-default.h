/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dyno-backend.h"
#include "dyno-case.h"
#include "dyno-workload.h"

G_BEGIN_DECLS

/* Returns `settings`, those of the session by name, and `step_ms`, the approximate time of a step if it is
 * known. The caller owns it. */
JsonObject *dyno_engine_default_try (DynoSession *session, DynoWorkload *workload);
/* Reports if the engine's defaults would use another precision, or other numbers of threads and streams,
 * than the case: people see the defaults where they use the engine elsewhere. A separate process, which
 * may use the processors that were available before the work was pinned, opens the engine with its
 * defaults; the calling thread is not pinned any more. A short trial there estimates the time of a step
 * with all of these settings. */
void dyno_engine_default_report (DynoCase *kase, DynoBackend *backend, DynoMeasurement *measurement);

G_END_DECLS

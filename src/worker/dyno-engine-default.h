/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "dyno-backend.h"
#include "dyno-case.h"
#include "dyno-workload.h"

G_BEGIN_DECLS

JsonObject *dyno_engine_default_try (DynoSession *session, DynoWorkload *workload);
void dyno_engine_default_report (DynoCase *kase, DynoBackend *backend, DynoMeasurement *measurement);

G_END_DECLS

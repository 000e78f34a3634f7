/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"

G_BEGIN_DECLS

/* Reads files and folders, so it belongs on a thread. Returns a text that changes when anything changes that
 * decides whether the backend can measure here: Dyno itself, libraries, drivers, devices, and the environment
 * variables about them. */
char *dyno_probe_fingerprint_take (DynoBackend *backend);

G_END_DECLS

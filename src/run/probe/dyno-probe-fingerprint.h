/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"

G_BEGIN_DECLS

/* Reads files and folders, so it belongs on a thread. Returns a text that stays the same as long as
 * nothing changes that decides what the backend can do here: Dyno itself, libraries, drivers, devices, and
 * what the environment says about them. */
char *dyno_probe_fingerprint_take (DynoBackend *backend);

G_END_DECLS

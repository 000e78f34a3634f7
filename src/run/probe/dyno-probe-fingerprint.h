/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"

G_BEGIN_DECLS

char *dyno_probe_fingerprint_take (DynoBackend *backend);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"

G_BEGIN_DECLS

DynoProbe *dyno_probe_process_ask (DynoBackend *backend, GCancellable *cancellable, gboolean *is_answer);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"

G_BEGIN_DECLS

GPtrArray *
dyno_device_roofs_measure (DynoBackend *backend, DynoDevice *device, double seconds, GError **error);

G_END_DECLS

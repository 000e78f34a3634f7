/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-device.h"

G_BEGIN_DECLS

GPtrArray *dyno_nvml_list_devices (GError **error);
gboolean dyno_nvml_has_tf32 (const char *uuid);

G_END_DECLS

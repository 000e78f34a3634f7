/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-device.h"

G_BEGIN_DECLS

GPtrArray *dyno_nvml_list_devices (GError **error);

G_END_DECLS

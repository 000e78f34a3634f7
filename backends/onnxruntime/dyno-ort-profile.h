/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

GPtrArray *dyno_ort_profile_parse (const char *path, GError **error);

G_END_DECLS

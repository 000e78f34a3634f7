/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

const char *dyno_foreign_file_explain (const char *contents, gsize size);

G_END_DECLS

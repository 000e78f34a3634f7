/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the kind of the file and the remedy, if it is of a known kind that is not ONNX; NULL otherwise.
 * @size: in bytes. */
const char *dyno_foreign_file_explain (const char *contents, gsize size);

G_END_DECLS

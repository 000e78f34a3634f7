/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Sums a trace up by node, without the first run if there are others. ONNX Runtime's clock for nodes ticks
 * in microseconds, and its list of shapes lacks inputs that a node leaves out. If work is queued on a
 * device, times are the device's, and unknown if it does not report them. Returns the nodes in order of
 * their first call. Elements are DynoNodeProfile. */
GPtrArray *dyno_ort_profile_parse (const char *path, GError **error);
/* Does the same as dyno_ort_profile_parse() for text that is in no file. @name: of the text, for errors. */
GPtrArray *dyno_ort_profile_parse_text (const char *name, const char *text, gsize length, GError **error);

G_END_DECLS

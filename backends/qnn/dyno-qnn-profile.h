/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* To ONNX Runtime, a whole part of the graph is one node on QNN's device. Where the device reports the
 * operators inside, they take its place: with their times, but without shapes. Where it is not known which
 * executions are those of the first run, they have no times. Returns whether what was written, if anything
 * was, could be read. @path: the file to which QNN's provider wrote its profile. @nodes holds
 * DynoNodeProfile. @error: return location for an error. */
gboolean dyno_qnn_profile_read (const char *path, GPtrArray *nodes, GError **error);

G_END_DECLS

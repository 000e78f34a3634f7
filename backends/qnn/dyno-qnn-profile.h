/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* To ONNX Runtime, a whole part of the graph is one node on QNN's device. If the device reports the
 * operators inside, they replace it: with their times, but without shapes. If the executions of the first
 * run are unknown, they have no times. Returns whether the profile, if there is one, could be read. @path:
 * the file to which QNN's provider wrote its profile. @nodes holds DynoNodeProfile. @values: gets
 * the medians over the executions that count of the device's time and cycles, of its waiting for its memory and for
 * power, and of its vector threads, as far as it reports them; an execution is one part of the graph. */
gboolean dyno_qnn_profile_read (const char *path, GPtrArray *nodes, GPtrArray *values, GError **error);

G_END_DECLS

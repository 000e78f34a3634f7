/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * libsensors, whose state is the process's: it has chips while somebody holds it, and looks for them again, and reads
 * its configuration again, when somebody takes hold of it whom nobody preceded.
 */
gboolean dyno_sensors_library_hold (char **reason);
void dyno_sensors_library_release (void);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/*
 * libsensors, whose state belongs to the process: it has chips while it is in use, and the first user after a pause
 * makes it look for them and read its configuration again.
 */

/* Returns whether the library is available, until dyno_sensors_library_release(). @reason (nullable): why it cannot
 * be used, as a phrase; untouched if the kernel just has no sensors. */
gboolean dyno_sensors_library_hold (char **reason);
void dyno_sensors_library_release (void);

G_END_DECLS

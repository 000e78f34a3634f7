/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns whether this process runs in Flatpak's sandbox. */
gboolean dyno_sandbox_is_active (void);
/* Returns a note for the user: the parts of the machine that cannot be seen from within Flatpak's sandbox,
 * and how to see them; NULL outside of it. */
const char *dyno_sandbox_get_note (void);

G_END_DECLS

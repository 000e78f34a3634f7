/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Accessible names of widgets for GTK before 4.14, which leaves names out or repeats them. */

/* From now on, each widget that is shown gets the name that newer versions of GTK give it; with those
 * versions, only rows of lists get a name, from the texts in them. */
void dyno_compat_names_mend (void);

G_END_DECLS

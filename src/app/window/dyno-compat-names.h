/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What screen readers hear of the widgets of GTK before 4.14: names that it leaves out, or says twice. */

/* From now on, whatever is shown gets the name that newer versions of GTK give it by themselves; with
 * these, only rows of lists get one, that of the texts in them. */
void dyno_compat_names_mend (void);

G_END_DECLS

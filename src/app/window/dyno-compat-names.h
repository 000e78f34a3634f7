/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What screen readers hear of the widgets of GTK before 4.14: names that it leaves out, or says twice. */

void dyno_compat_names_mend (void);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Shows the unit after the number, inside the field. The user may type the number alone. */
void dyno_unit_spin_set_unit (GtkSpinButton *spin, const char *unit);

G_END_DECLS

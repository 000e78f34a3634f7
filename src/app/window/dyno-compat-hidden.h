/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Hides invisible pages from screen readers. */

/* From now on, pages of stacks leave the accessible tree while another page is shown. GTK 4.18 does so
 * itself; GTK 4.8 hides only widgets that are not visible, and the pages of a stack stay visible. */
void dyno_compat_hidden_mend (void);

G_END_DECLS

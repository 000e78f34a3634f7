/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Hides pages that nobody sees from screen readers. */

void dyno_compat_hidden_mend (void);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What screen readers are told of pages that nobody sees. */

void dyno_compat_hidden_mend (void);

G_END_DECLS

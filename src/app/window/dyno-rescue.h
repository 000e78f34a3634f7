/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "dyno-run.h"

G_BEGIN_DECLS

/* Says that the results are only in memory, and offers to save them as a document. */
void dyno_rescue_present (GtkWindow *window, DynoRun *run, const char *reason);

G_END_DECLS

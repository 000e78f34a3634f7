/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "dyno-store.h"

G_BEGIN_DECLS

/* Imports results of other tools in a thread, and says in the window how far it is and what came of it. */

/* Imports what other tools have written. What cannot be imported, or was skipped, is listed at the end,
 * and does not keep back the others. */
void dyno_import_task_start (GtkWindow *window, DynoStore *store, GListModel *files);
/* Imports a text and shows the run that it became. */
void dyno_import_task_start_text (GtkWindow *window, DynoStore *store, const char *text);

G_END_DECLS

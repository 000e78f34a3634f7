/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "dyno-store.h"

G_BEGIN_DECLS

/* Imports results of other tools in a thread, and shows the progress and the outcome in the window. */

/* Imports files of other tools. At the end, it lists files that failed or were skipped; they do not affect
 * the others. */
void dyno_import_task_start (GtkWindow *window, DynoStore *store, GListModel *files);
/* Imports a text and shows the new run. */
void dyno_import_task_start_text (GtkWindow *window, DynoStore *store, const char *text);

G_END_DECLS

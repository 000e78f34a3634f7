/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-store.h"

G_BEGIN_DECLS

/* Adds and removes baseline names in a thread. A toast above the widget shows the result. */

/* Gives a name to a run; another run that had the name loses it. */
void dyno_baseline_writer_set (GtkWidget *widget, DynoStore *store, const char *name, const char *run_id);
/* Removes the name. The user can undo this as long as its run exists. */
void dyno_baseline_writer_remove (GtkWidget *widget, DynoStore *store, const DynoBaseline *baseline);

G_END_DECLS

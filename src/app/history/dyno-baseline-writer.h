/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-store.h"

G_BEGIN_DECLS

/* Runs get and lose names, in a thread. A toast above the widget says what came of it. */

/* Gives a name to a run; to whichever run had it, it no longer belongs. */
void dyno_baseline_writer_set (GtkWidget *widget, DynoStore *store, const char *name, const char *run_id);
/* Takes the name away, which can be undone while its run is kept. */
void dyno_baseline_writer_remove (GtkWidget *widget, DynoStore *store, const DynoBaseline *baseline);

G_END_DECLS

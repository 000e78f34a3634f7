/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "dyno-run.h"

G_BEGIN_DECLS

void dyno_rescue_present (GtkWindow *window, DynoRun *run, const char *reason);

G_END_DECLS

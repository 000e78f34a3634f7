/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "dyno-comparison.h"

G_BEGIN_DECLS

/* What there is to know beside the verdicts, as rows that open: why cases are undecided, what differs, and what is
 * not compared. */
void dyno_comparison_details_fill (GtkListBox *list, const DynoComparison *comparison);

G_END_DECLS

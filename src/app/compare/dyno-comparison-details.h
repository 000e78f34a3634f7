/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "dyno-comparison.h"

G_BEGIN_DECLS

/* Fills the list with expander rows of details: why cases are undecided, the differences in settings, and the
 * cases that are not compared. */
void dyno_comparison_details_fill (GtkListBox *list, const DynoComparison *comparison);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define DYNO_TYPE_NARROW_BIN (dyno_narrow_bin_get_type ())

/**
 * DynoNarrowBin:
 *
 * Holds one child and detects whether there is little room for it. Properties: `child`, `threshold` (int, px
 * with text of the usual size) and the read-only `narrow`, true while the width is below the threshold;
 * templates bind to it. The child may request more than 360 px if there is room; the bin itself never does.
 */
G_DECLARE_FINAL_TYPE (DynoNarrowBin, dyno_narrow_bin, DYNO, NARROW_BIN, GtkWidget)

/* Returns an empty bin. */
GtkWidget *dyno_narrow_bin_new (void);

/* Returns its child; NULL if there is none. */
GtkWidget *dyno_narrow_bin_get_child (DynoNarrowBin *self);
/* @child may be NULL. */
void dyno_narrow_bin_set_child (DynoNarrowBin *self, GtkWidget *child);
/* @threshold: the width below which the bin is narrow, in px with text of the usual size. */
void dyno_narrow_bin_set_threshold (DynoNarrowBin *self, int threshold);
/* Returns whether there is little room. */
gboolean dyno_narrow_bin_get_narrow (DynoNarrowBin *self);

G_END_DECLS

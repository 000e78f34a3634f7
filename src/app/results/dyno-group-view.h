/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "dyno-run-entry.h"

G_BEGIN_DECLS

#define DYNO_TYPE_GROUP_VIEW (dyno_group_view_get_type ())

/**
 * DynoGroupView:
 *
 * The runs of one submission side by side: cases by node, and charts of all nodes.
 *
 * Property, read-write: `narrow` (boolean: whether it is shown without the list and has a button back to it).
 *
 * Signal `run-activated (const char *id)`: the user asks for the run of one node.
 */
G_DECLARE_FINAL_TYPE (DynoGroupView, dyno_group_view, DYNO, GROUP_VIEW, AdwBin)

/* Returns the shown group; NULL if there is none. */
DynoRunEntry *dyno_group_view_get_entry (DynoGroupView *self);
/* @entry may be NULL. */
void dyno_group_view_set_entry (DynoGroupView *self, DynoRunEntry *entry);

G_END_DECLS

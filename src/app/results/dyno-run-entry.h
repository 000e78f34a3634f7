/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store.h"

G_BEGIN_DECLS

#define DYNO_TYPE_RUN_ENTRY (dyno_run_entry_get_type ())

/**
 * DynoRunEntry:
 *
 * A run in a list: its summary, and the store or document that holds it. Read-only properties, in words:
 * `title`, `summary` (models and backends), `details` (date and number of cases), and `document` (boolean:
 * whether it is in a document instead of the store). An entry may be a group: the runs of one submission to
 * other machines.
 *
 * Signal `write-failed (GError *error)`: a new title or new notes could not be stored.
 */
G_DECLARE_FINAL_TYPE (DynoRunEntry, dyno_run_entry, DYNO, RUN_ENTRY, GObject)

/* Returns a new entry. */
DynoRunEntry *dyno_run_entry_new (DynoStore *store, DynoRun *run, gboolean document);
/* Returns an entry for a group, with the id of the submission. @members holds DynoRun. */
DynoRunEntry *dyno_run_entry_new_group (DynoStore *store, GPtrArray *members, gboolean document);

/* Returns the store or document of the run. */
DynoStore *dyno_run_entry_get_store (DynoRunEntry *self);
/* Returns the id of the run, or the id of the submission of a group. */
const char *dyno_run_entry_get_id (DynoRunEntry *self);
/* Returns whether the run is in a document instead of the store. */
gboolean dyno_run_entry_is_document (DynoRunEntry *self);
/* Returns whether the run can be renamed, annotated and deleted; a group cannot. */
gboolean dyno_run_entry_is_writable (DynoRunEntry *self);

/* Returns the summaries of the runs of a group; NULL if it is not a group. Elements are DynoRun. */
GPtrArray *dyno_run_entry_get_members (DynoRunEntry *self);
/* @members holds DynoRun. */
void dyno_run_entry_set_members (DynoRunEntry *self, GPtrArray *members);
/* Returns the summary of the run, or of the first run of a group. */
DynoRun *dyno_run_entry_get_run (DynoRunEntry *self);
void dyno_run_entry_set_run (DynoRunEntry *self, DynoRun *run);

/* Returns the title as shown, or a substitute. */
char *dyno_run_entry_dup_title (DynoRunEntry *self);
/* Renames the run, here at once and soon in the store. */
void dyno_run_entry_set_title (DynoRunEntry *self, const char *title);
/* Sets the notes of the run, here at once and soon in the store. */
void dyno_run_entry_set_notes (DynoRunEntry *self, const char *notes);

G_END_DECLS

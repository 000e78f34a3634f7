/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-store.h"

G_BEGIN_DECLS

#define DYNO_TYPE_RUN_ENTRY (dyno_run_entry_get_type ())

/**
 * DynoRunEntry:
 *
 * A run in a list: its summary, and the store or document that holds it. Read-only properties, in words:
 * `title`, `summary` (which models and backends), `details` (when, and how many cases), and `document`
 * (boolean: whether it lies in a document beside the store). It may stand for a group: the runs of one submission to
 * other machines.
 *
 * Signal `write-failed (GError *error)`: a new title or new notes could not be kept.
 */
G_DECLARE_FINAL_TYPE (DynoRunEntry, dyno_run_entry, DYNO, RUN_ENTRY, GObject)

/* Returns a new entry. */
DynoRunEntry *dyno_run_entry_new (DynoStore *store, DynoRun *run, gboolean document);
/* Returns an entry for all of them, whose id is that of the submission. @members holds DynoRun. */
DynoRunEntry *dyno_run_entry_new_group (DynoStore *store, GPtrArray *members, gboolean document);

/* Returns what holds the run. */
DynoStore *dyno_run_entry_get_store (DynoRunEntry *self);
/* Returns the id of the run, or of the submission whose group it is. */
const char *dyno_run_entry_get_id (DynoRunEntry *self);
/* Returns whether the run lies in a document beside the store. */
gboolean dyno_run_entry_is_document (DynoRunEntry *self);
/* Returns whether the run can be renamed, annotated and deleted; a group cannot. */
gboolean dyno_run_entry_is_writable (DynoRunEntry *self);

/* Returns the summaries of its runs, if it is a group; NULL otherwise. Elements are DynoRun. */
GPtrArray *dyno_run_entry_get_members (DynoRunEntry *self);
/* @members holds DynoRun. */
void dyno_run_entry_set_members (DynoRunEntry *self, GPtrArray *members);
/* Returns the summary; of a group, that of its first run. */
DynoRun *dyno_run_entry_get_run (DynoRunEntry *self);
void dyno_run_entry_set_run (DynoRunEntry *self, DynoRun *run);

/* Returns the title as it is shown, or what stands for one. */
char *dyno_run_entry_dup_title (DynoRunEntry *self);
/* Renames the run, here at once and soon in the store. */
void dyno_run_entry_set_title (DynoRunEntry *self, const char *title);
/* Keeps the notes of the run, here at once and soon in the store. */
void dyno_run_entry_set_notes (DynoRunEntry *self, const char *notes);

G_END_DECLS

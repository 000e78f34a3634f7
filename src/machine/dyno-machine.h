/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define DYNO_TYPE_MACHINE (dyno_machine_get_type ())

/**
 * DynoMachine:
 *
 * The machine as it is now: its hardware and the limits of the container. A snapshot; take a new one to see
 * changes.
 */
G_DECLARE_FINAL_TYPE (DynoMachine, dyno_machine, DYNO, MACHINE, GObject)

/* Reads the machine and its state, and measures its clock, which takes a few milliseconds. Returns the
 * machine as it is now. The caller owns it. Fails with DYNO_ERROR_FAILED if the processors cannot be
 * listed. */
DynoMachine *dyno_machine_snapshot (GError **error);

/* Returns the id, 32 hexadecimal digits: a fingerprint of everything in the snapshot but `clock` and
 * `state`. It changes with the hardware, the kernel and the limits of the container, not with the load, and
 * is the same for identical machines. */
const char *dyno_machine_get_id (DynoMachine *self);
/* Returns the processor's name as the kernel reports it; NULL if there is none. */
const char *dyno_machine_get_cpu_name (DynoMachine *self);
/* Returns the number of cores, used or not. */
guint dyno_machine_get_n_cores (DynoMachine *self);
/* Returns the number of hardware threads, used or not. */
guint dyno_machine_get_n_threads (DynoMachine *self);
/* Returns how many threads this process can run at once: the hardware threads that the container and the
 * affinity allow, but at most the whole processors of the granted time, and at least one. */
guint dyno_machine_get_n_usable_threads (DynoMachine *self);
/* Returns the memory in bytes, -1 if unknown. */
gint64 dyno_machine_get_memory (DynoMachine *self);
/* Returns the memory that a new process could use without swapping, within the limits of the container, in
 * bytes; -1 if unknown. */
gint64 dyno_machine_get_available_memory (DynoMachine *self);
/* Returns the same for this machine now, without a snapshot, which would read every processor and device. */
gint64 dyno_machine_read_available_memory (void);
JsonNode *dyno_machine_to_json (DynoMachine *self);
/* Returns the machine in a line, such as “AMD EPYC · 2 cores · 25.3 GB”, as far as it is known. @snapshot:
 * the JSON of dyno_machine_to_json(), or NULL. */
char *dyno_machine_dup_summary (const char *snapshot);

/* Returns findings about the state of the machine that make numbers doubtful: DynoDiagnostic, possibly none. @watches:
 * whether to watch the processors for a tenth of a second, for other programs; then call it on a thread. */
GPtrArray *dyno_machine_lint (DynoMachine *self, gboolean watches);

/* dyno-cloud */

/* The providers whose metadata services Dyno knows. */
#define DYNO_CLOUD_AWS    "AWS"
#define DYNO_CLOUD_AZURE  "Azure"
#define DYNO_CLOUD_GOOGLE "Google Cloud"

/* Returns the provider of this instance as its firmware names it; NULL outside of clouds that Dyno knows. */
const char *dyno_cloud_get_provider (void);
/* Lets all snapshots from then on say these. */
void dyno_cloud_tell (const char *type, const char *region);
/* Returns provider, type and region of a snapshot, as far as they are known, in a line; NULL if there are none. @snapshot: JSON,
 * or NULL. */
char *dyno_machine_dup_cloud (const char *snapshot);

G_END_DECLS

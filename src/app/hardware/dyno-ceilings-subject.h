/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"
#include "dyno-ceiling.h"

G_BEGIN_DECLS

#define DYNO_TYPE_CEILINGS_SUBJECT (dyno_ceilings_subject_get_type ())

/**
 * DynoCeilingsSubject:
 *
 * A part of the machine with its own ceilings: the processor, the processor with another thread placement, or
 * a device of a runtime. Immutable. Property `name` (string, read-only), for people.
 */
G_DECLARE_FINAL_TYPE (DynoCeilingsSubject, dyno_ceilings_subject, DYNO, CEILINGS_SUBJECT, GObject)

/* Returns the processor with the default thread placement. */
DynoCeilingsSubject *dyno_ceilings_subject_new_processor (void);
/* Returns the device. */
DynoCeilingsSubject *dyno_ceilings_subject_new_device (DynoBackend *backend, DynoDevice *device);
/* Returns the subject of @ceiling: maybe a placement that the command line measured, or a device that is
 * absent now. */
DynoCeilingsSubject *dyno_ceilings_subject_new_for_ceiling (DynoCeiling *ceiling);

const char *dyno_ceilings_subject_get_name (DynoCeilingsSubject *self);
/* Returns its name in ceilings: `cpu`, or `BACKEND:DEVICE`. */
const char *dyno_ceilings_subject_get_device (DynoCeilingsSubject *self);
/* Returns its thread placement, empty for the default. */
const char *dyno_ceilings_subject_get_pinning (DynoCeilingsSubject *self);
gboolean dyno_ceilings_subject_is_processor (DynoCeilingsSubject *self);
/* Returns whether the window can measure it: it is present and has the default thread placement. */
gboolean dyno_ceilings_subject_can_measure (DynoCeilingsSubject *self);

/* Returns whether the ceiling belongs to this subject. */
gboolean dyno_ceilings_subject_has (DynoCeilingsSubject *self, DynoCeiling *ceiling);
/* Returns whether both have the same ceilings. */
gboolean dyno_ceilings_subject_is_same (DynoCeilingsSubject *self, DynoCeilingsSubject *other);

G_END_DECLS

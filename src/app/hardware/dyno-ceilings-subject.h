/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-backend.h"
#include "dyno-ceiling.h"

G_BEGIN_DECLS

#define DYNO_TYPE_CEILINGS_SUBJECT (dyno_ceilings_subject_get_type ())

/**
 * DynoCeilingsSubject:
 *
 * What has ceilings of its own: the processor, the processor with its threads placed in another way, or a device behind
 * a runtime. Immutable. Property `name` (string, read-only): for people.
 */
G_DECLARE_FINAL_TYPE (DynoCeilingsSubject, dyno_ceilings_subject, DYNO, CEILINGS_SUBJECT, GObject)

/* Returns the processor, with its threads placed in the usual way. */
DynoCeilingsSubject *dyno_ceilings_subject_new_processor (void);
/* Returns the device. */
DynoCeilingsSubject *dyno_ceilings_subject_new_device (DynoBackend *backend, DynoDevice *device);
/* Returns whose it is: a placement that the command line measured, or a device that is not there now. */
DynoCeilingsSubject *dyno_ceilings_subject_new_for_ceiling (DynoCeiling *ceiling);

const char *dyno_ceilings_subject_get_name (DynoCeilingsSubject *self);
/* Returns as ceilings name it: `cpu`, or `BACKEND:DEVICE`. */
const char *dyno_ceilings_subject_get_device (DynoCeilingsSubject *self);
/* Returns how its threads are placed, empty for the usual way. */
const char *dyno_ceilings_subject_get_pinning (DynoCeilingsSubject *self);
gboolean dyno_ceilings_subject_is_processor (DynoCeilingsSubject *self);
/* Returns whether it can be measured from the window: it is there, and its threads are placed in the usual
 * way. */
gboolean dyno_ceilings_subject_can_measure (DynoCeilingsSubject *self);

/* Returns whether it is this subject's. */
gboolean dyno_ceilings_subject_has (DynoCeilingsSubject *self, DynoCeiling *ceiling);
/* Returns whether both have the same ceilings. */
gboolean dyno_ceilings_subject_is_same (DynoCeilingsSubject *self, DynoCeilingsSubject *other);

G_END_DECLS

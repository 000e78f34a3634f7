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

DynoCeilingsSubject *dyno_ceilings_subject_new_processor (void);
DynoCeilingsSubject *dyno_ceilings_subject_new_device (DynoBackend *backend, DynoDevice *device);
DynoCeilingsSubject *dyno_ceilings_subject_new_for_ceiling (DynoCeiling *ceiling);

const char *dyno_ceilings_subject_get_name (DynoCeilingsSubject *self);
const char *dyno_ceilings_subject_get_device (DynoCeilingsSubject *self);
const char *dyno_ceilings_subject_get_pinning (DynoCeilingsSubject *self);
gboolean dyno_ceilings_subject_is_processor (DynoCeilingsSubject *self);
gboolean dyno_ceilings_subject_can_measure (DynoCeilingsSubject *self);

gboolean dyno_ceilings_subject_has (DynoCeilingsSubject *self, DynoCeiling *ceiling);
gboolean dyno_ceilings_subject_is_same (DynoCeilingsSubject *self, DynoCeilingsSubject *other);

G_END_DECLS

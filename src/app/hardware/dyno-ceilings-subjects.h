/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-ceilings-subject.h"

G_BEGIN_DECLS

#define DYNO_TYPE_CEILINGS_SUBJECTS (dyno_ceilings_subjects_get_type ())

/**
 * DynoCeilingsSubjects:
 *
 * All subjects with ceilings, measured or not: the processor, the devices that backends find here, and those
 * measured earlier.
 */
G_DECLARE_FINAL_TYPE (DynoCeilingsSubjects, dyno_ceilings_subjects, DYNO, CEILINGS_SUBJECTS, GObject)

DynoCeilingsSubjects *dyno_ceilings_subjects_new (void);

/* Returns a list of DynoCeilingsSubject, the processor first. */
GListModel *dyno_ceilings_subjects_get_list (DynoCeilingsSubjects *self);
/* @ceilings may be NULL. */
void dyno_ceilings_subjects_set_ceilings (DynoCeilingsSubjects *self, GListModel *ceilings);
/* Probes all backends; earlier probes will do as long as they are valid. Devices appear as answers arrive. */
void dyno_ceilings_subjects_find_devices (DynoCeilingsSubjects *self);

G_END_DECLS

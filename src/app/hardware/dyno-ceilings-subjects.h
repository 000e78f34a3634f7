/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "dyno-ceilings-subject.h"

G_BEGIN_DECLS

#define DYNO_TYPE_CEILINGS_SUBJECTS (dyno_ceilings_subjects_get_type ())

/**
 * DynoCeilingsSubjects:
 *
 * All that has ceilings or could have: the processor, the devices that backends find here, and what was measured once.
 */
G_DECLARE_FINAL_TYPE (DynoCeilingsSubjects, dyno_ceilings_subjects, DYNO, CEILINGS_SUBJECTS, GObject)

DynoCeilingsSubjects *dyno_ceilings_subjects_new (void);

/* Returns a list of DynoCeilingsSubject, the processor first. */
GListModel *dyno_ceilings_subjects_get_list (DynoCeilingsSubjects *self);
/* @ceilings may be NULL. */
void dyno_ceilings_subjects_set_ceilings (DynoCeilingsSubjects *self, GListModel *ceilings);
/* Asks all backends what they find; what was found before will do, as long as it holds. Devices appear as
 * answers come. */
void dyno_ceilings_subjects_find_devices (DynoCeilingsSubjects *self);

G_END_DECLS

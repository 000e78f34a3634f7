/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-ov-library.h"

G_BEGIN_DECLS

/**
 * DynoOvProfile:
 *
 * The values of OpenVINO's counters after every run of a model.
 */
typedef struct _DynoOvProfile DynoOvProfile;

/* Returns an empty profile. @gives_averages: whether a counter holds the mean of all runs so far, as the
 * processor's do, instead of the last run's time. */
DynoOvProfile *dyno_ov_profile_new (DynoOvLibrary *library, const char *provider, gboolean gives_averages);
void dyno_ov_profile_free (DynoOvProfile *self);
/* Reads the counters. Must be called after every run. Returns whether there were any. @request: a request
 * that has just run, of a model compiled with counters. */
OvStatus dyno_ov_profile_record (DynoOvProfile *self, const OvInferRequest *request);
/* The counters tick in microseconds, and a node below one microsecond is missing. They have no shapes.
 * Returns the nodes with their times in all runs, without the first if there are others. Elements are
 * DynoNodeProfile. The caller owns it. */
GPtrArray *dyno_ov_profile_sum_up (DynoOvProfile *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoOvProfile, dyno_ov_profile_free)

G_END_DECLS

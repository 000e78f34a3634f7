/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-case.h"
#include "dyno-model.h"

G_BEGIN_DECLS

/* Returns about how many floating-point operations one item takes. For a file, whose shapes only a runtime
 * knows, this is two for each parameter and token. */
double dyno_case_estimate_work (DynoModel *model, guint sequence_length);
/* Estimates the time before anything has run, from the method and the model: each invocation starts, loads
 * the model, warms up and measures; the first also loads the model for each kind of analysis and runs its
 * steps. Returns the expected time of the case, in seconds. @work: floating-point operations of one item,
 * from dyno_case_estimate_work(). */
double dyno_case_estimate_seconds (DynoCase *self, gint64 weight_bytes, double work);
/* An earlier time of the same case is the best guess. Returns whether @durations has one, which the case then
 * expects. @durations: the seconds that the phases of cases took on this machine, by the JSON of the case. */
gboolean dyno_case_learn_seconds (DynoCase *self, GHashTable *durations);
/* Returns about which share of the case's time the invocation takes, 0…1. @invocation: which of its
 * invocations, from 0. */
double dyno_case_estimate_share (DynoCase *self, guint invocation);
/* Phases that end after a time and a number of samples count by both. Returns about how much of the
 * invocation is over, 0…1. @invocation: which of its invocations is measured now, from 0. @phase: the current
 * phase: `prepare`, or the name of a DynoPhase. @n_samples: how many samples were taken, warming up or
 * measuring. */
double dyno_case_estimate_fraction (
    DynoCase *self, guint invocation, const char *phase, double seconds, guint n_samples);

G_END_DECLS

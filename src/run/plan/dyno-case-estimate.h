/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-case.h"
#include "dyno-model.h"

G_BEGIN_DECLS

/* Returns about how many floating-point operations one item takes; of a file, whose shapes only a runtime
 * knows, two for each parameter and token. */
double dyno_case_estimate_work (DynoModel *model, guint sequence_length);
/* A guess to show before anything has run, from the method and the model: for each invocation starting,
 * loading the model, warming up and measuring; and for the first also loading the model for each way of
 * analysing it, and the analysis' steps. Returns expected time of the case, in seconds. @work:
 * floating-point operations of one item, from dyno_case_estimate_work(). */
double dyno_case_estimate_seconds (DynoCase *self, gint64 weight_bytes, double work);
/* What the same case took before is a better guess than any other. Returns whether @durations has it, so
 * that it is expected to take as long. @durations: how many seconds the phases of cases took on this
 * machine, by the JSON of the case. */
gboolean dyno_case_learn_seconds (DynoCase *self, GHashTable *durations);
/* Returns about which share of the time of the case it takes, 0…1. @invocation: which of its invocations,
 * from 0. */
double dyno_case_estimate_share (DynoCase *self, guint invocation);
/* Phases that come to an end by the method, after a time and a number of samples, count by both. Returns
 * about how much of the invocation is over, 0…1. @invocation: which of its invocations is measured now,
 * from 0. @phase: what is done now: `prepare`, or the name of a DynoPhase. @n_samples: how many samples
 * were taken, warming up or measuring. */
double dyno_case_estimate_fraction (
    DynoCase *self, guint invocation, const char *phase, double seconds, guint n_samples);

G_END_DECLS

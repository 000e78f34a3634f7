/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-result.h"

G_BEGIN_DECLS

/**
 * DYNO_SELF_TEST_SOURCE:
 *
 * The source of a run that compares the machine with itself. Lists and histories leave such runs out.
 */
#define DYNO_SELF_TEST_SOURCE "self-test"

/**
 * DYNO_SELF_TEST_GROUP:
 *
 * The number of processes on each side when a self-test compares a case with itself: as many as a verdict
 * needs.
 */
#define DYNO_SELF_TEST_GROUP 5

/**
 * DYNO_SELF_TEST_MIN_PROCESSES:
 *
 * The fewest processes that give a noise floor.
 */
#define DYNO_SELF_TEST_MIN_PROCESSES (2 * DYNO_SELF_TEST_GROUP)

#define DYNO_TYPE_SELF_TEST (dyno_self_test_get_type ())

/**
 * DynoSelfTest:
 * @run_id: the run
 * @measured_at: when it began, in µs since 1970
 * @is_doubtful: whether something disturbed it, so that its noise floors may be too high
 *
 * The comparison of a machine with itself: processes that all measured the same case. It does not change once
 * it is filled.
 */
typedef struct
{
  char *run_id;
  gint64 measured_at;
  gboolean is_doubtful;

  /*< private >*/
  GHashTable *values;
  GHashTable *floors; /* computed on request */
  gatomicrefcount ref_count;
} DynoSelfTest;

GType dyno_self_test_get_type (void);
/* Returns a self-test without values. @measured_at: when it began, in µs since 1970. */
DynoSelfTest *dyno_self_test_new (const char *run_id, gint64 measured_at);
/* Returns a self-test with the values of all processes that did not fail. @measured_at: when it began, in
 * µs since 1970. @result: its only case. */
DynoSelfTest *dyno_self_test_new_from_result (const char *run_id, gint64 measured_at, DynoResult *result);
DynoSelfTest *dyno_self_test_ref (DynoSelfTest *self);
void dyno_self_test_unref (DynoSelfTest *self);

void dyno_self_test_add (DynoSelfTest *self, const char *metric, double value);
guint dyno_self_test_count (const DynoSelfTest *self, const char *metric);
/* Each value has its own floor: the memory of processes differs by less than their latency. It is computed
 * once, however many cases use it. Returns the smallest difference of the value that is worth claiming on
 * that machine, as a share (dyno_stats_noise_floor()); NaN if unknown. */
double dyno_self_test_get_floor (const DynoSelfTest *self, const char *metric);
/* Returns the noise floor of sides with fewer processes than DYNO_SELF_TEST_GROUP; it is higher. */
double dyno_self_test_get_floor_of_few (const DynoSelfTest *self, const char *metric, guint n_processes);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoSelfTest, dyno_self_test_unref)

G_END_DECLS

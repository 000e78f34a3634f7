/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-false-alarms.h"
#include "dyno-self-test.h"

G_BEGIN_DECLS

/**
 * DynoCheckOutcome:
 * @DYNO_CHECK_PASS: shown to be right
 * @DYNO_CHECK_WARN: neither shown to be right nor to be wrong: the machine was too disturbed
 * @DYNO_CHECK_FAIL: shown to be wrong, beyond the noise
 * @DYNO_CHECK_ABSENT: this machine lacks what it is checked with
 * @DYNO_CHECK_UNCHECKED: it could not be checked
 *
 * The outcome of a check of the measuring itself.
 */
typedef enum
{
  DYNO_CHECK_PASS,
  DYNO_CHECK_WARN,
  DYNO_CHECK_FAIL,
  DYNO_CHECK_ABSENT,
  DYNO_CHECK_UNCHECKED,
} DynoCheckOutcome;

/* Returns its stable name: `pass`, `warn`, `fail`, `not-installed`, `not-checked`. */
const char *dyno_check_outcome_to_string (DynoCheckOutcome outcome);
/* Returns it in words. */
const char *dyno_check_outcome_get_label (DynoCheckOutcome outcome);

/**
 * DynoCheck:
 * @name: its stable name
 * @title: what is checked, in words
 * @outcome: its outcome
 * @text: the numbers, or the reason
 * @ratio: the ratio that was checked; NaN for none
 * @low: the lower end of its 95 % interval
 * @high: the upper end
 *
 * A check of the measuring itself.
 */
typedef struct
{
  char *name;
  char *title;
  DynoCheckOutcome outcome;
  char *text;
  double ratio;
  double low;
  double high;
} DynoCheck;

/* Takes @text. */
DynoCheck *dyno_check_new (const char *name, const char *title, DynoCheckOutcome outcome, char *text);
/* Judges the ratios of Dyno's median over that of another program, each of two processes that ran one right after the
 * other. @noise_floor: the noise floor of the machine, as a share; NaN if it is not known. */
DynoCheck *
dyno_check_new_ratio (const char *name, const char *title, const double *ratios, guint n, double noise_floor);
/* Judges how often a case that is compared with itself is said to differ. @noise_floor: as a share. */
DynoCheck *dyno_check_new_alarms (const DynoFalseAlarms *alarms, double noise_floor);
/* Judges that no outer level of the memory is read faster than an inner one. @ceilings holds DynoCeiling. */
DynoCheck *dyno_check_new_levels (GPtrArray *ceilings);
/* Judges that no ceiling is lower with more threads. @ceilings holds DynoCeiling. */
DynoCheck *dyno_check_new_threads (GPtrArray *ceilings);
/* Judges what the sensors said of each other in a case. @has_two: whether a part has two sensors of its power. */
DynoCheck *dyno_check_new_sensors (DynoResult *result, gboolean has_two);
void dyno_check_free (DynoCheck *self);
/* Returns DYNO_CHECK_FAIL if any failed, else DYNO_CHECK_WARN if any warns, else DYNO_CHECK_PASS if any passed.
 * @checks holds DynoCheck. */
DynoCheckOutcome dyno_check_find_worst (GPtrArray *checks);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoCheck, dyno_check_free)

G_END_DECLS

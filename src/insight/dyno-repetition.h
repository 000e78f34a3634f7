/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-comparison.h"
#include "dyno-plan.h"
#include "dyno-run.h"

G_BEGIN_DECLS

/**
 * DynoRepetition:
 * @run: the run that is repeated, of another machine or day
 * @plan: its plan, as far as this machine has its models
 * @before: a comparison without verdicts: what differs between that run and this machine, and which cases cannot run here
 *
 * A run that is to be measured again.
 */
typedef struct
{
  DynoRun *run;
  DynoPlan *plan;
  DynoComparison *before;
} DynoRepetition;

/* Looks at this machine and probes its engines, so it takes a while. Of several versions of an engine, workers use
 * that of @run from now on, if it is installed and no other one is named in the settings. Returns the repetition.
 * Fails with DYNO_ERROR_INVALID_ARGUMENT where the run cannot be repeated, and with an error of dyno_plan_expand()
 * where none of its models can be read. @models (nullable) (array zero-terminated=1): where its models are here, in the
 * order of its plan. */
DynoRepetition *dyno_repetition_new (DynoRun *run, const char *const *models, GError **error);
void dyno_repetition_free (DynoRepetition *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoRepetition, dyno_repetition_free)

/* dyno-agreement */

/**
 * DynoAgreement:
 * @DYNO_AGREEMENT_AGREES: both are shown to be the same, within the practical threshold or the noise floor
 * @DYNO_AGREEMENT_DIFFERS: a difference is shown
 * @DYNO_AGREEMENT_UNKNOWN: neither is shown
 *
 * Whether a case measured again gives the same number.
 */
typedef enum
{
  DYNO_AGREEMENT_AGREES,
  DYNO_AGREEMENT_DIFFERS,
  DYNO_AGREEMENT_UNKNOWN,
} DynoAgreement;

#define DYNO_N_AGREEMENTS (DYNO_AGREEMENT_UNKNOWN + 1)

/* Returns its stable name: `agrees`, `differs` or `cannot-be-told`. */
const char *dyno_agreement_to_string (DynoAgreement agreement);
/* Returns it in words. */
const char *dyno_agreement_get_label (DynoAgreement agreement);
DynoAgreement dyno_agreement_judge (const DynoComparedCase *kase);
/* Returns the agreement of all cases; a case that was left out is unknown. @counts: receives the number of cases of each
 * agreement. */
DynoAgreement dyno_agreement_judge_all (const DynoComparison *comparison, guint counts[DYNO_N_AGREEMENTS]);
/* Returns the numbers of cases, as a sentence. */
char *dyno_agreement_dup_answer (const DynoComparison *comparison);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * DynoVerdict:
 * @DYNO_VERDICT_BETTER: better by more than the practical threshold, and not by chance
 * @DYNO_VERDICT_WORSE: worse by more than the practical threshold, and not by chance
 * @DYNO_VERDICT_PROBABLY_BETTER: better by more than the practical threshold and the noise floor, which chance
 *   alone does in fewer than one comparison of ten; certainty takes more processes
 * @DYNO_VERDICT_PROBABLY_WORSE: worse in the same way
 * @DYNO_VERDICT_SAME: shown to be within the practical threshold
 * @DYNO_VERDICT_WITHIN_NOISE: different, but by less than the noise floor of this machine
 * @DYNO_VERDICT_NOT_ENOUGH_DATA: neither a difference nor sameness is shown, or even probable
 * @DYNO_VERDICT_CONFOUNDED: the conditions of the measurements differ too, or one was disturbed
 *
 * The verdict on a compared case.
 */
typedef enum
{
  DYNO_VERDICT_BETTER,
  DYNO_VERDICT_WORSE,
  DYNO_VERDICT_PROBABLY_BETTER,
  DYNO_VERDICT_PROBABLY_WORSE,
  DYNO_VERDICT_SAME,
  DYNO_VERDICT_WITHIN_NOISE,
  DYNO_VERDICT_NOT_ENOUGH_DATA,
  DYNO_VERDICT_CONFOUNDED,
} DynoVerdict;

#define DYNO_N_VERDICTS (DYNO_VERDICT_CONFOUNDED + 1)

/* Returns its stable name, for files: `faster` or `better`, `slower` or `worse`, each also with `probably-` in
 * front, `same`, `within-noise`, `not-enough-data`, `confounded`. */
const char *dyno_verdict_to_string (DynoVerdict verdict, const char *metric);
/* Returns the verdict in words, such as “faster”. No difference is shown within the noise, or by too few data:
 * both have the same words, and a reason beside them. */
const char *dyno_verdict_get_label (DynoVerdict verdict, const char *metric);

/* Returns whether it is of a direction: better or worse, certainly or probably. */
gboolean dyno_verdict_has_direction (DynoVerdict verdict);
/* Returns whether measuring again could settle it. */
gboolean dyno_verdict_is_open (DynoVerdict verdict);

/* Returns whether a higher value is better, as its metric says; for an unknown metric lower is better. */
gboolean dyno_verdict_more_is_better (const char *metric);
/* Returns whether “better” is called “faster” for this metric. */
gboolean dyno_verdict_is_of_speed (const char *metric);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-recommendation.h"
#include "dyno-runner.h"

G_BEGIN_DECLS

/**
 * DYNO_RACE_MIN_ROUNDS:
 *
 * Before so many rounds no verdict is possible, so nothing leaves a race.
 */
#define DYNO_RACE_MIN_ROUNDS 5

/**
 * DYNO_RACE_MAX_ROUNDS:
 *
 * What cannot be told apart by so many rounds is left undecided.
 */
#define DYNO_RACE_MAX_ROUNDS 40

/**
 * DynoRaceStanding:
 * @DYNO_RACE_BEST: no other is better
 * @DYNO_RACE_TIED: as good as the best one, or not to be told from it by the noise of this machine
 * @DYNO_RACE_OPEN: neither shown to be worse than the best one nor as good
 * @DYNO_RACE_BEATEN: shown to be worse than the one that led when it left
 * @DYNO_RACE_REFUSED: measured or tried, but it may not be recommended
 * @DYNO_RACE_UNMEASURED: the race ended before its turn
 *
 * How a setting stands in a race.
 */
typedef enum
{
  DYNO_RACE_BEST,
  DYNO_RACE_TIED,
  DYNO_RACE_OPEN,
  DYNO_RACE_BEATEN,
  DYNO_RACE_REFUSED,
  DYNO_RACE_UNMEASURED,
} DynoRaceStanding;

/**
 * DynoRaceEntry:
 * @result: its case
 * @label: the setting in words
 * @standing: how it stands
 * @candidate: (nullable): its value and the margin by which it was beaten, or why it may not be recommended; %NULL where
 *   it was not measured
 *
 * A setting of a race.
 */
typedef struct
{
  DynoResult *result;
  char *label;
  DynoRaceStanding standing;
  const DynoCandidate *candidate;
} DynoRaceEntry;

/**
 * DynoRace:
 *
 * Finds the best of the cases of a run while it is measured, by a goal. After 5 rounds, and then at numbers of rounds that
 * grow by the square root of 2, those still in are judged as a recommendation is; a case leaves only where the leader was
 * shown to be better, or where it may not be recommended. The race is over when none is left that is not as good as the
 * leader.
 */
typedef struct _DynoRace DynoRace;

const char *dyno_race_standing_to_string (DynoRaceStanding standing);
const char *dyno_race_standing_get_label (DynoRaceStanding standing);

DynoRace *dyno_race_new (const DynoGoal *goal);
void dyno_race_free (DynoRace *self);

gboolean dyno_race_is_look (guint n_rounds);
GPtrArray *dyno_race_look (DynoRace *self, DynoRun *run, guint n_rounds);
void dyno_race_finish (DynoRace *self, DynoRun *run);
void dyno_race_follow (DynoRace *self, DynoRunner *runner);

GPtrArray *dyno_race_list (DynoRace *self, DynoRun *run);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoRace, dyno_race_free)

G_END_DECLS

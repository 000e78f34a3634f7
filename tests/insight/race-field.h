/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-race.h"

G_BEGIN_DECLS

/* Settings of one model: by threads, with the time that each takes. */
typedef struct
{
  DynoRun *run;
  GRand *random;
  double noise; /* between processes, as a share */
  const double *times;
  guint n;
  guint n_samples; /* samples per process if they are too few for its p90; else 0 */
} RaceField;

void race_field_init (RaceField *field, const double *times, guint n, double noise, guint32 seed);
void race_field_clear (RaceField *field);
void race_field_measure (const RaceField *field, DynoResult *result, guint round, double time);
guint race_field_walk (DynoRace *race, RaceField *field, guint n_rounds, double drift);

G_END_DECLS

/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* xoshiro256++ (Blackman and Vigna, “Scrambled Linear Pseudorandom Number Generators”, 2021), seeded by
 * SplitMix64. A bootstrap draws millions of indices, for which GRand's Mersenne Twister takes ten times as
 * long; its state is local to a call, so threads share nothing. */
typedef struct
{
  guint64 state[4];
} DynoRandom;

static inline void
dyno_random_init (DynoRandom *self, guint64 seed)
{
  for (guint i = 0; i < 4; i++)
    {
      guint64 z = seed += 0x9e3779b97f4a7c15u;

      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
      z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
      self->state[i] = z ^ (z >> 31);
    }
}

static inline guint64
dyno_random_rotate (guint64 value, guint by)
{
  return (value << by) | (value >> (64 - by));
}

static inline guint64
dyno_random_next (DynoRandom *self)
{
  guint64 *s = self->state;
  guint64 result = dyno_random_rotate (s[0] + s[3], 23) + s[0];
  guint64 shifted = s[1] << 17;

  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= shifted;
  s[3] = dyno_random_rotate (s[3], 45);
  return result;
}

/* Returns a whole number below the limit; at most limit / 2³² off from even odds, which no number of
 * resamples shows (Lemire, “Fast Random Integer Generation in an Interval”, 2019, without the rejection).
 **/
static inline guint32
dyno_random_below (DynoRandom *self, guint32 limit)
{
  return ((dyno_random_next (self) >> 32) * limit) >> 32;
}

G_END_DECLS

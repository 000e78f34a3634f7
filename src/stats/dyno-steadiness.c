/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>
#include <string.h>

#include "dyno-stats.h"

/* Fewer values cannot show a level. */
#define MIN_VALUES 6

/* The cost of a further level; Barrett et al. use the same. */
#define PENALTY 15

/* Levels closer than this are one: 2 % has no practical importance, and shared machines drift by as much.
 **/
#define TOLERANCE_PERCENT 2

/* The steady level has to fill at least the last quarter, disturbances in it at most a twentieth. */
#define MIN_STEADY_SHARE  4
#define MAX_DISTURB_SHARE 20

/* The error of a median is this multiple of the noise over √n; two medians differ when they are this many errors
 * apart. */
#define MEDIAN_ERROR 1.2533141373155003
#define N_ERRORS     3

typedef struct
{
  gsize start;
  gsize end;
  double level;
} Segment;

static Segment
describe_segment (const double *values, gsize start, gsize end)
{
  g_autofree double *sorted = g_new (double, end - start);
  Segment segment = { .start = start, .end = end };
  gsize n = 0;

  for (gsize i = start; i < end; i++)
    if (!isnan (values[i]))
      sorted[n++] = values[i];
  dyno_stats_sort (sorted, n);
  segment.level = dyno_stats_percentile (sorted, n, 50);
  return segment;
}

/* Returns the segment that fills most of the last quarter: the final level, except for a disturbance. */
static const Segment *
find_final (GArray *segments, gsize n)
{
  gsize quarter = n - n / MIN_STEADY_SHARE;
  const Segment *final = NULL;
  gsize most = 0;

  for (guint i = 0; i < segments->len; i++)
    {
      const Segment *segment = &g_array_index (segments, Segment, i);
      gsize overlap = segment->end > quarter ? segment->end - MAX (segment->start, quarter) : 0;

      if (overlap > most)
        {
          most = overlap;
          final = segment;
        }
    }
  return final;
}

/* Returns the difference of the level of one segment from that of another, below zero if it is faster; zero
 * if the difference is not significant or too small to matter. */
static double
compare_levels (const Segment *segment, const Segment *other, double noise)
{
  double lengths = 1.0 / (segment->end - segment->start) + 1.0 / (other->end - other->start);
  double error = N_ERRORS * MEDIAN_ERROR * noise * sqrt (lengths);
  double tolerance = MAX (fabs (other->level) * TOLERANCE_PERCENT / 100, noise);
  double difference = segment->level - other->level;

  return fabs (difference) <= tolerance + error ? 0 : difference;
}

/* Walks back from the end for as long as the level is the final one, stepping over short disturbances. */
static gsize
find_steady_start (GArray *segments, const Segment *final, gsize n, double noise)
{
  gsize disturbed = 0;
  gsize steady_start = n;

  for (guint i = segments->len; i > 0 && disturbed <= n / MAX_DISTURB_SHARE; i--)
    {
      const Segment *segment = &g_array_index (segments, Segment, i - 1);

      if (compare_levels (segment, final, noise) == 0)
        steady_start = segment->start;
      else
        disturbed += segment->end - segment->start;
    }
  return steady_start;
}

/* Returns whether the steady part ends at another level than it starts from, as a slow ramp does; from the
 * middle of its first third to that of its last, a ramp has gone two thirds of its way. */
static gboolean
is_drifting (const double *values, gsize start, gsize n, double noise)
{
  gsize third = (n - start) / 3;
  Segment first = describe_segment (values, start, start + third);
  Segment last = describe_segment (values, n - third, n);

  return compare_levels (&last, &first, noise * 2 / 3) != 0;
}

static gboolean
was_faster_before (GArray *segments, const Segment *final, gsize steady_start, double noise)
{
  for (guint i = 0; i < segments->len; i++)
    {
      const Segment *segment = &g_array_index (segments, Segment, i);

      if (segment->start < steady_start && compare_levels (segment, final, noise) < 0)
        return TRUE;
    }
  return FALSE;
}

const char *
dyno_steadiness_to_string (DynoSteadiness steadiness)
{
  static const char *const names[] = {
    [DYNO_STEADINESS_FLAT] = "flat",
    [DYNO_STEADINESS_WARM_UP] = "warm-up",
    [DYNO_STEADINESS_SLOW_DOWN] = "slow-down",
    [DYNO_STEADINESS_NONE] = "none",
  };

  g_return_val_if_fail (steadiness < G_N_ELEMENTS (names), NULL);
  return names[steadiness];
}

DynoSteadiness
dyno_stats_classify_steadiness (const double *values, gsize n, gsize *steady_start)
{
  g_autoptr (GArray) segments = NULL;
  const Segment *final;
  double noise;
  gsize start;

  *steady_start = n;
  if (n < MIN_VALUES)
    return DYNO_STEADINESS_NONE;

  noise = dyno_stats_noise (values, n);

  g_autoptr (GArray) changes = dyno_stats_change_points (values, n, PENALTY);
  segments = g_array_new (FALSE, FALSE, sizeof (Segment));
  gsize begin = 0;
  for (guint i = 0; i <= changes->len; i++)
    {
      gsize end = i < changes->len ? g_array_index (changes, gsize, i) : n;
      Segment segment = describe_segment (values, begin, end);

      g_array_append_val (segments, segment);
      begin = end;
    }

  final = find_final (segments, n);
  start = find_steady_start (segments, final, n, noise);
  if (n - start < MAX (n / MIN_STEADY_SHARE, 3) || is_drifting (values, start, n, noise))
    return DYNO_STEADINESS_NONE;

  *steady_start = start;
  if (start == 0)
    return DYNO_STEADINESS_FLAT;
  return was_faster_before (segments, final, start, noise) ? DYNO_STEADINESS_SLOW_DOWN
                                                           : DYNO_STEADINESS_WARM_UP;
}

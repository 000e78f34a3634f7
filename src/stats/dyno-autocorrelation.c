/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-stats.h"
#include "dyno-time-series.h"

/* Fewer values than these show no dependence. */
#define MIN_VALUES 6

/* The longest lag: a series that is still correlated there is hardly steady, and a longer one would only
 * take time. */
#define MAX_LAG 20000

/* The least number of insignificant correlations in a row; Politis and White. */
#define MIN_INSIGNIFICANT 5

#define WORD_BITS 64

/* For each value a bit: whether it is at most the median; and the number of such values up to each. The
 * variance of a median follows the correlation of these, and an outlier changes one of them no more than
 * any other value. */
typedef struct
{
  gsize n;
  gsize n_words;
  guint64 *words;
  guint32 *counts;
  double share;
} Signs;

static void
signs_clear (Signs *signs)
{
  g_free (signs->words);
  g_free (signs->counts);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Signs, signs_clear)

static void
signs_init (Signs *signs, const double *values, gsize n)
{
  /* If the median is also the largest value, as with a coarse clock, it counts to the other side. */
  g_autofree double *sorted = g_memdup2 (values, n * sizeof (double));
  double median;
  dyno_stats_sort (sorted, n);
  median = dyno_stats_percentile (sorted, n, 50);
  double threshold = median < sorted[n - 1] ? median : nextafter (median, -INFINITY);

  signs->n = n;
  signs->n_words = n / WORD_BITS + 2;
  signs->words = g_new0 (guint64, signs->n_words);
  signs->counts = g_new0 (guint32, n + 1);
  for (gsize i = 0; i < n; i++)
    {
      gboolean is_below = values[i] <= threshold;

      signs->words[i / WORD_BITS] |= (guint64)is_below << i % WORD_BITS;
      signs->counts[i + 1] = signs->counts[i] + is_below;
    }
  signs->share = (double)signs->counts[n] / n;
}

/* Divides by n, so that the sequence is positive definite. */
static double
get_autocovariance (const Signs *signs, gsize lag)
{
  double first = signs->counts[signs->n - lag];
  double last = signs->counts[signs->n] - signs->counts[lag];
  gsize skip = lag / WORD_BITS;
  guint shift = lag % WORD_BITS;
  guint64 count = 0;
  for (gsize i = 0; i + skip + 1 < signs->n_words; i++)
    {
      guint64 later = signs->words[i + skip] >> shift;

      if (shift > 0)
        later |= signs->words[i + skip + 1] << (WORD_BITS - shift);
      count += __builtin_popcountll (signs->words[i] & later);
    }
  double products = count - signs->share * (first + last) + (signs->n - lag) * signs->share * signs->share;

  return products / signs->n;
}

double
dyno_stats_effective_size (const double *values, gsize n)
{
  g_auto (Signs) signs = { 0 };

  if (n < MIN_VALUES)
    return n;
  signs_init (&signs, values, n);
  if (signs.counts[n] == 0 || signs.counts[n] == n)
    return n;

  gsize max_lag = MIN (signs.n / 2, MAX_LAG);
  double variance = get_autocovariance (&signs, 0);
  double last = INFINITY;
  double sum = 0;
  for (gsize lag = 0; lag + 1 < max_lag; lag += 2)
    {
      double pair = get_autocovariance (&signs, lag) + get_autocovariance (&signs, lag + 1);
      if (pair <= 0)
        break;
      last = MIN (last, pair);
      sum += last;
    }
  return n / fmax (2 * sum / variance - 1, 1);
}

static double
find_block_length (const Signs *signs, gsize window)
{
  double spectrum = get_autocovariance (signs, 0);
  double slope = 0;

  for (gsize lag = 1; lag <= window; lag++)
    {
      /* Flat at first, then falling to nothing: Politis and Romano's window. */
      double position = (double)lag / window;
      double covariance = 2 * (position <= 0.5 ? 1 : 2 * (1 - position)) * get_autocovariance (signs, lag);

      spectrum += covariance;
      slope += lag * covariance;
    }
  return spectrum > 0 ? cbrt (slope * slope / (spectrum * spectrum) * signs->n) : INFINITY;
}

gsize
dyno_stats_block_length (const double *values, gsize n)
{
  g_auto (Signs) signs = { 0 };
  gsize n_needed, max_lag, last;
  double length;

  if (n < MIN_VALUES)
    return 1;
  signs_init (&signs, values, n);
  if (signs.counts[n] == 0 || signs.counts[n] == n)
    return 1;
  n_needed = MAX (MIN_INSIGNIFICANT, (gsize)ceil (sqrt (log10 (n))));
  max_lag = MIN ((gsize)ceil (sqrt (n)) + n_needed, n / 2);

  double limit = 2 * sqrt (log10 (signs.n) / signs.n) * get_autocovariance (&signs, 0);
  last = 0;

  for (gsize lag = 1; lag <= max_lag && lag - last <= n_needed; lag++)
    if (fabs (get_autocovariance (&signs, lag)) >= limit)
      last = lag;
  if (last == 0)
    return 1;
  length = find_block_length (&signs, MIN (2 * last, max_lag));
  return CLAMP (ceil (length), 1, ceil (fmin (3 * sqrt (n), n / 3.0)));
}

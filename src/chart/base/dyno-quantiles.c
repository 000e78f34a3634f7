/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-chart-base-private.h"

/* Values are first counted in as many bins as there are values, up to this number; only bins that contain a
 * percentile are searched. */
#define MAX_PARTS 16384
/* Longer ranges are first narrowed down by a sample. */
#define SAMPLED 600

typedef struct
{
  const double *values;
  guint n;
  guint n_parts;
  double least;
  double most;
  double scale;
  guint *counts;
  GArray **parts;
} Parts;

static void
swap (double *values, gssize a, gssize b)
{
  double value = values[a];

  values[a] = values[b];
  values[b] = value;
}

/* Floyd and Rivest, “Algorithm 489: SELECT”, 1975: moves the value of the rank to its position, smaller
 * values before it and larger ones behind it. */
static void
select_rank (double *values, gssize left, gssize right, gssize rank)
{
  while (right > left)
    {
      gssize i = left;
      gssize j = right;

      if (right - left > SAMPLED)
        {
          /* Moves a good pivot to the position of the rank: that of a sample, a little to the safe side. */
          double n = right - left + 1;
          double place = rank - left + 1;
          double z = log (n);
          double s = 0.5 * exp (2 * z / 3);
          double deviation = 0.5 * sqrt (z * s * (n - s) / n) * (place < n / 2 ? -1 : 1);

          select_rank (values, MAX (left, (gssize)(rank - place * s / n + deviation)),
                       MIN (right, (gssize)(rank + (n - place) * s / n + deviation)), rank);
        }
      double pivot = values[rank];
      swap (values, left, rank);
      if (values[right] > pivot)
        swap (values, left, right);
      while (i < j)
        {
          swap (values, i++, j--);
          while (values[i] < pivot)
            i++;
          while (values[j] > pivot)
            j--;
        }
      if (values[left] == pivot)
        swap (values, left, j);
      else
        swap (values, ++j, right);
      left = j <= rank ? j + 1 : left;
      right = rank <= j ? j - 1 : right;
    }
}

/* NaN sorts at the end, like the largest values. */
static guint
find_part (const Parts *self, double value)
{
  double part = (value - self->least) * self->scale;

  return part >= 0 && part < self->n_parts ? (guint)part : self->n_parts - 1;
}

static guint
find_part_of_rank (const Parts *self, guint rank)
{
  guint low = 0;
  guint high = self->n_parts;

  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (self->counts[middle] <= rank)
        low = middle;
      else
        high = middle;
    }
  return low;
}

static void
ask_for_rank (Parts *self, guint rank)
{
  guint part = find_part_of_rank (self, rank);

  if (self->parts[part] == NULL)
    self->parts[part] = g_array_new (FALSE, FALSE, sizeof (double));
}

static double
get_rank (Parts *self, guint rank)
{
  guint part = find_part_of_rank (self, rank);
  double *values = (double *)self->parts[part]->data;

  rank -= self->counts[part];
  select_rank (values, 0, (gssize)self->parts[part]->len - 1, rank);
  return values[rank];
}

static Parts *
create_parts (const double *values, guint n)
{
  Parts *self = g_new0 (Parts, 1);
  guint before = 0;

  self->values = values;
  self->n = n;
  self->n_parts = MIN (n, MAX_PARTS);
  self->counts = g_new0 (guint, self->n_parts + 1);
  self->parts = g_new0 (GArray *, self->n_parts);
  self->least = INFINITY;
  self->most = -INFINITY;
  for (guint i = 0; i < self->n; i++)
    {
      self->least = MIN (self->values[i], self->least);
      self->most = MAX (self->values[i], self->most);
    }
  self->scale = self->n_parts / (self->most - self->least);
  /* Counts how many values come before each part. */
  for (guint i = 0; i < self->n; i++)
    self->counts[find_part (self, self->values[i])]++;
  for (guint part = 0; part <= self->n_parts; part++)
    {
      guint here = self->counts[part];

      self->counts[part] = before;
      before += here;
    }
  return self;
}

void
dyno_quantiles_find (
    const double *values, guint n, const double *percents, guint n_percents, double *quantiles)
{
  Parts *parts = create_parts (values, n);

  for (guint i = 0; i < n_percents; i++)
    {
      guint rank = (guint)((n - 1) * (percents[i] / 100));

      ask_for_rank (parts, rank);
      ask_for_rank (parts, MIN (rank + 1, n - 1));
    }
  for (guint i = 0; i < parts->n; i++)
    {
      GArray *part = parts->parts[find_part (parts, parts->values[i])];

      if (part != NULL)
        g_array_append_vals (part, parts->values + i, 1);
    }
  for (guint i = 0; i < n_percents; i++)
    {
      double position = (n - 1) * (percents[i] / 100);
      guint rank = (guint)position;
      double value = get_rank (parts, rank);

      quantiles[i] = value + (position - rank) * (get_rank (parts, MIN (rank + 1, n - 1)) - value);
    }
  for (guint i = 0; i < parts->n_parts; i++)
    g_clear_pointer (&parts->parts[i], g_array_unref);
  g_free (parts->counts);
  g_free (parts->parts);
  g_free (parts);
}

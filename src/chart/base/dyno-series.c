/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <math.h>

#include "dyno-series.h"

/* One entry of a level of the pyramid covers this many entries of the level below. */
#define FAN 32

typedef struct
{
  double least;
  double most;
} Extent;

/* Optional properties of single points; few series have them. */
typedef struct
{
  char *text;
  char *label;
  GObject *subject;
  double weight;
  gboolean flagged;
  gboolean hollow;
  DynoDoubt doubt;
} Note;

struct _DynoSeries
{
  GObject parent_instance;

  char *name;
  guint slot;
  DynoMark mark;
  gboolean visible;
  gboolean off_scale;
  DynoSeries *leader;
  GArray *x;
  GArray *y;
  GArray *bands;
  GArray *notes;
  GPtrArray *levels;
  guint n_indexed;
  gsize n_read; /* points of its trace, of which some may be missing */
};

G_DEFINE_FINAL_TYPE (DynoSeries, dyno_series, G_TYPE_OBJECT)

static void
dyno_series_finalize (GObject *object)
{
  DynoSeries *self = DYNO_SERIES (object);

  g_free (self->name);
  g_array_unref (self->x);
  g_array_unref (self->y);
  g_clear_pointer (&self->bands, g_array_unref);
  g_clear_pointer (&self->notes, g_array_unref);
  g_clear_object (&self->leader);
  g_ptr_array_unref (self->levels);

  G_OBJECT_CLASS (dyno_series_parent_class)->finalize (object);
}

static void
dyno_series_class_init (DynoSeriesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = dyno_series_finalize;
}

static void
dyno_series_init (DynoSeries *self)
{
  self->visible = TRUE;
  self->x = g_array_new (FALSE, FALSE, sizeof (double));
  self->y = g_array_new (FALSE, FALSE, sizeof (double));
  self->levels = g_ptr_array_new_with_free_func ((GDestroyNotify)g_array_unref);
}

DynoSeries *
dyno_series_new (const char *name, guint slot)
{
  g_return_val_if_fail (name != NULL, NULL);

  DynoSeries *self = g_object_new (DYNO_TYPE_SERIES, NULL);
  self->name = g_strdup (name);
  self->slot = slot;
  return self;
}

const char *
dyno_series_get_name (DynoSeries *self)
{
  g_return_val_if_fail (DYNO_IS_SERIES (self), NULL);
  return self->name;
}

guint
dyno_series_get_slot (DynoSeries *self)
{
  g_return_val_if_fail (DYNO_IS_SERIES (self), 0);
  return self->slot;
}

void
dyno_series_set_slot (DynoSeries *self, guint slot)
{
  g_return_if_fail (DYNO_IS_SERIES (self));
  self->slot = slot;
}

DynoMark
dyno_series_get_mark (DynoSeries *self)
{
  g_return_val_if_fail (DYNO_IS_SERIES (self), DYNO_MARK_LINE);
  return self->mark;
}

void
dyno_series_set_mark (DynoSeries *self, DynoMark mark)
{
  g_return_if_fail (DYNO_IS_SERIES (self));
  self->mark = mark;
}

gboolean
dyno_series_get_visible (DynoSeries *self)
{
  g_return_val_if_fail (DYNO_IS_SERIES (self), FALSE);
  return self->leader != NULL ? self->leader->visible : self->visible;
}

void
dyno_series_set_visible (DynoSeries *self, gboolean visible)
{
  g_return_if_fail (DYNO_IS_SERIES (self));
  self->visible = visible;
}

gboolean
dyno_series_get_off_scale (DynoSeries *self)
{
  g_return_val_if_fail (DYNO_IS_SERIES (self), FALSE);
  return self->off_scale;
}

void
dyno_series_set_off_scale (DynoSeries *self, gboolean off_scale)
{
  g_return_if_fail (DYNO_IS_SERIES (self));
  self->off_scale = off_scale;
}

gboolean
dyno_series_has_leader (DynoSeries *self)
{
  g_return_val_if_fail (DYNO_IS_SERIES (self), FALSE);
  return self->leader != NULL;
}

void
dyno_series_set_leader (DynoSeries *self, DynoSeries *leader)
{
  g_return_if_fail (DYNO_IS_SERIES (self));
  g_set_object (&self->leader, leader);
}

void
dyno_series_follow (DynoSeries *self, GPtrArray *leaders)
{
  for (guint i = 0; i < leaders->len; i++)
    if (g_str_equal (dyno_series_get_name (g_ptr_array_index (leaders, i)), self->name))
      {
        dyno_series_set_leader (self, g_ptr_array_index (leaders, i));
        return;
      }
  g_ptr_array_add (leaders, self);
}

void
dyno_series_reserve (DynoSeries *self, guint n_points)
{
  g_return_if_fail (DYNO_IS_SERIES (self));

  guint length = self->x->len;
  g_array_set_size (self->x, length + n_points);
  g_array_set_size (self->y, length + n_points);
  g_array_set_size (self->x, length);
  g_array_set_size (self->y, length);
}

gboolean
dyno_series_add (DynoSeries *self, double x, double y)
{
  g_return_val_if_fail (DYNO_IS_SERIES (self), FALSE);

  g_return_val_if_fail (self->n_read == 0, FALSE);
  if (!isfinite (x) || !isfinite (y))
    return FALSE;
  g_array_append_val (self->x, x);
  g_array_append_val (self->y, y);
  return TRUE;
}

gboolean
dyno_series_add_with_band (DynoSeries *self, double x, double y, double low, double high)
{
  const Extent none = { NAN, NAN };
  Extent band = { low, high };

  if (!dyno_series_add (self, x, y))
    return FALSE;
  if (!isfinite (low) || !isfinite (high))
    return TRUE;
  if (self->bands == NULL)
    self->bands = g_array_new (FALSE, FALSE, sizeof (Extent));
  while (self->bands->len + 1 < self->x->len)
    g_array_append_val (self->bands, none);
  g_array_append_val (self->bands, band);
  return TRUE;
}

gboolean
dyno_series_add_with_text (DynoSeries *self, double x, double y, const char *text)
{
  if (!dyno_series_add (self, x, y))
    return FALSE;
  dyno_series_set_text (self, self->x->len - 1, text);
  return TRUE;
}

static void
clear_note (gpointer data)
{
  Note *note = data;

  g_free (note->text);
  g_free (note->label);
  g_clear_object (&note->subject);
}

static Note *
ensure_note (DynoSeries *self, guint index)
{
  g_assert (index < self->x->len);

  if (self->notes == NULL)
    {
      self->notes = g_array_new (FALSE, TRUE, sizeof (Note));
      g_array_set_clear_func (self->notes, clear_note);
    }
  if (self->notes->len <= index)
    g_array_set_size (self->notes, index + 1);
  return &g_array_index (self->notes, Note, index);
}

static const Note *
find_note (DynoSeries *self, guint index)
{
  static const Note none;

  return self->notes != NULL && index < self->notes->len ? &g_array_index (self->notes, Note, index) : &none;
}

void
dyno_series_set_text (DynoSeries *self, guint index, const char *text)
{
  Note *note = ensure_note (self, index);

  g_free (note->text);
  note->text = g_strdup (text);
}

void
dyno_series_set_label (DynoSeries *self, guint index, const char *label)
{
  Note *note = ensure_note (self, index);

  g_free (note->label);
  note->label = g_strdup (label);
}

void
dyno_series_set_subject (DynoSeries *self, guint index, gpointer subject)
{
  g_set_object (&ensure_note (self, index)->subject, subject);
}

void
dyno_series_set_weight (DynoSeries *self, guint index, double weight)
{
  ensure_note (self, index)->weight = weight;
}

void
dyno_series_set_flagged (DynoSeries *self, guint index, gboolean flagged)
{
  ensure_note (self, index)->flagged = flagged;
}

void
dyno_series_set_doubt (DynoSeries *self, guint index, DynoDoubt doubt)
{
  if (doubt > dyno_series_get_doubt (self, index))
    ensure_note (self, index)->doubt = doubt;
}

void
dyno_series_set_hollow (DynoSeries *self, guint index, gboolean hollow)
{
  if (hollow)
    ensure_note (self, index)->hollow = TRUE;
}

guint
dyno_series_get_length (DynoSeries *self)
{
  g_return_val_if_fail (DYNO_IS_SERIES (self), 0);
  return self->x->len;
}

const double *
dyno_series_get_x (DynoSeries *self)
{
  return (const double *)self->x->data;
}

const double *
dyno_series_get_y (DynoSeries *self)
{
  return (const double *)self->y->data;
}

gboolean
dyno_series_has_band (DynoSeries *self)
{
  g_return_val_if_fail (DYNO_IS_SERIES (self), FALSE);
  return self->bands != NULL;
}

gboolean
dyno_series_get_band (DynoSeries *self, guint index, double *low, double *high)
{
  if (self->bands == NULL || index >= self->bands->len)
    return FALSE;
  Extent band = g_array_index (self->bands, Extent, index);
  if (!isfinite (band.least))
    return FALSE;
  *low = band.least;
  *high = band.most;
  return TRUE;
}

const char *
dyno_series_get_text (DynoSeries *self, guint index)
{
  return find_note (self, index)->text;
}

const char *
dyno_series_get_label (DynoSeries *self, guint index)
{
  return find_note (self, index)->label;
}

GObject *
dyno_series_get_subject (DynoSeries *self, guint index)
{
  return find_note (self, index)->subject;
}

double
dyno_series_get_weight (DynoSeries *self, guint index)
{
  return find_note (self, index)->weight;
}

gboolean
dyno_series_get_flagged (DynoSeries *self, guint index)
{
  return find_note (self, index)->flagged;
}

gboolean
dyno_series_get_hollow (DynoSeries *self, guint index)
{
  return find_note (self, index)->hollow;
}

DynoDoubt
dyno_series_get_doubt (DynoSeries *self, guint index)
{
  return find_note (self, index)->doubt;
}

/* Returns whether any of its points has this doubt. */
gboolean
dyno_series_has_doubt (DynoSeries *self, DynoDoubt doubt)
{
  for (guint i = 0; self->notes != NULL && i < self->notes->len; i++)
    if (g_array_index (self->notes, Note, i).doubt == doubt)
      return TRUE;
  return FALSE;
}

guint
dyno_series_find (DynoSeries *self, double x)
{
  const double *values = dyno_series_get_x (self);
  guint low = 0;
  guint high = self->x->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (values[middle] < x)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

void
dyno_series_find_range (DynoSeries *self, double low, double high, guint *first, guint *end)
{
  *first = dyno_series_find (self, low);
  *end = MAX (dyno_series_find (self, nextafter (high, INFINITY)), *first);
}

static Extent
scan (DynoSeries *self, guint level, guint first, guint end, Extent extent)
{
  for (guint i = first; i < end; i++)
    {
      Extent here;

      if (level > 0)
        here = g_array_index ((GArray *)g_ptr_array_index (self->levels, level - 1), Extent, i);
      else
        here.least = here.most = g_array_index (self->y, double, i);
      extent.least = MIN (extent.least, here.least);
      extent.most = MAX (extent.most, here.most);
    }
  return extent;
}

static Extent
search (DynoSeries *self, guint level, guint first, guint end, Extent extent)
{
  guint inner_first = (first + FAN - 1) / FAN;
  guint inner_end = end / FAN;

  if (level >= self->levels->len || inner_first >= inner_end)
    return scan (self, level, first, end, extent);
  extent = scan (self, level, first, inner_first * FAN, extent);
  extent = scan (self, level, inner_end * FAN, end, extent);
  return search (self, level + 1, inner_first, inner_end, extent);
}

static void
build_levels (DynoSeries *self)
{
  guint length = self->y->len;

  g_ptr_array_set_size (self->levels, 0);
  for (guint level = 0; length > FAN; level++)
    {
      guint n_entries = (length + FAN - 1) / FAN;
      GArray *extents = g_array_sized_new (FALSE, FALSE, sizeof (Extent), n_entries);

      for (guint i = 0; i < n_entries; i++)
        {
          Extent around =
              scan (self, level, i * FAN, MIN ((i + 1) * FAN, length), (Extent){ INFINITY, -INFINITY });

          g_array_append_val (extents, around);
        }
      g_ptr_array_add (self->levels, extents);
      length = n_entries;
    }
  self->n_indexed = self->y->len;
}

gboolean
dyno_series_get_extent (DynoSeries *self, guint first, guint end, double *least, double *most)
{
  Extent extent = { INFINITY, -INFINITY };

  g_return_val_if_fail (DYNO_IS_SERIES (self), FALSE);

  end = MIN (end, self->y->len);
  if (first >= end)
    return FALSE;

  /* Points were added: rebuild the pyramid of minimum and maximum values. */
  if (self->n_indexed != self->y->len)
    build_levels (self);
  extent = search (self, 0, first, end, extent);
  *least = extent.least;
  *most = extent.most;
  return TRUE;
}

void
dyno_series_get_common_extent (GPtrArray *all, double *begin, double *end, double *least, double *most)
{
  *begin = *least = INFINITY;
  *end = 0;
  *most = -INFINITY;
  for (guint i = 0; i < all->len; i++)
    {
      DynoSeries *series = g_ptr_array_index (all, i);
      guint length = dyno_series_get_length (series);
      double low, high;

      if (!dyno_series_get_extent (series, 0, length, &low, &high))
        continue;
      *begin = MIN (*begin, dyno_series_get_x (series)[0]);
      *end = MAX (*end, dyno_series_get_x (series)[length - 1]);
      *least = MIN (*least, low);
      *most = MAX (*most, high);
    }
}

guint
dyno_series_find_greatest (DynoSeries *self)
{
  const double *y = dyno_series_get_y (self);
  guint greatest = 0;

  for (guint i = 1; i < dyno_series_get_length (self); i++)
    if (y[i] > y[greatest])
      greatest = i;
  return greatest;
}

static gpointer
ref_object (gpointer object, gpointer user_data)
{
  return object != NULL ? g_object_ref (object) : NULL;
}

/* The points of a long trace are read once: all its series share them. */
DynoSeries *
dyno_series_new_from_trace (const char *name, guint slot, DynoTrace *trace)
{
  GQuark quark = g_quark_from_static_string ("dyno-series");
  DynoSeries *self = dyno_series_new (name, slot);
  g_autoptr (DynoSeries) read = g_object_dup_qdata (G_OBJECT (trace), quark, ref_object, NULL);

  if (read != NULL && read->n_read == dyno_trace_get_length (trace))
    {
      g_array_unref (self->x);
      g_array_unref (self->y);
      g_ptr_array_unref (self->levels);
      self->x = g_array_ref (read->x);
      self->y = g_array_ref (read->y);
      self->levels = g_ptr_array_ref (read->levels);
      self->n_indexed = read->n_indexed;
      self->n_read = read->n_read;
      return self;
    }
  const gint64 *times = dyno_trace_get_times (trace);
  const double *values = dyno_trace_get_values (trace);
  guint n_points = 0;
  self->n_read = dyno_trace_get_length (trace);
  g_array_set_size (self->x, (guint)self->n_read);
  g_array_set_size (self->y, (guint)self->n_read);
  double *x = (double *)self->x->data;
  double *y = (double *)self->y->data;
  for (gsize i = 0; i < self->n_read; i++)
    {
      x[n_points] = times[i] / 1e9;
      y[n_points] = values[i];
      n_points += isfinite (values[i]) != 0;
    }
  g_array_set_size (self->x, n_points);
  g_array_set_size (self->y, n_points);
  build_levels (self);
  if (self->n_read >= DYNO_SERIES_LONG)
    g_object_set_qdata_full (G_OBJECT (trace), quark, g_object_ref (self), g_object_unref);
  return self;
}

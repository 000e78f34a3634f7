/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-import-dialects-private.h"

typedef struct
{
  guint what;
  double start;
  double end;
} Span;

struct _DynoTraceSpans
{
  GHashTable *threads; /* arrays of spans, by the names of threads */
  GHashTable *open;    /* arrays of open spans, likewise; the innermost is the last */
};

DynoTraceSpans *
dyno_trace_spans_new (void)
{
  DynoTraceSpans *self = g_new0 (DynoTraceSpans, 1);

  self->threads = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_array_unref);
  self->open = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_array_unref);
  return self;
}

void
dyno_trace_spans_free (DynoTraceSpans *self)
{
  g_hash_table_unref (self->threads);
  g_hash_table_unref (self->open);
  g_free (self);
}

static GArray *
find_spans (GHashTable *threads, const char *thread)
{
  GArray *spans = g_hash_table_lookup (threads, thread);

  if (spans == NULL)
    {
      spans = g_array_new (FALSE, FALSE, sizeof (Span));
      g_hash_table_insert (threads, g_strdup (thread), spans);
    }
  return spans;
}

void
dyno_trace_spans_add (DynoTraceSpans *self, const char *thread, guint what, double start, double duration)
{
  const Span span = { what, start, start + duration };

  g_array_append_val (find_spans (self->threads, thread), span);
}

void
dyno_trace_spans_begin (DynoTraceSpans *self, const char *thread, guint what, double start)
{
  const Span span = { what, start, start };

  g_array_append_val (find_spans (self->open, thread), span);
}

void
dyno_trace_spans_end (DynoTraceSpans *self, const char *thread, double end)
{
  GArray *open = find_spans (self->open, thread);
  Span span;

  if (open->len == 0)
    return;
  span = g_array_index (open, Span, open->len - 1);
  g_array_set_size (open, open->len - 1);
  if (end >= span.start)
    dyno_trace_spans_add (self, thread, span.what, span.start, end - span.start);
}

/* Of spans that begin together, the longest comes first, as it contains the others. */
static int
compare_spans (gconstpointer a, gconstpointer b)
{
  const Span *one = a, *other = b;

  if (one->start != other->start)
    return one->start < other->start ? -1 : 1;
  return one->end > other->end ? -1 : one->end < other->end;
}

void
dyno_trace_spans_foreach (DynoTraceSpans *self, DynoTraceSpansFunc func, gpointer data)
{
  GHashTableIter iter;
  gpointer value;

  g_hash_table_iter_init (&iter, self->threads);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      GArray *spans = value;
      g_autofree double *own = g_new (double, MAX (spans->len, 1));
      g_autoptr (GArray) outer = g_array_new (FALSE, FALSE, sizeof (guint));

      g_array_sort (spans, compare_spans);
      for (guint i = 0; i < spans->len; i++)
        {
          const Span *span = &g_array_index (spans, Span, i);

          own[i] = span->end - span->start;
          while (outer->len > 0 &&
                 g_array_index (spans, Span, g_array_index (outer, guint, outer->len - 1)).end <= span->start)
            g_array_set_size (outer, outer->len - 1);
          if (outer->len > 0)
            {
              guint around = g_array_index (outer, guint, outer->len - 1);

              own[around] -= MIN (span->end, g_array_index (spans, Span, around).end) - span->start;
            }
          g_array_append_val (outer, i);
        }
      for (guint i = 0; i < spans->len; i++)
        func (g_array_index (spans, Span, i).what, MAX (own[i], 0), data);
    }
}

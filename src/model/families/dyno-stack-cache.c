/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-model-families-private.h"

#define PAST_SUFFIX    "decoder"
#define PAST_PREFIX    "past_key_values"
#define PRESENT_PREFIX "present"
#define CROSS_PREFIX   "cross_key_values"

/* Names are in the order of the layers, the key before the value. */
static char *
dup_name (const char *prefix, const char *infix, guint index)
{
  return g_strdup_printf ("%s.%u%s.%s", prefix, index / 2, infix, index % 2 == 0 ? "key" : "value");
}

static char *
dup_dimensions (const DynoStack *stack, const char *tokens)
{
  return g_strdup_printf ("batch, %" G_GINT64_FORMAT ", %s, %" G_GINT64_FORMAT, stack->n_heads, tokens,
                          stack->head_width);
}

static void
add_inputs (const DynoStack *stack,
            DynoGraph *graph,
            GPtrArray *values,
            const char *prefix,
            const char *infix,
            const char *tokens)
{
  g_autofree char *dimensions = dup_dimensions (stack, tokens);

  for (guint i = 0; i < 2 * stack->n_layers; i++)
    {
      g_autofree char *name = dup_name (prefix, infix, i);

      g_ptr_array_add (
          values, (gpointer)dyno_graph_add_input (graph, name, dyno_graph_get_real_type (graph), dimensions));
    }
}

static void
add_outputs (const DynoStack *stack,
             DynoGraph *graph,
             GPtrArray *values,
             const char *prefix,
             const char *infix,
             const char *tokens)
{
  g_autofree char *dimensions = dup_dimensions (stack, tokens);

  for (guint i = 0; i < values->len; i++)
    {
      g_autofree char *name = dup_name (prefix, infix, i);

      dyno_graph_add_output (graph, name, values->pdata[i], dimensions);
    }
}

DynoStackCache *
dyno_stack_cache_new (const DynoStack *stack, DynoGraph *graph, const char *source)
{
  DynoStackCache *self = g_new0 (DynoStackCache, 1);

  self->past = g_ptr_array_new ();
  self->present = g_ptr_array_new ();
  add_inputs (stack, graph, self->past, PAST_PREFIX, "." PAST_SUFFIX, "past");
  self->cross = dyno_stack_cache_take_cross (stack, graph, source);
  return self;
}

GPtrArray *
dyno_stack_cache_take_cross (const DynoStack *stack, DynoGraph *graph, const char *source)
{
  GPtrArray *values = g_ptr_array_new ();

  add_inputs (stack, graph, values, CROSS_PREFIX, "", source);
  return values;
}

void
dyno_stack_cache_free (DynoStackCache *self)
{
  g_ptr_array_unref (self->past);
  g_ptr_array_unref (self->present);
  g_ptr_array_unref (self->cross);
  g_free (self);
}

const char *
dyno_stack_cache_join (DynoStackCache *self, DynoGraph *graph, const char *value)
{
  const char *past = self->past->pdata[self->present->len];
  const char *present = dyno_graph_add (graph, "Concat", "axis=2", past, value, NULL);

  g_ptr_array_add (self->present, (gpointer)present);
  return present;
}

void
dyno_stack_cache_add_outputs (DynoStackCache *self, const DynoStack *stack, DynoGraph *graph)
{
  add_outputs (stack, graph, self->present, PRESENT_PREFIX, "." PAST_SUFFIX, "past + " DYNO_STACK_ANSWER);
}

void
dyno_stack_cache_add_cross (const DynoStack *stack, DynoGraph *graph, GPtrArray *values, const char *source)
{
  add_outputs (stack, graph, values, CROSS_PREFIX, "", source);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-model-description.h"

DynoModelDescription *
dyno_model_description_new (void)
{
  DynoModelDescription *self = g_new0 (DynoModelDescription, 1);

  self->inputs = g_ptr_array_new_with_free_func (g_object_unref);
  self->outputs = g_ptr_array_new_with_free_func (g_object_unref);
  self->row_limits = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->windows = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  self->operators = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return self;
}

void
dyno_model_description_free (DynoModelDescription *self)
{
  g_ptr_array_unref (self->inputs);
  g_ptr_array_unref (self->outputs);
  g_hash_table_unref (self->row_limits);
  g_hash_table_unref (self->windows);
  g_hash_table_unref (self->operators);
  g_free (self);
}

/**
 * dyno_model_description_limit:
 * @self: a description
 * @input: the name of an integer input
 * @limit: one more than its largest valid value
 *
 * The smallest limit of several counts.
 */
void
dyno_model_description_limit (DynoModelDescription *self, const char *input, gint64 limit)
{
  const gint64 *present = g_hash_table_lookup (self->row_limits, input);

  if (present == NULL || *present > limit)
    g_hash_table_replace (self->row_limits, g_strdup (input), g_memdup2 (&limit, sizeof limit));
}

/**
 * dyno_model_description_set_window:
 * @self: a description
 * @node: the name of a node
 * @elements: product of the sizes of the window that it slides, 0 when it has none
 */
void
dyno_model_description_set_window (DynoModelDescription *self, const char *node, gint64 elements)
{
  if (elements > 0 && node != NULL && *node != '\0')
    g_hash_table_replace (self->windows, g_strdup (node), g_memdup2 (&elements, sizeof elements));
}

/**
 * dyno_model_description_add_operator:
 * @self: a description
 * @domain: (nullable): the set it is from; %NULL or empty for ONNX's own
 * @op_type: what a node does
 *
 * Operators from elsewhere are known as `domain.op_type`.
 */
void
dyno_model_description_add_operator (DynoModelDescription *self, const char *domain, const char *op_type)
{
  gboolean is_own = domain == NULL || *domain == '\0' || g_str_equal (domain, "ai.onnx");

  if (op_type != NULL)
    g_hash_table_add (self->operators,
                      is_own ? g_strdup (op_type) : g_strdup_printf ("%s.%s", domain, op_type));
}

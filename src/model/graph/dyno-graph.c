/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>
#include <string.h>

#include "dyno-binding.h"
#include "dyno-error.h"
#include "dyno-float16.h"
#include "dyno-model-graph-private.h"
#include "dyno-operator-cost.h"
#include "dyno-precision.h"

#define MAX_INPUTS 8

/* The size of a free dimension while no sizes are given. */
#define UNBOUND_SIZE 8

/* Represents a size that does not fit 63 bits: larger than any machine, yet many of them can be added
 * without overflow. */
#define ABSURD_BYTES (G_GINT64_CONSTANT (1) << 47)

/* Bytes of values: those that live now, and the most that lived at once. */
typedef struct
{
  gint64 held;
  gint64 peak;
} Memory;

/* Nodes that represent equal parts of a model. */
typedef struct
{
  gint64 n_equal;
  guint first;
  guint end;        /* 0 while nodes are added to it */
  Memory before[2]; /* of all values and of those that are planned, before its first node */
} Span;

struct _DynoGraph
{
  DynoBinding *binding;
  GStringChunk *strings;
  GHashTable *values;
  GPtrArray *nodes;
  GPtrArray *outer_nodes; /* of the graph, while nodes are added to a body in it */
  gint64 n_times;         /* how often a node runs per step */
  gint64 n_equal;         /* the number of equal parts of the model that a node represents */
  GArray *spans;          /* of Span, in the order in which they begin */
  GPtrArray *weights;
  GPtrArray *parts;        /* quantised forms of weights */
  GPtrArray *layers;       /* of DynoQuantisedLayer */
  GArray *positions;       /* while the nodes are rewritten: where each of them is now */
  GPtrArray *initializers; /* those of both that are written to a file */
  GPtrArray *scopes;
  GHashTable *renames; /* names of values that became outputs */
  GHashTable *twins;   /* other forms of values */
  gboolean is_fused;
  guint n_scales; /* of caches, which the numbers of nodes leave out: names are those in other precisions */
  gboolean is_outline;
  gboolean has_zero_points;
  guint n_pictures; /* of each item that has any */
  DynoModelDescription *description;
  DynoDataType real_type;
  const DynoQuantisation *quantisation;
  const DynoGraphPart *part; /* NULL if the graph is a whole model */
  GPtrArray *feeders;        /* NULL while the types of all graphs agree */
  gint64 flops;
  GArray *products;   /* of DynoGraphProduct */
  GArray *in_shapes;  /* of the node whose work is counted */
  GArray *out_shapes; /* likewise */
  gboolean is_cost_known;
  GError *error;
};

static DynoGraphValue *
add_value (DynoGraph *self, const char *name, DynoDataType type)
{
  DynoGraphValue *value = g_new0 (DynoGraphValue, 1);

  value->name = g_string_chunk_insert (self->strings, name);
  value->shape.type = type;
  g_hash_table_replace (self->values, (gpointer)value->name, value);
  return value;
}

DynoGraph *
dyno_graph_new (DynoBinding *binding)
{
  DynoGraph *self = g_new0 (DynoGraph, 1);

  self->binding = binding != NULL ? g_hash_table_ref (binding) : NULL;
  self->strings = g_string_chunk_new (65536);
  self->values = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, g_free);
  self->nodes = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_node_free);
  self->weights = g_ptr_array_new_with_free_func (g_free);
  self->parts = g_ptr_array_new_with_free_func (g_free);
  self->layers = g_ptr_array_new_with_free_func (g_free);
  self->initializers = g_ptr_array_new ();
  self->scopes = g_ptr_array_new_with_free_func (g_free);
  self->renames = g_hash_table_new (g_str_hash, g_str_equal);
  self->twins = g_hash_table_new (g_str_hash, g_str_equal);
  self->products = g_array_new (FALSE, FALSE, sizeof (DynoGraphProduct));
  self->in_shapes = g_array_new (FALSE, FALSE, sizeof (DynoShape));
  self->out_shapes = g_array_new (FALSE, FALSE, sizeof (DynoShape));
  self->description = dyno_model_description_new ();
  self->real_type = DYNO_DATA_TYPE_FLOAT;
  self->is_cost_known = TRUE;
  self->n_times = 1;
  self->n_equal = 1;
  self->n_pictures = 1;
  self->spans = g_array_new (FALSE, FALSE, sizeof (Span));
  /* An absent input is “”, as in ONNX. */
  add_value (self, "", DYNO_DATA_TYPE_UNDEFINED)->is_fixed = TRUE;
  return self;
}

void
dyno_graph_free (DynoGraph *self)
{
  g_clear_pointer (&self->binding, g_hash_table_unref);
  g_string_chunk_free (self->strings);
  g_hash_table_unref (self->values);
  g_ptr_array_unref (self->nodes);
  g_ptr_array_unref (self->weights);
  g_ptr_array_unref (self->parts);
  g_ptr_array_unref (self->layers);
  g_clear_pointer (&self->positions, g_array_unref);
  g_ptr_array_unref (self->initializers);
  g_ptr_array_unref (self->scopes);
  g_hash_table_unref (self->renames);
  g_hash_table_unref (self->twins);
  g_array_unref (self->spans);
  g_array_unref (self->products);
  g_array_unref (self->in_shapes);
  g_array_unref (self->out_shapes);
  dyno_model_description_unref (self->description);
  g_clear_error (&self->error);
  g_free (self);
}

static void G_GNUC_PRINTF (2, 3) fail (DynoGraph *self, const char *format, ...)
{
  va_list args;

  if (self->error != NULL)
    return;
  va_start (args, format);
  self->error = g_error_new_valist (DYNO_ERROR, DYNO_ERROR_INVALID_DATA, format, args);
  va_end (args);
}

void
dyno_graph_set_real_type (DynoGraph *self, DynoDataType type)
{
  self->real_type = type;
}

DynoDataType
dyno_graph_get_real_type (DynoGraph *self)
{
  return self->real_type;
}

void
dyno_graph_set_precision (DynoGraph *self, const char *precision)
{
  DynoDataType type = dyno_precision_get_type (precision);

  self->real_type = type != DYNO_DATA_TYPE_UNDEFINED ? type : DYNO_DATA_TYPE_FLOAT;
  self->quantisation = dyno_precision_get_quantisation (precision);
}

void
dyno_graph_set_feeders (DynoGraph *self, GPtrArray *feeders)
{
  self->feeders = feeders;
}

void
dyno_graph_set_fused (DynoGraph *self, gboolean is_fused)
{
  self->is_fused = is_fused;
}

gboolean
dyno_graph_is_fused (DynoGraph *self)
{
  return self->is_fused;
}

void
dyno_graph_set_pictures (DynoGraph *self, guint n_pictures)
{
  self->n_pictures = n_pictures;
}

guint
dyno_graph_get_pictures (DynoGraph *self)
{
  return self->n_pictures;
}

char *
dyno_graph_dup_pictures (DynoGraph *self)
{
  return self->n_pictures > 1 ? g_strdup_printf (DYNO_DIMENSION_PICTURES "=%u", self->n_pictures)
                              : g_strdup ("batch");
}

void
dyno_graph_set_outline (DynoGraph *self, gboolean is_outline)
{
  self->is_outline = is_outline;
}

void
dyno_graph_set_zero_points (DynoGraph *self, gboolean has_zero_points)
{
  self->has_zero_points = has_zero_points;
}

gboolean
dyno_graph_has_zero_points (DynoGraph *self)
{
  return self->has_zero_points && self->quantisation != NULL && self->quantisation->bits == 4;
}

gint64
dyno_graph_begin_equal (DynoGraph *self, gint64 n_equal)
{
  const Span span = { .n_equal = n_equal, .first = self->nodes->len };

  g_return_val_if_fail (n_equal > 0 && self->outer_nodes == NULL, 1);

  if (!self->is_outline)
    return 1;
  self->n_equal *= n_equal;
  g_array_append_val (self->spans, span);
  return n_equal;
}

void
dyno_graph_end_equal (DynoGraph *self)
{
  guint i = self->spans->len;
  Span *span;

  if (!self->is_outline)
    return;
  while (g_array_index (self->spans, Span, i - 1).end > 0)
    i--;
  span = &g_array_index (self->spans, Span, i - 1);
  span->end = self->nodes->len;
  self->n_equal /= span->n_equal;
}

void
dyno_graph_set_twin (DynoGraph *self, const char *value, const char *twin)
{
  g_hash_table_replace (self->twins, (gpointer)value, (gpointer)twin);
}

const char *
dyno_graph_get_twin (DynoGraph *self, const char *value)
{
  return g_hash_table_lookup (self->twins, value);
}

const DynoQuantisation *
dyno_graph_get_quantisation (DynoGraph *self)
{
  return self->quantisation;
}

static DynoGraphValue *
find_value (DynoGraph *self, const char *name)
{
  DynoGraphValue *value = g_hash_table_lookup (self->values, name);

  if (value != NULL)
    return value;
  fail (self, _ ("The graph uses the value “%s” before it is computed."), name);
  return add_value (self, name, DYNO_DATA_TYPE_UNDEFINED);
}

const char *
dyno_graph_add_alike (DynoGraph *self, const char *value)
{
  const DynoShape shape = find_value (self, value)->shape;
  g_autofree char *name = g_strdup_printf ("%s#%u", value, g_hash_table_size (self->values));
  DynoGraphValue *alike = add_value (self, name, shape.type);

  alike->shape = shape;
  alike->is_planned = TRUE;
  return alike->name;
}

static DynoGraphValue *
take_input (DynoGraph *self, Onnx__NodeProto *node, const char *name)
{
  DynoGraphValue *value = find_value (self, name);

  value->is_used = TRUE;
  dyno_node_add_input (node, value->name);
  return value;
}

static char *
scoped_name (DynoGraph *self, const char *name)
{
  if (self->scopes->len == 0)
    return g_strdup (name);
  return g_strconcat (g_ptr_array_index (self->scopes, self->scopes->len - 1), ".", name, NULL);
}

void
dyno_graph_push_scope (DynoGraph *self, const char *format, ...)
{
  g_autofree char *name = NULL;
  va_list args;

  va_start (args, format);
  name = g_strdup_vprintf (format, args);
  va_end (args);
  g_ptr_array_add (self->scopes, scoped_name (self, name));
}

void
dyno_graph_pop_scope (DynoGraph *self)
{
  g_return_if_fail (self->scopes->len > 0);
  g_ptr_array_set_size (self->scopes, self->scopes->len - 1);
}

static DynoTensorInfo *
parse_info (const char *name, DynoDataType type, const char *dimensions)
{
  DynoTensorInfo *info = dyno_tensor_info_new (name, type);
  g_auto (GStrv) parts = g_strsplit (dimensions, ", ", -1);

  for (guint i = 0; parts[i] != NULL; i++)
    if (g_ascii_isdigit (*parts[i]))
      dyno_tensor_info_add_size (info, g_ascii_strtoll (parts[i], NULL, 10));
    else
      {
        /* A name, or “name=size” with the default size. */
        char *equals = strchr (parts[i], '=');

        if (equals != NULL)
          *equals = '\0';
        if (equals != NULL)
          dyno_tensor_info_add_usual (info, parts[i], g_ascii_strtoll (equals + 1, NULL, 10));
        else
          dyno_tensor_info_add_symbol (info, parts[i]);
      }
  return info;
}

static gint64
assumed_size (const char *symbol)
{
  gint64 n_items = 1;

  switch (dyno_dimension_kind (symbol))
    {
    case DYNO_DIMENSION_KIND_BATCH:
      /* One item, and two where each counts twice: “batch + batch”. */
      for (const char *plus = strchr (symbol, '+'); plus != NULL; plus = strchr (plus + 1, '+'))
        n_items++;
      return n_items;
    case DYNO_DIMENSION_KIND_PAST:
      return strchr (symbol, '+') != NULL ? UNBOUND_SIZE : 0;
    case DYNO_DIMENSION_KIND_SIDE:
      return 224;
    case DYNO_DIMENSION_KIND_SAMPLES:
      return 16000;
    case DYNO_DIMENSION_KIND_OTHER:
    case DYNO_DIMENSION_KIND_PICTURES:
    case DYNO_DIMENSION_KIND_SEQUENCE:
    case DYNO_DIMENSION_KIND_TOTAL:
    case DYNO_DIMENSION_KIND_CHANNELS:
    default:
      return UNBOUND_SIZE;
    }
}

gint64
dyno_graph_find_size (DynoGraph *self, const char *symbol)
{
  gint64 size;

  return self->binding != NULL && dyno_binding_get (self->binding, symbol, &size) ? size
                                                                                  : assumed_size (symbol);
}

void
dyno_graph_set_part (DynoGraph *self, const DynoGraphPart *part)
{
  self->part = part;
}

static DynoDataType
find_type (GPtrArray *infos, const char *name)
{
  for (guint i = 0; i < infos->len; i++)
    if (g_str_equal (dyno_tensor_info_get_name (infos->pdata[i]), name))
      return dyno_tensor_info_get_data_type (infos->pdata[i]);
  return DYNO_DATA_TYPE_UNDEFINED;
}

/* Returns the type in which another graph gives or takes the input; @type if none does. */
static DynoDataType
find_given_type (DynoGraph *self, const char *name, DynoDataType type)
{
  for (guint i = 0; self->feeders != NULL && i < self->feeders->len; i++)
    {
      const DynoModelDescription *feeder = ((DynoGraph *)self->feeders->pdata[i])->description;
      DynoDataType given = find_type (feeder->outputs, name);

      given = given != DYNO_DATA_TYPE_UNDEFINED ? given : find_type (feeder->inputs, name);
      if (given != DYNO_DATA_TYPE_UNDEFINED)
        return given;
    }
  return type;
}

const char *
dyno_graph_add_input (DynoGraph *self, const char *name, DynoDataType type, const char *dimensions)
{
  const char *linked = self->part != NULL ? self->part->link (self, name, self->part->data) : NULL;
  DynoDataType given = find_given_type (self, name, type);
  g_autofree char *to = g_strdup_printf ("to=%d", (int)type);
  DynoTensorInfo *info;
  DynoGraphValue *value;

  if (linked != NULL)
    return linked;
  info = parse_info (name, given, dimensions);
  value = add_value (self, name, given);

  value->shape.rank = dyno_tensor_info_get_rank (info);
  for (guint axis = 0; axis < value->shape.rank; axis++)
    {
      const char *symbol = dyno_tensor_info_get_symbol (info, axis);
      gint64 usual = dyno_tensor_info_get_usual (info, axis);

      if (symbol == NULL)
        value->shape.dims[axis] = dyno_tensor_info_get_size (info, axis);
      else if (self->binding == NULL || !dyno_binding_get (self->binding, symbol, &value->shape.dims[axis]))
        value->shape.dims[axis] = usual > 0 ? usual : assumed_size (symbol);
    }

  value->is_given = TRUE;
  g_ptr_array_add (self->description->inputs, info);
  return given == type ? value->name : dyno_graph_add (self, "Cast", to, value->name, NULL);
}

void
dyno_graph_add_input_alike (DynoGraph *self, const char *name, DynoTensorInfo *info)
{
  const DynoShape shape = find_value (self, dyno_tensor_info_get_name (info))->shape;
  DynoGraphValue *value = add_value (self, name, shape.type);

  value->shape = shape;
  value->is_given = TRUE;
  g_ptr_array_add (self->description->inputs, dyno_tensor_info_dup_as (info, name));
}

static void
add_node (DynoGraph *self, Onnx__NodeProto *node)
{
  dyno_model_description_set_window (self->description, node->name, dyno_node_get_window_elements (node));
  dyno_model_description_add_operator (self->description, node->domain, node->op_type);
  if (self->outer_nodes != NULL && g_str_equal (node->op_type, "Constant"))
    g_ptr_array_add (self->outer_nodes, node);
  else
    g_ptr_array_add (self->nodes, node);
}

static void
rename_in (GHashTable *renames, char **names, gsize n_names)
{
  for (gsize i = 0; i < n_names; i++)
    {
      const char *to = g_hash_table_lookup (renames, names[i]);

      if (to == NULL)
        continue;
      g_free (names[i]);
      names[i] = g_strdup (to);
    }
}

void
dyno_graph_add_output (DynoGraph *self, const char *name, const char *value, const char *dimensions)
{
  g_autoptr (GString) own = g_string_new (dimensions);
  DynoGraphValue *source, *output;
  DynoTensorInfo *info;

  /* The sequence of a part may differ from that of the model. */
  if (self->part != NULL)
    {
      g_string_replace (own, "sequence", self->part->sequence, 0);
      value = self->part->cut (self, name, value, self->part->data);
    }
  source = find_value (self, value);
  info = parse_info (name, source->shape.type, own->str);
  output = add_value (self, name, source->shape.type);
  if (source->shape.rank != dyno_tensor_info_get_rank (info))
    fail (self, _ ("The output “%s” does not have the rank of its value."), name);
  if (source->is_given)
    fail (self, _ ("The output “%s” is not computed by the graph."), name);
  output->shape = source->shape;
  g_hash_table_replace (self->renames, (gpointer)source->name, (gpointer)output->name);
  source->name = output->name;
  g_ptr_array_add (self->description->outputs, info);
}

void
dyno_graph_limit_input (DynoGraph *self, const char *name, gint64 limit)
{
  dyno_model_description_limit (self->description, name, limit);
}

void
dyno_graph_space_steps (DynoGraph *self, const DynoSpacing *spacing)
{
  self->description->spacing = *spacing;
}

void
dyno_graph_require_size (DynoGraph *self, const char *symbol, gint64 least)
{
  g_hash_table_replace (self->description->least_sizes, g_strdup (symbol), g_memdup2 (&least, sizeof least));
}

void
dyno_graph_limit_sequence (DynoGraph *self, gint64 length)
{
  self->description->max_sequence_length = (guint)length;
}

void
dyno_graph_hold_places (DynoGraph *self, gint64 token, gint64 n_places)
{
  self->description->picture_token = token;
  self->description->n_picture_tokens = (guint)n_places;
  self->description->n_pictures = self->n_pictures;
}

void
dyno_graph_find_tokens (DynoGraph *self, gint64 n_tokens, gint64 n_positions)
{
  self->description->n_decoded_tokens = (guint)n_positions;
  self->description->n_found_tokens = (guint)n_tokens;
}

void
dyno_graph_add_unused (DynoGraph *self, const char *value, DynoGraphUnused add, gconstpointer data)
{
  guint n_nodes = self->nodes->len, n_products = self->products->len;
  gint64 flops = self->flops;

  add (self, value, data);

  /* Constants stay, because later nodes may use them. */
  for (guint i = self->nodes->len; i > n_nodes; i--)
    if (!g_str_equal (((Onnx__NodeProto *)self->nodes->pdata[i - 1])->op_type, "Constant"))
      g_ptr_array_remove_index (self->nodes, i - 1);

  g_array_set_size (self->products, n_products);
  self->flops = flops;
}

static const char *
describe_weight (DynoGraph *self,
                 const char *name,
                 double mean,
                 double deviation,
                 guint rank,
                 const gint64 *dims,
                 gboolean trainable)
{
  DynoWeight weight = { NULL, { self->real_type, rank, { 0 } }, mean, deviation, trainable };
  g_autofree char *whole_name = scoped_name (self, name);
  double largest = fabs (mean) + sqrt (3) * deviation;
  DynoModelDescription *description = self->description;
  DynoGraphValue *value = g_hash_table_lookup (self->values, whole_name);
  gint64 bytes;

  g_return_val_if_fail (rank <= DYNO_SHAPE_MAX_RANK, name);

  if (value != NULL)
    return value->name;
  for (guint i = 0; i < rank; i++)
    weight.shape.dims[i] = dims[i];
  bytes = dyno_shape_bytes (&weight.shape);
  value = add_value (self, whole_name, self->real_type);
  value->shape = weight.shape;
  value->is_given = TRUE;
  value->is_fixed = TRUE;
  weight.name = value->name;
  weight.n_equal = self->n_equal;
  g_ptr_array_add (self->weights, g_memdup2 (&weight, sizeof weight));
  if (bytes < 0 || __builtin_mul_overflow (bytes, self->n_equal, &bytes) ||
      __builtin_add_overflow (description->weight_bytes, bytes, &description->weight_bytes))
    fail (self, _ ("The weight “%s” is too large."), whole_name);
  else if (largest > dyno_precision_get_largest (self->real_type))
    fail (self, _ ("The weight “%s” of the model holds numbers that do not fit its precision, %s."),
          whole_name, dyno_precision_from_type (self->real_type));
  else if (trainable)
    description->parameter_count += self->n_equal * dyno_shape_count (&weight.shape);
  return value->name;
}

const char *
dyno_graph_add_weight (
    DynoGraph *self, const char *name, double mean, double deviation, guint rank, const gint64 *dims)
{
  return describe_weight (self, name, mean, deviation, rank, dims, TRUE);
}

const char *
dyno_graph_add_statistic (DynoGraph *self, const char *name, double mean, double deviation, gint64 size)
{
  return dyno_graph_add_buffer (self, name, mean, deviation, 1, &size);
}

const char *
dyno_graph_add_buffer (
    DynoGraph *self, const char *name, double mean, double deviation, guint rank, const gint64 *dims)
{
  return describe_weight (self, name, mean, deviation, rank, dims, FALSE);
}

DynoWeight *
dyno_graph_find_weight (DynoGraph *self, const char *name)
{
  for (guint i = self->weights->len; i > 0; i--)
    if (strcmp (((DynoWeight *)self->weights->pdata[i - 1])->name, name) == 0)
      return self->weights->pdata[i - 1];
  return NULL;
}

DynoWeight *
dyno_graph_add_part (DynoGraph *self, const DynoWeight *source, const char *suffix, const DynoShape *shape)
{
  g_autofree char *name = g_strconcat (source->name, suffix, NULL);
  DynoGraphValue *value = add_value (self, name, shape->type);
  DynoWeight *part = g_new0 (DynoWeight, 1);

  value->shape = *shape;
  value->is_given = TRUE;
  value->is_fixed = TRUE;
  part->name = value->name;
  part->shape = *shape;
  part->quantisation = self->quantisation;
  part->source = source;
  part->n_equal = source->n_equal;
  g_ptr_array_add (self->parts, part);
  return part;
}

/* A weight that several layers use in different ways has a quantised form for each of them. */
static const DynoWeight *
add_layer_part (DynoGraph *self, const DynoQuantisedLayer *layer, const char *suffix, const DynoShape *shape)
{
  g_autofree char *name = g_strconcat (layer->weight->name, suffix, NULL);
  g_autofree char *own = g_hash_table_contains (self->values, name)
                             ? g_strdup_printf ("#%u%s", self->layers->len, suffix)
                             : g_strdup (suffix);
  DynoWeight *part = dyno_graph_add_part (self, layer->weight, own, shape);

  part->layer = layer;
  return part;
}

const DynoQuantisedLayer *
dyno_graph_add_layer (DynoGraph *self, const DynoQuantisedLayer *layer)
{
  DynoQuantisedLayer *added = g_memdup2 (layer, sizeof *layer);
  DynoShape quants = layer->weight->shape;
  gboolean is_turned = quants.rank == 2 && layer->weight->is_by_rows;
  gint64 n_outputs = layer->weight->shape.dims[quants.rank == 2 && !is_turned ? 1 : 0];
  const DynoShape numbers = { DYNO_DATA_TYPE_INT32, 1, { n_outputs } };
  const DynoShape scales = { DYNO_DATA_TYPE_FLOAT, 1, { n_outputs } };

  quants.type = DYNO_DATA_TYPE_INT8;
  if (is_turned)
    {
      quants.dims[0] = layer->weight->shape.dims[1];
      quants.dims[1] = n_outputs;
    }
  added->quants = add_layer_part (self, added, ".quants", &quants);
  added->scales = add_layer_part (self, added, ".scales", &scales);
  if (layer->bias != NULL || layer->norm[0] != NULL)
    {
      added->bias_quants = add_layer_part (self, added, ".bias_quants", &numbers);
      added->bias_scales = add_layer_part (self, added, ".bias_scales", &scales);
    }
  g_ptr_array_add (self->layers, added);
  return added;
}

void
dyno_graph_turn_weight (DynoGraph *self, const char *weight)
{
  DynoWeight *known = dyno_graph_find_weight (self, weight);

  g_return_if_fail (known != NULL && known->shape.rank == 2);
  known->is_turned = TRUE;
}

const char *
dyno_graph_add_sinusoids (DynoGraph *self, const char *name, gint64 rows, gint64 width, double span)
{
  const char *value = dyno_graph_add_weight (self, name, 0, G_SQRT2 / 2, 2, (const gint64[]){ rows, width });
  DynoWeight *weight = dyno_graph_find_weight (self, value);

  if (weight != NULL)
    weight->sine_span = span;
  return value;
}

/* A constant is named after its content, so that equal constants are shared. */
static DynoGraphValue *
add_constant (
    DynoGraph *self, const char *name, DynoDataType type, guint rank, gint64 size, gconstpointer data)
{
  Onnx__NodeProto *node = dyno_node_new ("Constant", name);
  Onnx__TensorProto *tensor = g_new0 (Onnx__TensorProto, 1);
  gsize n_bytes = size * dyno_data_type_get_size (type);
  DynoGraphValue *value = add_value (self, name, type);

  value->shape = (DynoShape){ type, rank, { size } };
  value->is_given = TRUE;
  value->is_fixed = TRUE;
  onnx__tensor_proto__init (tensor);
  tensor->data_type = type;
  tensor->has_data_type = TRUE;
  tensor->n_dims = rank;
  tensor->dims = g_memdup2 (&size, rank * sizeof size);
  tensor->raw_data = (ProtobufCBinaryData){ n_bytes, g_memdup2 (data, n_bytes) };
  tensor->has_raw_data = TRUE;
  dyno_node_add_output (node, name);
  dyno_node_add_tensor (node, "value", tensor);
  add_node (self, node);
  return value;
}

const char *
dyno_graph_add_bytes (DynoGraph *self, DynoDataType type, gint64 n_bytes, guint8 byte)
{
  g_autofree char *name =
      g_strdup_printf ("%s:%" G_GINT64_FORMAT ":%u", dyno_data_type_to_string (type), n_bytes, byte);
  DynoGraphValue *present = g_hash_table_lookup (self->values, name);
  gint64 n = MAX (n_bytes, 1);
  g_autofree guint8 *bytes = present == NULL ? g_malloc ((gsize)n) : NULL;

  if (present == NULL)
    {
      memset (bytes, byte, (gsize)n);
      present = add_constant (self, name, type, n_bytes > 0 ? 1 : 0, n, bytes);
    }
  return present->name;
}

static const char *
add_ints (DynoGraph *self, guint rank, guint n_values, const gint64 *values)
{
  g_autoptr (GString) name = g_string_new (rank == 0 ? "int" : "ints");
  DynoGraphValue *value;

  /* Short lists are named after their numbers, tables after a hash. */
  g_autofree char *checksum = NULL;

  if (n_values > DYNO_SHAPE_MAX_RANK)
    {
      checksum =
          g_compute_checksum_for_data (G_CHECKSUM_MD5, (const guchar *)values, n_values * sizeof *values);
      g_string_append_printf (name, "#%s", checksum);
    }
  for (guint i = 0; checksum == NULL && i < n_values; i++)
    g_string_append_printf (name, ":%" G_GINT64_FORMAT, values[i]);

  value = g_hash_table_lookup (self->values, name->str);
  if (value != NULL)
    return value->name;
  value = add_constant (self, name->str, DYNO_DATA_TYPE_INT64, rank, n_values, values);
  if (n_values <= DYNO_SHAPE_MAX_RANK)
    {
      value->n_known = n_values;
      memcpy (value->known, values, n_values * sizeof *values);
    }
  return value->name;
}

const char *
dyno_graph_add_ints (DynoGraph *self, guint n_values, const gint64 *values)
{
  return add_ints (self, 1, n_values, values);
}

const char *
dyno_graph_add_int (DynoGraph *self, gint64 value)
{
  return add_ints (self, 0, 1, &value);
}

const char *
dyno_graph_add_floats (DynoGraph *self, guint n_values, const float *values)
{
  g_autofree char *checksum =
      g_compute_checksum_for_data (G_CHECKSUM_MD5, (const guchar *)values, n_values * sizeof *values);
  g_autofree char *name = g_strconcat ("floats:", checksum, NULL);
  DynoGraphValue *value = g_hash_table_lookup (self->values, name);

  if (value == NULL)
    value = add_constant (self, name, DYNO_DATA_TYPE_FLOAT, 1, n_values, values);
  return value->name;
}

const char *
dyno_graph_add_float (DynoGraph *self, float value)
{
  char number[G_ASCII_DTOSTR_BUF_SIZE];
  g_autofree char *name = g_strconcat ("float:", g_ascii_dtostr (number, sizeof number, value), NULL);
  DynoGraphValue *present = g_hash_table_lookup (self->values, name);

  if (present == NULL)
    present = add_constant (self, name, DYNO_DATA_TYPE_FLOAT, 0, 1, &value);
  return present->name;
}

static const char *
add_short_float (DynoGraph *self, float value, guint16 bits)
{
  g_autofree char *name =
      g_strdup_printf ("%s:%04x", dyno_data_type_to_string (self->real_type), (guint)bits);
  DynoGraphValue *present = g_hash_table_lookup (self->values, name);

  if ((double)fabsf (value) > dyno_precision_get_largest (self->real_type))
    fail (self, _ ("The number %g of the model does not fit its precision, %s."), (double)value,
          dyno_precision_from_type (self->real_type));
  if (present == NULL)
    present = add_constant (self, name, self->real_type, 0, 1, &bits);
  return present->name;
}

const char *
dyno_graph_add_real (DynoGraph *self, float value)
{
  if (self->real_type == DYNO_DATA_TYPE_FLOAT16)
    return add_short_float (self, value, dyno_float16_from_float (value));
  if (self->real_type == DYNO_DATA_TYPE_BFLOAT16)
    return add_short_float (self, value, dyno_float16_bfloat_from_float (value));
  return dyno_graph_add_float (self, value);
}

static void
count_work (
    DynoGraph *self, const Onnx__NodeProto *node, DynoGraphValue **inputs, guint n, const DynoShape *output)
{
  /* An operator that engines fuse into the previous one causes no traffic; matrix products are not fused. */
  static const char *const products[] = {
    "Conv",   "ConvTranspose", "Gemm",          "GroupQueryAttention", "MultiHeadAttention",
    "MatMul", "MatMulBnb4",    "MatMulInteger", "MatMulNBits",         NULL
  };
  DynoNodeShapes shapes = { node->op_type, self->in_shapes, self->out_shapes,
                            dyno_node_get_window_elements (node) };
  gint64 flops = 0, all;

  g_array_set_size (self->in_shapes, 0);
  g_array_set_size (self->out_shapes, 0);
  for (guint i = 0; i < n; i++)
    g_array_append_val (self->in_shapes, inputs[i]->shape);
  g_array_append_vals (self->out_shapes, output, 1);
  if (self->quantisation != NULL && self->quantisation->is_static && self->outer_nodes == NULL && n > 1 &&
      inputs[1]->is_fixed && dyno_graph_has_integer_form (node))
    for (guint i = 0; i < 2; i++)
      g_array_index (self->in_shapes, DynoShape, i).type = DYNO_DATA_TYPE_INT8;
  if (!dyno_operator_cost_flops (&shapes, &flops) || __builtin_mul_overflow (flops, self->n_times, &flops) ||
      __builtin_mul_overflow (flops, self->n_equal, &all) ||
      __builtin_add_overflow (self->flops, all, &self->flops))
    self->is_cost_known = FALSE;
  else if (g_strv_contains (products, node->op_type))
    {
      const DynoGraphProduct product = { (double)flops,
                                         (double)self->n_times * (double)dyno_operator_cost_bytes (&shapes) };

      for (gint64 i = 0; i < self->n_equal; i++)
        g_array_append_val (self->products, product);
    }
}

static char *
node_name (DynoGraph *self, const char *op_type)
{
  g_autofree char *numbered = g_strdup_printf ("%s_%u", op_type, self->nodes->len - self->n_scales);

  return scoped_name (self, numbered);
}

const char *
dyno_graph_add (DynoGraph *self, const char *op_type, const char *attributes, ...)
{
  const char *inputs[MAX_INPUTS];
  guint n_inputs = 0;
  va_list args;

  va_start (args, attributes);
  for (const char *input = va_arg (args, const char *); input != NULL; input = va_arg (args, const char *))
    {
      g_assert (n_inputs < MAX_INPUTS);
      inputs[n_inputs++] = input;
    }
  va_end (args);
  return dyno_graph_add_list (self, op_type, attributes, n_inputs, inputs);
}

/* Takes @node, which has its name, its type and its attributes. */
static const char *
add_operator (
    DynoGraph *self, Onnx__NodeProto *node, const char *result, guint n_inputs, const char *const *inputs)
{
  g_autofree DynoGraphValue **values = g_new (DynoGraphValue *, n_inputs);
  gboolean is_fixed = TRUE;
  DynoGraphValue *output;

  for (guint i = 0; i < n_inputs; i++)
    {
      values[i] = take_input (self, node, inputs[i]);
      is_fixed = is_fixed && values[i]->is_fixed;
    }
  output = add_value (self, result, DYNO_DATA_TYPE_UNDEFINED);
  output->is_fixed = is_fixed;
  dyno_node_add_output (node, result);
  if (!dyno_graph_infer_shape (node, values, n_inputs, output))
    fail (self, _ ("The graph is inconsistent at “%s”: the input shapes do not match the operator %s."),
          node->name, node->op_type);
  else if (self->error == NULL)
    count_work (self, node, values, n_inputs, &output->shape);
  add_node (self, node);
  return output->name;
}

const char *
dyno_graph_add_list (
    DynoGraph *self, const char *op_type, const char *attributes, guint n_inputs, const char *const *inputs)
{
  g_autofree char *name = node_name (self, op_type);
  Onnx__NodeProto *node = dyno_node_new (op_type, name);

  dyno_node_parse_attributes (node, attributes);
  return add_operator (self, node, node->name, n_inputs, inputs);
}

void
dyno_graph_add_as (
    DynoGraph *self, const char *value, const char *op_type, guint n_inputs, const char *const *inputs)
{
  g_autofree char *name = g_strconcat (value, ".", op_type, NULL);

  add_operator (self, dyno_node_new (op_type, name), value, n_inputs, inputs);
}

/* One of several outputs of a node. */
static const char *
add_part (DynoGraph *self, Onnx__NodeProto *node, guint index, const DynoShape *shape)
{
  g_autofree char *name = g_strdup_printf ("%s:%u", node->name, index);
  DynoGraphValue *value = add_value (self, name, shape->type);

  value->shape = *shape;
  dyno_node_add_output (node, name);
  return value->name;
}

/* Their numbers are known when the ranges of keys and values are. */
static void
add_cache_scales (DynoGraph *self, Onnx__NodeProto *node)
{
  static const char *const suffixes[] = { "k_scale", "v_scale" };
  const float unknown = 1;

  dyno_node_parse_attributes (node, "k_quant_type=PER_TENSOR v_quant_type=PER_TENSOR kv_cache_bit_width=8");
  while (node->n_input < DYNO_CACHE_SCALES)
    dyno_node_add_input (node, "");
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *name = g_strdup_printf ("%s.%s", node->name, suffixes[i]);

      add_constant (self, name, DYNO_DATA_TYPE_FLOAT, 1, 1, &unknown);
      self->n_scales++;
      take_input (self, node, name);
    }
}

const char *
dyno_graph_add_cached_attention (DynoGraph *self,
                                 const char *attributes,
                                 guint n_inputs,
                                 const char *const *inputs,
                                 const char **key,
                                 const char **value)
{
  g_autofree char *name = node_name (self, "GroupQueryAttention");
  g_autofree DynoGraphValue **values = g_new (DynoGraphValue *, n_inputs);
  Onnx__NodeProto *node = dyno_node_new ("GroupQueryAttention", name);
  DynoShape present;
  const char *attended;

  dyno_node_parse_attributes (node, attributes);
  for (guint i = 0; i < n_inputs; i++)
    values[i] = take_input (self, node, inputs[i]);
  if (self->quantisation != NULL && self->quantisation->is_cache)
    add_cache_scales (self, node);
  present = values[3]->shape;
  present.dims[2] += values[1]->shape.dims[1];
  attended = add_part (self, node, 0, &values[0]->shape);
  *key = add_part (self, node, 1, &present);
  *value = add_part (self, node, 2, &present);
  count_work (self, node, values, n_inputs, &values[0]->shape);
  add_node (self, node);
  return attended;
}

void
dyno_graph_add_top_k (
    DynoGraph *self, const char *value, gint64 n_top, const char **values, const char **indices)
{
  const DynoGraphValue *source = find_value (self, value);
  g_autofree char *name = node_name (self, "TopK");
  Onnx__NodeProto *node = dyno_node_new ("TopK", name);
  DynoShape shape = source->shape;

  dyno_node_parse_attributes (node, "axis=-1");
  take_input (self, node, source->name);
  dyno_node_add_input (node, dyno_graph_add_ints (self, 1, &n_top));
  if (shape.rank == 0 || shape.dims[shape.rank - 1] < n_top)
    fail (self, _ ("The graph is inconsistent at “%s”: there are not as many values to choose from."), name);
  else
    shape.dims[shape.rank - 1] = n_top;
  *values = add_part (self, node, 0, &shape);
  shape.type = DYNO_DATA_TYPE_INT64;
  *indices = add_part (self, node, 1, &shape);
  add_node (self, node);
}

const char *
dyno_graph_add_dynamic_quantisation (DynoGraph *self,
                                     const char *value,
                                     const char **scale,
                                     const char **zero_point)
{
  DynoGraphValue *source = find_value (self, value);
  g_autofree char *name = g_strconcat (source->name, ".DynamicQuantizeLinear", NULL);
  DynoShape shapes[] = { source->shape,
                         { DYNO_DATA_TYPE_FLOAT, 0, { 0 } },
                         { DYNO_DATA_TYPE_UINT8, 0, { 0 } } };
  const char *parts[G_N_ELEMENTS (shapes)];
  Onnx__NodeProto *node;
  gboolean is_known = TRUE;

  shapes[0].type = DYNO_DATA_TYPE_UINT8;
  for (guint i = 0; i < G_N_ELEMENTS (parts) && is_known; i++)
    {
      g_autofree char *part = g_strdup_printf ("%s:%u", name, i);
      const DynoGraphValue *known = g_hash_table_lookup (self->values, part);

      is_known = known != NULL;
      parts[i] = is_known ? known->name : NULL;
    }
  if (!is_known)
    {
      node = dyno_node_new ("DynamicQuantizeLinear", name);
      take_input (self, node, source->name);
      for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
        parts[i] = add_part (self, node, i, &shapes[i]);
      count_work (self, node, &source, 1, &shapes[0]);
      add_node (self, node);
    }
  *scale = parts[1];
  *zero_point = parts[2];
  return parts[0];
}

/* An input of a body. Engines only need its type. */
static const char *
add_body_input (DynoGraph *self, Onnx__GraphProto *body, const char *name, const DynoShape *shape)
{
  g_autofree char *own = scoped_name (self, name);
  DynoGraphValue *value = add_value (self, own, shape->type);

  value->shape = *shape;
  dyno_node_add_body_input (body, own, (int)shape->type);
  return value->name;
}

static void
add_body_output (DynoGraph *self, Onnx__GraphProto *body, const char *value)
{
  const DynoGraphValue *known = find_value (self, value);

  dyno_node_add_body_output (body, known->name, (int)known->shape.type);
}

void
dyno_graph_add_scan (DynoGraph *self,
                     const char *state,
                     guint n_inputs,
                     const char *const *inputs,
                     DynoGraphBody body,
                     gpointer data,
                     const char **last_state,
                     const char **outputs)
{
  g_autofree char *name = node_name (self, "Scan");
  g_autofree char *counts = g_strdup_printf ("num_scan_inputs=%u scan_output_axes=[1]", n_inputs);
  Onnx__NodeProto *node = dyno_node_new ("Scan", name);
  Onnx__GraphProto *steps = dyno_node_add_body (node, "body", name);
  gint64 n_steps = find_value (self, inputs[0])->shape.dims[1];
  const char *parts[MAX_INPUTS];
  const char *left, *given;
  DynoShape whole;

  /* The second dimension is scanned: values are [batch, steps, …], and parts of them [batch, …]. */
  g_return_if_fail (self->outer_nodes == NULL && n_inputs > 0 && n_inputs < MAX_INPUTS);

  dyno_node_parse_attributes (node, counts);
  dyno_node_add_repeated (node, "scan_input_axes", 1, n_inputs);
  dyno_graph_push_scope (self, "Scan_%u", self->nodes->len);
  take_input (self, node, state);
  left = add_body_input (self, steps, "state", dyno_graph_get_shape (self, state));
  for (guint i = 0; i < n_inputs; i++)
    {
      g_autofree char *numbered = g_strdup_printf ("input_%u", i);
      DynoShape part = *dyno_graph_get_shape (self, inputs[i]);

      memmove (part.dims + 1, part.dims + 2, (part.rank - 2) * sizeof (gint64));
      part.rank--;
      parts[i] = add_body_input (self, steps, numbered, &part);
      take_input (self, node, inputs[i]);
    }
  /* Nodes that the body adds count once for each of its iterations. */
  self->outer_nodes = self->nodes;
  self->nodes = g_ptr_array_new ();
  self->n_times = n_steps;
  given = body (self, &left, parts, data);
  add_body_output (self, steps, left);
  add_body_output (self, steps, given);
  steps->n_node = self->nodes->len;
  steps->node = (Onnx__NodeProto **)g_ptr_array_free (self->nodes, FALSE);
  self->nodes = g_steal_pointer (&self->outer_nodes);
  self->n_times = 1;
  dyno_graph_pop_scope (self);
  whole = *dyno_graph_get_shape (self, given);
  memmove (whole.dims + 2, whole.dims + 1, (whole.rank - 1) * sizeof (gint64));
  whole.dims[1] = n_steps;
  whole.rank++;
  *last_state = add_part (self, node, 0, dyno_graph_get_shape (self, left));
  *outputs = add_part (self, node, 1, &whole);
  add_node (self, node);
}

void
dyno_graph_assume_size (DynoGraph *self, const char *value, guint axis, gint64 size)
{
  DynoGraphValue *known = find_value (self, value);

  g_return_if_fail (axis < known->shape.rank);

  known->shape.dims[axis] = size;
}

void
dyno_graph_add_split (
    DynoGraph *self, const char *value, int axis, guint n_parts, const gint64 *sizes, const char **parts)
{
  const DynoGraphValue *source = find_value (self, value);
  guint wrapped = axis < 0 ? axis + source->shape.rank : (guint)axis;
  g_autofree char *attributes = g_strdup_printf ("axis=%d", axis);
  g_autofree char *name = node_name (self, "Split");
  Onnx__NodeProto *node = dyno_node_new ("Split", name);
  gint64 total = 0;

  dyno_node_parse_attributes (node, attributes);
  take_input (self, node, source->name);
  dyno_node_add_input (node, dyno_graph_add_ints (self, n_parts, sizes));
  for (guint i = 0; i < n_parts; i++)
    {
      DynoShape shape = source->shape;

      shape.dims[wrapped] = sizes[i];
      total += sizes[i];
      parts[i] = add_part (self, node, i, &shape);
    }
  if (wrapped >= source->shape.rank || total != source->shape.dims[wrapped])
    fail (self, _ ("The graph is inconsistent at “%s”: the sizes of the parts do not add up."), name);
  add_node (self, node);
}

const DynoShape *
dyno_graph_get_shape (DynoGraph *self, const char *value)
{
  return &find_value (self, value)->shape;
}

gboolean
dyno_graph_check (DynoGraph *self, GError **error)
{
  if (self->error == NULL)
    return TRUE;
  g_propagate_error (error, g_error_copy (self->error));
  return FALSE;
}

DynoModelDescription *
dyno_graph_describe (DynoGraph *self)
{
  self->description->real_type = self->real_type;
  if (self->quantisation != NULL)
    {
      GPtrArray *initializers = dyno_graph_get_initializers (self);
      gint64 bytes = 0;

      for (guint i = 0; i < initializers->len; i++)
        {
          const DynoWeight *weight = initializers->pdata[i];

          bytes += weight->n_equal * dyno_shape_bytes (&weight->shape);
        }
      self->description->weight_bytes = bytes;
    }
  return dyno_model_description_ref (self->description);
}

gboolean
dyno_graph_get_flops (DynoGraph *self, gint64 *flops)
{
  *flops = self->flops;
  return self->is_cost_known;
}

GArray *
dyno_graph_get_products (DynoGraph *self)
{
  return self->products;
}

/* The inputs of a node, and the outer values that a body inside it uses. */
static void
add_taken (GHashTable *names, const Onnx__NodeProto *node)
{
  for (gsize i = 0; i < node->n_input; i++)
    g_hash_table_add (names, node->input[i]);
  for (gsize i = 0; i < node->n_attribute; i++)
    {
      const Onnx__GraphProto *body = node->attribute[i]->g;

      for (gsize k = 0; body != NULL && k < body->n_node; k++)
        add_taken (names, body->node[k]);
    }
}

static gboolean
gives_any (const Onnx__NodeProto *node, GHashTable *names)
{
  for (gsize i = 0; i < node->n_output; i++)
    if (g_hash_table_contains (names, node->output[i]))
      return TRUE;
  return FALSE;
}

/* Marks the last use of each value and whether it is fixed or planned. Returns the input and output values of each
 * node, in order. */
static GPtrArray *
mark_values (DynoGraph *self)
{
  GPtrArray *values = g_ptr_array_new ();

  for (guint i = 0; i < self->nodes->len; i++)
    {
      const Onnx__NodeProto *node = self->nodes->pdata[i];
      gboolean is_fixed = TRUE;

      for (gsize k = 0; k < node->n_input; k++)
        {
          DynoGraphValue *value = find_value (self, node->input[k]);

          value->last_use = i;
          is_fixed = is_fixed && value->is_fixed;
          g_ptr_array_add (values, value);
        }
      for (gsize k = 0; k < node->n_output; k++)
        {
          DynoGraphValue *value = find_value (self, node->output[k]);

          value->is_fixed = is_fixed;
          value->is_planned = !is_fixed;
          g_ptr_array_add (values, value);
        }
    }
  for (guint i = 0; i < self->description->outputs->len; i++)
    find_value (self, dyno_tensor_info_get_name (self->description->outputs->pdata[i]))->is_planned = FALSE;
  return values;
}

static void
hold (Memory *memory, const DynoGraphValue *value, gint64 sign)
{
  gint64 bytes = value->is_given ? 0 : dyno_shape_bytes (&value->shape);

  bytes = sign * (bytes >= 0 ? bytes : ABSURD_BYTES);

  memory[0].held += bytes;
  memory[1].held += value->is_planned ? bytes : 0;
  for (guint i = 0; i < 2; i++)
    memory[i].peak = MAX (memory[i].peak, memory[i].held);
}

/* The peaks of all values and of those that are planned. */
gint64
dyno_graph_get_peak_bytes (DynoGraph *self, gint64 *planned)
{
  g_autoptr (GPtrArray) values = NULL;
  DynoGraphValue **inputs;
  Memory memory[2] = { { 0, 0 }, { 0, 0 } };
  guint n_begun = 0;

  dyno_graph_get_nodes (self);
  values = mark_values (self);
  inputs = (DynoGraphValue **)values->pdata;
  for (guint i = 0; i < self->nodes->len; i++)
    {
      const Onnx__NodeProto *node = self->nodes->pdata[i];
      DynoGraphValue **outputs = inputs + node->n_input;

      for (; n_begun < self->spans->len && g_array_index (self->spans, Span, n_begun).first <= i; n_begun++)
        {
          memcpy (g_array_index (self->spans, Span, n_begun).before, memory, sizeof memory);
          for (guint k = 0; k < 2; k++)
            memory[k].peak = memory[k].held;
        }
      for (gsize k = 0; k < node->n_output; k++)
        hold (memory, outputs[k], 1);
      for (gsize k = 0; k < node->n_input; k++)
        if (inputs[k]->last_use == i)
          {
            hold (memory, inputs[k], -1);
            inputs[k]->last_use = G_MAXUINT;
          }
      /* All further parts hold as much more as the first one; inner spans end first. */
      for (guint s = n_begun; s > 0; s--)
        {
          const Span *span = &g_array_index (self->spans, Span, s - 1);

          for (guint k = 0; k < 2 && span->end == i + 1; k++)
            {
              gint64 more = (span->n_equal - 1) * (memory[k].held - span->before[k].held);

              memory[k].peak = MAX (span->before[k].peak, memory[k].peak + MAX (more, 0));
              memory[k].held += more;
            }
        }
      inputs = outputs + node->n_output;
    }
  *planned = memory[1].peak;
  return memory[0].peak;
}

GPtrArray *
dyno_graph_get_nodes (DynoGraph *self)
{
  /* Nodes are renamed for all outputs at once, because large models have many of both. */
  for (guint i = 0; i < self->nodes->len && g_hash_table_size (self->renames) > 0; i++)
    {
      Onnx__NodeProto *node = self->nodes->pdata[i];

      rename_in (self->renames, node->input, node->n_input);
      rename_in (self->renames, node->output, node->n_output);
    }
  g_hash_table_remove_all (self->renames);

  if (self->is_fused)
    {
      /* Fused attention takes queries, keys and values from before the heads were split. */
      g_autoptr (GHashTable) wanted = g_hash_table_new (g_str_hash, g_str_equal);

      for (guint i = 0; i < self->description->outputs->len; i++)
        g_hash_table_add (wanted, (gpointer)dyno_tensor_info_get_name (self->description->outputs->pdata[i]));
      for (guint i = self->nodes->len; i > 0; i--)
        if (gives_any (self->nodes->pdata[i - 1], wanted))
          add_taken (wanted, self->nodes->pdata[i - 1]);
        else
          {
            g_ptr_array_remove_index (self->nodes, i - 1);
            for (guint k = 0; k < self->spans->len; k++)
              {
                Span *span = &g_array_index (self->spans, Span, k);

                span->first -= i - 1 < span->first;
                span->end -= i - 1 < span->end;
              }
          }
    }
  return self->nodes;
}

/* Outer values that only a body uses are used as well. */
static void
mark_used (DynoGraph *self, const Onnx__NodeProto *node)
{
  for (gsize i = 0; i < node->n_input; i++)
    {
      DynoGraphValue *value = g_hash_table_lookup (self->values, node->input[i]);

      if (value != NULL)
        value->is_used = TRUE;
    }
  for (gsize i = 0; i < node->n_attribute; i++)
    for (gsize k = 0; node->attribute[i]->g != NULL && k < node->attribute[i]->g->n_node; k++)
      mark_used (self, node->attribute[i]->g->node[k]);
}

void
dyno_graph_put_back (DynoGraph *self, Onnx__NodeProto *node)
{
  mark_used (self, node);
  g_ptr_array_add (self->nodes, node);
}

GPtrArray *
dyno_graph_begin_rewrite (DynoGraph *self)
{
  GPtrArray *nodes = dyno_graph_get_nodes (self);

  g_ptr_array_set_free_func (nodes, NULL);
  self->nodes = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_node_free);
  self->positions = g_array_new (FALSE, FALSE, sizeof (guint));
  for (guint i = 0; i < self->weights->len; i++)
    find_value (self, ((DynoWeight *)self->weights->pdata[i])->name)->is_used = FALSE;
  for (guint i = 0; i < nodes->len; i++)
    if (g_str_equal (((Onnx__NodeProto *)nodes->pdata[i])->op_type, "Constant"))
      dyno_graph_put_back (self, nodes->pdata[i]);
  return nodes;
}

void
dyno_graph_rewrite_at (DynoGraph *self, guint index)
{
  self->n_equal = 1;
  g_array_append_val (self->positions, self->nodes->len);
  for (guint i = 0; i < self->spans->len; i++)
    {
      const Span *span = &g_array_index (self->spans, Span, i);

      if (span->first <= index && index < span->end)
        self->n_equal *= span->n_equal;
    }
}

void
dyno_graph_end_rewrite (DynoGraph *self)
{
  dyno_graph_rewrite_at (self, G_MAXUINT);
  for (guint i = 0; i < self->spans->len; i++)
    {
      Span *span = &g_array_index (self->spans, Span, i);

      span->first = g_array_index (self->positions, guint, span->first);
      span->end = g_array_index (self->positions, guint, span->end);
    }
  g_clear_pointer (&self->positions, g_array_unref);
}

const char *
dyno_graph_add_renamed (DynoGraph *self, const char *value, const char *suffix)
{
  g_autofree char *name = g_strconcat (value, suffix, NULL);
  const DynoShape shape = find_value (self, value)->shape;
  DynoGraphValue *renamed = add_value (self, name, shape.type);

  renamed->shape = shape;
  return renamed->name;
}

GPtrArray *
dyno_graph_get_weights (DynoGraph *self)
{
  return self->weights;
}

GPtrArray *
dyno_graph_get_initializers (DynoGraph *self)
{
  g_ptr_array_set_size (self->initializers, 0);
  for (guint i = 0; i < self->weights->len; i++)
    {
      DynoWeight *weight = self->weights->pdata[i];

      if ((weight->quants == NULL && !weight->is_absorbed) || find_value (self, weight->name)->is_used)
        g_ptr_array_add (self->initializers, weight);
      if (weight->quants == NULL)
        continue;
      g_ptr_array_add (self->initializers, weight->quants);
      g_ptr_array_add (self->initializers, weight->scales);
      if (weight->zeros != NULL)
        g_ptr_array_add (self->initializers, weight->zeros);
    }
  for (guint i = 0; i < self->parts->len; i++)
    if (((DynoWeight *)self->parts->pdata[i])->layer != NULL)
      g_ptr_array_add (self->initializers, self->parts->pdata[i]);
  return self->initializers;
}

GPtrArray *
dyno_graph_get_inputs (DynoGraph *self)
{
  return self->description->inputs;
}

GPtrArray *
dyno_graph_get_outputs (DynoGraph *self)
{
  return self->description->outputs;
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>
#include <math.h>

#include "dyno-layers.h"
#include "dyno-rotary.h"

static double
get_number (DynoConfig *config, const char *name, double fallback)
{
  return config != NULL ? dyno_config_get_double_or (config, name, fallback) : fallback;
}

static const char *
scaling_type (DynoConfig *scaling)
{
  const char *type = scaling != NULL ? dyno_config_get_string_or (scaling, "type", "default") : "default";

  return scaling != NULL ? dyno_config_get_string_or (scaling, "rope_type", type) : type;
}

/* The name in early configs was “su”. */
static gboolean
is_long (DynoConfig *scaling)
{
  const char *type = scaling_type (scaling);

  return g_str_equal (type, "longrope") || g_str_equal (type, "su");
}

static void
check_factors (const DynoRotary *self, const char *name)
{
  JsonArray *factors = dyno_config_get_array (self->scaling, name);

  if (factors == NULL || json_array_get_length (factors) != self->width / 2)
    {
      dyno_config_fail (self->scaling, _ ("its “%s” is not a list of %" PRId64 " numbers"), name,
                        self->width / 2);
      return;
    }
  for (guint i = 0; i < json_array_get_length (factors); i++)
    {
      JsonNode *factor = json_array_get_element (factors, i);

      if (!JSON_NODE_HOLDS_VALUE (factor) || !(json_node_get_double (factor) > 0))
        dyno_config_fail (self->scaling, _ ("its “%s” holds something that is not a number above 0"), name);
    }
}

static void
check_scaling (const DynoRotary *self)
{
  /* “dynamic” changes nothing up to the number of positions that a config allows, and no case has more;
   * “mrope” is about pictures alone. */
  static const char *const known[] = { "default", "dynamic",      "linear", "llama3",
                                       "mrope",   "proportional", "yarn",   NULL };
  static const char *const without_factor[] = { "default", "mrope", "proportional", NULL };
  const char *type = scaling_type (self->scaling);
  double usual = g_strv_contains (without_factor, type) ? 1 : 0;

  if (is_long (self->scaling))
    {
      check_factors (self, "short_factor");
      check_factors (self, "long_factor");
      if (get_number (self->scaling, "short_mscale", 1) != get_number (self->scaling, "long_mscale", 1))
        dyno_config_fail (self->scaling, _ ("its “short_mscale” and “long_mscale” must be the same"));
      if (!(get_number (self->scaling, "factor", 1) > 0))
        dyno_config_fail (self->scaling, _ ("its “factor” is missing or 0"));
    }
  else if (!g_strv_contains (known, type))
    dyno_config_fail (self->scaling, _ ("its scaling of positions, “%s”, is not supported"), type);
  else if (get_number (self->scaling, "factor", usual) <= 0)
    dyno_config_fail (self->scaling, _ ("its “factor” is missing or 0"));
  if (g_str_equal (type, "llama3") && !(get_number (self->scaling, "high_freq_factor", 4) >=
                                        get_number (self->scaling, "low_freq_factor", 1)))
    dyno_config_fail (self->scaling, _ ("its “high_freq_factor” is below its “low_freq_factor”"));
}

static DynoConfig *
find_child (DynoConfig *config, const char *name)
{
  return config != NULL && name != NULL && dyno_config_get_object (config, name) != NULL
             ? dyno_config_get_child (config, name)
             : NULL;
}

DynoRotary
dyno_rotary_read (DynoConfig *config, const char *layer_type, double theta, gint64 head_width, double share)
{
  /* Configs have “rope_parameters”, possibly separate for each kind of layer, or, in older ones, “rope_scaling”. */
  DynoConfig *of_all = find_child (config, "rope_parameters"), *of_type = find_child (of_all, layer_type);
  DynoConfig *parameters = of_type != NULL ? of_type : of_all;
  DynoConfig *scaling = parameters != NULL ? parameters : find_child (config, "rope_scaling");
  gint64 n_positions = dyno_config_get_int_or (config, "max_position_embeddings", 2048);
  gint64 n_original = dyno_config_get_int_or (config, "original_max_position_embeddings", n_positions);
  DynoRotary self = {
    .theta = get_number (parameters, "rope_theta", theta),
    .width = (gint64)((double)head_width * MIN (get_number (parameters, "partial_rotary_factor", share), 1)),
    .n_positions = n_positions,
    .n_original = (gint64)get_number (scaling, "original_max_position_embeddings", (double)n_original),
    .scaling = scaling,
  };

  /* The first pairs of the whole head rotate, not those of its first part. */
  if (g_str_equal (scaling_type (scaling), "proportional"))
    {
      self.n_turned = self.width / 2;
      self.width = head_width;
      if (self.n_turned < 1)
        dyno_config_fail (config, _ ("its “partial_rotary_factor” leaves no number of a head to turn"));
    }

  if (!(self.theta >= 1))
    dyno_config_fail (config, _ ("its “rope_theta” is %g, but must be at least 1"), self.theta);
  if (self.width < 2 || self.width % 2 != 0)
    dyno_config_fail (config,
                      _ ("%" PRId64 " numbers of a head cannot be turned in pairs (“head_dim”, “rotary_pct” "
                         "or “partial_rotary_factor”)"),
                      self.width);
  check_scaling (&self);

  return self;
}

void
dyno_rotary_read_sections (DynoRotary *self, DynoConfig *config, gboolean is_woven)
{
  const DynoConfigFixed fixed = { "mrope_interleaved", is_woven ? "true" : "false" };
  g_autoptr (GArray) sections =
      self->scaling != NULL ? dyno_config_get_indices (self->scaling, "mrope_section") : NULL;
  gint64 sum = 0;

  self->axes = is_woven ? DYNO_ROTARY_AXES_WOVEN : DYNO_ROTARY_AXES_JOINED;
  for (guint i = 0; sections != NULL && i < MIN (sections->len, 3); i++)
    sum += self->sections[i] = CLAMP (g_array_index (sections, gint64, i), 0, self->width);
  if (sections == NULL || sections->len != 3 || sum != self->width / 2)
    dyno_config_fail (config,
                      _ ("its “mrope_section” is not a list of three numbers that add up to %" PRId64),
                      self->width / 2);
  else
    dyno_config_check_fixed (self->scaling, &fixed, 1);
}

/* Finds the pair of numbers that rotates that often over the original positions, as a fraction. */
static double
find_pair (const DynoRotary *self, double n_turns)
{
  double places = log ((double)self->n_original / (n_turns * 2 * G_PI)) / (2 * log (self->theta));

  return (double)self->width * places;
}

/* By how much a pair turns from one position to the next. @factors (nullable): those of LongRoPE. */
static double
get_frequency (const DynoRotary *self, gint64 pair, JsonArray *factors)
{
  gint64 half = self->width / 2;
  const char *type = scaling_type (self->scaling);
  gint64 place = self->axes == DYNO_ROTARY_AXES_PLANE ? 2 * (pair % (half / 2)) : pair;
  double frequency = pow (self->theta, -2.0 * (double)place / (double)self->width);

  if (self->n_turned > 0 && pair >= self->n_turned)
    frequency = 0;
  else if (factors != NULL)
    frequency /= json_array_get_double_element (factors, (guint)pair);
  else if (g_str_equal (type, "llama3"))
    {
      /* Slow rotations are slowed down further, fast ones are unchanged, and those between are
       * interpolated: the rule of Llama 3.1 (`rope_type` “llama3”). Llama 4 has none between. */
      double factor = get_number (self->scaling, "factor", 1);
      double low = get_number (self->scaling, "low_freq_factor", 1);
      double high = get_number (self->scaling, "high_freq_factor", 4);
      double turns =
          get_number (self->scaling, "original_max_position_embeddings", 8192) * frequency / (2 * G_PI);
      double share = high > low ? CLAMP ((turns - low) / (high - low), 0, 1) : turns >= low;

      frequency = (1 - share) * frequency / factor + share * frequency;
    }
  else if (g_str_equal (type, "yarn"))
    {
      /* YaRN, Peng et al. 2023: pairs that turn fast are unchanged, slow ones are slowed down, and those between are
       * a mix. */
      double fast = find_pair (self, get_number (self->scaling, "beta_fast", 32));
      double slow = find_pair (self, get_number (self->scaling, "beta_slow", 1));
      gboolean is_whole = dyno_config_get_boolean_or (self->scaling, "truncate", TRUE);
      double begin = MAX (is_whole ? floor (fast) : fast, 0);
      double end = MIN (is_whole ? ceil (slow) : slow, (double)(self->width - 1));
      double share = CLAMP (((double)pair - begin) / (end == begin ? 0.001 : end - begin), 0, 1);

      frequency = share * frequency / get_number (self->scaling, "factor", 1) + (1 - share) * frequency;
    }
  else if (g_str_equal (type, "linear") || g_str_equal (type, "proportional"))
    frequency /= get_number (self->scaling, "factor", 1);
  return frequency;
}

static const char *
add_frequencies (const DynoRotary *self, DynoGraph *graph, JsonArray *factors)
{
  gint64 half = self->width / 2;
  g_autofree float *frequencies = g_new (float, half);

  for (gint64 i = 0; i < half; i++)
    frequencies[i] = (float)get_frequency (self, i, factors);
  return dyno_graph_add_floats (graph, half, frequencies);
}

GArray *
dyno_rotary_list_divisors (const DynoRotary *self)
{
  static const char *const plain[] = { "default", "dynamic", NULL };
  const char *type = scaling_type (self->scaling);
  gboolean is_simple = self->axes == DYNO_ROTARY_AXES_ONE && self->n_turned == 0 && !self->is_interleaved;
  GArray *divisors;

  if (!is_simple || (!g_strv_contains (plain, type) && !g_str_equal (type, "llama3")))
    return NULL;
  divisors = g_array_new (FALSE, FALSE, sizeof (float));
  for (gint64 i = 0; g_str_equal (type, "llama3") && i < self->width / 2; i++)
    {
      double usual = pow (self->theta, -2.0 * (double)i / (double)self->width);
      float divisor = (float)(usual / get_frequency (self, i, NULL));

      g_array_append_val (divisors, divisor);
    }
  return divisors;
}

static double
get_amplitude (const DynoRotary *self)
{
  if (is_long (self->scaling))
    {
      /* LongRoPE compensates for the spread of attention over more positions. */
      double growth = (double)self->n_positions / (double)self->n_original;
      double factor = get_number (self->scaling, "factor", growth);
      double usual =
          factor > 1 && self->n_original > 1 ? sqrt (1 + log (factor) / log ((double)self->n_original)) : 1;

      return get_number (self->scaling, "attention_factor",
                         get_number (self->scaling, "short_mscale", usual));
    }
  if (g_str_equal (scaling_type (self->scaling), "yarn"))
    {
      /* YaRN compensates in another way, by a factor for all models or one for queries and keys of some. */
      double factor = get_number (self->scaling, "factor", 1);
      double growth = factor > 1 ? 0.1 * log (factor) : 0;
      double scale = get_number (self->scaling, "mscale", 0);
      double scale_of_all = get_number (self->scaling, "mscale_all_dim", 0);

      return get_number (self->scaling, "attention_factor",
                         scale > 0 && scale_of_all > 0 ? (scale * growth + 1) / (scale_of_all * growth + 1)
                                                       : growth + 1);
    }
  return 1;
}

static const char *
finish_wave (DynoGraph *graph, const char *wave, double amplitude)
{
  if (amplitude != 1)
    wave = dyno_graph_add (graph, "Mul", NULL, wave, dyno_graph_add_float (graph, (float)amplitude), NULL);
  return dyno_layers_cast (graph, wave, dyno_graph_get_real_type (graph));
}

DynoRotation
dyno_rotary_add (
    const DynoRotary *self, DynoGraph *graph, const char *scope, const char *positions, gint64 heads_axis)
{
  const gint64 *sections = self->sections, last = -1;
  gint64 half = self->width / 2;
  g_autofree gint64 *axes = g_new (gint64, half);
  double amplitude = get_amplitude (self);
  DynoRotation rotation;
  const char *angles, *frequencies;

  dyno_graph_push_scope (graph, "%s", scope);

  /* The axis whose position rotates each pair. */
  for (gint64 i = 0; i < half; i++)
    if (self->axes == DYNO_ROTARY_AXES_PLANE)
      axes[i] = i >= half / 2;
    else if (self->axes == DYNO_ROTARY_AXES_JOINED)
      axes[i] = i < sections[0] ? 0 : i < sections[0] + sections[1] ? 1 : 2;
    else
      axes[i] = i < 3 * sections[i % 3] ? i % 3 : 0;
  angles =
      self->axes != DYNO_ROTARY_AXES_ONE
          ? dyno_graph_add (graph, "Gather", "axis=2", positions,
                            dyno_graph_add_ints (graph, (guint)half, axes), NULL)
          : dyno_graph_add (graph, "Unsqueeze", NULL, positions, dyno_graph_add_ints (graph, 1, &last), NULL);
  angles = dyno_layers_cast (graph, angles, DYNO_DATA_TYPE_FLOAT);
  if (is_long (self->scaling))
    {
      /* LongRoPE (Ding et al. 2024) has two sets of factors: a step beyond the original number of positions uses
       * those for long contexts. */
      JsonArray *near = dyno_config_get_array (self->scaling, "short_factor");
      JsonArray *far = dyno_config_get_array (self->scaling, "long_factor");
      const char *end = dyno_graph_add (graph, "ReduceMax", "axes=[0,1] keepdims=1", positions, NULL);
      const char *is_far = dyno_graph_add (graph, "Greater", NULL, end,
                                           dyno_graph_add_int (graph, self->n_original - 1), NULL);

      frequencies = dyno_graph_add (graph, "Where", NULL, is_far, add_frequencies (self, graph, far),
                                    add_frequencies (self, graph, near), NULL);
    }
  else
    frequencies = add_frequencies (self, graph, NULL);
  angles = dyno_graph_add (graph, "Mul", NULL, angles, frequencies, NULL);
  angles = dyno_graph_add (graph, "Concat", "axis=-1", angles, angles, NULL);
  angles =
      dyno_graph_add (graph, "Unsqueeze", NULL, angles, dyno_graph_add_ints (graph, 1, &heads_axis), NULL);
  rotation.cosine = finish_wave (graph, dyno_graph_add (graph, "Cos", NULL, angles, NULL), amplitude);
  rotation.sine = finish_wave (graph, dyno_graph_add (graph, "Sin", NULL, angles, NULL), amplitude);
  dyno_graph_pop_scope (graph);
  return rotation;
}

/* (a, b) · cos + (−b, a) · sin */
static const char *
turn_all (const DynoRotary *self, DynoGraph *graph, const DynoRotation *rotation, const char *value)
{
  const gint64 sizes[] = { self->width / 2, self->width / 2 };
  const char *parts[2];
  const char *turned;

  if (self->is_interleaved)
    {
      /* Pairs of neighbours as those of halves. Queries and keys change alike, so their products stay the same. */
      const gint64 pairs[] = { 0, 0, 0, self->width / 2, 2 };
      const gint64 flat[] = { 0, 0, 0, self->width };

      value = dyno_layers_reshape (graph, value, 5, pairs);
      value = dyno_graph_add (graph, "Transpose", "perm=[0,1,2,4,3]", value, NULL);
      value = dyno_layers_reshape (graph, value, 4, flat);
    }
  dyno_graph_add_split (graph, value, -1, 2, sizes, parts);
  turned = dyno_graph_add (graph, "Concat", "axis=-1", dyno_graph_add (graph, "Neg", NULL, parts[1], NULL),
                           parts[0], NULL);
  turned = dyno_graph_add (graph, "Mul", NULL, turned, rotation->sine, NULL);
  value = dyno_graph_add (graph, "Mul", NULL, value, rotation->cosine, NULL);
  return dyno_graph_add (graph, "Add", NULL, value, turned, NULL);
}

const char *
dyno_rotary_turn (const DynoRotary *self, DynoGraph *graph, const DynoRotation *rotation, const char *value)
{
  const DynoShape *shape = dyno_graph_get_shape (graph, value);
  const gint64 sizes[] = { self->width, shape->dims[3] - self->width };
  const char *parts[2];

  if (sizes[1] <= 0)
    return turn_all (self, graph, rotation, value);
  dyno_graph_add_split (graph, value, -1, 2, sizes, parts);
  return dyno_graph_add (graph, "Concat", "axis=-1", turn_all (self, graph, rotation, parts[0]), parts[1],
                         NULL);
}

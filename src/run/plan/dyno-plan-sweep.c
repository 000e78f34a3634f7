/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "dyno-binding.h"
#include "dyno-case.h"
#include "dyno-engine-options.h"
#include "dyno-error.h"
#include "dyno-file.h"
#include "dyno-inputs.h"
#include "dyno-json.h"
#include "dyno-model-reader.h"
#include "dyno-pinning.h"
#include "dyno-plan.h"

/* More cases than this are taken for a typing mistake. */
#define MAX_CASES 100000

/* Sounds of a day */
#define MAX_CHUNK 86400

/* A backend and its device, with the alternatives of options that apply to it. */
typedef struct
{
  DynoBackend *backend;
  char *device;
  GPtrArray *options;
} Engine;

/* The axes of a plan, checked and as numbers. */
typedef struct
{
  DynoPlan *plan;
  GPtrArray *engines;
  GArray *sizes[DYNO_CASE_N_SIZES];
  GArray *loads;
} Sweep;

/* A position in the product; @work is that of an item with @work_length tokens. */
typedef struct
{
  DynoModel *model;
  const char *spec;
  double work;
  guint work_length;
  const Engine *engine;
  const char *precision;
  const char *options;
  const char *pinning;
  guint sizes[DYNO_CASE_N_SIZES];
  const char *load;
  const char *dimensions; /* those of the plan and of its inputs */
  guint bound_batch;      /* the batch size that they set; 0 if it is free */
} Place;

static void
engine_free (gpointer data)
{
  Engine *engine = data;

  g_free (engine->device);
  g_clear_pointer (&engine->options, g_ptr_array_unref);
  g_free (engine);
}

static void
sweep_free (Sweep *self)
{
  g_clear_object (&self->plan);
  g_clear_pointer (&self->engines, g_ptr_array_unref);
  for (guint i = 0; i < DYNO_CASE_N_SIZES; i++)
    g_clear_pointer (&self->sizes[i], g_array_unref);
  g_clear_pointer (&self->loads, g_array_unref);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Sweep, sweep_free)

/* Returns the number of entries of the axis, 0 as an error. */
static gsize
count_entries (Sweep *self, const char *axis, GError **error)
{
  g_auto (GStrv) list = NULL;

  g_object_get (self->plan, axis, &list, NULL);
  if (list != NULL && *list != NULL)
    return g_strv_length (list);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT, _ ("The plan lists nothing under “%s”."),
               axis);
  return 0;
}

static GArray *
parse_counts (const char *const *texts, const char *axis, guint64 minimum, guint64 maximum, GError **error)
{
  g_autoptr (GArray) counts = g_array_new (FALSE, FALSE, sizeof (guint));

  for (const char *const *text = texts; *text != NULL; text++)
    {
      guint64 number = 0;
      guint count;

      if (!g_ascii_string_to_unsigned (*text, 10, minimum, maximum, &number, NULL))
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                       _ ("“%s” in “%s” is not a whole number from %" PRIu64 " to %" PRIu64 "."), *text, axis,
                       minimum, maximum);
          return NULL;
        }
      count = (guint)number;
      g_array_append_val (counts, count);
    }
  return g_steal_pointer (&counts);
}

static gboolean
parse_sizes (Sweep *self, GError **error)
{
  for (guint i = 0; i < DYNO_CASE_N_SIZES; i++)
    {
      const DynoCaseSize *size = &dyno_case_list_sizes ()[i];
      g_auto (GStrv) list = NULL;

      g_object_get (self->plan, size->axis, &list, NULL);
      self->sizes[i] = parse_counts ((const char *const *)list, size->axis, size->least, size->most, error);
      if (self->sizes[i] == NULL)
        return FALSE;
    }
  return TRUE;
}

static gboolean
parse_loads (Sweep *self, GError **error)
{
  self->loads = g_array_new (FALSE, FALSE, sizeof (DynoLoad));
  for (const char *const *text = dyno_plan_get_loads (self->plan); *text != NULL; text++)
    {
      g_autoptr (GArray) loads = dyno_load_parse_list (*text, error);

      if (loads == NULL)
        return FALSE;
      g_array_append_vals (self->loads, loads->data, loads->len);
    }
  return TRUE;
}

static gboolean
check_size (Sweep *self, GError **error)
{
  static const char *const axes[] = { "models", "backends", "precisions", "pinnings", "options", "chunks" };
  guint64 n = self->loads->len;

  for (guint i = 0; i < G_N_ELEMENTS (axes) && n <= MAX_CASES; i++)
    n *= count_entries (self, axes[i], NULL);
  for (guint i = 0; i < DYNO_CASE_N_SIZES && n <= MAX_CASES; i++)
    n *= self->sizes[i]->len;
  if (n <= MAX_CASES)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("The plan has more than %d cases; take fewer sizes."), MAX_CASES);
  return FALSE;
}

/* A policy that this machine cannot follow is skipped later, with the reason; a misspelt one would never be
 * reported. */
static gboolean
check_pinnings (Sweep *self, GError **error)
{
  for (const char *const *pinning = dyno_plan_get_pinnings (self->plan); *pinning != NULL; pinning++)
    {
      g_autoptr (GError) problem = NULL;

      if (!dyno_pinning_check (*pinning, &problem) &&
          g_error_matches (problem, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT))
        {
          g_propagate_error (error, g_steal_pointer (&problem));
          return FALSE;
        }
    }
  return TRUE;
}

/* Adds an alternative to every backend that knows all of its options; if none does, it is a mistake. */
static gboolean
add_options (Sweep *self, const char *text, GError **error)
{
  g_autoptr (GHashTable) options = dyno_engine_options_parse (text, error);
  gboolean is_known = FALSE;

  if (options == NULL)
    return FALSE;
  for (guint i = 0; i < self->engines->len; i++)
    {
      Engine *engine = self->engines->pdata[i];

      if (!dyno_engine_options_are_known (options, engine->backend))
        continue;
      if (!dyno_engine_options_check (options, engine->backend, error))
        return FALSE;
      g_ptr_array_add (engine->options, dyno_engine_options_to_string (options));
      is_known = TRUE;
    }
  return is_known || dyno_engine_options_check (options, ((Engine *)self->engines->pdata[0])->backend, error);
}

static gboolean
is_general (gpointer name, gpointer value, gpointer user_data)
{
  return strchr (name, '.') == NULL;
}

/* Adds the options of stages alone. */
static gboolean
add_stage_options (Engine *engine, const char *text, GError **error)
{
  g_autoptr (GHashTable) options = dyno_engine_options_parse (text, error);
  g_autofree char *own = NULL;

  if (options == NULL)
    return FALSE;
  g_hash_table_foreach_remove (options, is_general, NULL);
  own = dyno_engine_options_to_string (options);
  if (*own == '\0' || !dyno_engine_options_are_known (options, engine->backend) ||
      g_ptr_array_find_with_equal_func (engine->options, own, g_str_equal, NULL))
    return TRUE;
  if (!dyno_engine_options_check (options, engine->backend, error))
    return FALSE;
  g_ptr_array_add (engine->options, g_steal_pointer (&own));
  return TRUE;
}

static gboolean
add_engines (Sweep *self, GError **error)
{
  for (const char *const *spec = dyno_plan_get_backends (self->plan); *spec != NULL; spec++)
    {
      Engine *engine = g_new0 (Engine, 1);

      engine->options = g_ptr_array_new_with_free_func (g_free);
      g_ptr_array_add (self->engines, engine);
      engine->backend = dyno_backend_lookup_spec (*spec, &engine->device, error);
      if (engine->backend == NULL)
        return FALSE;
    }
  for (const char *const *text = dyno_plan_get_options (self->plan); *text != NULL; text++)
    if (!add_options (self, *text, error))
      return FALSE;
  /* A backend that knows none of the alternatives runs as usual, but for the options of stages. */
  for (guint i = 0; i < self->engines->len; i++)
    {
      Engine *engine = self->engines->pdata[i];
      gboolean is_ignorant = engine->options->len == 0;

      for (const char *const *text = dyno_plan_get_options (self->plan); is_ignorant && *text != NULL; text++)
        if (!add_stage_options (engine, *text, error))
          return FALSE;
      if (engine->options->len == 0)
        g_ptr_array_add (engine->options, g_strdup (""));
    }
  return TRUE;
}

static gboolean
check_not_empty (Sweep *self, GError **error)
{
  static const char *const axes[] = { "models",  "backends", "precisions", "pinnings",
                                      "options", "loads",    "chunks" };

  for (guint i = 0; i < G_N_ELEMENTS (axes); i++)
    if (count_entries (self, axes[i], error) == 0)
      return FALSE;
  for (guint i = 0; i < DYNO_CASE_N_SIZES; i++)
    if (count_entries (self, dyno_case_list_sizes ()[i].axis, error) == 0)
      return FALSE;
  return TRUE;
}

static gboolean
check_chunks (Sweep *self, GError **error)
{
  gboolean is_given = strstr (dyno_plan_get_dimensions (self->plan), DYNO_BINDING_SECONDS "=") != NULL;

  for (const char *const *chunk = dyno_plan_get_chunks (self->plan); *chunk != NULL; chunk++)
    {
      char *end;
      double seconds = g_ascii_strtod (*chunk, &end);

      if (**chunk == '\0' || *end != '\0' || !(seconds >= 0) || seconds > MAX_CHUNK)
        g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                     _ ("“%s” in “%s” is not a number of seconds from 0 to %d."), *chunk, "chunks",
                     MAX_CHUNK);
      else if (seconds > 0 && is_given)
        g_set_error_literal (
            error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
            _ ("Chunks say how long sounds last, and so do the dimensions, with “seconds”. Leave "
               "one of them out."));
      else
        continue;
      return FALSE;
    }
  return TRUE;
}

static gboolean (*const steps[]) (Sweep *self, GError **error) = {
  check_not_empty, parse_sizes, parse_loads, check_size, check_pinnings, check_chunks, add_engines,
};

static DynoCase *
create_case (Sweep *self, const Place *place)
{
  DynoPlan *plan = self->plan;
  double work = place->work * MAX (place->sizes[DYNO_CASE_SIZE_SEQUENCE], 1) / MAX (place->work_length, 1);
  DynoCase *kase = g_object_new (
      DYNO_TYPE_CASE, "model", place->spec, "backend", dyno_backend_get_id (place->engine->backend), "device",
      place->engine->device, "precision", place->precision, "options", place->options, "pinning",
      place->pinning, "load", place->load, "dimensions", place->dimensions, "inputs",
      dyno_plan_get_inputs (plan), "seed", dyno_plan_get_seed (plan), "bytes-per-step",
      dyno_plan_get_bytes_per_step (plan), "method", dyno_plan_get_method (plan), NULL);

  for (guint i = 0; i < DYNO_CASE_N_SIZES; i++)
    g_object_set (kase, dyno_case_list_sizes ()[i].property, place->sizes[i], NULL);

  /* The size of a file is its own; other models are written in the precision, whose name has the bits of a weight. */
  const char *precision = place->precision;
  guint64 bits = g_ascii_strtoull (precision + strcspn (precision, "0123456789"), NULL, 10);
  gboolean is_file = g_str_equal (dyno_model_get_weights_origin (place->model), "file");
  double share = is_file || bits == 0 || bits > 32 ? 1 : (double)bits / 32;

  dyno_case_estimate (kase, (gint64)(share * (double)dyno_model_get_weight_bytes (place->model)), work);
  return kase;
}

/* A model whose input is not text begins with one token. */
static gboolean
has_prompt (DynoModel *model, guint tokens)
{
  return tokens > 0 ? dyno_model_has_prompt (model) : dyno_model_has_sequence (model);
}

/* The usual length leaves room for the largest number of generated tokens in the sweep if the model can take
 * that, so that cases that differ only in that number have the same prompt. */
static guint
get_length (const Sweep *self, DynoModel *model, guint tokens, guint i)
{
  guint length = g_array_index (self->sizes[DYNO_CASE_SIZE_SEQUENCE], guint, i);
  GArray *counts = self->sizes[DYNO_CASE_SIZE_GENERATE];
  guint usual = dyno_model_get_usual_sequence_length (model);
  guint most = dyno_model_get_max_sequence_length (model);
  guint generated = 1;

  if (!has_prompt (model, tokens))
    return tokens > 0 ? 1 : 0;
  if (length > 0)
    return length;
  for (guint g = 0; dyno_model_has_cache (model) && g < counts->len; g++)
    if (g_array_index (counts, guint, g) < most)
      generated = MAX (generated, g_array_index (counts, guint, g));
  return most > generated ? MIN (usual, most - generated + 1) : usual;
}

/* A model takes part in each axis only where it has one. */
static void
add_sizes (Sweep *self, Place *place, GPtrArray *cases)
{
  GArray *batch_sizes = self->sizes[DYNO_CASE_SIZE_BATCH];
  GArray *generated = self->sizes[DYNO_CASE_SIZE_GENERATE];
  gboolean has_batch = place->bound_batch == 0 && dyno_model_has_batch (place->model);
  gboolean has_cache = dyno_model_has_cache (place->model);

  for (guint b = 0; b < (has_batch ? batch_sizes->len : 1); b++)
    for (guint g = 0; g < (has_cache ? generated->len : 1); g++)
      {
        guint tokens = has_cache ? g_array_index (generated, guint, g) : 0;
        guint n_lengths = has_prompt (place->model, tokens) ? self->sizes[DYNO_CASE_SIZE_SEQUENCE]->len : 1;

        place->sizes[DYNO_CASE_SIZE_BATCH] =
            has_batch ? g_array_index (batch_sizes, guint, b) : MAX (place->bound_batch, 1);
        place->sizes[DYNO_CASE_SIZE_GENERATE] = tokens;
        for (guint s = 0; s < n_lengths; s++)
          {
            place->sizes[DYNO_CASE_SIZE_SEQUENCE] = get_length (self, place->model, tokens, s);
            g_ptr_array_add (cases, create_case (self, place));
          }
      }
}

/* A server places its threads itself. */
static void
add_placements (Sweep *self, Place *place, GPtrArray *cases)
{
  gboolean is_served = dyno_model_is_served (place->model);
  GArray *threads = self->sizes[DYNO_CASE_SIZE_THREADS];
  guint n_threads = is_served ? 1 : threads->len;

  for (const char *const *pinning = dyno_plan_get_pinnings (self->plan); *pinning != NULL; pinning++)
    for (guint t = 0; t < n_threads; t++)
      for (guint i = 0; i < self->loads->len; i++)
        {
          g_autofree char *load = dyno_load_to_string (&g_array_index (self->loads, DynoLoad, i));

          place->pinning = *pinning;
          place->sizes[DYNO_CASE_SIZE_THREADS] = is_served ? 0 : g_array_index (threads, guint, t);
          place->load = load;
          add_sizes (self, place, cases);
        }
}

static gboolean
may_open (DynoModel *model, const Engine *engine, const char *precision)
{
  DynoModelFormat format = dyno_backend_get_format (engine->backend);

  return dyno_model_may_have_format (model, format) &&
         dyno_model_may_have_precision (model, format, precision);
}

/* Served models belong to servers, files to engines that open them, and the precisions of a format to its engines, if
 * the plan has any of them; else the case reports the mismatch. */
static gboolean
belongs (Sweep *self, DynoModel *model, const Engine *engine, const char *precision)
{
  if (may_open (model, engine, precision))
    return TRUE;
  for (guint e = 0; e < self->engines->len; e++)
    if (may_open (model, self->engines->pdata[e], precision))
      return FALSE;
  return TRUE;
}

/* Several requested precisions may be one and the same for the model: that of its file. */
static GPtrArray *
list_precisions (Sweep *self, DynoModel *model)
{
  const char *const *asked = dyno_plan_get_precisions (self->plan);
  GPtrArray *precisions = g_ptr_array_new ();

  for (; *asked != NULL; asked++)
    {
      const char *precision = dyno_model_get_case_precision (model, *asked);

      if (!g_ptr_array_find_with_equal_func (precisions, precision, g_str_equal, NULL))
        g_ptr_array_add (precisions, (gpointer)precision);
    }
  return precisions;
}

static void
add_cases (
    Sweep *self, DynoModel *model, const char *spec, const char *dimensions, guint n_images, GPtrArray *cases)
{
  GArray *generated = self->sizes[DYNO_CASE_SIZE_GENERATE];
  g_autoptr (GPtrArray) precisions = list_precisions (self, model);
  guint tokens = dyno_model_has_cache (model) ? g_array_index (generated, guint, 0) : 0;
  guint length = get_length (self, model, tokens, 0);
  double work = dyno_case_estimate_work (model, length);
  guint bound_batch = dyno_model_get_bound_batch (model, dimensions);

  for (guint e = 0; e < self->engines->len; e++)
    for (guint p = 0; p < precisions->len; p++)
      {
        const Engine *engine = self->engines->pdata[e];

        for (guint o = 0; belongs (self, model, engine, precisions->pdata[p]) && o < engine->options->len;
             o++)
          {
            Place place = {
              model,
              spec,
              work,
              length,
              engine,
              precisions->pdata[p],
              engine->options->pdata[o],
              .dimensions = dimensions,
              .bound_batch = bound_batch,
              .sizes[DYNO_CASE_SIZE_IMAGES] = n_images,
            };

            add_placements (self, &place, cases);
          }
      }
}

/* @cases: the list of all, before any are picked. */
static gboolean
check_first (DynoPlan *self, GPtrArray *cases, GError **error)
{
  const char *const *wishes = dyno_plan_get_first (self);
  g_autoptr (DynoPlan) plan = dyno_plan_new ();

  for (guint rank = 0; wishes[rank] != NULL; rank++)
    {
      const char *const one[] = { wishes[rank], NULL };
      guint n = 0;

      g_object_set (plan, "first", one, NULL);
      for (guint i = 0; i < cases->len; i++)
        n += dyno_plan_rank (plan, cases->pdata[i], i) == 0;
      if (n > 0)
        continue;
      g_set_error (
          error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
          _ ("“%s” shall be measured first, but the plan has no such case: name the number of a case, from "
             "1 to %u, or a part of its name."),
          wishes[rank], cases->len);
      return FALSE;
    }
  return TRUE;
}

/* Only the cases that the plan names, if it names any. */
static GPtrArray *
pick_cases (DynoPlan *self, GPtrArray *cases, GError **error)
{
  const char *const *numbers = dyno_plan_get_cases (self);
  g_autoptr (GPtrArray) picked = NULL;

  if (*numbers == NULL)
    return g_ptr_array_ref (cases);
  picked = g_ptr_array_new_with_free_func (g_object_unref);
  for (; *numbers != NULL; numbers++)
    {
      guint64 number = 0;

      if (!g_ascii_string_to_unsigned (*numbers, 10, 1, cases->len, &number, NULL))
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                       _ ("The plan has no case “%s”: cases are numbered from 1 to %u."), *numbers,
                       cases->len);
          return NULL;
        }
      g_ptr_array_add (picked, g_object_ref (cases->pdata[number - 1]));
    }
  return g_steal_pointer (&picked);
}

/* A placeholder for all cases of a model that cannot be read; running it reports the reason. */
static DynoCase *
create_unread (Sweep *self, const char *spec)
{
  const Engine *engine = self->engines->pdata[0];

  return g_object_new (DYNO_TYPE_CASE, "model", spec, "backend", dyno_backend_get_id (engine->backend),
                       "device", engine->device, "precision", dyno_plan_get_precisions (self->plan)[0],
                       "batch-size", g_array_index (self->sizes[DYNO_CASE_SIZE_BATCH], guint, 0),
                       "sequence-length", g_array_index (self->sizes[DYNO_CASE_SIZE_SEQUENCE], guint, 0),
                       "seed", dyno_plan_get_seed (self->plan), "method", dyno_plan_get_method (self->plan),
                       NULL);
}

/* A model without a batch, a number of images or sounds ignores that axis; if no model has one, the request is an error. */
static gboolean
check_any (Sweep *self, gboolean has_batch, gboolean takes_images, gboolean hears, GError **error)
{
  const char *const *chunks = dyno_plan_get_chunks (self->plan);
  GArray *batch_sizes = self->sizes[DYNO_CASE_SIZE_BATCH];
  GArray *images = self->sizes[DYNO_CASE_SIZE_IMAGES];
  guint first = g_array_index (batch_sizes, guint, 0);

  if (!takes_images && (images->len > 1 || g_array_index (images, guint, 0) != 1))
    {
      g_set_error_literal (
          error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
          _ ("No model of the plan takes any number of images in a prompt, so “images” has no effect. Leave "
             "it out, or choose such a model: LLaVA, Idefics3, SmolVLM, PaliGemma or Gemma 3 with images."));
      return FALSE;
    }
  if (!hears && (chunks[1] != NULL || g_ascii_strtod (chunks[0], NULL) > 0))
    {
      g_set_error_literal (
          error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
          _ ("No model of the plan hears sounds whose length is known, so “chunks” has no effect. Leave it "
             "out, or choose a speech model, such as Whisper or Wav2Vec2."));
      return FALSE;
    }
  if (has_batch || (first == 1 && batch_sizes->len == 1))
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("The model has no free dimension for a batch, so the batch size %u has no effect. Choose "
                  "batch size 1, or export the model with a free dimension named “batch”."),
               first > 1 ? first : g_array_index (batch_sizes, guint, 1));
  return FALSE;
}

/* Who knows the traffic of a model states it in a file beside it. A step is of one item, of the usual length and without generated
 * tokens, unless the file says otherwise. */
static gboolean
state_traffic (
    DynoPlan *plan, DynoModel *model, const char *spec, GPtrArray *cases, guint first, GError **error)
{
  const DynoCaseSize *sizes = dyno_case_list_sizes ();
  g_autofree char *path = g_strconcat (spec, ".dyno.json", NULL);
  g_autoptr (JsonObject) object = NULL;
  g_autoptr (GError) local_error = NULL;
  g_autoptr (GBytes) text = NULL;
  JsonArray *rows;
  guint n_rows, usual = dyno_model_has_sequence (model) ? dyno_model_get_usual_sequence_length (model) : 0;

  if (dyno_plan_get_bytes_per_step (plan) > 0 || !g_file_test (path, G_FILE_TEST_IS_REGULAR))
    return TRUE;
  text = dyno_file_read (path, DYNO_FILE_MAX_TEXT, &local_error);
  if (text == NULL)
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA, _ ("“%s” cannot be read: %s."), path,
                 local_error->message);
  else
    object =
        dyno_json_parse_object (g_bytes_get_data (text, NULL), (gssize)g_bytes_get_size (text), path, error);
  if (object == NULL)
    return FALSE;
  rows = dyno_json_member_get_array (object, "bytes");
  n_rows = rows != NULL ? json_array_get_length (rows) : 1;
  for (guint r = 0; r < MAX (n_rows, 1); r++)
    {
      JsonObject *row = rows == NULL ? object : r < n_rows ? dyno_json_member_get_element (rows, r) : NULL;
      gint64 bytes = dyno_json_member_get_int64 (row, "bytes", 0);
      gboolean is_good = bytes > 0;

      for (guint i = 0; is_good && i < DYNO_CASE_N_SIZES; i++)
        is_good = !sizes[i].is_work || !json_object_has_member (row, sizes[i].property) ||
                  dyno_json_member_get_int64 (row, sizes[i].property, -1) >= 0;
      if (!is_good)
        {
          g_set_error (
              error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA,
              _ ("In “%s”, “bytes” must be a number above 0, or a list of objects with such a number "
                 "and the sizes of their step."),
              path);
          return FALSE;
        }
      for (guint i = first; i < cases->len; i++)
        {
          gboolean is_meant = TRUE;

          for (guint k = 0; k < DYNO_CASE_N_SIZES; k++)
            is_meant &= !sizes[k].is_work || sizes[k].get (cases->pdata[i]) ==
                                                 dyno_json_member_get_int64 (
                                                     row, sizes[k].property,
                                                     k == DYNO_CASE_SIZE_SEQUENCE ? usual : sizes[k].usual);
          if (is_meant)
            g_object_set (cases->pdata[i], "bytes-per-step", (guint64)bytes, NULL);
        }
    }
  return TRUE;
}

/* The seconds of a chunk are those of the plan's dimensions, which distinguish cases. */
static gboolean
add_lengths (
    Sweep *self, DynoModel *model, const char *spec, guint n_images, GPtrArray *cases, GError **error)
{
  g_autofree char *dimensions = dyno_model_dup_dimensions (model, dyno_plan_get_dimensions (self->plan),
                                                           dyno_plan_get_inputs (self->plan), error);
  const char *const *chunks = dyno_plan_get_chunks (self->plan);
  gboolean hears = dyno_sound_is_heard (model);

  if (dimensions == NULL)
    return FALSE;
  /* A plan without batch sizes means one item per step. */
  guint bound = dyno_model_get_bound_batch (model, dimensions);
  GArray *batch_sizes = self->sizes[DYNO_CASE_SIZE_BATCH];

  for (guint b = 0; bound > 0 && b < batch_sizes->len; b++)
    {
      guint size = g_array_index (batch_sizes, guint, b);
      if (size == bound || (size == 1 && batch_sizes->len == 1))
        continue;
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
                   _ ("“%s” cannot be measured with the batch size %u, because a dimension binds its batch "
                      "to %u. Leave out the batch sizes, or that dimension (%s)."),
                   dyno_model_get_name (model), size, bound, dimensions);
      return FALSE;
    }
  for (guint i = 0; chunks[i] != NULL && (hears || i == 0); i++)
    {
      double seconds = hears ? g_ascii_strtod (chunks[i], NULL) : 0;
      char number[G_ASCII_DTOSTR_BUF_SIZE];
      g_autofree char *chunk =
          g_strdup_printf ("%s%s" DYNO_BINDING_SECONDS "=%s", dimensions, *dimensions != '\0' ? "," : "",
                           g_ascii_formatd (number, sizeof number, "%.15g", seconds));
      guint first = cases->len;

      add_cases (self, model, spec, seconds > 0 ? chunk : dimensions, n_images, cases);
      if (!state_traffic (self->plan, model, spec, cases, first, error))
        return FALSE;
    }
  return TRUE;
}

/* If no model can be read, the first reason is the error. */
static gboolean
add_models (Sweep *self, gboolean is_for_run, GPtrArray *cases, GError **error)
{
  g_autoptr (GError) first = NULL;
  gboolean is_any_read = FALSE, has_batch = FALSE, takes_images = FALSE, hears = FALSE;
  GArray *images = self->sizes[DYNO_CASE_SIZE_IMAGES];

  for (const char *const *spec = dyno_plan_get_models (self->plan); *spec != NULL; spec++)
    {
      g_autoptr (GError) unread = NULL;
      g_autoptr (DynoModel) model = dyno_model_reader_load (*spec, NULL, &unread);

      /* If cases are chosen by number, each number must mean the same case everywhere. */
      if (model == NULL && (!is_for_run || *dyno_plan_get_cases (self->plan) != NULL ||
                            g_error_matches (unread, DYNO_ERROR, DYNO_ERROR_NOT_FOUND)))
        {
          g_propagate_error (error, g_steal_pointer (&unread));
          return FALSE;
        }
      for (guint i = 0; model != NULL && i < (dyno_model_takes_images (model) ? images->len : 1); i++)
        {
          guint n_images = dyno_model_takes_images (model) ? g_array_index (images, guint, i) : 1;
          g_autoptr (DynoModel) seeing = dyno_model_with_images (model, n_images, error);

          if (seeing == NULL || !add_lengths (self, seeing, *spec, n_images, cases, error))
            return FALSE;
        }
      hears = hears || model == NULL || dyno_sound_is_heard (model);
      takes_images = takes_images || model == NULL || dyno_model_takes_images (model);
      is_any_read = is_any_read || model != NULL;
      has_batch = has_batch || model == NULL || dyno_model_is_served (model) || dyno_model_has_batch (model);
      if (model == NULL)
        g_ptr_array_add (cases, create_unread (self, *spec));
      if (first == NULL)
        first = g_steal_pointer (&unread);
    }
  if (!is_any_read)
    g_propagate_error (error, g_steal_pointer (&first));
  return is_any_read && check_any (self, has_batch, takes_images, hears, error);
}

static GPtrArray *
expand (DynoPlan *self, gboolean is_for_run, GError **error)
{
  g_autoptr (GPtrArray) cases = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (Sweep) sweep = g_new0 (Sweep, 1);

  sweep->plan = g_object_ref (self);
  sweep->engines = g_ptr_array_new_with_free_func (engine_free);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    if (!steps[i](sweep, error))
      return NULL;
  g_autoptr (GPtrArray) picked = NULL;

  if (!add_models (sweep, is_for_run, cases, error) || !check_first (self, cases, error))
    return NULL;
  picked = pick_cases (self, cases, error);
  /* A step of another size or model moves other bytes. */
  for (guint i = 1; picked != NULL && i < picked->len && dyno_plan_get_bytes_per_step (self) > 0; i++)
    {
      DynoCase *first = picked->pdata[0];
      DynoCase *kase = picked->pdata[i];

      if (g_str_equal (dyno_case_get_model (kase), dyno_case_get_model (first)) &&
          dyno_case_has_same_sizes (kase, first))
        continue;
      g_set_error_literal (
          error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
          _ ("--bytes-per-step states the traffic of one kind of step: name one model, one batch "
             "size, one sequence length and one number of tokens."));
      return NULL;
    }
  return g_steal_pointer (&picked);
}

GPtrArray *
dyno_plan_expand (DynoPlan *self, GError **error)
{
  g_return_val_if_fail (DYNO_IS_PLAN (self), NULL);

  return expand (self, FALSE, error);
}

GPtrArray *
dyno_plan_expand_for_run (DynoPlan *self, GError **error)
{
  g_return_val_if_fail (DYNO_IS_PLAN (self), NULL);

  return expand (self, TRUE, error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#include "dyno-backend.h"
#include "dyno-engine-name.h"
#include "dyno-error.h"
#include "dyno-file.h"
#include "dyno-json.h"
#include "dyno-model.h"
#include "dyno-plan.h"
#include "dyno-run-resources.h"

#define SUITES "/io/github/dynobench/Dyno/suites"

struct _DynoPlan
{
  GObject parent_instance;

  char *title;
  char *dimensions;
  char *inputs;
  char **lists[14];
  gboolean shuffle;
  gboolean turns;
  guint64 seed;
  guint64 bytes_per_step;
  DynoMethod *method;
};

enum
{
  PROP_0,
  PROP_MODELS,
  PROP_BACKENDS,
  PROP_PRECISIONS,
  PROP_BATCH_SIZES,
  PROP_SEQUENCE_LENGTHS,
  PROP_GENERATE_TOKENS,
  PROP_IMAGES,
  PROP_CHUNKS,
  PROP_THREADS,
  PROP_PINNINGS,
  PROP_OPTIONS,
  PROP_LOADS,
  PROP_CASES,
  PROP_FIRST,
  PROP_TITLE,
  PROP_DIMENSIONS,
  PROP_INPUTS,
  PROP_SHUFFLE,
  PROP_TURNS,
  PROP_SEED,
  PROP_BYTES_PER_STEP,
  PROP_METHOD,
  N_PROPS
};

G_DEFINE_FINAL_TYPE (DynoPlan, dyno_plan, G_TYPE_OBJECT)

static GParamSpec *properties[N_PROPS];

/* The lists in the order of their properties. Earlier versions do not know the new ones, so a suite leaves them out where
 * they are as usual. */
static const struct
{
  const char *name;
  const char *usual; /* NULL for an empty list */
  gboolean is_new;
} list_rows[] = {
  { "models", NULL, FALSE },
  { "backends", "cpu", FALSE },
  { "precisions", "fp32", FALSE },
  { "batch-sizes", "1", FALSE },
  { "sequence-lengths", "0", FALSE },
  { "generate-tokens", "0", FALSE },
  { "images", "1", TRUE },
  { "chunks", "0", TRUE },
  { "threads", "0", FALSE },
  { "pinnings", "", FALSE },
  { "options", "", FALSE },
  { "loads", "single", FALSE },
  { "cases", NULL, FALSE },
  { "first", NULL, TRUE },
};

static void
dyno_plan_finalize (GObject *object)
{
  DynoPlan *self = DYNO_PLAN (object);

  for (guint i = 0; i < G_N_ELEMENTS (self->lists); i++)
    g_strfreev (self->lists[i]);
  g_free (self->title);
  g_free (self->dimensions);
  g_free (self->inputs);
  g_clear_object (&self->method);

  G_OBJECT_CLASS (dyno_plan_parent_class)->finalize (object);
}

static void
dyno_plan_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  DynoPlan *self = DYNO_PLAN (object);

  switch (prop_id)
    {
    case PROP_TITLE:
      g_value_set_string (value, self->title);
      break;
    case PROP_DIMENSIONS:
      g_value_set_string (value, self->dimensions);
      break;
    case PROP_INPUTS:
      g_value_set_string (value, self->inputs);
      break;
    case PROP_SHUFFLE:
      g_value_set_boolean (value, self->shuffle);
      break;
    case PROP_TURNS:
      g_value_set_boolean (value, self->turns);
      break;
    case PROP_SEED:
      g_value_set_uint64 (value, self->seed);
      break;
    case PROP_BYTES_PER_STEP:
      g_value_set_uint64 (value, self->bytes_per_step);
      break;
    case PROP_METHOD:
      g_value_set_object (value, self->method);
      break;
    default:
      if (prop_id >= PROP_MODELS && prop_id <= PROP_FIRST)
        g_value_set_boxed (value, self->lists[prop_id - PROP_MODELS]);
      else
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
set_text (char **field, const GValue *value)
{
  g_free (*field);
  *field = g_value_dup_string (value);
  if (*field == NULL)
    *field = g_strdup ("");
}

/* A plan holds names only, so that a run shows which ones it used. */
static char **
resolve_backends (char **names)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (; *names != NULL; names++)
    {
      g_autoptr (GListModel) backends = NULL;

      if (!g_str_equal (*names, DYNO_PLAN_EVERY_BACKEND))
        {
          g_strv_builder_add (builder, *names);
          continue;
        }
      backends = dyno_backend_list ();
      for (guint i = 0; i < g_list_model_get_n_items (backends); i++)
        {
          g_autoptr (DynoBackend) backend = g_list_model_get_item (backends, i);

          g_strv_builder_add (builder, dyno_backend_get_id (backend));
        }
    }
  return g_strv_builder_end (builder);
}

static void
set_list (DynoPlan *self, guint prop_id, const GValue *value)
{
  char **list = g_value_get_boxed (value);
  char ***field = &self->lists[prop_id - PROP_MODELS];

  g_strfreev (*field);
  if (list == NULL)
    *field = g_new0 (char *, 1);
  else
    *field = prop_id == PROP_BACKENDS ? resolve_backends (list) : g_strdupv (list);
}

static void
dyno_plan_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  DynoPlan *self = DYNO_PLAN (object);

  switch (prop_id)
    {
    case PROP_TITLE:
      set_text (&self->title, value);
      break;
    case PROP_DIMENSIONS:
      set_text (&self->dimensions, value);
      break;
    case PROP_INPUTS:
      set_text (&self->inputs, value);
      break;
    case PROP_SHUFFLE:
      self->shuffle = g_value_get_boolean (value);
      break;
    case PROP_TURNS:
      self->turns = g_value_get_boolean (value);
      break;
    case PROP_SEED:
      self->seed = g_value_get_uint64 (value);
      break;
    case PROP_BYTES_PER_STEP:
      self->bytes_per_step = g_value_get_uint64 (value);
      break;
    case PROP_METHOD:
      if (g_value_get_object (value) != NULL)
        g_set_object (&self->method, g_value_get_object (value));
      break;
    default:
      if (prop_id >= PROP_MODELS && prop_id <= PROP_FIRST)
        set_list (self, prop_id, value);
      else
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
  g_object_notify_by_pspec (object, pspec);
}

static void
dyno_plan_class_init (DynoPlanClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GParamFlags flags =
      G_PARAM_READWRITE | G_PARAM_CONSTRUCT | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  GParamFlags list_flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->finalize = dyno_plan_finalize;
  object_class->get_property = dyno_plan_get_property;
  object_class->set_property = dyno_plan_set_property;

  for (guint id = PROP_MODELS; id <= PROP_FIRST; id++)
    properties[id] =
        g_param_spec_boxed (list_rows[id - PROP_MODELS].name, NULL, NULL, G_TYPE_STRV, list_flags);
  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, "", flags);
  properties[PROP_DIMENSIONS] = g_param_spec_string ("dimensions", NULL, NULL, "", flags);
  properties[PROP_INPUTS] = g_param_spec_string ("inputs", NULL, NULL, "", flags);
  properties[PROP_SHUFFLE] = g_param_spec_boolean ("shuffle", NULL, NULL, TRUE, flags);
  properties[PROP_TURNS] = g_param_spec_boolean ("turns", NULL, NULL, FALSE, flags);
  properties[PROP_SEED] = g_param_spec_uint64 ("seed", NULL, NULL, 0, G_MAXINT64, 1, flags);
  properties[PROP_BYTES_PER_STEP] =
      g_param_spec_uint64 ("bytes-per-step", NULL, NULL, 0, G_MAXINT64, 0, flags);
  properties[PROP_METHOD] = g_param_spec_object ("method", NULL, NULL, DYNO_TYPE_METHOD, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
dyno_plan_init (DynoPlan *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (list_rows); i++)
    self->lists[i] = g_strdupv ((char *[]){ (char *)list_rows[i].usual, NULL });
  self->method = dyno_method_new ();
}

DynoPlan *
dyno_plan_new (void)
{
  return g_object_new (DYNO_TYPE_PLAN, NULL);
}

static DynoPlan *
plan_from_text (const char *text, gssize length, const char *what, GError **error)
{
  g_autoptr (JsonObject) members = dyno_json_parse_object (text, length, what, error);
  g_autoptr (DynoPlan) self = dyno_plan_new ();

  if (members == NULL)
    return NULL;

  /* Plans had one number of tokens before they had several. */
  JsonNode *tokens = json_object_get_member (members, "generate-tokens");

  if (tokens != NULL && json_node_get_value_type (tokens) == G_TYPE_INT64)
    {
      JsonArray *list = json_array_new ();

      json_array_add_int_element (list, json_node_get_int (tokens));
      json_object_set_array_member (members, "generate-tokens", list);
    }

  if (!dyno_json_apply (G_OBJECT (self), members, what, error))
    return NULL;
  return g_steal_pointer (&self);
}

DynoPlan *
dyno_plan_new_from_json (const char *json, GError **error)
{
  g_return_val_if_fail (json != NULL, NULL);
  return plan_from_text (json, -1, _ ("the plan"), error);
}

DynoPlan *
dyno_plan_new_from_file (GFile *file, GError **error)
{
  g_autofree char *name = g_file_get_parse_name (file);
  g_autoptr (GError) local_error = NULL;
  g_autoptr (GBytes) text = dyno_file_load (file, DYNO_FILE_MAX_TEXT, NULL, &local_error);

  if (text != NULL)
    return plan_from_text (g_bytes_get_data (text, NULL), (gssize)g_bytes_get_size (text), name, error);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
               _ ("The suite “%s” cannot be read: %s. Check the path."), name, local_error->message);
  return NULL;
}

static void
ensure_suites (void)
{
  static gsize is_registered;

  dyno_resource_ensure (&is_registered, dyno_run_register_resource);
}

/* From the first one to try to the longest; unlisted suites come last. */
static const char *const suite_order[] = { "quick",   "text",         "vision",        "speech",   "llm",
                                           "popular", "all-families", "every-backend", "sustained" };

static guint
rank_suite (const char *name)
{
  guint rank = 0;

  while (rank < G_N_ELEMENTS (suite_order) && !g_str_equal (suite_order[rank], name))
    rank++;
  return rank;
}

static int
compare_suites (gconstpointer a, gconstpointer b)
{
  const char *first = *(const char *const *)a, *second = *(const char *const *)b;
  guint first_rank = rank_suite (first), second_rank = rank_suite (second);

  return first_rank != second_rank ? (first_rank > second_rank) - (first_rank < second_rank)
                                   : strcmp (first, second);
}

char **
dyno_plan_list_bundled (void)
{
  char **names;

  ensure_suites ();
  names = g_resources_enumerate_children (SUITES, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  g_return_val_if_fail (names != NULL, NULL);

  for (char **name = names; *name != NULL; name++)
    if (g_str_has_suffix (*name, ".json"))
      (*name)[strlen (*name) - strlen (".json")] = '\0';
  qsort (names, g_strv_length (names), sizeof *names, compare_suites);
  return names;
}

DynoPlan *
dyno_plan_new_bundled (const char *suite, GError **error)
{
  g_autofree char *path = g_strdup_printf (SUITES "/%s.json", suite);
  g_autoptr (GBytes) bytes = NULL;

  ensure_suites ();
  bytes = g_resources_lookup_data (path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL);
  if (bytes == NULL)
    {
      g_auto (GStrv) names = dyno_plan_list_bundled ();
      g_autofree char *known = g_strjoinv (", ", names);

      g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND, _ ("There is no suite “%s”. Known suites: %s."),
                   suite, known);
      return NULL;
    }
  return plan_from_text (g_bytes_get_data (bytes, NULL), (gssize)g_bytes_get_size (bytes), suite, error);
}

static const char *const *
get_list (DynoPlan *self, guint prop_id)
{
  g_return_val_if_fail (DYNO_IS_PLAN (self), NULL);
  return (const char *const *)self->lists[prop_id - PROP_MODELS];
}

char *
dyno_plan_to_json (DynoPlan *self)
{
  g_autoptr (JsonNode) node = NULL;

  g_return_val_if_fail (DYNO_IS_PLAN (self), NULL);

  node = dyno_json_from_object (G_OBJECT (self));
  for (guint i = 0; i < G_N_ELEMENTS (list_rows); i++)
    {
      const char *const usual[] = { list_rows[i].usual, NULL };

      if (list_rows[i].is_new && g_strv_equal (get_list (self, PROP_MODELS + i), usual))
        json_object_remove_member (json_node_get_object (node), list_rows[i].name);
    }
  if (self->bytes_per_step == 0)
    json_object_remove_member (json_node_get_object (node), "bytes-per-step");
  return dyno_json_text_write (node, TRUE);
}

gboolean
dyno_plan_save (DynoPlan *self, GFile *file, GError **error)
{
  g_autofree char *text = dyno_plan_to_json (self);
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));

  return dyno_output_file_save (file, bytes, NULL, error);
}

const char *
dyno_plan_get_title (DynoPlan *self)
{
  g_return_val_if_fail (DYNO_IS_PLAN (self), NULL);
  return self->title;
}

const char *const *
dyno_plan_get_models (DynoPlan *self)
{
  return get_list (self, PROP_MODELS);
}

const char *const *
dyno_plan_get_backends (DynoPlan *self)
{
  return get_list (self, PROP_BACKENDS);
}

const char *const *
dyno_plan_get_precisions (DynoPlan *self)
{
  return get_list (self, PROP_PRECISIONS);
}

const char *const *
dyno_plan_get_batch_sizes (DynoPlan *self)
{
  return get_list (self, PROP_BATCH_SIZES);
}

const char *const *
dyno_plan_get_sequence_lengths (DynoPlan *self)
{
  return get_list (self, PROP_SEQUENCE_LENGTHS);
}

const char *const *
dyno_plan_get_generate_tokens (DynoPlan *self)
{
  return get_list (self, PROP_GENERATE_TOKENS);
}

const char *const *
dyno_plan_get_images (DynoPlan *self)
{
  return get_list (self, PROP_IMAGES);
}

const char *const *
dyno_plan_get_chunks (DynoPlan *self)
{
  return get_list (self, PROP_CHUNKS);
}

const char *const *
dyno_plan_get_threads (DynoPlan *self)
{
  return get_list (self, PROP_THREADS);
}

const char *const *
dyno_plan_get_pinnings (DynoPlan *self)
{
  return get_list (self, PROP_PINNINGS);
}

const char *const *
dyno_plan_get_options (DynoPlan *self)
{
  return get_list (self, PROP_OPTIONS);
}

const char *const *
dyno_plan_get_loads (DynoPlan *self)
{
  return get_list (self, PROP_LOADS);
}

const char *const *
dyno_plan_get_cases (DynoPlan *self)
{
  return get_list (self, PROP_CASES);
}

const char *const *
dyno_plan_get_first (DynoPlan *self)
{
  return get_list (self, PROP_FIRST);
}

/* A number is that of the list of all cases; other words are part of the name of a case. */
static gboolean
matches (const char *wish, guint number, DynoCase *kase)
{
  guint64 wanted = 0;
  g_autofree char *label = NULL;
  g_autofree char *folded = NULL;
  g_autofree char *part = NULL;

  if (g_ascii_string_to_unsigned (wish, 10, 1, G_MAXUINT, &wanted, NULL))
    return wanted == number;
  label = dyno_case_dup_label (kase);
  folded = g_utf8_casefold (label, -1);
  part = g_utf8_casefold (wish, -1);
  return strstr (folded, part) != NULL;
}

guint
dyno_plan_rank (DynoPlan *self, DynoCase *kase, guint place)
{
  const char *const *numbers = dyno_plan_get_cases (self);
  const char *const *wishes = dyno_plan_get_first (self);
  guint number = place + 1, rank = 0;

  /* A plan of some cases knows them by their numbers in the list of all. */
  if (*numbers != NULL && place < g_strv_length ((char **)numbers))
    number = (guint)g_ascii_strtoull (numbers[place], NULL, 10);
  while (wishes[rank] != NULL && !matches (wishes[rank], number, kase))
    rank++;
  return rank;
}

const char *
dyno_plan_get_dimensions (DynoPlan *self)
{
  g_return_val_if_fail (DYNO_IS_PLAN (self), NULL);
  return self->dimensions;
}

const char *
dyno_plan_get_inputs (DynoPlan *self)
{
  g_return_val_if_fail (DYNO_IS_PLAN (self), NULL);
  return self->inputs;
}

guint64
dyno_plan_get_bytes_per_step (DynoPlan *self)
{
  g_return_val_if_fail (DYNO_IS_PLAN (self), 0);
  return self->bytes_per_step;
}

guint64
dyno_plan_get_seed (DynoPlan *self)
{
  g_return_val_if_fail (DYNO_IS_PLAN (self), 0);
  return self->seed;
}

gboolean
dyno_plan_get_shuffle (DynoPlan *self)
{
  g_return_val_if_fail (DYNO_IS_PLAN (self), FALSE);
  return self->shuffle;
}

gboolean
dyno_plan_get_turns (DynoPlan *self)
{
  g_return_val_if_fail (DYNO_IS_PLAN (self), FALSE);
  return self->turns;
}

DynoMethod *
dyno_plan_get_method (DynoPlan *self)
{
  g_return_val_if_fail (DYNO_IS_PLAN (self), NULL);
  return self->method;
}

/* Returns whether there is a case on that engine, or one that generates tokens with that model. Either may be NULL. */
static gboolean
has_case (GPtrArray *cases, const char *engine, const char *model)
{
  for (guint i = 0; i < cases->len; i++)
    if ((engine == NULL || g_str_equal (dyno_case_get_backend (cases->pdata[i]), engine)) &&
        (model == NULL || (g_str_equal (dyno_case_get_model (cases->pdata[i]), model) &&
                           dyno_case_get_generate_tokens (cases->pdata[i]) > 0)))
      return TRUE;
  return FALSE;
}

char *
dyno_plan_dup_note (DynoPlan *self, GPtrArray *cases)
{
  g_autoptr (GString) models = g_string_new (NULL);
  g_autoptr (GStrvBuilder) idle = g_strv_builder_new ();
  g_autoptr (GString) note = g_string_new (NULL);
  g_auto (GStrv) engines = NULL;
  const char *const *tokens;

  g_return_val_if_fail (DYNO_IS_PLAN (self), NULL);

  tokens = dyno_plan_get_generate_tokens (self);
  while (*tokens != NULL && g_str_equal (*tokens, "0"))
    tokens++;
  for (const char *const *spec = dyno_plan_get_models (self); *tokens != NULL && *spec != NULL; spec++)
    if (!has_case (cases, NULL, *spec))
      {
        g_autofree char *name = dyno_model_dup_title (*spec);

        g_string_append_printf (models, "%s“%s”", models->len > 0 ? ", " : "", name);
      }
  /* A plan of chosen cases leaves out engines by choice. */
  for (const char *const *spec = dyno_plan_get_backends (self);
       *dyno_plan_get_cases (self) == NULL && *spec != NULL; spec++)
    {
      DynoBackend *backend = dyno_backend_lookup_spec (*spec, NULL, NULL);

      if (backend != NULL && !has_case (cases, dyno_backend_get_id (backend), NULL))
        g_strv_builder_add (idle, *spec);
    }
  engines = g_strv_builder_end (idle);
  if (models->len > 0)
    g_string_append_printf (note, _ ("%s cannot generate tokens: plain steps are measured instead."),
                            models->str);
  if (*engines != NULL)
    {
      g_autofree char *names = dyno_engine_name_dup_list ((const char *const *)engines);

      g_string_append (note, note->len > 0 ? " " : "");
      g_string_append_printf (
          note,
          /* Translators: the names of engines */
          _ ("No model of the plan runs on these engines in the chosen precisions: %s. Choose one of them "
             "alone to see why."),
          names);
    }
  return note->len > 0 ? g_strdup (note->str) : NULL;
}

double
dyno_plan_estimate_seconds (GPtrArray *cases)
{
  double seconds = 0;

  for (guint i = 0; i < cases->len; i++)
    seconds += dyno_case_get_expected_seconds (cases->pdata[i]);
  return seconds;
}

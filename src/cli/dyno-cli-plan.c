/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "dyno-cli-private.h"
#include "dyno-engine-name.h"
#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-load.h"

/* The form of an option's value in the plan. */
typedef enum
{
  FORM_TEXT,
  FORM_NUMBER,
  FORM_DURATION,
  FORM_LIST,
  FORM_WORDS,
  FORM_DIMENSIONS,
  FORM_INPUTS,
  FORM_OPTIONS,
} Form;

typedef struct
{
  const char *option;
  char letter;
  const char *property;
  Form form;
  gboolean in_method;
  const char *description;
  const char *placeholder;
} PlanOption;

static const PlanOption plan_options[] = {
  { "model", 'm', "models", FORM_LIST, FALSE,
    "A bundled model, an ONNX file, a config.json, or server:MODEL; may be repeated", "MODEL" },
  { "precision", 'p', "precisions", FORM_LIST, FALSE, "Precisions, such as fp16 or int4-32 (fp32)",
    "PRECISIONS" },
  { "batch", 0, "batch-sizes", FORM_LIST, FALSE, "Batch sizes (1)", "1,2,4" },
  { "sequence", 0, "sequence-lengths", FORM_LIST, FALSE,
    "Sequence lengths; 0 is 128, or as many tokens as the model takes (0)", "64,128" },
  { "generate", 'g', "generate-tokens", FORM_LIST, FALSE,
    "How many tokens language models generate; 0 measures the prompt alone (0)", "32,128" },
  { "images", 0, "images", FORM_LIST, FALSE,
    "How many images prompts of vision-language models have; 0 measures their text alone (1)", "0,1,4" },
  { "chunk", 0, "chunks", FORM_LIST, FALSE,
    "Seconds of sound in a step of speech models; 0 is as much as the model usually hears (0)", "0.5,1,5" },
  { "dim", 0, "dimensions", FORM_DIMENSIONS, FALSE,
    "Size of a free dimension, or the seconds of audio; may be repeated", "NAME=SIZE" },
  { "input", 0, "inputs", FORM_INPUTS, FALSE,
    "Value of an input: a number, a list, a text, or @FILE (.npy, .pb or raw); @FOLDER for test vectors; may "
    "be "
    "repeated",
    "NAME=VALUE" },
  { "load", 0, "loads", FORM_WORDS, FALSE,
    "Load: single, offline, concurrent=K, multi=K, rate=auto or rate=R/s; several values are swept; may be "
    "repeated (single)",
    "LOAD" },
  { "cases", 0, "cases", FORM_LIST, FALSE, "Only these cases, by their numbers in the list of all", "1,3" },
  { "first", 0, "first", FORM_WORDS, FALSE,
    "Measure these cases before the others: a number in the list of all, or part of the name of cases; may "
    "be "
    "repeated, the most urgent first",
    "CASE" },
  { "bytes-per-step", 0, "bytes-per-step", FORM_NUMBER, FALSE,
    "Bytes that a step moves by your own estimate, in place of Dyno's model of traffic", "BYTES" },
  { "seed", 0, "seed", FORM_NUMBER, FALSE, "Seed for order, weights and inputs (1)", "N" },
  { "title", 0, "title", FORM_TEXT, FALSE, "Title of the run", "TITLE" },
  { "backend", 'b', "backends", FORM_LIST, FALSE,
    "Engine by its id, as listed by “dyno-cli hardware”, with a device or its default one; may be repeated "
    "(cpu)",
    "BACKEND[:DEVICE]" },
  { "option", 0, "options", FORM_OPTIONS, FALSE,
    "An engine option, as listed by “dyno-cli hardware --all”, or STAGE.NAME=VALUE for one stage of a model; "
    "several values are swept; may be repeated",
    "NAME=VALUE[,VALUE]" },
  { "option-set", 0, "options", FORM_WORDS, FALSE,
    "Engine options of one alternative, in place of --option; may be repeated", "NAME=VALUE[,NAME=VALUE]" },
  { "threads", 't', "threads", FORM_LIST, FALSE, "Thread counts; 0 is one per core (0)", "1,2" },
  { "pinning", 0, "pinnings", FORM_WORDS, FALSE,
    "Thread pinning: compact, scatter, one-per-core, performance-cores, numa:N or cpus:LIST; may be repeated",
    "POLICY" },
  { "invocations", 0, "invocations", FORM_NUMBER, TRUE,
    "Processes that measure each case and share its time (5)", "N" },
  { "warmup-steps", 0, "warmup-steps", FORM_NUMBER, TRUE, "Minimum number of warm-up steps", "N" },
  { "warmup-seconds", 0, "warmup-seconds", FORM_NUMBER, TRUE, "Minimum warm-up time", "S" },
  { "min-samples", 0, "min-samples", FORM_NUMBER, TRUE, "Minimum number of samples", "N" },
  { "min-seconds", 0, "min-seconds", FORM_NUMBER, TRUE, "Minimum measurement time", "S" },
  { "max-seconds", 0, "max-seconds", FORM_NUMBER, TRUE, "Maximum measurement time", "S" },
  { "interval-percent", 0, "interval-percent", FORM_NUMBER, TRUE,
    "Stop once the 95 % interval of the median is this narrow, in per cent", "P" },
  { "wait-quiet", 0, "wait-quiet", FORM_DURATION, TRUE,
    "Wait until the machine is idle before cases, for at most this long in all, such as 2min", "TIME" },
  { "priority", 0, "priority", FORM_TEXT, TRUE,
    "Priority of the measuring threads: normal or high (normal); high needs root or RealtimeKit",
    "PRIORITY" },
  { "sampling-milliseconds", 0, "sampling-milliseconds", FORM_NUMBER, TRUE,
    "Milliseconds between readings of memory; 0 reads none", "N" },
  { "power-milliseconds", 0, "power-milliseconds", FORM_NUMBER, TRUE,
    "Milliseconds between readings of power, clocks and temperatures; 0 reads none", "N" },
  { "idle-seconds", 0, "idle-seconds", FORM_NUMBER, TRUE, "Measure idle power this long before each case",
    "S" },
  { "tdp-watts", 0, "tdp-watts", FORM_NUMBER, TRUE,
    "Estimate CPU power from this TDP where nothing measures it", "W" },
};

/* Titles of groups, with the first option of each. */
static const struct
{
  const char *option;
  const char *title;
} groups[] = {
  { "model", "What to measure" },
  { "backend", "Where to run it" },
  { "invocations", "How long" },
  { "sampling-milliseconds", "Memory and power" },
};

struct _DynoCliPlan
{
  char *suite;
  char **devices;
  char **modalities;
  char *limit;
  gboolean as_listed;
  char **values[G_N_ELEMENTS (plan_options)];
  GArray *entries;
};

DynoCliPlan *
dyno_cli_plan_new (void)
{
  DynoCliPlan *self = g_new0 (DynoCliPlan, 1);
  const struct
  {
    const char *option;
    GOptionEntry entry;
  } own[] = {
    { "model",
      { "suite", 's', 0, G_OPTION_ARG_STRING, &self->suite,
        "A bundled suite or a suite file; other options override it", "SUITE|FILE" } },
    { "seed",
      { "limit", 0, 0, G_OPTION_ARG_STRING, &self->limit,
        "Limits under load, such as p99=20ms or first-token-p99=500ms,inter-token-p99=50ms", "LIMIT" } },
    { "seed",
      { "listed", 0, 0, G_OPTION_ARG_NONE, &self->as_listed, "Run the cases in order instead of shuffled",
        NULL } },
    { "precision",
      { "modality", 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->modalities,
        "Parts of models for one kind of input, such as text, image or audio, or several at once; “waveform” "
        "makes the features of sound, too, and “jpeg” and “png” read a picture file; may be repeated",
        "text,image,image+text" } },
    { "option",
      { "device", 'd', 0, G_OPTION_ARG_STRING_ARRAY, &self->devices,
        "Device for engines given without one; may be repeated", "DEVICE" } },
  };

  self->entries = g_array_new (TRUE, TRUE, sizeof (GOptionEntry));
  for (guint i = 0; i < G_N_ELEMENTS (plan_options); i++)
    {
      const PlanOption *option = &plan_options[i];
      const GOptionEntry entry = {
        option->option,      option->letter,     0, G_OPTION_ARG_STRING_ARRAY, &self->values[i],
        option->description, option->placeholder
      };

      for (guint j = 0; j < G_N_ELEMENTS (groups); j++)
        if (g_str_equal (groups[j].option, option->option))
          {
            const GOptionEntry title = DYNO_CLI_GROUP (groups[j].title);

            g_array_append_val (self->entries, title);
          }
      /* These set no property directly, and go before the option to which they belong. */
      for (guint j = 0; j < G_N_ELEMENTS (own); j++)
        if (g_str_equal (own[j].option, option->option))
          g_array_append_val (self->entries, own[j].entry);
      g_array_append_val (self->entries, entry);
    }
  return self;
}

void
dyno_cli_plan_free (DynoCliPlan *self)
{
  g_array_unref (self->entries);
  g_free (self->suite);
  g_free (self->limit);
  g_strfreev (self->devices);
  g_strfreev (self->modalities);
  for (guint i = 0; i < G_N_ELEMENTS (plan_options); i++)
    g_strfreev (self->values[i]);
  g_free (self);
}

const GOptionEntry *
dyno_cli_plan_get_entries (DynoCliPlan *self)
{
  return (const GOptionEntry *)self->entries->data;
}

gboolean
dyno_cli_plan_is_empty (DynoCliPlan *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (plan_options); i++)
    if (self->values[i] != NULL)
      return FALSE;
  return self->suite == NULL && self->devices == NULL && self->modalities == NULL && self->limit == NULL &&
         !self->as_listed;
}

void
dyno_cli_plan_set_model (DynoCliPlan *self, const char *model)
{
  const char *const models[] = { model, NULL };

  for (guint i = 0; i < G_N_ELEMENTS (plan_options); i++)
    if (g_str_equal (plan_options[i].option, "model"))
      {
        g_strfreev (self->values[i]);
        self->values[i] = g_strdupv ((char **)models);
      }
}

GHashTable *
dyno_cli_plan_list_given (DynoCliPlan *self)
{
  GHashTable *given = g_hash_table_new (g_str_hash, g_str_equal);

  for (guint i = 0; i < G_N_ELEMENTS (plan_options); i++)
    if (self->values[i] != NULL)
      g_hash_table_add (given, (gpointer)plan_options[i].property);
  return given;
}

static JsonNode *
list_node (char **values)
{
  g_autoptr (JsonArray) array = json_array_new ();

  for (char **value = values; *value != NULL; value++)
    {
      g_auto (GStrv) items = g_strsplit (*value, ",", -1);

      for (char **item = items; *item != NULL; item++)
        json_array_add_string_element (array, g_strstrip (*item));
    }
  return json_node_init_array (json_node_alloc (), array);
}

static JsonNode *
words_node (char **values)
{
  g_autoptr (JsonArray) array = json_array_new ();

  for (char **value = values; *value != NULL; value++)
    json_array_add_string_element (array, *value);
  return json_node_init_array (json_node_alloc (), array);
}

static JsonNode *
options_node (char **values)
{
  g_autoptr (GPtrArray) alternatives = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (JsonArray) array = json_array_new ();

  g_ptr_array_add (alternatives, g_strdup (""));
  for (char **value = values; *value != NULL; value++)
    {
      /* Combines each alternative so far with each value of one more option. */
      GPtrArray *products = g_ptr_array_new_with_free_func (g_free);
      g_auto (GStrv) parts = g_strsplit (*value, "=", 2);
      const char *name = parts[0] != NULL ? parts[0] : "";
      g_auto (GStrv) settings = g_strsplit (*name != '\0' && parts[1] != NULL ? parts[1] : "", ",", -1);

      for (guint i = 0; i < alternatives->len; i++)
        {
          const char *start = alternatives->pdata[i];
          const char *comma = *start != '\0' ? "," : "";

          for (char **setting = settings; *setting != NULL; setting++)
            g_ptr_array_add (products,
                             g_strdup_printf ("%s%s%s=%s", start, comma, name, g_strstrip (*setting)));
          /* Invalid options are reported when the plan is expanded. */
          if (*settings == NULL)
            g_ptr_array_add (products, g_strdup_printf ("%s%s%s", start, comma, *value));
        }

      g_ptr_array_unref (alternatives);
      alternatives = products;
    }
  for (guint i = 0; i < alternatives->len; i++)
    json_array_add_string_element (array, alternatives->pdata[i]);
  return json_node_init_array (json_node_alloc (), array);
}

/* Of an option that is given several times, the last one counts. */
static JsonNode *
text_node (char **values)
{
  return json_node_init_string (json_node_alloc (), values[g_strv_length (values) - 1]);
}

static JsonNode *
number_node (char **values)
{
  const char *text = values[g_strv_length (values) - 1];
  JsonNode *node = json_node_alloc ();
  char *end = NULL;
  gint64 whole = g_ascii_strtoll (text, &end, 10);
  double number;

  if (end != text && *end == '\0')
    return json_node_init_int (node, whole);
  number = g_ascii_strtod (text, &end);
  if (end != text && *end == '\0')
    return json_node_init_double (node, number);
  return json_node_init_string (node, text);
}

/* Checked before; 0 is a number only. */
static JsonNode *
duration_node (char **values)
{
  double seconds;

  return dyno_cli_duration_parse (values[g_strv_length (values) - 1], 0, &seconds, NULL)
             ? json_node_init_double (json_node_alloc (), seconds)
             : number_node (values);
}

static JsonNode *
dimensions_node (char **values)
{
  g_autofree char *joined = g_strjoinv (",", values);

  return json_node_init_string (json_node_alloc (), joined);
}

/* Files are stored with their absolute paths, so that the plan can run anywhere. */
static JsonNode *
inputs_node (char **values)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) inputs = NULL;
  g_autofree char *joined = NULL;

  for (char **value = values; *value != NULL; value++)
    {
      const char *equals = strchr (*value, '=');
      const char *at = **value == '@' ? *value : equals != NULL && equals[1] == '@' ? equals + 1 : NULL;
      g_autofree char *path = at != NULL ? g_canonicalize_filename (at + 1, NULL) : NULL;
      g_autofree char *whole =
          at != NULL ? g_strdup_printf ("%.*s%s", (int)(at + 1 - *value), *value, path) : NULL;

      g_strv_builder_add (builder, whole != NULL ? whole : *value);
    }
  inputs = g_strv_builder_end (builder);
  joined = g_strjoinv (";", inputs);
  return json_node_init_string (json_node_alloc (), joined);
}

static JsonNode *(*const to_node[]) (char **values) = {
  [FORM_TEXT] = text_node,     [FORM_NUMBER] = number_node,   [FORM_DURATION] = duration_node,
  [FORM_LIST] = list_node,     [FORM_WORDS] = words_node,     [FORM_DIMENSIONS] = dimensions_node,
  [FORM_INPUTS] = inputs_node, [FORM_OPTIONS] = options_node,
};

static gboolean
apply_options (DynoCliPlan *self, DynoPlan *plan, GError **error)
{
  g_autoptr (JsonObject) of_plan = json_object_new ();
  g_autoptr (JsonObject) of_method = json_object_new ();
  double seconds;

  for (guint i = 0; i < G_N_ELEMENTS (plan_options); i++)
    {
      for (char **value = self->values[i]; value != NULL && *value != NULL; value++)
        if (plan_options[i].form == FORM_DURATION && !g_str_equal (*value, "0") &&
            !dyno_cli_duration_parse (*value, 0, &seconds, error))
          return FALSE;
      if (self->values[i] != NULL)
        json_object_set_member (plan_options[i].in_method ? of_method : of_plan, plan_options[i].property,
                                to_node[plan_options[i].form](self->values[i]));
    }
  if (self->as_listed)
    json_object_set_boolean_member (of_plan, "shuffle", FALSE);
  return dyno_json_apply (G_OBJECT (plan), of_plan, _ ("the command line"), error) &&
         dyno_json_apply (G_OBJECT (dyno_plan_get_method (plan)), of_method, _ ("the command line"), error);
}

static void
add_limited (GStrvBuilder *loads, const char *text, const char *limit)
{
  g_auto (GStrv) list = dyno_load_split_list (text);
  guint n = g_strv_length (list);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *limited = g_strdup_printf ("%s %s", list[i], limit);

      g_strdelimit (limited + strlen (list[i]), ",", ' ');
      g_strv_builder_add (loads, n > 1 && dyno_load_is_single (list[i]) ? list[i] : limited);
    }
}

/* A part of a model is a model of its own, because it does other work. */
static void
name_modalities (DynoPlan *plan, char **modalities)
{
  g_autofree char *joined = g_strjoinv (",", modalities);
  g_auto (GStrv) words = g_strsplit (joined, ",", -1);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_auto (GStrv) list = NULL;

  for (const char *const *model = dyno_plan_get_models (plan); *model != NULL; model++)
    for (char **word = words; *word != NULL; word++)
      {
        g_autofree char *name = g_strdup_printf ("%s@%s", *model, g_strstrip (*word));

        g_strv_builder_add (names, name);
      }
  list = g_strv_builder_end (names);
  g_object_set (plan, "models", list, NULL);
}

DynoPlan *
dyno_cli_plan_build (DynoCliPlan *self, GError **error)
{
  gboolean is_file = self->suite != NULL && (g_str_has_suffix (self->suite, ".json") ||
                                             strchr (self->suite, G_DIR_SEPARATOR) != NULL);
  g_autoptr (GFile) file = is_file ? g_file_new_for_commandline_arg (self->suite) : NULL;
  g_autoptr (DynoPlan) plan = self->suite == NULL ? dyno_plan_new ()
                              : is_file           ? dyno_plan_new_from_file (file, error)
                                                  : dyno_plan_new_bundled (self->suite, error);

  if (plan == NULL || !apply_options (self, plan, error))
    return NULL;
  if (self->devices != NULL)
    {
      g_autoptr (GStrvBuilder) specs = g_strv_builder_new ();
      g_auto (GStrv) list = NULL;

      for (const char *const *backend = dyno_plan_get_backends (plan); *backend != NULL; backend++)
        if (strchr (*backend, ':') != NULL)
          g_strv_builder_add (specs, *backend);
        else
          for (char **device = self->devices; *device != NULL; device++)
            {
              g_autofree char *spec = dyno_engine_name_dup_spec (*backend, *device);

              g_strv_builder_add (specs, spec);
            }
      list = g_strv_builder_end (specs);
      g_object_set (plan, "backends", list, NULL);
    }
  if (self->modalities != NULL)
    name_modalities (plan, self->modalities);
  if (self->limit != NULL)
    {
      /* The limit applies to every load of the plan, but not to the default load beside others. */
      g_autoptr (GStrvBuilder) loads = g_strv_builder_new ();
      g_auto (GStrv) list = NULL;

      for (const char *const *text = dyno_plan_get_loads (plan); *text != NULL; text++)
        add_limited (loads, *text, self->limit);
      list = g_strv_builder_end (loads);
      g_object_set (plan, "loads", list, NULL);
    }
  if (*dyno_plan_get_models (plan) != NULL)
    return g_steal_pointer (&plan);
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT,
               _ ("Name a model with --model, or a suite with --suite. “dyno-cli models” lists the models "
                  "that come with Dyno; “dyno-cli run --suite quick” is a good start."));
  return NULL;
}

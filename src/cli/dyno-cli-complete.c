/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-backend.h"
#include "dyno-chart-kind.h"
#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-engine.h"
#include "dyno-family.h"
#include "dyno-metric.h"
#include "dyno-model-library.h"
#include "dyno-pinning.h"
#include "dyno-plan.h"
#include "dyno-precision.h"
#include "dyno-report.h"

/* This sign marks values that the shell completes: a pattern of file names, or nothing for folders. */
#define FILES "@"

static void
print_words (char **words)
{
  for (char **word = words; word != NULL && *word != NULL; word++)
    if (**word != '\0')
      g_print ("%s\n", *word);
}

static void
print_models (void)
{
  g_auto (GStrv) ids = dyno_model_library_list_ids ();

  print_words (ids);
  g_print (FILES "*.@(onnx|json)\n");
}

static void
print_suites (void)
{
  g_auto (GStrv) suites = dyno_plan_list_bundled ();

  print_words (suites);
  g_print (FILES "*.json\n");
}

static void
print_backends (void)
{
  g_autoptr (GListModel) backends = dyno_backend_list ();

  for (guint i = 0; i < g_list_model_get_n_items (backends); i++)
    {
      g_autoptr (DynoBackend) backend = g_list_model_get_item (backends, i);

      g_print ("%s\n", dyno_backend_get_id (backend));
    }
}

static void
print_engines (void)
{
  g_autoptr (GPtrArray) engines = dyno_engine_list (NULL);

  for (guint i = 0; engines != NULL && i < engines->len; i++)
    {
      const DynoEngine *engine = engines->pdata[i];

      g_print ("%s@%s\n", engine->id, engine->version);
    }
}

static void
print_precisions (void)
{
  print_words ((char **)dyno_precision_list_all ());
}

static void
print_families (void)
{
  g_autoptr (GPtrArray) families = dyno_family_list ();

  for (guint i = 0; i < families->len; i++)
    g_print ("%s\n", ((const DynoFamily *)families->pdata[i])->id);
}

static void
print_formats (void)
{
  g_auto (GStrv) formats = g_strsplit (dyno_report_format_get_names (), "|", -1);

  print_words (formats);
}

static void
print_templates (void)
{
  g_auto (GStrv) templates = g_strsplit (dyno_report_template_get_names (), "|", -1);

  print_words (templates);
}

static void
print_policies (void)
{
  g_auto (GStrv) policies = dyno_pinning_list_policies ();

  print_words (policies);
}

static void
print_charts (void)
{
  g_print ("all\n");
  for (guint kind = 0; kind < dyno_chart_kind_count (); kind++)
    g_print ("%s\n", dyno_chart_kind_to_string (kind));
}

static void
print_baselines (void)
{
  g_autoptr (DynoStore) store = dyno_store_open_existing (NULL);
  g_autoptr (GPtrArray) baselines = store != NULL ? dyno_store_list_baselines (store, NULL) : NULL;

  for (guint i = 0; baselines != NULL && i < baselines->len; i++)
    g_print ("%s\n", ((const DynoBaseline *)baselines->pdata[i])->name);
}

/* A baseline's name can replace a run. */
static void
print_runs (void)
{
  g_autoptr (DynoStore) store = dyno_store_open_existing (NULL);
  g_autoptr (GPtrArray) runs = store != NULL ? dyno_store_list_runs (store, NULL, 0, 100, NULL) : NULL;

  g_print ("last\n");
  print_baselines ();
  for (guint i = 0; runs != NULL && i < runs->len; i++)
    g_print ("%.8s\n", dyno_run_get_id (runs->pdata[i]));
}

static void
print_metrics (void)
{
  GPtrArray *metrics = dyno_metric_list_values ();

  for (guint i = 0; i < metrics->len; i++)
    g_print ("%s\n", ((const DynoMetricValue *)metrics->pdata[i])->name);
}

static void
print_documents (void)
{
  g_print (FILES "*.dyno\n");
}

static void
print_json_files (void)
{
  g_print (FILES "*.json\n");
}

static void
print_files (void)
{
  g_print (FILES "*\n");
}

static void
print_folders (void)
{
  g_print (FILES "\n");
}

/* Completions by placeholder. Other values, such as numbers, are not completed. */
static const struct
{
  const char *placeholder;
  void (*print) (void);
} values[] = {
  { "BACKEND[:DEVICE]", print_backends },
  { "CHARTS", print_charts },
  { "ENGINE", print_engines },
  { "FAMILY", print_families },
  { "FILE", print_files },
  { "FILE|FOLDER", print_files },
  { "FILE.dyno", print_documents },
  { "FILE.json", print_json_files },
  { "FOLDER", print_folders },
  { "FORMAT", print_formats },
  { "MODEL", print_models },
  { "NAME", print_baselines },
  { "POLICY", print_policies },
  { "PRECISION", print_precisions },
  { "PRECISIONS", print_precisions },
  { "RUN", print_runs },
  { "SUITE|FILE", print_suites },
  { "TEMPLATE", print_templates },
  { "VALUE", print_metrics },
};

/* A placeholder in lower case lists its words. */
static void
print_values (const char *placeholder)
{
  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    if (strcmp (values[i].placeholder, placeholder) == 0)
      {
        values[i].print ();
        return;
      }
  if (g_ascii_islower (*placeholder))
    {
      g_auto (GStrv) words = g_strsplit (placeholder, "|", -1);

      print_words (words);
    }
}

static const GOptionEntry *
find_entry (GArray *entries, const char *word)
{
  for (guint i = 0; i < entries->len; i++)
    {
      const GOptionEntry *entry = &g_array_index (entries, GOptionEntry, i);

      if (entry->arg_description != NULL &&
          (g_str_has_prefix (word, "--")
               ? strcmp (entry->long_name, word + 2) == 0
               : *word == '-' && entry->short_name != 0 && word[1] == entry->short_name && word[2] == '\0'))
        return entry;
    }
  return NULL;
}

/* Moves @start to the first placeholder after it. */
static gboolean
find_next (const char *parameters, int *start, guint *found)
{
  int nearest = G_MAXINT;

  for (guint i = 0; i < G_N_ELEMENTS (values); i++)
    {
      g_autofree char *pattern = g_strdup_printf ("\\b%s(?![\\w.])", values[i].placeholder);
      g_autoptr (GRegex) regex = g_regex_new (pattern, 0, 0, NULL);
      g_autoptr (GMatchInfo) match = NULL;
      int place = -1;

      if (g_regex_match (regex, parameters, 0, &match))
        g_match_info_fetch_pos (match, 0, &place, NULL);

      if (place <= *start || place >= nearest)
        continue;
      nearest = place;
      *found = i;
    }
  *start = nearest;
  return nearest < G_MAXINT;
}

static void
complete (const DynoCliCommand *command, char **words)
{
  char *nothing[] = { NULL };
  g_autoptr (GArray) entries = g_array_new (FALSE, FALSE, sizeof (GOptionEntry));
  guint last = g_strv_length (words) - 1;
  const GOptionEntry *entry;

  /* The options are defined inside the command, so it runs with option collection instead of parsing. */
  dyno_cli_collect_entries (entries);
  command->run (command, nothing, NULL);
  dyno_cli_collect_entries (NULL);

  entry = last > 0 ? find_entry (entries, words[last - 1]) : NULL;
  if (entry != NULL)
    print_values (entry->arg_description);
  else if (*words[last] == '-')
    {
      for (guint i = 0; i < entries->len; i++)
        g_print ("--%s\n", g_array_index (entries, GOptionEntry, i).long_name);
    }
  else
    {
      /* Prints the possible arguments: actions first, then those of each parameter. The last parameter may
       * repeat. */
      guint n_before = command->actions != NULL ? 1 : 0;
      guint found = G_N_ELEMENTS (values);
      int start = -1;

      if (last < n_before)
        {
          print_words ((char **)command->actions);
          return;
        }
      for (guint i = n_before; i <= last && find_next (command->parameters, &start, &found); i++)
        continue;
      if (found < G_N_ELEMENTS (values))
        values[found].print ();
    }
}

static DynoCliStatus
run (const DynoCliCommand *self, char **arguments, GError **error)
{
  const GOptionEntry entries[] = { G_OPTION_ENTRY_NULL };
  g_auto (GStrv) rest = dyno_cli_parse (self, entries, arguments, error);
  const DynoCliCommand *command;
  char **words = rest;

  /* GOption keeps the separator before arguments that look like options. */
  if (words != NULL && g_strcmp0 (*words, "--") == 0)
    words++;
  if (words == NULL || !dyno_cli_expect_arguments (words, 1, G_MAXUINT, error))
    return DYNO_CLI_USAGE;
  if (words[1] == NULL)
    {
      for (const DynoCliCommand *const *each = dyno_cli_list_commands (); *each != NULL; each++)
        g_print ("%s\n", (*each)->name);
      g_print ("--help\n--version\n");
    }
  else if ((command = dyno_cli_find_command (words[0])) != NULL)
    complete (command, words + 1);
  return DYNO_CLI_OK;
}

const DynoCliCommand dyno_cli_complete_command = {
  .name = "complete",
  .parameters = "-- WORD…",
  .summary = "Print what may follow on a command line, for a shell’s completion",
  .description =
      "The last WORD is the one being typed, and may be empty. Lines that begin with @ are patterns of "
      "file names; @ alone means folders.\n\n"
      "Examples:\n"
      "  dyno-cli complete -- run --suite ''\n",
  .run = run,
};

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>

#include "dyno-command.h"
#include "dyno-engine.h"
#include "dyno-error.h"
#include "dyno-fetch-private.h"
#include "dyno-file.h"
#include "dyno-json.h"

/* PEP 691, else PEP 503. */
#define INDEX_JSON   "application/vnd.pypi.simple.v1+json"
#define INDEX_ACCEPT INDEX_JSON ", text/html;q=0.5"

/* Wide enough for any address: pip breaks the lines of its help by the width of the terminal. */
#define HELP_COLUMNS "2000"

/* Indexed by DynoEngineRegistry. */
static const struct
{
  const char *variables[2];
  const char *key;
  const char *command[6];
  const char *pattern; /* for the command's output; the address is the first group */
  const char *missing;
} registries[] = {
  [DYNO_ENGINE_NPM] = {
      { "npm_config_registry", "NPM_CONFIG_REGISTRY" },
      "npm-registry",
      { "npm", "config", "get", "registry" },
      "^\\s*(https?://\\S+)\\s*$",
      N_ ("It is not known which npm registry to ask. Install npm, or set npm_config_registry to the registry’s address."),
  },
  /* The help shows the default from pip’s configuration, or pip’s own. */
  [DYNO_ENGINE_PYTHON] = {
      { "PIP_INDEX_URL", NULL },
      "python-index",
      { "python3", "-m", "pip", "download", "--help" },
      "--index-url.*?\\(default:?\\s+(https?://[^\\s)]+)\\)",
      N_ ("It is not known which Python package index to ask. Install pip (python3-pip), or set PIP_INDEX_URL to the index’s address."),
  },
};

static GMutex settings_mutex;
static char *from_settings[G_N_ELEMENTS (registries)];

void
dyno_engine_registry_apply_settings (GSettings *settings)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&settings_mutex);
  g_autoptr (GSettingsSchema) schema = NULL;

  g_object_get (settings, "settings-schema", &schema, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (registries); i++)
    {
      if (!g_settings_schema_has_key (schema, registries[i].key)) /* a schema of an older Dyno */
        continue;
      g_free (from_settings[i]);
      from_settings[i] = g_settings_get_string (settings, registries[i].key);
    }
}

static char *
dup_named (DynoEngineRegistry registry)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&settings_mutex);

  for (guint i = 0; i < G_N_ELEMENTS (registries[registry].variables); i++)
    {
      const char *variable = registries[registry].variables[i];
      const char *value = variable != NULL ? g_getenv (variable) : NULL;

      if (value != NULL && *value != '\0')
        return g_strdup (value);
    }
  return from_settings[registry] != NULL && *from_settings[registry] != '\0'
             ? g_strdup (from_settings[registry])
             : NULL;
}

char *
dyno_engine_registry_dup_address (DynoEngineRegistry registry, GCancellable *cancellable, GError **error)
{
  char *address = dup_named (registry);

  if (address == NULL)
    {
      static const DynoCommandLimits limits = { DYNO_FILE_MAX_TEXT, 60, 60 };
      g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_NONE);
      g_auto (DynoCommandAnswer) answer = { NULL };
      g_autoptr (GRegex) regex =
          g_regex_new (registries[registry].pattern, G_REGEX_DOTALL | G_REGEX_MULTILINE, 0, NULL);
      g_autoptr (GMatchInfo) match = NULL;
      g_autoptr (GError) local_error = NULL;

      g_subprocess_launcher_setenv (launcher, "COLUMNS", HELP_COLUMNS, TRUE);
      if (!dyno_command_run (launcher, registries[registry].command, NULL, &limits, cancellable, &answer,
                             &local_error))
        g_debug ("%s", local_error->message);
      address = answer.output != NULL && g_regex_match (regex, answer.output, 0, &match)
                    ? g_match_info_fetch (match, 1)
                    : NULL;
    }
  if (address == NULL && !g_cancellable_set_error_if_cancelled (cancellable, error))
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND, _ (registries[registry].missing));
  return address;
}

static char *
find_in_json (const char *text, gsize size, const char *file)
{
  g_autoptr (JsonObject) object = dyno_json_try_object (text, (gssize)size);
  JsonArray *files = dyno_json_member_get_array (object, "files");

  for (guint i = 0; files != NULL && i < json_array_get_length (files); i++)
    {
      JsonObject *entry = dyno_json_member_get_element (files, i);

      if (g_strcmp0 (dyno_json_member_get_string (entry, "filename"), file) == 0)
        return g_strdup (dyno_json_member_get_string (entry, "url"));
    }
  return NULL;
}

/* Reads a page of anchors, one per file: PEP 503 uses no other HTML. */
static char *
find_in_html (const char *text, gsize size, const char *file)
{
  g_autofree char *escaped = g_regex_escape_string (file, -1);
  g_autofree char *pattern =
      g_strdup_printf ("href\\s*=\\s*[\"']([^\"'#]*?%s)(?:[#?][^\"']*)?[\"']", escaped);
  g_autoptr (GRegex) regex = g_regex_new (pattern, G_REGEX_CASELESS, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  g_autofree char *page = g_utf8_make_valid (text, (gssize)size);

  return g_regex_match (regex, page, 0, &match) ? g_match_info_fetch (match, 1) : NULL;
}

char *
dyno_engine_registry_find_file (DynoHttp *http,
                                const DynoEngine *engine,
                                GCancellable *cancellable,
                                GError **error)
{
  g_autofree char *path = NULL;

  if (engine->registry == DYNO_ENGINE_PYTHON)
    {
      g_autofree char *folder = g_strconcat (engine->package, "/", NULL);
      g_autoptr (GBytes) page = dyno_http_load (http, folder, INDEX_ACCEPT, cancellable, error);
      g_autofree char *link = NULL;
      g_autofree char *below = NULL;
      const char *text;
      gsize size = 0;

      if (page == NULL)
        return NULL;
      text = g_bytes_get_data (page, &size);
      if (size > 0 && *text == '{')
        link = find_in_json (text, size, engine->file);
      else if (size > 0)
        link = find_in_html (text, size, engine->file);
      if (link == NULL)
        {
          g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND,
                       _ ("The index lists no file “%s” of the package “%s”. A newer Dyno may know a newer "
                          "version, or another index may hold it (PIP_INDEX_URL)."),
                       engine->file, engine->package);
          return NULL;
        }
      below = dyno_http_resolve (http, folder, error);
      return below != NULL ? g_uri_resolve_relative (below, link, G_URI_FLAGS_NONE, error) : NULL;
    }
  path = g_strdup_printf ("%s/-/%s", engine->package, engine->file);
  return dyno_http_resolve (http, path, error);
}

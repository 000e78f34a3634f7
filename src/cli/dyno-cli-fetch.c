/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-hub.h"
#include "dyno-model-reader.h"

typedef struct
{
  DynoCliDownload download;
  char *folder;
  GError *error;
} Fetch;

static void
fetched_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Fetch *self = data;

  self->folder = dyno_hub_fetch_finish (result, &self->error);
  dyno_cli_download_end (&self->download);
}

static void
print_json (const char *id, const char *folder, const char *problem)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "id");
  json_builder_add_string_value (builder, id);
  json_builder_set_member_name (builder, "folder");
  json_builder_add_string_value (builder, folder);
  json_builder_set_member_name (builder, "problem");
  if (problem != NULL)
    json_builder_add_string_value (builder, problem);
  else
    json_builder_add_null_value (builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  dyno_cli_print_json (root);
}

DynoCliStatus
dyno_cli_fetch (const char *text, DynoHubWish wish, gboolean as_json, GError **error)
{
  g_autofree char *id = dyno_hub_id_from_text (text);
  Fetch self = { 0 };

  /* Ctrl+C stops it; the part that has arrived is kept. */
  dyno_cli_download_begin (&self.download);
  dyno_hub_fetch_async (id, wish, dyno_cli_download_report, &self.download, self.download.cancellable,
                        fetched_cb, &self);
  dyno_cli_download_wait (&self.download);
  if (self.error != NULL)
    dyno_cli_download_take_error (self.error, error);

  g_autofree char *folder = self.folder;
  g_autofree char *spec = NULL;
  g_autoptr (GError) problem = NULL;
  g_autoptr (DynoModel) model = NULL;

  if (folder == NULL)
    return DYNO_CLI_FAILED;
  spec = dyno_hub_dup_spec (id, wish, folder);
  model = dyno_model_reader_load (spec, NULL, &problem);
  if (as_json)
    print_json (spec, folder, model == NULL ? problem->message : NULL);
  else if (model != NULL)
    dyno_cli_say (_ ("Fetched into “%s”.\nMeasure it with: dyno-cli run -m %s\n"), folder, spec);
  else
    dyno_cli_say (_ ("Fetched into “%s”, but it cannot be measured: %s\n"), folder, problem->message);
  return DYNO_CLI_OK;
}

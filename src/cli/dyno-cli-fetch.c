/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n.h>

#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-hub.h"
#include "dyno-model-reader.h"
#include "dyno-report.h"

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

DynoCliStatus
dyno_cli_fetch (const char *text, DynoHubWish wish, GError **error)
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
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree char *sentence = NULL;

  if (folder == NULL)
    return DYNO_CLI_FAILED;
  spec = dyno_hub_dup_spec (id, wish, folder);
  model = dyno_model_reader_load (spec, NULL, &problem);
  sentence = model != NULL ? g_strdup_printf (_ ("Fetched into “%s”.\nMeasure it with: dyno-cli run -m %s\n"),
                                              folder, spec)
                           : g_strdup_printf (_ ("Fetched into “%s”, but it cannot be measured: %s\n"),
                                              folder, problem->message);
  json_builder_begin_object (builder);
  dyno_report_member_add_text (builder, "id", spec);
  dyno_report_member_add_text (builder, "folder", folder);
  dyno_report_member_add_text (builder, "problem", model == NULL ? problem->message : NULL);
  json_builder_end_object (builder);
  return dyno_cli_answer_print_sentence (sentence, json_builder_get_root (builder), error);
}

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib-unix.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <unistd.h>

#include "dyno-cli-fetch.h"
#include "dyno-hub-id.h"
#include "dyno-model-reader.h"

#define BACK_TO_START "\r\033[K"

/* A download that the terminal follows. */
typedef struct
{
  GMainLoop *loop;
  gboolean is_followed;
  char *folder;
  GError *error;
} Fetch;

static void
progress_cb (const DynoProgress *progress, gpointer data)
{
  Fetch *self = data;
  g_autofree char *bytes = g_format_size (progress->bytes);
  g_autofree char *total = g_format_size (progress->total);

  if (!self->is_followed)
    return;
  if (progress->wait_seconds > 0)
    g_printerr (ngettext (BACK_TO_START "The hub asks to wait %u second.",
                          BACK_TO_START "The hub asks to wait %u seconds.", progress->wait_seconds),
                progress->wait_seconds);
  else if (progress->file != NULL)
    g_printerr (_ (BACK_TO_START "%s of %s · %s"), bytes, total, progress->file);
}

static void
fetched_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Fetch *self = data;

  self->folder = dyno_hub_fetch_finish (result, &self->error);
  g_main_loop_quit (self->loop);
}

static gboolean
interrupted_cb (gpointer data)
{
  g_cancellable_cancel (data);
  return G_SOURCE_CONTINUE;
}

/* Ctrl+C ends it; what came is kept. */
static char *
fetch (const char *id, DynoHubWish wish, GError **error)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Fetch self = { .loop = loop, .is_followed = isatty (STDERR_FILENO) != 0 };
  guint interrupt = g_unix_signal_add (SIGINT, interrupted_cb, cancellable);

  dyno_hub_fetch_async (id, wish, progress_cb, &self, cancellable, fetched_cb, &self);
  g_main_loop_run (loop);
  g_source_remove (interrupt);
  if (self.is_followed)
    g_printerr (BACK_TO_START);
  if (g_error_matches (self.error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_clear_error (&self.error);
      g_set_error_literal (&self.error, G_IO_ERROR, G_IO_ERROR_CANCELLED,
                           _ ("The download was stopped. The part that arrived is kept, and the next "
                              "download continues from there."));
    }
  if (self.error != NULL)
    g_propagate_error (error, self.error);
  return self.folder;
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

/**
 * dyno_cli_fetch:
 * @text: a model on the hub: its id, or the address of its page
 * @wish: what to fetch of it
 * @as_json: whether to print JSON
 * @error: return location
 *
 * Fetches a model, and says how it is measured, or why Dyno cannot build it.
 *
 * Returns: the exit status
 */
DynoCliStatus
dyno_cli_fetch (const char *text, DynoHubWish wish, gboolean as_json, GError **error)
{
  g_autofree char *id = dyno_hub_id_from_text (text);
  g_autofree char *folder = fetch (id, wish, error);
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
    g_print (_ ("Fetched into “%s”.\nMeasure it with: dyno-cli run -m %s\n"), folder, spec);
  else
    g_print (_ ("Fetched into “%s”, but it cannot be measured: %s\n"), folder, problem->message);
  return DYNO_CLI_OK;
}

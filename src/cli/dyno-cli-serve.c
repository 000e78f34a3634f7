/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib-unix.h>
#include <glib/gi18n.h>
#ifdef HAVE_LIBSOUP
#include <libsoup/soup.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "dyno-cli.h"
#include "dyno-cli-private.h"
#include "dyno-cluster-submission.h"
#include "dyno-error.h"
#include "dyno-grade.h"
#include "dyno-report.h"

#define RUN_FOLDER "run/"

/* More would make the page slow to read; “dyno-cli list” has them all. */
#define MAX_RUNS 200

/* How often a browser asks again while a run is measured. */
#define REFRESH_SECONDS "5"

#ifdef HAVE_LIBSOUP

typedef struct
{
  DynoStore *store;
  char *root; /* of the pages, with slashes around */
  char *host; /* the host that a request must name */
} Pages;

/* Adds the cases that each node has finished, by its files: its scheduler may take long to answer. Returns whether one is at
 * work. */
static gboolean
add_submission (DynoReportDocument *document, DynoClusterJob *job)
{
  g_autoptr (DynoPlan) plan = dyno_plan_new_from_json (job->plan, NULL);
  g_autofree char *title = plan != NULL ? dyno_plan_dup_run_title (plan) : NULL;
  gboolean is_live = FALSE;

  for (guint i = 0; i < job->tasks->len; i++)
    {
      const DynoClusterTask *task = job->tasks->pdata[i];
      g_autoptr (DynoRun) run = dyno_cluster_job_compose (job, i, NULL);
      /* Translators: %s is a node, followed by the title of a run and how far it is there */
      g_autofree char *node = g_strdup_printf (_ ("On “%s”:"), task->node);
      g_autofree char *outcome = run != NULL ? dyno_run_dup_outcome (run) : NULL;
      gboolean has_outcome = outcome != NULL && *outcome != '\0';

      is_live |= dyno_cluster_task_is_open (task) && !dyno_cluster_job_is_done (job, i);
      dyno_report_document_add_item (document, node, title,
                                     has_outcome ? outcome : dyno_task_state_get_label (task->state));
    }
  return is_live;
}

static gboolean
add_live (DynoReportDocument *document, DynoStore *store, GPtrArray *runs)
{
  g_autoptr (GPtrArray) jobs = dyno_cluster_job_list ();
  gboolean is_live = FALSE;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) waiting = dyno_store_list_queue (store, &error);

  if (waiting == NULL)
    dyno_report_document_add_paragraph (document, error->message);
  dyno_report_document_begin_list (document);
  for (guint i = 0; i < runs->len; i++)
    {
      DynoRun *run = runs->pdata[i];
      g_autoptr (DynoRun) whole =
          dyno_run_is_running (run) ? dyno_store_load_run (store, dyno_run_get_id (run), NULL) : NULL;
      g_autofree char *counts = whole != NULL ? dyno_cli_cases_dup_counts (whole) : NULL;

      is_live |= dyno_run_is_running (run);
      if (counts != NULL)
        dyno_report_document_add_item (document, _ ("Being measured:"), dyno_run_get_title (run), counts);
    }
  for (guint i = 0; i < jobs->len; i++)
    if (!((DynoClusterJob *)jobs->pdata[i])->is_over)
      is_live |= add_submission (document, jobs->pdata[i]);
  for (guint i = 0; waiting != NULL && i < waiting->len; i++)
    {
      const DynoQueuedRun *queued = waiting->pdata[i];
      g_autofree char *title = dyno_plan_dup_run_title (queued->plan);

      dyno_report_document_add_item (document, _ ("Waiting:"), title,
                                     dyno_queue_priority_get_label (queued->priority));
    }
  return is_live;
}

static GBytes *
write_list (DynoStore *store, gboolean *is_live, GError **error)
{
  g_autoptr (DynoReportDocument) document = dyno_report_document_new (_ ("Runs in Dyno"));
  g_autoptr (GPtrArray) runs = dyno_store_list_runs (store, NULL, 0, MAX_RUNS, error);

  if (runs == NULL)
    return NULL;
  dyno_report_document_add_heading (document, 1, _ ("Runs in Dyno"));
  *is_live = add_live (document, store, runs);
  dyno_report_document_begin_table (document);
  dyno_report_document_add_column (document, _ ("Title"), FALSE);
  dyno_report_document_add_column (document, _ ("Started"), FALSE);
  dyno_report_document_add_column (document, _ ("State"), FALSE);
  dyno_report_document_add_column (document, _ ("Cases"), FALSE);
  for (guint i = 0; i < runs->len; i++)
    {
      DynoRun *run = runs->pdata[i];
      const char *title = dyno_run_get_title (run);
      g_autofree char *id = g_uri_escape_string (dyno_run_get_id (run), NULL, FALSE);
      g_autofree char *link = g_strconcat (RUN_FOLDER, id, NULL);
      g_autofree char *started = dyno_report_text_format_date (dyno_run_get_started_at (run));
      g_autofree char *state = dyno_run_dup_state_text (run);
      g_autofree char *summary = dyno_cli_format_text (dyno_run_get_summary (run));

      dyno_report_document_begin_row (document);
      dyno_report_document_add_link (document, title != NULL && *title != '\0' ? title : _ ("Untitled Run"),
                                     link);
      dyno_report_document_add_cell (document, started);
      dyno_report_document_add_cell (document, state);
      dyno_report_document_add_cell (document, summary);
    }
  return dyno_report_format_find ("html")->write_document (document, error);
}

static GBytes *
write_run (DynoStore *store, const char *id, gboolean *is_live, GError **error)
{
  g_autoptr (DynoRun) run = dyno_store_load_run (store, id, error);
  g_autoptr (GPtrArray) runs = g_ptr_array_new ();
  g_autoptr (GHashTable) ceilings = NULL;
  DynoReportSource source = { NULL };

  if (run == NULL || !dyno_cli_runs_take_ceilings (run, store, error))
    return NULL;
  *is_live = dyno_run_is_running (run);
  g_ptr_array_add (runs, run);
  ceilings = dyno_cli_runs_collect_ceilings (runs);
  source.runs = runs;
  source.ceilings = ceilings;
  return dyno_report_write (dyno_report_format_find ("html"), dyno_report_template_find ("run"), &source,
                            error);
}

/* The token is checked first. A foreign page could reach in by a name that points to the loopback interface. The server would
 * read a body to its end before answering, so a request with a body gets no answer. */
static void
early_cb (SoupServer *server, SoupServerMessage *message, const char *path, GHashTable *query, gpointer data)
{
  const Pages *self = data;
  SoupMessageHeaders *headers = soup_server_message_get_request_headers (message);
  SoupEncoding encoding = soup_message_headers_get_encoding (headers);
  guint status = 0;

  if (!g_str_has_prefix (path, self->root))
    status = SOUP_STATUS_NOT_FOUND;
  else if (g_strcmp0 (soup_message_headers_get_one (headers, "Host"), self->host) != 0)
    status = SOUP_STATUS_FORBIDDEN;
  else if (soup_server_message_get_method (message) != SOUP_METHOD_GET)
    status = SOUP_STATUS_METHOD_NOT_ALLOWED;
  if (encoding != SOUP_ENCODING_NONE &&
      (encoding != SOUP_ENCODING_CONTENT_LENGTH || soup_message_headers_get_content_length (headers) > 0))
    g_socket_close (soup_server_message_get_socket (message), NULL);
  if (status == 0)
    return;
  soup_server_message_set_status (message, status, NULL);
  soup_message_headers_replace (soup_server_message_get_response_headers (message), "Connection", "close");
}

static void
request_cb (
    SoupServer *server, SoupServerMessage *message, const char *path, GHashTable *query, gpointer data)
{
  const Pages *self = data;
  const char *name = path + strlen (self->root);
  SoupMessageHeaders *headers = soup_server_message_get_response_headers (message);
  g_autoptr (GError) error = NULL;
  gboolean is_live = FALSE;
  g_autoptr (GBytes) page = NULL;

  if (*name == '\0')
    page = write_list (self->store, &is_live, &error);
  else if (g_str_has_prefix (name, RUN_FOLDER))
    page = write_run (self->store, name + strlen (RUN_FOLDER), &is_live, &error);
  soup_message_headers_replace (headers, "Cache-Control", "no-store");
  soup_message_headers_replace (headers, "X-Content-Type-Options", "nosniff");
  soup_message_headers_replace (headers, "Referrer-Policy", "no-referrer");
  soup_message_headers_replace (headers, "X-Frame-Options", "DENY");
  if (page == NULL)
    {
      gboolean is_missing = error == NULL || g_error_matches (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);

      soup_server_message_set_status (
          message, is_missing ? SOUP_STATUS_NOT_FOUND : SOUP_STATUS_INTERNAL_SERVER_ERROR, NULL);
      if (error != NULL)
        soup_server_message_set_response (message, "text/plain; charset=utf-8", SOUP_MEMORY_COPY,
                                          error->message, strlen (error->message));
      return;
    }
  if (is_live)
    soup_message_headers_replace (headers, "Refresh", REFRESH_SECONDS);
  soup_message_headers_set_content_type (headers, "text/html; charset=utf-8", NULL);
  soup_message_body_append_bytes (soup_server_message_get_response_body (message), page);
  soup_server_message_set_status (message, SOUP_STATUS_OK, NULL);
}

static gboolean
quit_cb (gpointer loop)
{
  g_main_loop_quit (loop);
  return G_SOURCE_CONTINUE;
}

static DynoCliStatus
serve (DynoStore *store, guint port, GError **error)
{
  g_autoptr (SoupServer) server = soup_server_new (NULL, NULL);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GError) local_error = NULL;
  g_autofree char *token = g_uuid_string_random ();
  g_autofree char *root = g_strdup_printf ("/%s/", token);
  g_autofree char *host = NULL;
  Pages pages = { .store = store, .root = root };

  if (!soup_server_listen_local (server, port, SOUP_SERVER_LISTEN_IPV4_ONLY, &local_error))
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                   _ ("The pages cannot be served on port %u: %s. Choose another with --port."), port,
                   local_error->message);
      return DYNO_CLI_FAILED;
    }

  GSList *addresses = soup_server_get_uris (server);

  host = g_strdup_printf ("127.0.0.1:%d", g_uri_get_port (addresses->data));
  g_slist_free_full (addresses, (GDestroyNotify)g_uri_unref);
  pages.host = host;
  soup_server_add_early_handler (server, NULL, early_cb, &pages, NULL);
  soup_server_add_handler (server, NULL, request_cb, &pages, NULL);
  g_unix_signal_add (SIGINT, quit_cb, loop);
  g_unix_signal_add (SIGTERM, quit_cb, loop);
  g_print ("http://%s%s\n", host, root);
  fflush (stdout);
  g_main_loop_run (loop);
  soup_server_disconnect (server);
  return DYNO_CLI_OK;
}

#else

static DynoCliStatus
serve (DynoStore *store, guint port, GError **error)
{
  g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_FAILED,
                       _ ("This Dyno was built without libsoup, so it cannot serve pages."));
  return DYNO_CLI_FAILED;
}

#endif

static DynoCliStatus
run (const DynoCliCommand *command, char **arguments, GError **error)
{
  int port = 0;
  const GOptionEntry entries[] = {
    { "port", 0, 0, G_OPTION_ARG_INT, &port, "Port on the loopback interface; 0 for any that is free (0)",
      "N" },
    G_OPTION_ENTRY_NULL,
  };
  g_auto (GStrv) rest = dyno_cli_parse (command, entries, arguments, error);
  g_autoptr (DynoStore) store = NULL;

  if (rest == NULL || !dyno_cli_expect_arguments (rest, 0, 0, error))
    return DYNO_CLI_USAGE;
  if (port < 0 || port > G_MAXUINT16)
    {
      g_set_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT, _ ("--port must be from 0 to 65535."));
      return DYNO_CLI_USAGE;
    }
  store = dyno_cli_runs_open_store (error);
  return store != NULL ? serve (store, (guint)port, error) : DYNO_CLI_FAILED;
}

const DynoCliCommand dyno_cli_serve_command = {
  .name = "serve",
  .parameters = "",
  .summary = "Show the runs in a browser, with the one being measured",
  .description =
      "Prints an address on the loopback interface. Whoever knows it can read the list of runs, the report "
      "of each, and the progress of the run that is measured here and of those on other machines, and can "
      "change nothing. The address is another one each time, and holds until Ctrl+C. From another machine, "
      "forward the same port with “ssh -L”.\n\n"
      "Examples:\n"
      "  dyno-cli serve\n"
      "  ssh -L 8042:127.0.0.1:8042 lab dyno-cli serve --port 8042\n",
  .run = run,
};

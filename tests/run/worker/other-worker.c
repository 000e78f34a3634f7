/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gio/gunixfdlist.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dyno-json.h"
#include "dyno-worker-client.h"
#include "dyno-worker-dbus.h"

/* A worker that measures nothing: the model of the case selects its behaviour. It answers like the real one. */

#define PEER_FD  3
#define N_TRACES 9
#define N_POINTS (1 << 20)

/* Each trace has 16 MiB, and all of them together more than a message on D-Bus holds. */
static void
add_traces (DynoResult *result)
{
  for (guint i = 0; i < N_TRACES; i++)
    {
      g_autofree char *name = g_strdup_printf ("temperature_%u", i);
      DynoTrace *trace = dyno_trace_new (name, "°C", i);

      dyno_trace_reserve (trace, N_POINTS);
      for (guint k = 0; k < N_POINTS; k++)
        dyno_trace_add (trace, k, i + k);
      dyno_result_take_trace (result, trace);
    }
}

/* More than any pipe holds, and not UTF-8 from the first line on. */
static void
babble (void)
{
  for (guint i = 0; i < 20000; i++)
    fprintf (stderr, "Ger\xe4t %u \xff\xfe: k\xf6nnte nicht\n", i);
}

static void
do_as_told (DynoResult *result)
{
  const char *model = dyno_case_get_model (dyno_result_get_case (result));

  if (strstr (model, "traces") != NULL)
    add_traces (result);
  if (strstr (model, "babbles") != NULL)
    babble ();
  if (strstr (model, "dies") != NULL)
    exit (EXIT_FAILURE);
}

static gboolean
measure_cb (DynoDbusWorker *skeleton,
            GDBusMethodInvocation *invocation,
            GUnixFDList *received,
            const char *json)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonObject) object = dyno_json_parse_object (json, -1, "the case", &error);
  g_autoptr (DynoCase) kase = dyno_case_new_from_json (object, &error);
  g_autoptr (DynoResult) result = dyno_result_new (kase, 0);
  g_autoptr (GUnixFDList) files = g_unix_fd_list_new ();
  g_autoptr (DynoWorkerAnswer) answer = NULL;
  int index;

  do_as_told (result);
  answer = dyno_worker_answer_write (result, &error);
  g_assert_no_error (error);
  index = g_unix_fd_list_append (files, answer->fd, &error);
  g_assert_no_error (error);
  dyno_dbus_worker_complete_measure (skeleton, invocation, files, answer->result_size, answer->traces,
                                     g_variant_new_handle (index));
  return TRUE;
}

static GDBusConnection *
connect_to_peer (GError **error)
{
  g_autoptr (GSocket) socket = g_socket_new_from_fd (PEER_FD, error);
  g_autoptr (GSocketConnection) stream = NULL;
  g_autofree char *guid = g_dbus_generate_guid ();

  if (socket == NULL)
    return NULL;
  stream = g_socket_connection_factory_create_connection (socket);
  return g_dbus_connection_new_sync (G_IO_STREAM (stream), guid,
                                     G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_SERVER |
                                         G_DBUS_CONNECTION_FLAGS_DELAY_MESSAGE_PROCESSING,
                                     NULL, NULL, error);
}

int
main (int argc, char **argv)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) connection = connect_to_peer (&error);
  g_autoptr (DynoDbusWorker) skeleton = dyno_dbus_worker_skeleton_new ();

  g_assert_no_error (error);
  g_signal_connect (skeleton, "handle-measure", G_CALLBACK (measure_cb), NULL);
  g_dbus_interface_skeleton_export (G_DBUS_INTERFACE_SKELETON (skeleton), connection,
                                    "/io/github/dynobench/Dyno/Worker", &error);
  g_assert_no_error (error);
  g_signal_connect_swapped (connection, "closed", G_CALLBACK (g_main_loop_quit), loop);
  g_dbus_connection_start_message_processing (connection);
  g_main_loop_run (loop);
  return EXIT_SUCCESS;
}

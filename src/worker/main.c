/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "dyno-backend.h"
#include "dyno-ceiling.h"
#include "dyno-error.h"
#include "dyno-json.h"
#include "dyno-machine.h"
#include "dyno-model.h"
#include "dyno-ort.h"
#include "dyno-model-description.h"
#include "dyno-model-spec.h"
#include "dyno-paths.h"
#include "dyno-prober.h"
#include "dyno-scratch.h"
#include "dyno-system.h"
#include "dyno-text.h"
#include "dyno-worker-private.h"

#define PEER_FD 3

/* The status of a command line that no mode fits. */
#define EXIT_USAGE 2

/* For reading a file: enough memory for any number of nodes and names, and for its weights, packed and
 * unpacked. */
#define READING_BYTES   (G_GINT64_CONSTANT (1) << 30)
#define READING_FACTOR  3
#define LARGEST_FILE    (G_GINT64_CONSTANT (1) << 36)
#define READING_SECONDS 100

/* The limit as a multiple of the free memory: a runtime grows its memory by doubling, and may have mapped
 * the file besides. */
#define MEASURING_FACTOR 2

static const char by_hand[] = N_ ("Dyno starts this program by itself; it is not meant to be run by hand.\n");

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

/* The parent process is gone, so nobody waits for the result. */
static void
closed_cb (void)
{
  _exit (EXIT_SUCCESS);
}

/* Libraries and drivers may write to the standard output, so the answer goes to a duplicate of it. */
static FILE *
take_output (void)
{
  int fd = fcntl (STDOUT_FILENO, F_DUPFD_CLOEXEC, PEER_FD);
  FILE *output = fd >= 0 ? fdopen (fd, "w") : NULL;

  dup2 (STDERR_FILENO, STDOUT_FILENO);
  return output;
}

/* Exits without running the destructors of libraries: a crash in them would invalidate the answer. */
static int
print_answer (FILE *output, JsonNode *node)
{
  g_autofree char *json = node != NULL ? dyno_json_text_write (node, FALSE) : NULL;

  if (json == NULL || output == NULL || fputs (json, output) < 0 || fflush (output) != 0)
    return EXIT_FAILURE;
  _exit (EXIT_SUCCESS);
}

/* Prints the object, or the error if there is none. */
static int
print_object (FILE *output, JsonObject *object, const GError *error)
{
  g_autoptr (JsonObject) answer = object != NULL ? json_object_ref (object) : json_object_new ();
  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), answer);

  if (object == NULL)
    {
      json_object_set_string_member (answer, "error", error->message);
      json_object_set_int_member (answer, "code", error->code);
    }
  return print_answer (output, node);
}

static int
describe_runtime (char **arguments)
{
  FILE *output = take_output ();
  g_autoptr (JsonNode) node = dyno_ort_runtime_describe (dyno_ort_runtime_get (arguments[0]));

  return print_answer (output, node);
}

static int
probe (char **arguments)
{
  FILE *output = take_output ();
  g_autoptr (GError) error = NULL;
  DynoBackend *backend = dyno_backend_lookup (arguments[0], &error);
  g_autoptr (DynoProbe) found = backend != NULL ? dyno_backend_probe (backend, NULL) : NULL;
  g_autoptr (JsonNode) node = found != NULL ? dyno_probe_to_json (found) : NULL;

  if (error != NULL)
    g_printerr ("%s: %s\n", g_get_prgname (), error->message);
  return print_answer (output, node);
}

/* Returns the free memory of this machine within the limits of its container; the largest number if it is
 * unknown. */
static gint64
get_free_memory (void)
{
  gint64 available = dyno_machine_read_available_memory ();

  return available >= 0 ? available : G_MAXINT64 / MEASURING_FACTOR;
}

/* Before a model is read, its engine is loaded, whose files may be anywhere. */
static void
start_engine (const char *spec, gboolean runs)
{
  g_autoptr (GListModel) backends = dyno_backend_list ();
  g_autoptr (DynoModelSpec) parsed = dyno_model_spec_parse (spec);
  const DynoEngineFormat *format = parsed->path != NULL ? dyno_engine_format_recognise (parsed->path) : NULL;
  DynoBackend *backend =
      runs || format != NULL ? dyno_backend_lookup (dyno_reference_get (format).backend, NULL) : NULL;

  if (backend != NULL)
    dyno_backend_start (backend, NULL);
}

static int
describe (char **arguments)
{
  FILE *output = take_output ();
  const char *spec = arguments[0];
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) model = NULL;
  g_autoptr (JsonObject) confinement = NULL;
  g_autoptr (JsonObject) object = NULL;

  /* A model file may be untrusted, so it gets no more resources than the largest model needs. */
  GStatBuf info;
  gint64 size = g_stat (spec, &info) == 0 ? info.st_size : 0;
  gint64 most = READING_BYTES + READING_FACTOR * MIN (size, LARGEST_FILE);

  dyno_system_limit_process (MIN (most, get_free_memory ()), READING_SECONDS);
  start_engine (spec, FALSE);
  confinement = dyno_confinement_enter (spec, NULL, NULL);

  model = dyno_model_load (spec, &error);
  object = model != NULL ? dyno_model_to_json (model) : NULL;
  return print_object (output, object, error);
}

static int
export_model (char **arguments)
{
  FILE *output = take_output ();
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoModel) loaded = NULL;
  g_autoptr (DynoModel) converted = NULL;
  g_autoptr (DynoModel) model = NULL;
  g_autoptr (JsonObject) object = NULL;
  guint64 seed = g_ascii_strtoull (arguments[3], NULL, 10);
  gboolean is_done;

  dyno_system_limit_process (get_free_memory (), 0);
  loaded = dyno_model_load (arguments[0], &error);
  converted = loaded != NULL ? dyno_model_in_precision (loaded, arguments[1], &error) : NULL;
  model = converted != NULL ? dyno_model_with_attention (converted, arguments[2], &error) : NULL;
  is_done = model != NULL && dyno_calibration_export (model, seed, arguments[4], &error);
  object = is_done ? json_object_new () : NULL;
  return print_object (output, object, error);
}

/* Prints how far this system confines a process that reads a model. */
static int
try_confinement (char **arguments)
{
  FILE *output = take_output ();
  g_autoptr (JsonObject) object = dyno_confinement_enter (NULL, NULL, NULL);

  return print_object (output, object, NULL);
}

static int
count_work (char **arguments)
{
  FILE *output = take_output ();
  g_autoptr (GError) error = NULL;
  g_autofree char *cache = dyno_paths_build (DYNO_PATH_CACHE, "models", NULL);
  g_autofree char *scratch = dyno_scratch_new (NULL);
  const char *const writable[] = { cache, scratch, NULL };
  g_autoptr (JsonObject) confinement = NULL;
  g_autoptr (JsonObject) object = NULL;

  dyno_system_limit_process (get_free_memory (), 0);
  g_mkdir_with_parents (cache, 0700);
  dyno_scratch_set_place (scratch);
  start_engine (arguments[0], TRUE);
  confinement = dyno_confinement_enter (arguments[0], arguments[4], writable);
  object =
      dyno_work_count (arguments[0], (guint)g_ascii_strtoull (arguments[1], NULL, 10),
                       (guint)g_ascii_strtoull (arguments[2], NULL, 10), arguments[3], arguments[4], &error);
  return print_object (output, object, error);
}

static int
calibrate (char **arguments)
{
  FILE *output = take_output ();
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonObject) object = NULL;

  dyno_system_limit_process (MEASURING_FACTOR * get_free_memory (), 0);
  object = dyno_calibration_measure (arguments, &error);
  return print_object (output, object, error);
}

static DynoCase *
read_case (const char *json, GError **error)
{
  g_autoptr (JsonObject) parsed = dyno_json_parse_object (json, -1, _ ("the case"), error);

  return parsed != NULL ? dyno_case_new_from_json (parsed, error) : NULL;
}

static int
try_left_alone (char **arguments)
{
  FILE *output = take_output ();
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoCase) kase = read_case (arguments[1], &error);
  g_autoptr (DynoMeasurer) measurer = kase != NULL ? dyno_measurer_new (kase, 0, FALSE) : NULL;
  g_autoptr (JsonObject) object = NULL;

  dyno_system_limit_process (MEASURING_FACTOR * get_free_memory (), 0);
  object = measurer != NULL ? dyno_measurer_try_left_alone (measurer, &error) : NULL;
  return print_object (output, object, error);
}

static int
run_bare_loop (char **arguments)
{
  FILE *output = take_output ();
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoCase) kase = read_case (arguments[1], &error);
  g_autoptr (JsonObject) object = NULL;

  dyno_system_limit_process (MEASURING_FACTOR * get_free_memory (), 0);
  object = kase != NULL ? dyno_bare_loop_run (kase, g_ascii_strtod (arguments[2], NULL), &error) : NULL;
  return print_object (output, object, error);
}

static GPtrArray *
measure_roofs (const char *name, double seconds, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (name, ":", 2);
  DynoBackend *backend = dyno_backend_lookup (parts[0] != NULL ? parts[0] : "", error);
  g_autoptr (DynoProbe) probe = NULL;
  DynoDevice *device;

  if (backend == NULL || !dyno_backend_start (backend, error))
    return NULL;
  /* Probing may bind a process to the first device. */
  probe = dyno_prober_probe (dyno_prober_get_default (), backend, DYNO_PROBER_NONE, NULL);
  device = dyno_backend_find_device (backend, probe, parts[1]);
  if (device != NULL)
    return dyno_device_roofs_measure (backend, device, seconds, error);
  if (dyno_probe_get_reason (probe) != NULL)
    g_set_error_literal (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED, dyno_probe_get_reason (probe));
  else
    g_set_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND, _ ("There is no device “%s”."), name);
  return NULL;
}

static int
ceilings (char **arguments)
{
  FILE *output = take_output ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) found = measure_roofs (arguments[0], g_ascii_strtod (arguments[1], NULL), &error);
  JsonObject *object = json_object_new ();
  JsonArray *array = json_array_new ();

  for (guint i = 0; found != NULL && i < found->len; i++)
    json_array_add_object_element (array, dyno_ceiling_to_json (g_ptr_array_index (found, i)));
  json_object_set_array_member (object, "ceilings", array);
  if (error != NULL)
    json_object_set_string_member (object, "error", error->message);

  g_autoptr (JsonNode) node = json_node_init_object (json_node_alloc (), object);

  return print_answer (output, node);
}

/* A scheduler tells every process of a job to end. The parent saves the finished part and then ends this
 * process; if it ended at once, its case would count as failed. Its child processes do not inherit a
 * handler. */
static void
leave_it_to_parent (int number)
{
}

static int
serve (char **arguments)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GDBusConnection) connection = NULL;
  g_autoptr (DynoWorkerService) service = NULL;
  g_autoptr (GError) error = NULL;

  (void)DYNO_ERROR; /* registers the error names for D-Bus */
  /* The standard output is the terminal's, and engines write their logs to it. */
  dup2 (STDERR_FILENO, STDOUT_FILENO);
  dyno_system_limit_process (MEASURING_FACTOR * get_free_memory (), 0);
  connection = connect_to_peer (&error);
  if (connection != NULL)
    service = dyno_worker_service_new (connection, &error);
  if (service == NULL)
    {
      g_printerr ("%s: %s\n", g_get_prgname (), error->message);
      g_printerr ("%s", _ (by_hand));
      return EXIT_FAILURE;
    }
  signal (SIGTERM, leave_it_to_parent);
  g_signal_connect (connection, "closed", G_CALLBACK (closed_cb), NULL);
  g_dbus_connection_start_message_processing (connection);
  g_main_loop_run (loop);
  return EXIT_SUCCESS;
}

static const struct
{
  const char *name;
  int n_arguments;
  gboolean names_engine; /* by its first argument */
  int (*run) (char **arguments);
} modes[] = {
  { "--measure", 1, TRUE, serve },
  { "--probe", 1, TRUE, probe },
  { "--runtime", 1, FALSE, describe_runtime },
  { "--describe", 1, FALSE, describe },
  { "--confinement", 0, FALSE, try_confinement },
  { "--export", 5, FALSE, export_model },
  { "--count-work", 5, FALSE, count_work },
  { "--calibrate", 10, FALSE, calibrate },
  { "--left-alone", 2, TRUE, try_left_alone },
  { "--bare-loop", 3, TRUE, run_bare_loop },
  { "--ceilings", 2, TRUE, ceilings },
};

int
main (int argc, char **argv)
{
  g_set_prgname ("dyno-worker");
  /* A write beyond a limit on file sizes fails with an error instead of ending the process. */
  signal (SIGXFSZ, SIG_IGN);
  dyno_system_offer_to_end ();
  setlocale (LC_ALL, "");
  dyno_locale_bind ();
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    if (argc == 2 + modes[i].n_arguments && g_str_equal (argv[1], modes[i].name))
      {
        /* A set-uid program would help no other engine, and might help a hostile model. */
        const char *name = modes[i].names_engine ? argv[2] : NULL;
        g_auto (GStrv) parts = g_strsplit (name != NULL ? name : "", ":", 2);
        DynoBackend *backend = parts[0] != NULL ? dyno_backend_lookup (parts[0], NULL) : NULL;
        if (backend == NULL || !dyno_backend_wants_set_uid (backend))
          dyno_system_refuse_privileges ();
        return modes[i].run (argv + 2);
      }
  g_printerr ("Usage: dyno-worker MODE [ARGUMENT…]\nModes:");
  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    g_printerr (" %s", modes[i].name);
  g_printerr ("\n%s", _ (by_hand));
  return EXIT_USAGE;
}

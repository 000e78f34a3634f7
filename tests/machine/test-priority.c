/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <gio/gio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "dyno-error.h"
#include "dyno-priority.h"
#include "suite.h"

#define NAME    "org.freedesktop.RealtimeKit1"
#define ANYBODY 65534

/* Stands in for RealtimeKit: grants the first calls, and refuses the others. */
typedef struct
{
  GDBusConnection *bus;
  GMainLoop *loop;
  int n_granted;
  int n_calls;
  gboolean is_ready;
  GMutex lock;
  GCond ready;
} Kit;

static void
called_cb (GDBusConnection *bus,
           const char *sender,
           const char *path,
           const char *interface,
           const char *method,
           GVariant *arguments,
           GDBusMethodInvocation *invocation,
           gpointer data)
{
  Kit *kit = data;
  guint64 thread;
  int niceness;
  g_autofree char *folder = NULL;

  g_variant_get (arguments, "(ti)", &thread, &niceness);
  folder = g_strdup_printf ("/proc/self/task/%" G_GUINT64_FORMAT, thread);
  g_assert_true (g_file_test (folder, G_FILE_TEST_IS_DIR));
  g_assert_cmpint (niceness, ==, -10);
  if (kit->n_calls++ < kit->n_granted)
    g_dbus_method_invocation_return_value (invocation, NULL);
  else
    g_dbus_method_invocation_return_error (invocation, G_DBUS_ERROR, G_DBUS_ERROR_ACCESS_DENIED,
                                           "Too many threads.");
}

static void
got_name_cb (GDBusConnection *bus, const char *name, gpointer data)
{
  Kit *kit = data;
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&kit->lock);

  kit->is_ready = TRUE;
  g_cond_signal (&kit->ready);
}

static gpointer
serve (gpointer data)
{
  static const GDBusInterfaceVTable calls = { .method_call = called_cb };
  Kit *kit = data;
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_autoptr (GDBusNodeInfo) node = g_dbus_node_info_new_for_xml (
      "<node><interface name='" NAME "'><method name='MakeThreadHighPriority'>"
      "<arg type='t' direction='in'/><arg type='i' direction='in'/></method></interface></node>",
      NULL);
  guint name;

  g_main_context_push_thread_default (context);
  kit->loop = g_main_loop_new (context, FALSE);
  g_dbus_connection_register_object (kit->bus, "/org/freedesktop/RealtimeKit1", node->interfaces[0], &calls,
                                     kit, NULL, NULL);
  name = g_bus_own_name_on_connection (kit->bus, NAME, G_BUS_NAME_OWNER_FLAGS_NONE, got_name_cb, NULL, kit,
                                       NULL);
  g_main_loop_run (kit->loop);
  g_bus_unown_name (name);
  g_main_context_pop_thread_default (context);
  return NULL;
}

/* Nobody may raise priorities, so RealtimeKit is asked. */
static void
become_nobody (void)
{
  const struct rlimit none = { 0, 0 };

  g_assert_cmpint (setrlimit (RLIMIT_NICE, &none), ==, 0);
  if (geteuid () == 0)
    {
      g_assert_cmpint (setresgid (ANYBODY, ANYBODY, ANYBODY), ==, 0);
      g_assert_cmpint (setresuid (ANYBODY, ANYBODY, ANYBODY), ==, 0);
    }
}

static char *
raise_with_kit (int n_granted, GError **error)
{
  g_autoptr (GTestDBus) daemon = NULL;
  Kit kit = { .n_granted = n_granted };
  GThread *thread;
  char *text;

  become_nobody ();
  daemon = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_test_dbus_up (daemon);
  g_setenv ("DBUS_SYSTEM_BUS_ADDRESS", g_test_dbus_get_bus_address (daemon), TRUE);
  kit.bus = g_dbus_connection_new_for_address_sync (g_test_dbus_get_bus_address (daemon),
                                                    G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT |
                                                        G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
                                                    NULL, NULL, NULL);
  g_assert_nonnull (kit.bus);
  thread = g_thread_new ("kit", serve, &kit);
  g_mutex_lock (&kit.lock);
  while (!kit.is_ready)
    g_cond_wait (&kit.ready, &kit.lock);
  g_mutex_unlock (&kit.lock);

  text = dyno_priority_raise (error);

  g_assert_cmpint (kit.n_calls, >, 0);
  g_main_loop_quit (kit.loop);
  g_thread_join (thread);
  g_main_loop_unref (kit.loop);
  g_object_unref (kit.bus);
  return text;
}

/* A process of its own asks a RealtimeKit that grants the priority to so many threads. */
static void
test_granted (void)
{
  static const struct
  {
    const char *n_granted;
    const char *printed;
  } rows[] = {
    { "1000", "*All * threads ran with a high priority (niceness -10), which RealtimeKit granted.*" },
    { "1", "*1 of * threads ran with a high priority*RealtimeKit: Too many threads.*" },
    { "0", "*Neither the kernel nor RealtimeKit granted a high priority*Too many threads.*" },
  };

  if (g_test_subprocess ())
    {
      int n_granted = (int)g_ascii_strtoll (g_getenv ("DYNO_TEST_GRANTED"), NULL, 10);
      g_autoptr (GError) error = NULL;
      g_autofree char *text = raise_with_kit (n_granted, &error);

      if (n_granted > 0)
        g_assert_no_error (error);
      else
        g_assert_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
      g_assert_true ((text == NULL) == (n_granted == 0));
      g_print ("%s\n", text != NULL ? text : error->message);
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    {
      g_test_message ("granted to %s", rows[i].n_granted);
      g_setenv ("DYNO_TEST_GRANTED", rows[i].n_granted, TRUE);
      g_test_trap_subprocess (NULL, 0, 0);
      g_test_trap_assert_passed ();
      g_test_trap_assert_stdout (rows[i].printed);
    }
}

static void
test_unknown (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (dyno_priority_check ("normal", NULL));
  g_assert_true (dyno_priority_check ("high", NULL));
  g_assert_false (dyno_priority_check ("highest", &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
}

static const SuiteTest tests[] = {
  { "/priority/granted", test_granted },
  { "/priority/unknown", test_unknown },
};

SUITE_TESTS (tests)

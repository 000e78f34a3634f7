/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/Xdamage.h>
#include <gio/gio.h>
#include <string.h>

#include "bench.h"
#include "dyno-paths.h"
#include "large-store.h"
#include "store-fixture.h"
#include "suite.h"

/* From the start of the process to its first frame, as the X server sees it: the first time that something other
 * than black is drawn on the screen. Dyno opens on a large store; the baseline is a program that shows an
 * empty window of the same toolkit. Where GNOME Text Editor is installed, it takes turns with Dyno, too. Then the
 * resident memory of both, once they are idle. Last, how long it takes to show a run of many cases and one of few, in
 * turns: until the last frame before a pause. */

#define N_ROUNDS   11
#define LIMIT_MS   300
#define TIMEOUT_MS 20000
/* The memory varies little, and an idle window is waited for. */
#define N_MEMORY_ROUNDS 5
#define STILL_MS        3000
#define LIMIT_MB        120
#define N_CASES         200
#define N_FEW_CASES     2
#define N_OPEN_ROUNDS   11
#define PAUSE_MS        400
#define LIMIT_OPEN_MS   150
/* Where an application of that id exports its actions. */
#define APP_PATH "/io/github/dynobench/Dyno"

typedef struct
{
  Display *display;
  int damage_event;
  const char *program;
  const char *empty_window;
  const char *text_editor;
  GDBusConnection *bus;
  GActionGroup *actions;
  char *ids[2]; /* of the run of many cases and of the other */
} Bench;

/* One row of pixels through the middle of the area, as far as it lies on the screen. */
static gboolean
is_drawn (Bench *self, const XRectangle *area)
{
  int screen = DefaultScreen (self->display);
  int left = CLAMP (area->x, 0, DisplayWidth (self->display, screen) - 1);
  int right = CLAMP (area->x + area->width, left + 1, DisplayWidth (self->display, screen));
  int row = CLAMP (area->y + area->height / 2, 0, DisplayHeight (self->display, screen) - 1);
  XImage *image = XGetImage (self->display, DefaultRootWindow (self->display), left, row,
                             (guint)(right - left), 1, AllPlanes, ZPixmap);
  gboolean drawn = FALSE;

  for (int x = 0; x < image->width && !drawn; x++)
    drawn = (XGetPixel (image, x, 0) & 0xffffff) != 0;
  XDestroyImage (image);
  return drawn;
}

static gboolean
next_event (Bench *self, XEvent *event, int timeout_ms)
{
  GPollFD poll = { ConnectionNumber (self->display), G_IO_IN, 0 };

  if (XPending (self->display) == 0 && g_poll (&poll, 1, timeout_ms) <= 0)
    return FALSE;
  XNextEvent (self->display, event);
  return TRUE;
}

static void
wait_for_frame (Bench *self)
{
  XEvent event;

  while (next_event (self, &event, TIMEOUT_MS))
    if (event.type == self->damage_event && is_drawn (self, &((XDamageNotifyEvent *)&event)->area))
      return;
  g_error ("Nothing was drawn for %d s.", TIMEOUT_MS / 1000);
}

/* Ends the program, and with it the frame: the next one starts on a black screen. */
static void
end (Bench *self, GSubprocess *process)
{
  g_subprocess_force_exit (process);
  g_subprocess_wait (process, NULL, NULL);
  XClearWindow (self->display, DefaultRootWindow (self->display));
  XSync (self->display, True);
}

/* As people start it: tests make warnings fatal, also those of other programs, and check each piece of memory. */
static GSubprocess *
start_program (const char *const *arguments)
{
  g_autoptr (GSubprocessLauncher) launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDERR_SILENCE);
  g_autoptr (GError) error = NULL;
  GSubprocess *process;

  g_subprocess_launcher_unsetenv (launcher, "G_DEBUG");
  g_subprocess_launcher_unsetenv (launcher, "MALLOC_CHECK_");
  process = g_subprocess_launcher_spawnv (launcher, arguments, &error);
  if (process == NULL)
    g_error ("%s", error->message);
  return process;
}

static double
time_start (Bench *self, const char *program)
{
  gint64 start = g_get_monotonic_time ();
  g_autoptr (GSubprocess) process = start_program ((const char *[]){ program, NULL });
  double milliseconds;

  wait_for_frame (self);
  milliseconds = (double)(g_get_monotonic_time () - start) / 1e3;
  end (self, process);
  return milliseconds;
}

/* Once nothing was drawn for a while, the window is idle. */
static double
measure_memory (Bench *self, const char *program)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GSubprocess) process = start_program ((const char *[]){ program, NULL });
  g_autofree char *path = NULL;
  g_autofree char *status = NULL;
  XEvent event;

  wait_for_frame (self);
  while (next_event (self, &event, STILL_MS))
    continue;
  path = dyno_paths_build (DYNO_PATH_PROCFS, g_subprocess_get_identifier (process), "status", NULL);
  if (!g_file_get_contents (path, &status, NULL, &error))
    g_error ("%s", error->message);
  end (self, process);
  return g_ascii_strtod (strstr (status, "VmRSS:") + strlen ("VmRSS:"), NULL) * 1024 / 1e6;
}

static double
keep_dyno (gpointer data)
{
  Bench *self = data;

  return measure_memory (self, self->program);
}

static double
keep_empty_window (gpointer data)
{
  Bench *self = data;

  return measure_memory (self, self->empty_window);
}

static double
start_dyno (gpointer data)
{
  Bench *self = data;

  return time_start (self, self->program);
}

static double
start_empty_window (gpointer data)
{
  Bench *self = data;

  return time_start (self, self->empty_window);
}

static double
start_text_editor (gpointer data)
{
  Bench *self = data;

  return time_start (self, self->text_editor);
}

static void
compare_with_text_editor (Bench *self)
{
  g_autofree char *program = g_find_program_in_path ("gnome-text-editor");
  g_autoptr (BenchPairs) pairs = bench_pairs_new ();

  if (program == NULL)
    return;
  self->text_editor = program;
  bench_pairs_run (pairs, N_ROUNDS, start_dyno, start_text_editor, self);
  bench_report_ratio ("start to first frame beside a text editor", "ms", "GNOME Text Editor", pairs,
                      BENCH_AT_MOST, 1);
}

/* Returns the time until the last frame before a pause, in ms. */
static double
show_run (Bench *self, const char *id)
{
  gint64 start = g_get_monotonic_time ();
  gint64 last = start;
  XEvent event;

  XSync (self->display, True);
  g_action_group_activate_action (self->actions, "show-run", g_variant_new_string (id));
  g_dbus_connection_flush_sync (self->bus, NULL, NULL);
  for (int patience_ms = STILL_MS; next_event (self, &event, patience_ms); patience_ms = PAUSE_MS)
    last = g_get_monotonic_time ();
  return (double)(last - start) / 1e3;
}

static double
show_many_cases (gpointer data)
{
  Bench *self = data;

  show_run (self, self->ids[1]);
  return show_run (self, self->ids[0]);
}

static double
show_few_cases (gpointer data)
{
  Bench *self = data;

  show_run (self, self->ids[0]);
  return show_run (self, self->ids[1]);
}

static void
fill_store (Bench *self, StoreFixture *fixture)
{
  const guint n_cases[] = { N_CASES, N_FEW_CASES };

  for (guint i = 0; i < G_N_ELEMENTS (n_cases); i++)
    {
      large_store_fill_run (fixture->path, n_cases[i]);
      self->ids[i] = g_strdup_printf (LARGE_STORE_LONG_RUN, n_cases[i]);
    }
}

static void
compare_runs (Bench *self)
{
  g_autoptr (BenchPairs) pairs = bench_pairs_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (GDBusConnection) bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, &error);
  g_autoptr (GDBusActionGroup) actions = NULL;
  g_autoptr (GSubprocess) process = NULL;
  StoreFixture fixture;
  XEvent event;

  if (bus == NULL)
    {
      g_print ("opening results: not measured without a session bus: %s\n", error->message);
      return;
    }
  store_fixture_set_up (&fixture, NULL);
  fill_store (self, &fixture);
  g_setenv ("DYNO_DATA_DIR", fixture.folder, TRUE);
  process = start_program ((const char *[]){ self->program, "--run", self->ids[1], NULL });
  wait_for_frame (self);
  while (next_event (self, &event, STILL_MS))
    continue;
  self->bus = bus;
  actions = g_dbus_action_group_get (bus, APP_ID, APP_PATH);
  self->actions = G_ACTION_GROUP (actions);
  bench_pairs_run (pairs, N_OPEN_ROUNDS, show_many_cases, show_few_cases, self);
  bench_report_value ("opening the results of 200 cases", "ms", "those of 2 cases", pairs, BENCH_AT_MOST,
                      LIMIT_OPEN_MS);
  end (self, process);
  store_fixture_tear_down (&fixture, NULL);
  g_free (self->ids[0]);
  g_free (self->ids[1]);
}

static void
watch_screen (Bench *self)
{
  int first_error;

  self->display = XOpenDisplay (NULL);
  if (self->display == NULL)
    bench_skip ("there is no X display; ./dev bench brings one of its own");
  if (!XDamageQueryExtension (self->display, &self->damage_event, &first_error))
    bench_skip ("the X server has no extension DAMAGE");
  self->damage_event += XDamageNotify;
  XSetWindowBackground (self->display, DefaultRootWindow (self->display),
                        BlackPixel (self->display, DefaultScreen (self->display)));
  XClearWindow (self->display, DefaultRootWindow (self->display));
  XDamageCreate (self->display, DefaultRootWindow (self->display), XDamageReportRawRectangles);
  XSync (self->display, True);
}

static int
run_suite (int argc, char *argv[])
{
  g_autoptr (BenchPairs) pairs = bench_pairs_new ();
  g_autoptr (BenchPairs) kept = bench_pairs_new ();
  guint n_runs = large_store_count_runs ();
  g_autofree char *start = g_strdup_printf ("start to first frame with %u runs in the store", n_runs);
  g_autofree char *memory = g_strdup_printf ("memory of the idle window with %u runs in the store", n_runs);
  StoreFixture fixture;
  Bench bench = { NULL };

  g_assert_cmpint (argc, ==, 3);
  bench_init ();
  bench.program = argv[1];
  bench.empty_window = argv[2];
  watch_screen (&bench);
  store_fixture_set_up (&fixture, NULL);
  large_store_fill (fixture.path, n_runs);
  g_setenv ("DYNO_DATA_DIR", fixture.folder, TRUE);
  bench_pairs_run (pairs, N_ROUNDS, start_dyno, start_empty_window, &bench);
  bench_report_value (start, "ms", "an empty window", pairs, BENCH_AT_MOST, LIMIT_MS);
  compare_with_text_editor (&bench);
  bench_pairs_run (kept, N_MEMORY_ROUNDS, keep_dyno, keep_empty_window, &bench);
  bench_report_value (memory, "MB", "an empty window", kept, BENCH_AT_MOST, LIMIT_MB);
  store_fixture_tear_down (&fixture, NULL);
  compare_runs (&bench);
  XCloseDisplay (bench.display);
  return 0;
}

SUITE (run_suite)

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <glib/gstdio.h>
#include <string.h>

#include "dyno-backends-base-private.h"
#include "dyno-error.h"
#include "dyno-graph.h"
#include "dyno-manifest.h"
#include "dyno-onnx-writer.h"
#include "session-checks.h"
#include "suite.h"

/* An engine that computes nothing and records all calls of its sessions in one list. */
G_DECLARE_FINAL_TYPE (TellSession, tell_session, TELL, SESSION, DynoSession)

struct _TellSession
{
  DynoSession parent_instance;

  char *name;
  guint n_requests;
};

G_DEFINE_FINAL_TYPE (TellSession, tell_session, DYNO_TYPE_SESSION)

static GString *told;
static const char *failing;
static GString *opened; /* how each stage was opened */

static gboolean
tell_session_set_inputs (DynoSession *session, guint slot, GPtrArray *tensors, GError **error)
{
  g_string_append_printf (told, "%s:set%u", TELL_SESSION (session)->name, slot);
  for (guint i = 0; i < tensors->len; i++)
    g_string_append_printf (told, ",%s=%g", dyno_tensor_get_name (tensors->pdata[i]),
                            dyno_tensor_get_number (tensors->pdata[i], 0));
  g_string_append_c (told, ' ');
  return TRUE;
}

static gboolean
tell_session_run (DynoSession *session, GError **error)
{
  const char *name = TELL_SESSION (session)->name;

  g_string_append_printf (told, "%s:run ", name);
  if (g_strcmp0 (failing, name) != 0)
    return TRUE;
  g_set_error (error, DYNO_ERROR, DYNO_ERROR_FAILED, "“/somewhere/%s.onnx” was to fail.", name);
  return FALSE;
}

static gboolean
tell_session_carry (DynoSession *session, const char *output, const char *input, GError **error)
{
  g_string_append_printf (told, "%s:%s→%s ", TELL_SESSION (session)->name, output, input);
  return TRUE;
}

static gboolean
tell_session_hand_over (
    DynoSession *session, const char *const *names, DynoSession *to, guint slot, GError **error)
{
  g_autofree char *joined = g_strjoinv ("+", (char **)names);

  g_string_append_printf (told, "%s→%s%u,%s ", TELL_SESSION (session)->name, TELL_SESSION (to)->name, slot,
                          joined);
  return TRUE;
}

/* All outputs of any stage. */
static GPtrArray *
tell_session_get_outputs (DynoSession *session, GError **error)
{
  GPtrArray *tensors = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
  g_autofree char *own = g_strdup_printf ("of_%s", TELL_SESSION (session)->name);

  g_ptr_array_add (tensors, tensor_new ("states", 1, 1, NULL));
  g_ptr_array_add (tensors, tensor_new (own, 1, 1, NULL));
  return tensors;
}

static GPtrArray *
tell_session_end_profile (DynoSession *session, GError **error)
{
  GPtrArray *nodes = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_node_profile_free);
  DynoNodeProfile *node = g_new0 (DynoNodeProfile, 1);

  node->name = g_strdup ("layer.MatMul_1");
  node->calls = 5;
  node->time_ns = 500;
  g_ptr_array_add (nodes, node);
  return nodes;
}

static gboolean
tell_session_get_allocator_stats (DynoSession *session, DynoAllocatorStats *stats)
{
  *stats = (DynoAllocatorStats){ 1, 20, 300 };
  return TRUE;
}

static guint
tell_session_get_requests (DynoSession *session)
{
  return TELL_SESSION (session)->n_requests;
}

static void
tell_session_finalize (GObject *object)
{
  g_free (TELL_SESSION (object)->name);

  G_OBJECT_CLASS (tell_session_parent_class)->finalize (object);
}

static void
tell_session_class_init (TellSessionClass *klass)
{
  DynoSessionClass *session_class = DYNO_SESSION_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = tell_session_finalize;
  session_class->set_inputs = tell_session_set_inputs;
  session_class->run = tell_session_run;
  session_class->carry = tell_session_carry;
  session_class->hand_over = tell_session_hand_over;
  session_class->get_outputs = tell_session_get_outputs;
  session_class->end_profile = tell_session_end_profile;
  session_class->get_allocator_stats = tell_session_get_allocator_stats;
  session_class->get_requests = tell_session_get_requests;
}

static void
tell_session_init (TellSession *self)
{
  self->n_requests = 1;
}

/* @backend is the number of requests in a step. */
static DynoSession *
open_telling (gpointer backend, const char *onnx_path, const DynoSessionOptions *options, GError **error)
{
  TellSession *self = g_object_new (tell_session_get_type (), NULL);

  self->name = g_path_get_basename (onnx_path);
  *strchr (self->name, '.') = '\0';
  self->n_requests = GPOINTER_TO_UINT (backend);
  if (opened != NULL)
    g_string_append_printf (opened, "%s:%s,%u,%s,%s ", self->name, options->precision, options->threads,
                            options->device != NULL ? options->device : "usual",
                            options->engine != NULL ? "own" : "none");
  return DYNO_SESSION (self);
}

static void
remove_all (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);

  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir))
    {
      g_autofree char *path = g_build_filename (folder, name, NULL);

      g_assert_cmpint (g_unlink (path), ==, 0);
    }
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

static DynoSession *
open_with (DynoManifest *manifest, guint n_requests, GPtrArray *stages, GError **error)
{
  const DynoSessionOptions options = { .precision = "fp32", .threads = 1, .stages = stages };
  g_autofree char *folder = g_dir_make_tmp ("dyno-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, DYNO_MANIFEST_FILE, NULL);
  DynoSession *session;

  g_assert_true (dyno_manifest_write (manifest, folder, NULL));
  session = dyno_staged_session_new (path, &options, open_telling, GUINT_TO_POINTER (n_requests), error);
  remove_all (folder);
  g_string_truncate (told, 0);
  return session;
}

static DynoSession *
open_manifest (DynoManifest *manifest, guint n_requests, GError **error)
{
  return open_with (manifest, n_requests, NULL, error);
}

static void
add_stage (DynoManifest *self, const char *name, const char *inputs, const char *outputs, int axis)
{
  g_autofree char *file = g_strdup_printf ("/somewhere/%s.onnx", name);
  DynoManifestStage *stage = dyno_manifest_add_stage (self, name, file);
  g_auto (GStrv) taken = g_strsplit (inputs, " ", -1);
  g_auto (GStrv) given = g_strsplit (outputs, " ", -1);

  for (guint i = 0; taken[i] != NULL; i++)
    dyno_manifest_stage_add_input (stage, taken[i], g_str_equal (taken[i], "steps") ? axis : -1);
  for (guint i = 0; given[i] != NULL; i++)
    dyno_manifest_stage_add_output (stage, given[i]);
}

/* An encoder, a decoder with a cache, and an independent stage. */
static DynoSession *
open_translator (guint n_requests, GError **error)
{
  g_autoptr (DynoManifest) manifest = dyno_manifest_new ();

  add_stage (manifest, "encoder", "text", "states cross of_encoder", -1);
  add_stage (manifest, "beside", "picture", "of_beside", -1);
  add_stage (manifest, "decoder", "answer past states cross", "of_decoder present", -1);
  return open_manifest (manifest, n_requests, error);
}

static void
give (DynoSession *session, guint slot, const char *names, float number)
{
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
  g_auto (GStrv) each = g_strsplit (names, " ", -1);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; each[i] != NULL; i++)
    g_ptr_array_add (tensors, tensor_new (each[i], 1, 1, &number));
  dyno_session_set_inputs (session, slot, tensors, &error);
  g_assert_no_error (error);
}

static void
assert_told (const char *expected)
{
  g_assert_cmpstr (told->str, ==, expected);
  g_string_truncate (told, 0);
}

static void
step (DynoSession *session)
{
  g_autoptr (GError) error = NULL;

  dyno_session_run (session, &error);
  g_assert_no_error (error);
}

/* Inputs and outputs are routed to their stages; a step that sets only inputs of the decoder runs only the decoder. */
static void
test_generation (void)
{
  g_autoptr (DynoSession) session = open_translator (1, NULL);

  give (session, 0, "text answer past picture", 1);
  assert_told ("encoder:set0,text=1 beside:set0,picture=1 decoder:set0,answer=1,past=1 ");
  step (session);
  assert_told ("encoder:run beside:run encoder→decoder0,states+cross decoder:run ");
  g_assert_true (dyno_session_carry (session, "present", "past", NULL));
  give (session, 0, "answer", 2);
  step (session);
  assert_told ("decoder:present→past decoder:set0,answer=2 decoder:run ");
  give (session, 0, "text answer past picture", 3);
  step (session);
  assert_told ("encoder:set0,text=3 beside:set0,picture=3 decoder:set0,answer=3,past=3 "
               "encoder:run beside:run encoder→decoder0,states+cross decoder:run ");
}

/* Each slot has a slot in every stage. */
static void
test_slots (void)
{
  g_autoptr (DynoSession) session = open_translator (1, NULL);
  g_autoptr (GError) error = NULL;

  give (session, 0, "text answer past", 1);
  give (session, 1, "text answer past", 2);
  assert_told ("encoder:set0,text=1 beside:set0 decoder:set0,answer=1,past=1 "
               "encoder:set1,text=2 beside:set1 decoder:set1,answer=2,past=2 ");
  step (session);
  step (session);
  step (session);
  assert_told ("encoder:run encoder→decoder0,states+cross decoder:run "
               "encoder:run encoder→decoder1,states+cross decoder:run "
               "encoder:run encoder→decoder0,states+cross decoder:run ");
  give (session, 0, "answer", 3);
  g_assert_false (dyno_session_run (session, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
}

/* Values passed between stages are not outputs of the model, and a stage that did not run has no outputs. */
static void
test_outputs (void)
{
  g_autoptr (DynoSession) session = open_translator (1, NULL);
  g_autoptr (GPtrArray) outputs = NULL;

  give (session, 0, "text answer past", 1);
  step (session);
  outputs = dyno_session_get_outputs (session, NULL);
  g_assert_cmpuint (outputs->len, ==, 3);
  g_assert_cmpstr (dyno_tensor_get_name (outputs->pdata[0]), ==, "of_encoder");
  g_assert_cmpstr (dyno_tensor_get_name (outputs->pdata[1]), ==, "states"); /* the decoder's */
  g_assert_cmpstr (dyno_tensor_get_name (outputs->pdata[2]), ==, "of_decoder");
}

static void
test_errors (void)
{
  g_autoptr (DynoSession) session = open_translator (1, NULL);
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
  g_autoptr (GError) error = NULL;

  g_assert_false (dyno_session_run (session, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
  g_clear_error (&error);
  g_ptr_array_add (tensors, tensor_new ("states", 1, 1, NULL));
  g_assert_false (dyno_session_set_inputs (session, 0, tensors, &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_ARGUMENT, "“text”, “picture”, “answer”, “past”");
  give (session, 0, "text answer past", 1);
  failing = "decoder";
  g_assert_false (dyno_session_run (session, &error));
  failing = NULL;
  g_assert_nonnull (strstr (error->message, "stages.json (decoder)” was to fail"));
  g_clear_error (&error);
  g_assert_null (open_translator (2, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
}

/* The profile is that of the stages that ran: no picture was given. */
static void
test_sums (void)
{
  g_autoptr (DynoSession) session = open_translator (1, NULL);
  g_autoptr (GPtrArray) nodes = NULL;
  DynoAllocatorStats stats;
  const DynoStageClock *clocks;
  guint n_stages;

  give (session, 0, "text answer past", 1);
  step (session);
  clocks = dyno_session_get_stage_clocks (session, &n_stages);
  g_assert_cmpuint (n_stages, ==, 3);
  g_assert_cmpstr (clocks[0].name, ==, "encoder");
  g_assert_cmpint (clocks[0].elapsed_ns, >, 0);
  g_assert_cmpint (clocks[1].elapsed_ns, ==, 0);
  g_assert_false (dyno_session_has_own_clock (session));
  g_assert_true (dyno_session_get_allocator_stats (session, &stats));
  g_assert_cmpint (stats.in_use, ==, 3);
  g_assert_cmpint (stats.held, ==, 60);
  g_assert_cmpint (stats.peak, ==, 900);
  nodes = dyno_session_end_profile (session, NULL);
  g_assert_cmpuint (nodes->len, ==, 2);
  g_assert_cmpstr (((DynoNodeProfile *)nodes->pdata[1])->name, ==, "decoder.layer.MatMul_1");
  g_assert_cmpint (((DynoNodeProfile *)nodes->pdata[1])->calls, ==, 5);
}

static DynoStageOptions *
stage_options_new (const char *name, const char *backend, const char *device)
{
  DynoStageOptions *self = g_new0 (DynoStageOptions, 1);

  self->name = g_strdup (name);
  self->backend = g_strdup (backend);
  self->device = g_strdup (device);
  self->precision = g_strdup ("fp16");
  self->threads = 3;
  self->engine = g_hash_table_new (g_str_hash, g_str_equal);
  return self;
}

/* An encoder and a decoder. */
static DynoSession *
open_pair (const char *stage, const char *backend, const char *device, GError **error)
{
  g_autoptr (DynoManifest) manifest = dyno_manifest_new ();
  g_autoptr (GPtrArray) stages = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_stage_options_free);

  g_ptr_array_add (stages, stage_options_new (stage, backend, device));
  add_stage (manifest, "encoder", "text", "states", -1);
  add_stage (manifest, "decoder", "answer states", "of_decoder", -1);
  return open_with (manifest, 1, stages, error);
}

/* Only the stage that the options name is opened otherwise, and on the same device it is handed tensors in place. */
static void
test_own_options (void)
{
  g_autoptr (DynoSession) session = NULL;
  const DynoStageClock *clocks;
  guint n_stages;

  opened = g_string_new (NULL);
  session = open_pair ("encoder", NULL, NULL, NULL);
  g_assert_cmpstr (opened->str, ==, "encoder:fp16,3,usual,own decoder:fp32,1,usual,none ");
  g_string_free (g_steal_pointer (&opened), TRUE);
  give (session, 0, "text answer", 1);
  g_string_truncate (told, 0);
  step (session);
  assert_told ("encoder:run encoder→decoder0,states decoder:run ");
  clocks = dyno_session_get_stage_clocks (session, &n_stages);
  g_assert_false (clocks[1].is_handed);
  g_assert_cmpint (clocks[1].handed_ns, ==, 0);
}

/* A stage on another device takes copies, which are timed; it keeps them while its feeder does not run. */
static void
test_other_device (void)
{
  g_autoptr (DynoSession) session = NULL;
  const DynoStageClock *clocks;
  guint n_stages;

  opened = g_string_new (NULL);
  session = open_pair ("decoder", NULL, "other", NULL);
  g_assert_cmpstr (opened->str, ==, "encoder:fp32,1,usual,none decoder:fp16,3,other,own ");
  g_string_free (g_steal_pointer (&opened), TRUE);
  give (session, 0, "text answer", 1);
  g_string_truncate (told, 0);
  step (session);
  assert_told ("encoder:run decoder:set0,states=0 decoder:run ");
  clocks = dyno_session_get_stage_clocks (session, &n_stages);
  g_assert_false (clocks[0].is_handed);
  g_assert_true (clocks[1].is_handed);
  g_assert_cmpint (clocks[1].handed_ns, >, 0);
  g_assert_nonnull (clocks[1].session);
  give (session, 0, "answer", 2);
  step (session);
  assert_told ("decoder:set0,answer=2 decoder:run ");
}

static void
test_other_backend (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (open_pair ("decoder", "abacus", NULL, &error));
  suite_assert_error (error, DYNO_ERROR_NOT_FOUND, "abacus");
}

static DynoTensor *
create_steps (gint64 n_steps)
{
  DynoShape shape = { DYNO_DATA_TYPE_FLOAT, 2, { 1, n_steps } };
  DynoTensor *tensor = dyno_tensor_new ("steps", &shape);

  for (gint64 i = 0; i < n_steps; i++)
    ((float *)dyno_tensor_get_data (tensor))[i] = (float)(10 * (i + 1));
  return tensor;
}

/* Three iterations, each with one part of the steps and the result of the previous iteration. */
static void
test_repeats (void)
{
  g_autoptr (DynoManifest) manifest = dyno_manifest_new ();
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
  g_autoptr (GPtrArray) nodes = NULL;
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (GError) error = NULL;

  add_stage (manifest, "text", "ids", "states", -1);
  add_stage (manifest, "loop", "x steps states", "next_x", 1);
  add_stage (manifest, "end", "next_x", "y", -1);
  session = open_manifest (manifest, 1, NULL);
  g_ptr_array_add (tensors, create_steps (3));
  g_ptr_array_add (tensors, tensor_new ("x", 1, 1, &(float){ 7 }));
  g_ptr_array_add (tensors, tensor_new ("ids", 1, 1, &(float){ 1 }));
  g_assert_true (dyno_session_set_inputs (session, 0, tensors, NULL));
  assert_told ("text:set0,ids=1 end:set0 ");
  for (guint i = 0; i < 2; i++)
    {
      step (session);
      assert_told ("text:run loop:set0,steps=10,x=7 text→loop0,states loop:run "
                   "loop:next_x→x loop:set0,steps=20 loop:run "
                   "loop:next_x→x loop:set0,steps=30 loop:run loop→end0,next_x end:run ");
    }
  /* Five runs of six are recorded, but three of the second step are asked for. */
  nodes = dyno_session_end_profile (session, NULL);
  g_assert_cmpint (((DynoNodeProfile *)nodes->pdata[1])->calls, ==, 3);
  g_assert_cmpint (((DynoNodeProfile *)nodes->pdata[1])->time_ns, ==, 300);
  g_assert_cmpint (((DynoNodeProfile *)nodes->pdata[0])->calls, ==, 5);
  g_ptr_array_remove_index (tensors, 0);
  g_assert_false (dyno_session_set_inputs (session, 0, tensors, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
}

static void
write_graph (const char *folder, const char *name, DynoGraph *graph)
{
  g_autofree char *file = g_strconcat (name, ".onnx", NULL);
  g_autoptr (GError) error = NULL;

  dyno_graph_check (graph, &error);
  g_assert_no_error (error);
  dyno_onnx_writer_write_as (graph, folder, file, 1, NULL, &error);
  g_assert_no_error (error);
}

/* states = 2 · a; next_x = x · states + steps, for each of the steps; y = next_x + states. */
static void
write_loop (const char *folder)
{
  g_autoptr (DynoManifest) manifest = dyno_manifest_new ();
  g_autoptr (DynoGraph) first = dyno_graph_new (NULL);
  g_autoptr (DynoGraph) loop = dyno_graph_new (NULL);
  g_autoptr (DynoGraph) last = dyno_graph_new (NULL);
  const char *value = dyno_graph_add_input (first, "a", DYNO_DATA_TYPE_FLOAT, "rows, 1");
  const char *states;

  dyno_graph_add_output (first, "states",
                         dyno_graph_add (first, "Mul", NULL, value, dyno_graph_add_float (first, 2), NULL),
                         "rows, 1");
  write_graph (folder, "first", first);
  value = dyno_graph_add_input (loop, "x", DYNO_DATA_TYPE_FLOAT, "rows, 1");
  states = dyno_graph_add_input (loop, "states", DYNO_DATA_TYPE_FLOAT, "rows, 1");
  value = dyno_graph_add (loop, "Mul", NULL, value, states, NULL);
  value = dyno_graph_add (loop, "Add", NULL, value,
                          dyno_graph_add_input (loop, "steps", DYNO_DATA_TYPE_FLOAT, "1, 1"), NULL);
  dyno_graph_add_output (loop, "next_x", value, "rows, 1");
  write_graph (folder, "loop", loop);
  value = dyno_graph_add_input (last, "next_x", DYNO_DATA_TYPE_FLOAT, "rows, 1");
  states = dyno_graph_add_input (last, "states", DYNO_DATA_TYPE_FLOAT, "rows, 1");
  dyno_graph_add_output (last, "y", dyno_graph_add (last, "Add", NULL, value, states, NULL), "rows, 1");
  write_graph (folder, "last", last);
  add_stage (manifest, "first", "a", "states", -1);
  add_stage (manifest, "loop", "x states steps", "next_x", 1);
  add_stage (manifest, "last", "next_x states", "y", -1);
  for (guint i = 0; i < manifest->stages->len; i++)
    {
      DynoManifestStage *stage = manifest->stages->pdata[i];

      g_free (stage->file);
      stage->file = g_strconcat (stage->name, ".onnx", NULL);
    }
  g_assert_true (dyno_manifest_write (manifest, folder, NULL));
}

static void
give_rows (DynoSession *session, guint slot, gint64 n_rows, float a)
{
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
  g_autofree float *ones = g_new (float, n_rows);
  g_autofree float *as = g_new (float, n_rows);
  g_autoptr (GError) error = NULL;

  for (gint64 i = 0; i < n_rows; i++)
    {
      ones[i] = 1;
      as[i] = a;
    }
  g_ptr_array_add (tensors, create_steps (3));
  g_ptr_array_add (tensors, tensor_new ("x", n_rows, 1, ones));
  g_ptr_array_add (tensors, tensor_new ("a", n_rows, 1, as));
  dyno_session_set_inputs (session, slot, tensors, &error);
  g_assert_no_error (error);
}

/* x = 1, then three times x · 2a + 10, 20, 30, and 2a at the end. */
static double
compute (double a)
{
  double x = 1;

  for (guint i = 1; i <= 3; i++)
    x = x * 2 * a + 10 * i;
  return x + 2 * a;
}

static void
assert_rows (DynoSession *session, gint64 n_rows, double a)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) outputs = NULL;

  step (session);
  outputs = dyno_session_get_outputs (session, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (outputs->len, ==, 1);
  g_assert_cmpint (dyno_tensor_get_shape (outputs->pdata[0])->dims[0], ==, n_rows);
  for (gint64 i = 0; i < n_rows; i++)
    g_assert_cmpfloat_with_epsilon (dyno_tensor_get_number (outputs->pdata[0], i), compute (a), 1e-3);
}

/* Values passed on without a copy stay correct when slots alternate and when sizes change. */
static void
test_engine (gconstpointer backend_id)
{
  const DynoSessionOptions options = { .precision = "fp32", .threads = 1, .optimise = TRUE };
  DynoBackend *backend = get_available_or_skip (backend_id);
  g_autofree char *folder = NULL;
  g_autofree char *path = NULL;
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (GError) error = NULL;

  if (backend == NULL)
    return;
  folder = g_dir_make_tmp ("dyno-test-XXXXXX", NULL);
  path = g_build_filename (folder, DYNO_MANIFEST_FILE, NULL);
  write_loop (folder);
  session = dyno_backend_open (backend, path, &options, &error);
  g_assert_no_error (error);
  give_rows (session, 0, 4, 1);
  assert_rows (session, 4, 1);
  give_rows (session, 0, 4, 2);
  assert_rows (session, 4, 2);
  give_rows (session, 0, 2, 3);
  assert_rows (session, 2, 3);
  give_rows (session, 1, 5, 4);
  for (guint i = 0; i < 3; i++)
    {
      assert_rows (session, 2, 3);
      assert_rows (session, 5, 4);
    }
  g_clear_object (&session);
  remove_all (folder);
}

/* The middle stage repeats on another engine than its neighbours. */
static void
test_across (void)
{
  g_autoptr (GPtrArray) stages = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_stage_options_free);
  const DynoSessionOptions options = {
    .precision = "fp32", .threads = 1, .optimise = TRUE, .stages = stages
  };
  DynoBackend *backend = get_available_or_skip ("cpu");
  DynoStageOptions *own;
  g_autofree char *folder = NULL;
  g_autofree char *path = NULL;
  g_autoptr (DynoSession) session = NULL;
  const DynoStageClock *clocks;
  guint n_stages;
  g_autoptr (GError) error = NULL;

  if (backend == NULL || get_available_or_skip ("openvino") == NULL)
    return;
  own = stage_options_new ("loop", "openvino", NULL);
  own->threads = 1;
  g_free (own->precision);
  own->precision = g_strdup ("fp32");
  g_ptr_array_add (stages, own);
  folder = g_dir_make_tmp ("dyno-test-XXXXXX", NULL);
  path = g_build_filename (folder, DYNO_MANIFEST_FILE, NULL);
  write_loop (folder);
  session = dyno_backend_open (backend, path, &options, &error);
  g_assert_no_error (error);
  give_rows (session, 0, 4, 1);
  assert_rows (session, 4, 1);
  give_rows (session, 0, 2, 3);
  assert_rows (session, 2, 3);
  give_rows (session, 1, 5, 4);
  for (guint i = 0; i < 3; i++)
    {
      assert_rows (session, 2, 3);
      assert_rows (session, 5, 4);
    }
  clocks = dyno_session_get_stage_clocks (session, &n_stages);
  g_assert_false (clocks[0].is_handed);
  g_assert_cmpint (clocks[1].handed_ns, >, 0);
  g_assert_cmpint (clocks[2].handed_ns, >, 0);
  g_assert_cmpstr (dyno_session_get_provider (clocks[1].session), ==, "OpenVINO CPU");
  g_assert_cmpstr (dyno_session_get_provider (session), ==, "CPUExecutionProvider");
  g_clear_object (&session);
  remove_all (folder);
}

static void
add_tests (void)
{
  told = g_string_new (NULL);
  g_test_add_func ("/staged-session/generation", test_generation);
  g_test_add_func ("/staged-session/slots", test_slots);
  g_test_add_func ("/staged-session/outputs", test_outputs);
  g_test_add_func ("/staged-session/errors", test_errors);
  g_test_add_func ("/staged-session/sums", test_sums);
  g_test_add_func ("/staged-session/repeats", test_repeats);
  g_test_add_func ("/staged-session/own-options", test_own_options);
  g_test_add_func ("/staged-session/other-device", test_other_device);
  g_test_add_func ("/staged-session/other-backend", test_other_backend);
  g_test_add_func ("/staged-session/across", test_across);
  g_test_add_data_func ("/staged-session/cpu", "cpu", test_engine);
  g_test_add_data_func ("/staged-session/openvino", "openvino", test_engine);
}

SUITE_ADD (add_tests)

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <signal.h>
#include <string.h>

#include "dyno-backend.h"
#include "dyno-cuda-private.h"
#include "dyno-error.h"
#include "dyno-onnxruntime-private.h"
#include "dyno-ort.h"
#include "dyno-ort-api.h"
#include "dyno-paths.h"
#include "dyno-qnn-profile.h"
#include "dyno-value.h"
#include "engines.h"
#include "library-tree.h"
#include "suite.h"

#define CUDA "CUDAExecutionProvider"
#define BOTH "TensorrtExecutionProvider,CUDAExecutionProvider,CPUExecutionProvider"

/* A machine with mock drivers and a mock runtime, which leaves all work to the real one. */
typedef struct
{
  LibraryTree tree;
  char *log;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  library_tree_set_up (&fixture->tree, data);
  fixture->log = g_build_filename (fixture->tree.root, "log", NULL);
  dyno_paths_set_root (DYNO_PATH_SYSFS, fixture->tree.root);
  g_setenv ("DYNO_LIBRARY_PATH", g_getenv ("DYNO_TEST_DRIVERS"), TRUE);
  g_setenv ("DYNO_FAKE_NVML", "whole", TRUE);
  g_setenv ("DYNO_FAKE_CUDA", "", TRUE);
  g_setenv ("DYNO_FAKE_ORT_LOG", fixture->log, TRUE);
  g_unsetenv ("DYNO_FAKE_ORT_PROBLEM");
  g_unsetenv ("NVIDIA_TF32_OVERRIDE");
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  dyno_paths_set_root (DYNO_PATH_SYSFS, NULL);
  library_tree_tear_down (&fixture->tree, data);
  g_free (fixture->log);
}

static void
write_file (const char *folder, const char *name, const char *text)
{
  g_free (library_tree_add_file (folder, name, text));
}

/* A runtime in a folder of its own; what lies beside it is part of it. */
static char *
add_runtime (Fixture *fixture, const char *name)
{
  char *folder = library_tree_add_folder (fixture->tree.runtimes, name);
  g_autoptr (GFile) source = g_file_new_for_path (g_getenv ("DYNO_TEST_RUNTIME"));
  g_autofree char *path = g_build_filename (folder, "libonnxruntime.so.1", NULL);
  g_autoptr (GFile) copy = g_file_new_for_path (path);

  g_assert_true (g_file_copy (source, copy, G_FILE_COPY_NONE, NULL, NULL, NULL, NULL));
  return folder;
}

/* A runtime that lists @providers, with the libraries of all that are NVIDIA's; %FALSE where there is no real one. */
static gboolean
add_runtime_or_skip (Fixture *fixture, const char *providers)
{
  g_autofree char *folder = NULL;

  if (g_getenv ("DYNO_FAKE_ORT_REAL") == NULL)
    {
      skip_without_engine ("cpu", "the folder runtimes holds no usable ONNX Runtime");
      return FALSE;
    }
  g_setenv ("DYNO_FAKE_ORT_PROVIDERS", providers, TRUE);
  folder = add_runtime (fixture, "made-up");
  write_file (folder, "libonnxruntime_providers_cuda.so", "no library\n");
  write_file (folder, "libonnxruntime_providers_tensorrt.so", "no library\n");
  write_file (folder, "libonnxruntime_providers_migraphx.so", "no library\n");
  write_file (folder, "libonnxruntime_providers_rocm.so", "no library\n");
  write_file (folder, "libQnnHtp.so", "no library\n");
  return TRUE;
}

static DynoProbe *
probe (const char *id)
{
  return dyno_backend_probe (dyno_backend_lookup (id, NULL), NULL);
}

static void
assert_unsupported (const char *id, const char *part)
{
  g_autoptr (DynoProbe) found = probe (id);

  g_assert_cmpint (dyno_probe_get_state (found), ==, DYNO_PROBE_UNSUPPORTED);
  g_test_message ("%s", dyno_probe_get_reason (found));
  g_assert_nonnull (strstr (dyno_probe_get_reason (found), part));
  g_assert_nonnull (dyno_probe_get_remedy (found));
}

static DynoDevice *
get_device (DynoProbe *found, guint n_devices)
{
  g_autoptr (DynoDevice) device = NULL;

  if (dyno_probe_get_state (found) != DYNO_PROBE_AVAILABLE)
    g_error ("%s", dyno_probe_get_reason (found));
  g_assert_cmpuint (g_list_model_get_n_items (dyno_probe_get_devices (found)), ==, n_devices);
  device = g_list_model_get_item (dyno_probe_get_devices (found), 0);
  return device; /* the probe keeps it */
}

static void
assert_told (Fixture *fixture, const char *line)
{
  g_autofree char *text = NULL;
  g_auto (GStrv) lines = NULL;

  g_assert_true (g_file_get_contents (fixture->log, &text, NULL, NULL));
  lines = g_strsplit (text, "\n", -1);
  if (!g_strv_contains ((const char *const *)lines, line))
    g_error ("The provider was not told “%s”, but:\n%s", line, text);
}

static DynoSession *
open_fixture (const char *id, const char *device, GHashTable *engine, gboolean profile, GError **error)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "backends", "fixtures", "affine.onnx", NULL);
  DynoSessionOptions options = {
    .device = device, .precision = "fp32", .threads = 2, .profile = profile, .engine = engine
  };

  return dyno_backend_open (dyno_backend_lookup (id, NULL), path, &options, error);
}

static DynoSession *
open_fixture_or_fail (const char *id, const char *device, GHashTable *engine, gboolean profile)
{
  g_autoptr (GError) error = NULL;
  DynoSession *session = open_fixture (id, device, engine, profile, &error);

  g_assert_no_error (error);
  return session;
}

/* A worker reports the same as the probe, with the remedy. */
static void
test_no_driver (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoProbe) found = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *expected = NULL;

  g_setenv ("DYNO_LIBRARY_PATH", fixture->tree.runtimes, TRUE);
  assert_unsupported ("cuda", "not installed");
  g_assert_false (dyno_backend_start (dyno_backend_lookup ("cuda", NULL), &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
  found = probe ("cuda");
  expected = g_strdup_printf ("%s %s", dyno_probe_get_reason (found), dyno_probe_get_remedy (found));
  g_assert_cmpstr (error->message, ==, expected);
}

static void
test_no_device (Fixture *fixture, gconstpointer data)
{
  g_setenv ("DYNO_FAKE_NVML", "", TRUE);
  assert_unsupported ("cuda", "finds no device");
}

static void
test_boards (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) devices = NULL;

  g_setenv ("DYNO_FAKE_NVML", "whole sliced", TRUE);
  devices = dyno_nvml_list_devices (&error);
  g_assert_no_error (error);
  g_assert_cmpuint (devices->len, ==, 3);
  g_assert_cmpstr (dyno_device_get_id (devices->pdata[0]), ==, "GPU-1");
  g_assert_cmpstr (dyno_device_get_name (devices->pdata[0]), ==, "Difference Engine 1");
  g_assert_cmpstr (dyno_device_get_driver (devices->pdata[0]), ==, "NVIDIA 550.54, compute capability 9.0");
  g_assert_cmpstr (dyno_device_get_address (devices->pdata[0]), ==, "0000:41:00.0");
  g_assert_cmpint (dyno_device_get_memory (devices->pdata[0]), ==, 80000000000);
  g_assert_cmpint (dyno_device_get_kind (devices->pdata[0]), ==, DYNO_DEVICE_KIND_DISCRETE_GPU);

  /* a slice has its own name and memory, at its board's address */
  g_assert_cmpstr (dyno_device_get_id (devices->pdata[1]), ==, "MIG-18");
  g_assert_cmpstr (dyno_device_get_id (devices->pdata[2]), ==, "MIG-34");
  g_assert_cmpstr (dyno_device_get_address (devices->pdata[2]), ==, "0000:42:00.0");
  g_assert_cmpint (dyno_device_get_memory (devices->pdata[2]), ==, 10000000000);
}

static void
test_no_provider (Fixture *fixture, gconstpointer data)
{
  if (add_runtime_or_skip (fixture, "CPUExecutionProvider"))
    assert_unsupported ("cuda", "built without the provider “CUDAExecutionProvider”");
}

static void
test_no_library (Fixture *fixture, gconstpointer data)
{
  g_autofree char *library = NULL;

  if (!add_runtime_or_skip (fixture, BOTH))
    return;
  library = g_build_filename (fixture->tree.runtimes, "made-up", "libonnxruntime_providers_cuda.so", NULL);
  g_assert_cmpint (g_remove (library), ==, 0);
  assert_unsupported ("cuda", "“libonnxruntime_providers_cuda.so” is not beside it");
}

static void
test_library_does_not_load (Fixture *fixture, gconstpointer data)
{
  if (!add_runtime_or_skip (fixture, BOTH))
    return;
  g_setenv ("DYNO_FAKE_ORT_PROBLEM",
            "Failed to load library: libcublasLt.so.12: cannot open shared object file", TRUE);
  assert_unsupported ("cuda", "libcublasLt.so.12");
}

/* The provider loads, but the requested device is missing. */
static void
test_provider_finds_no_device (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  if (!add_runtime_or_skip (fixture, BOTH))
    return;
  g_setenv ("DYNO_FAKE_ORT_PROBLEM",
            "/src/cuda_call.cc:123 CudaCall was false. CUDA failure 100: no CUDA-capable device is detected",
            TRUE);
  assert_unsupported ("cuda",
                      "“CUDAExecutionProvider”: CUDA failure 100: no CUDA-capable device is detected.");
  g_assert_null (open_fixture ("cuda", NULL, NULL, FALSE, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
}

/* The runtime for the processor comes first in the folder and has no CUDA. Once the other one is open, it is used for
 * everything. */
static void
test_runtime_with_provider (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoProbe) found = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = library_tree_add_folder (fixture->tree.runtimes, "z-plain");
  g_autofree char *link = NULL;
  DynoOrtRuntime *plain, *with_cuda;

  if (!add_runtime_or_skip (fixture, BOTH))
    return;
  link = library_tree_add_link (folder, "libonnxruntime.so.1", g_getenv ("DYNO_FAKE_ORT_REAL"));
  plain = dyno_ort_library_get_for (DYNO_ORT_PROVIDER_CPU, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (dyno_ort_runtime_get_path (plain), ==, g_getenv ("DYNO_FAKE_ORT_REAL"));
  with_cuda = dyno_ort_library_get_for (CUDA, &error);
  g_assert_no_error (error);
  g_assert_true (g_str_has_prefix (dyno_ort_runtime_get_path (with_cuda), fixture->tree.runtimes));

  found = probe ("cuda");
  g_assert_cmpstr (dyno_device_get_id (get_device (found, 1)), ==, "GPU-1");
  g_assert_true (dyno_ort_library_get_for (DYNO_ORT_PROVIDER_CPU, &error) == with_cuda);
  g_assert_true (dyno_ort_library_get_default (&error) == with_cuda);
  g_assert_false (dyno_engine_library_is_open (DYNO_ENGINE_LIBRARY (plain)));

  /* what the processor computes instead does not count */
  g_assert_null (dyno_device_get_precisions (get_device (found, 1))[0]);
}

/* One probe finds the devices of two runtimes: it opens one, and another process queries the other. */
static void
test_others_in_two_runtimes (Fixture *fixture, gconstpointer data)
{
  g_autofree char *second = NULL;
  g_autoptr (DynoProbe) found = NULL;
  g_autofree char *path = NULL;

  if (!add_runtime_or_skip (fixture, "AbacusExecutionProvider,CPUExecutionProvider"))
    return;
  second = add_runtime (fixture, "b-second");
  write_file (second, "providers", "SorobanExecutionProvider,CPUExecutionProvider");
  path = g_build_filename (second, "libonnxruntime.so.1", NULL);
  found = probe ("onnxruntime");
  g_assert_cmpstr (dyno_device_get_id (get_device (found, 2)), ==, "abacus");
  g_assert_nonnull (dyno_probe_find_device (found, "soroban"));
  g_assert_false (dyno_engine_library_is_open (DYNO_ENGINE_LIBRARY (dyno_ort_runtime_get (path))));
}

static void
run_once (DynoSession *session)
{
  DynoShape shape = { DYNO_DATA_TYPE_FLOAT, 2, { 1, 3 } };
  g_autoptr (GPtrArray) tensors = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_tensor_unref);
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (tensors, dyno_tensor_new ("x", &shape));
  memset (dyno_tensor_get_data (tensors->pdata[0]), 0, dyno_tensor_get_size (tensors->pdata[0]));
  dyno_session_set_inputs (session, 0, tensors, &error);
  g_assert_no_error (error);
  dyno_session_run (session, &error);
  g_assert_no_error (error);
}

/* ONNX Runtime must not send telemetry. */
static void
test_no_telemetry (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoSession) session = NULL;

  if (!add_runtime_or_skip (fixture, BOTH))
    return;
  session = open_fixture_or_fail ("cuda", NULL, NULL, FALSE);
  assert_told (fixture, "no telemetry");
}

/* Work that the processor does in another provider's name is recognised. */
static void
test_falls_back_visibly (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (GPtrArray) nodes = NULL;

  if (!add_runtime_or_skip (fixture, BOTH))
    return;
  session = open_fixture_or_fail ("cuda", NULL, NULL, TRUE);
  run_once (session);
  g_assert_cmpstr (dyno_session_get_provider (session), ==, CUDA);
  nodes = dyno_session_end_profile (session, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (nodes->len, >, 0);
  for (guint i = 0; i < nodes->len; i++)
    g_assert_cmpstr (((DynoNodeProfile *)nodes->pdata[i])->provider, ==, "CPUExecutionProvider");
}

typedef struct
{
  const char *engine;
  const char *precision;
  const char *graph;
  const char *override;
  const char *lines[2];
} Told;

static const Told told[] = {
  { "cuda", "tf32", "off", NULL, { "CUDA device_id=0 enable_cuda_graph=0 use_tf32=1" } },
  { "cuda", "fp32", "off", NULL, { "CUDA device_id=0 enable_cuda_graph=0 use_tf32=0" } },
  { "cuda", "fp16", "on", NULL, { "CUDA device_id=0 enable_cuda_graph=1 use_tf32=0" } },
  { "tensorrt", "tf32", "on", NULL, { "TensorRT device_id=0 trt_cuda_graph_enable=1", "CUDA device_id=0" } },
  { "tensorrt", "fp32", "on", "0", { "TensorRT device_id=0 trt_cuda_graph_enable=1", "CUDA device_id=0" } },
};

static GHashTable *
create_engine (const char *engine, const char *graph)
{
  GHashTable *options = g_hash_table_new (g_str_hash, g_str_equal);

  g_hash_table_insert (options, (gpointer) "engine", (gpointer)engine);
  g_hash_table_insert (options, (gpointer) "cuda-graph", (gpointer)graph);
  return options;
}

static DynoSession *
open_in (const char *precision, GHashTable *engine, gboolean left_alone, GError **error)
{
  g_autofree char *path = g_test_build_filename (G_TEST_DIST, "backends", "fixtures", "affine.onnx", NULL);
  DynoSessionOptions options = {
    .precision = precision, .threads = 2, .left_alone = left_alone, .engine = engine
  };

  return dyno_backend_open (dyno_backend_lookup ("cuda", NULL), path, &options, error);
}

static void
test_cuda_options (Fixture *fixture, gconstpointer data)
{
  const Told *expected = data;
  g_autoptr (GHashTable) engine = create_engine (expected->engine, expected->graph);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = NULL;

  if (!add_runtime_or_skip (fixture, BOTH))
    return;
  session = open_in (expected->precision, engine, FALSE, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (expected->lines) && expected->lines[i] != NULL; i++)
    assert_told (fixture, expected->lines[i]);
  g_assert_cmpstr (g_getenv ("NVIDIA_TF32_OVERRIDE"), ==, expected->override);
  run_once (session);
}

static void
assert_computes_in (const char *precision, gboolean left_alone, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = open_in (precision, NULL, left_alone, &error);
  g_autoptr (GHashTable) settings = NULL;

  g_assert_no_error (error);
  settings = dyno_session_read_settings (session);
  if (expected == NULL)
    g_assert_null (settings);
  else
    g_assert_cmpstr (g_hash_table_lookup (settings, "inference-precision"), ==, expected);
}

/* What is in half precision stays so. */
static void
test_left_alone (Fixture *fixture, gconstpointer data)
{
  if (!add_runtime_or_skip (fixture, BOTH))
    return;
  assert_computes_in ("fp32", FALSE, "fp32");
  assert_computes_in ("tf32", FALSE, "tf32");
  assert_computes_in ("fp32", TRUE, "tf32");
  assert_told (fixture, "CUDA device_id=0 enable_cuda_graph=0 use_tf32=1");
  assert_computes_in ("fp16", FALSE, NULL);
  assert_computes_in ("fp16", TRUE, NULL);
}

static void
test_without_tf32 (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  g_setenv ("DYNO_FAKE_NVML", "old", TRUE);
  if (!add_runtime_or_skip (fixture, BOTH))
    return;
  assert_computes_in ("fp32", TRUE, "fp32");
  g_assert_null (open_in ("tf32", NULL, FALSE, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "compute capability 8.0"));
}

static void
test_unknown_engine (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GHashTable) unknown = create_engine ("opencl", "off");
  g_autoptr (GError) error = NULL;

  if (!add_runtime_or_skip (fixture, BOTH))
    return;
  g_assert_null (open_fixture ("cuda", NULL, unknown, FALSE, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_ARGUMENT);
}

/* Only the requested device is made visible to the process, and then no other. */
static void
test_one_device (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = NULL;

  g_setenv ("DYNO_FAKE_NVML", "whole whole", TRUE);
  if (!add_runtime_or_skip (fixture, BOTH))
    return;
  session = open_fixture_or_fail ("cuda", "GPU-1", NULL, FALSE);
  g_assert_cmpstr (g_getenv ("CUDA_VISIBLE_DEVICES"), ==, "GPU-1");
  g_assert_null (open_fixture ("cuda", "GPU-2", NULL, FALSE, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
  g_clear_error (&error);
  g_assert_null (open_fixture ("cuda", "GPU-3", NULL, FALSE, &error));
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_NOT_FOUND);
}

static void
add_card (Fixture *fixture, const char *name, const char *uevent, const char *unique_id)
{
  g_autofree char *below = g_build_filename ("class", "drm", name, "device", NULL);
  g_autofree char *folder = library_tree_add_folder (fixture->tree.root, below);

  write_file (folder, "uevent", uevent);
  write_file (folder, "mem_info_vram_total", "17163091968\n");
  if (unique_id != NULL)
    write_file (folder, "unique_id", unique_id);
}

static void
test_rocm (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoProbe) found = NULL;
  g_autoptr (DynoSession) session = NULL;
  DynoDevice *device;

  assert_unsupported ("rocm", "“amdgpu” has no device");
  add_card (fixture, "card0", "DRIVER=i915\nPCI_SLOT_NAME=0000:00:02.0\n", NULL);
  assert_unsupported ("rocm", "“amdgpu” has no device");
  add_card (fixture, "card1", "DRIVER=amdgpu\nPCI_ID=1002:73BF\nPCI_SLOT_NAME=0000:0a:00.0\n", NULL);
  add_card (fixture, "card2", "DRIVER=amdgpu\nPCI_ID=1002:744C\nPCI_SLOT_NAME=0000:03:00.0\n", "70e1f1\n");
  if (!add_runtime_or_skip (fixture, "MIGraphXExecutionProvider,CPUExecutionProvider"))
    return;
  found = probe ("rocm");
  device = get_device (found, 2);
  g_assert_cmpstr (dyno_device_get_id (device), ==, "GPU-70e1f1");
  g_assert_cmpstr (dyno_device_get_name (device), ==, "Jacquard Loom");
  g_assert_cmpstr (dyno_device_get_address (device), ==, "0000:03:00.0");
  g_assert_cmpint (dyno_device_get_memory (device), ==, 17163091968);
  g_assert_cmpstr (g_getenv ("ROCR_VISIBLE_DEVICES"), ==, "GPU-70e1f1");
  device = dyno_probe_find_device (found, "0000:0a:00.0");
  g_assert_cmpstr (dyno_device_get_name (device), ==, "AMD device 1002:73BF");

  session = open_fixture_or_fail ("rocm", "GPU-70e1f1", NULL, FALSE);
  assert_told (fixture, "MIGraphX device_id=0");
  g_assert_cmpstr (dyno_session_get_provider (session), ==, "MIGraphXExecutionProvider");
}

#define MIGRAPHX "MIGraphXExecutionProvider,CPUExecutionProvider"
#define ROCM     "ROCMExecutionProvider,CPUExecutionProvider"
#define CPU      "CPUExecutionProvider"

/* Options of a case, and the line that reaches the runtime or a part of the refusal. */
typedef struct
{
  const char *backend;
  const char *providers;
  const char *options;
  const char *line;
  const char *refusal;
} Tuned;

static const Tuned tuned[] = {
  { "cpu", CPU, "arena=off", "no arena", NULL },
  { "cpu", CPU, "memory-pattern=off", "no memory pattern", NULL },
  { "cpu", CPU, "prepacking=off", "session.disable_prepacking=1", NULL },
  { "cpu", CPU, "denormals=zero", "session.set_denormal_as_zero=1", NULL },
  { "cpu", CPU, "spinning=off", "session.intra_op.allow_spinning=0", NULL },
  { "cpu", CPU, "spinning=off", "session.inter_op.allow_spinning=0", NULL },
  { "cpu", CPU, "dynamic-block-base=4", "session.dynamic_block_base=4", NULL },
  { "cpu", CPU, "dynamic-block-base=many", NULL, "from 0 to 1000" },
  { "cpu", CPU, "huge-pages=on", NULL, "/sys/kernel/mm/transparent_hugepage/enabled" },
  { "cuda", BOTH, "cudnn-search=heuristic",
    "CUDA cudnn_conv_algo_search=HEURISTIC device_id=0 enable_cuda_graph=0 use_tf32=0", NULL },
  { "cuda", BOTH, "cudnn-workspace=32mb,arena-growth=as-requested",
    "CUDA arena_extend_strategy=kSameAsRequested cudnn_conv_use_max_workspace=0 device_id=0 "
    "enable_cuda_graph=0 use_tf32=0",
    NULL },
  { "cuda", BOTH, "layout=nhwc,unified-stream=on",
    "CUDA device_id=0 enable_cuda_graph=0 prefer_nhwc=1 use_ep_level_unified_stream=1 use_tf32=0", NULL },
  { "cuda", BOTH, "stream-priority=low",
    "CUDA device_id=0 enable_cuda_graph=0 has_user_compute_stream=1 use_tf32=0 user_compute_stream=4096",
    NULL },
  { "cuda", BOTH, "stream-priority=middle",
    "CUDA device_id=0 enable_cuda_graph=0 has_user_compute_stream=1 use_tf32=0 user_compute_stream=4098",
    NULL },
  { "cuda", BOTH, "stream-priority=high",
    "CUDA device_id=0 enable_cuda_graph=0 has_user_compute_stream=1 use_tf32=0 user_compute_stream=4101",
    NULL },
  { "cuda", BOTH, "engine=tensorrt,stream-priority=high", NULL, "“engine=cuda”" },
  { "cuda", BOTH, "engine=tensorrt,builder-level=5,inference-precision=fp16",
    "TensorRT device_id=0 trt_builder_optimization_level=5 trt_cuda_graph_enable=0 trt_fp16_enable=1", NULL },
  { "cuda", BOTH, "engine=tensorrt,cache=timing",
    "TensorRT device_id=0 trt_cuda_graph_enable=0 trt_timing_cache_enable=1 trt_timing_cache_path=…", NULL },
  { "cuda", BOTH, "engine=tensorrt,cache=engine",
    "TensorRT device_id=0 trt_cuda_graph_enable=0 trt_engine_cache_enable=1 trt_engine_cache_path=…", NULL },
  { "cuda", BOTH, "builder-level=2", NULL, "“engine=tensorrt”" },
  { "cuda", BOTH, "inference-precision=bf16", NULL, "“inference-precision=bf16”" },
  { "cuda", BOTH, "engine=tensorrt,layout=nhwc", NULL, "“engine=cuda”" },
  { "cuda", BOTH, "engine=tensorrt,builder-level=6", NULL, "from 0 to 5" },
  { "rocm", MIGRAPHX, "inference-precision=fp16,exhaustive-tune=on",
    "MIGraphX device_id=0 migraphx_exhaustive_tune=1 migraphx_fp16_enable=1", NULL },
  { "rocm", MIGRAPHX, "cache=on", "MIGraphX device_id=0 migraphx_model_cache_dir=…", NULL },
  { "rocm", ROCM, "exhaustive-tune=on", "ROCM device_id=0 miopen_conv_exhaustive_search=1", NULL },
  { "rocm", ROCM, "cache=on", NULL, "“cache=on”" },
};

/* A cache shows as a second stage of loading, and half precision in the settings that the session reports. */
static void
test_tuned (Fixture *fixture, gconstpointer data)
{
  const Tuned *expected = data;
  g_autoptr (GHashTable) engine = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  g_auto (GStrv) pairs = g_strsplit (expected->options, ",", -1);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (GArray) stages = NULL;

  for (guint i = 0; pairs[i] != NULL; i++)
    {
      g_auto (GStrv) parts = g_strsplit (pairs[i], "=", 2);

      g_hash_table_insert (engine, g_strdup (parts[0]), g_strdup (parts[1]));
    }
  add_card (fixture, "card1", "DRIVER=amdgpu\nPCI_ID=1002:744C\nPCI_SLOT_NAME=0000:03:00.0\n", "70e1f1\n");
  if (!add_runtime_or_skip (fixture, expected->providers))
    return;
  session = open_fixture (expected->backend, NULL, engine, FALSE, &error);
  if (expected->refusal != NULL)
    {
      g_assert_null (session);
      g_test_message ("%s", error->message);
      g_assert_nonnull (strstr (error->message, expected->refusal));
      return;
    }
  g_assert_no_error (error);
  assert_told (fixture, expected->line);
  stages = dyno_session_get_load_stages (session);
  g_assert_cmpuint (stages != NULL ? stages->len : 0, ==,
                    strstr (expected->options, "cache=") != NULL ? 2 : 0);
  if (strstr (expected->options, "inference-precision=") != NULL)
    {
      g_autoptr (GHashTable) settings = dyno_session_read_settings (session);

      g_assert_cmpstr (g_hash_table_lookup (settings, "inference-precision"), ==, "fp16");
    }
  run_once (session);
}

/* Why there is no stream with a priority. */
static const struct
{
  const char *driver;
  DynoError code;
  const char *part;
} no_streams[] = {
  { "missing", DYNO_ERROR_UNSUPPORTED, "“libcuda.so.1”" },
  { "flat", DYNO_ERROR_UNSUPPORTED, "no priorities of streams" },
  { "deaf", DYNO_ERROR_FAILED, "(CUDA error 999)" },
};

static void
test_no_stream (Fixture *fixture, gconstpointer data)
{
  g_autofree char *drivers = library_tree_add_folder (fixture->tree.root, "drivers");
  g_autofree char *nvml = g_build_filename (g_getenv ("DYNO_TEST_DRIVERS"), "libnvidia-ml.so.1", NULL);
  g_autofree char *link = library_tree_add_link (drivers, "libnvidia-ml.so.1", nvml);
  g_autoptr (GHashTable) engine = create_engine ("cuda", "off");

  g_hash_table_insert (engine, (gpointer) "stream-priority", (gpointer) "high");
  if (!add_runtime_or_skip (fixture, BOTH))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (no_streams); i++)
    {
      g_autoptr (GError) error = NULL;

      g_setenv ("DYNO_LIBRARY_PATH", i == 0 ? drivers : g_getenv ("DYNO_TEST_DRIVERS"), TRUE);
      g_setenv ("DYNO_FAKE_CUDA", no_streams[i].driver, TRUE);
      g_assert_null (open_fixture ("cuda", NULL, engine, FALSE, &error));
      suite_assert_error (error, no_streams[i].code, no_streams[i].part);
    }
}

/* A profile loads the model once, and leaves no cache in the current folder; an engine left alone has none. */
static void
test_cache_of_trials (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GHashTable) engine = create_engine ("tensorrt", "off");
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) profiled = NULL;
  g_autoptr (DynoSession) left_alone = NULL;

  g_hash_table_insert (engine, (gpointer) "cache", (gpointer) "engine");
  if (!add_runtime_or_skip (fixture, BOTH))
    return;
  left_alone = open_in ("fp32", engine, TRUE, &error);
  g_assert_no_error (error);
  assert_told (fixture, "TensorRT device_id=0 trt_cuda_graph_enable=0");
  g_assert_null (dyno_session_get_load_stages (left_alone));
  profiled = open_fixture_or_fail ("cuda", NULL, engine, TRUE);
  assert_told (fixture, "TensorRT device_id=0 trt_cuda_graph_enable=0 trt_engine_cache_enable=1 "
                        "trt_engine_cache_path=…");
  g_assert_null (dyno_session_get_load_stages (profiled));
}

/* A provider that keeps nothing in its cache is named. */
static void
test_cache_keeps_nothing (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GHashTable) engine = create_engine ("tensorrt", "off");
  g_autoptr (GError) error = NULL;

  g_hash_table_insert (engine, (gpointer) "cache", (gpointer) "engine");
  if (!add_runtime_or_skip (fixture, BOTH))
    return;
  g_setenv ("DYNO_FAKE_ORT_FORGETS", "1", TRUE);
  g_assert_null (open_fixture ("cuda", NULL, engine, FALSE, &error));
  g_unsetenv ("DYNO_FAKE_ORT_FORGETS");
  suite_assert_error (error, DYNO_ERROR_UNSUPPORTED, "TensorrtExecutionProvider");
}

/* Qualcomm's library for this processor is an emulator, which needs the model of its device. */
#ifdef __x86_64__
#define QNN_KIND         DYNO_DEVICE_KIND_EMULATED
#define QNN_ARCHITECTURE " htp_arch=73"
#define QNN_SOC          " soc_model=60"
#else
#define QNN_KIND         DYNO_DEVICE_KIND_NPU
#define QNN_ARCHITECTURE ""
#define QNN_SOC          ""
#endif

static void
test_qnn (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GHashTable) engine = g_hash_table_new (g_str_hash, g_str_equal);
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoProbe) found = NULL;
  g_autoptr (DynoSession) session = NULL;
  g_autofree char *line = NULL;

  if (!add_runtime_or_skip (fixture, "QNNExecutionProvider,CPUExecutionProvider"))
    return;
  found = probe ("qnn");
  g_assert_cmpint (dyno_device_get_kind (get_device (found, 1)), ==, QNN_KIND);
  g_hash_table_insert (engine, (gpointer) "performance", (gpointer) "burst");
  session = open_fixture_or_fail ("qnn", "htp", engine, FALSE);
  line = g_strdup_printf ("QNN backend_path=%s/made-up/libQnnHtp.so enable_htp_fp16_precision=1%s "
                          "htp_performance_mode=burst%s",
                          fixture->tree.runtimes, QNN_ARCHITECTURE, QNN_SOC);
  assert_told (fixture, line);
  g_assert_null (open_fixture ("qnn", "gpu", NULL, FALSE, &error));
  g_assert_nonnull (strstr (error->message, "“libQnnGpu.so”"));
}

static DynoSession *
open_qnn_with_cache (GError **error)
{
  g_autoptr (GHashTable) engine = g_hash_table_new (g_str_hash, g_str_equal);

  g_hash_table_insert (engine, (gpointer) "cache", (gpointer) "on");
  return open_fixture ("qnn", "htp", engine, FALSE, error);
}

/* The model is compiled, cached, and loaded from the cache; each is timed separately. */
static void
test_qnn_cache (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (DynoSession) plain = NULL;
  g_autoptr (GArray) stages = NULL;

  if (!add_runtime_or_skip (fixture, "QNNExecutionProvider,CPUExecutionProvider"))
    return;
  session = open_qnn_with_cache (&error);
  g_assert_no_error (error);
  assert_told (fixture, "ep.context_enable=1");
  assert_told (fixture, "ep.context_embed_mode=1");
  assert_told (fixture, "load affine.onnx");
  assert_told (fixture, "load context.onnx");
  stages = dyno_session_get_load_stages (session);
  g_assert_cmpuint (stages->len, ==, 2);
  g_assert_cmpstr (g_array_index (stages, DynoLoadStage, 0).name, ==, "compile");
  g_assert_cmpstr (g_array_index (stages, DynoLoadStage, 1).name, ==, "compile_cached");
  for (guint i = 0; i < stages->len; i++)
    g_assert_cmpint (g_array_index (stages, DynoLoadStage, i).duration_ns, >, 0);
  run_once (session);

  plain = open_fixture_or_fail ("qnn", "htp", NULL, FALSE);
  g_assert_null (dyno_session_get_load_stages (plain));
}

/* A failure to cache must not count as a load from the cache. */
static void
test_qnn_keeps_nothing (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  if (!add_runtime_or_skip (fixture, "QNNExecutionProvider,CPUExecutionProvider"))
    return;
  g_setenv ("DYNO_FAKE_ORT_FORGETS", "1", TRUE);
  g_assert_null (open_qnn_with_cache (&error));
  g_unsetenv ("DYNO_FAKE_ORT_FORGETS");
  g_test_message ("%s", error->message);
  g_assert_error (error, DYNO_ERROR, DYNO_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "affine.onnx"));
}

#define QNN_HEADER                                                                                           \
  "Msg Timestamp,Message,Time,Unit of Measurement,Timing Source,Event Level,Event Identifier\n"
#define CYCLES(n)           "0,BACKEND," #n ",CYCLES,BACKEND,ROOT,Accelerator (execute) time (cycles)\n"
#define MICROSECONDS(n)     "0,BACKEND," #n ",US,BACKEND,ROOT,Accelerator (execute) time\n"
#define NODE(n, unit, name) "0,NODE," #n "," #unit ",BACKEND,SUB-EVENT," name "\n"

/* %NULL if there is no runtime that could write it. */
static GPtrArray *
profile_qnn (Fixture *fixture, const char *text, GError **error)
{
  g_autoptr (DynoSession) session = NULL;

  if (!add_runtime_or_skip (fixture, "QNNExecutionProvider,CPUExecutionProvider"))
    return NULL;
  g_setenv ("DYNO_FAKE_ORT_PROFILE", text, TRUE);
  session = open_fixture ("qnn", "htp", NULL, TRUE, error);
  g_unsetenv ("DYNO_FAKE_ORT_PROFILE");
  g_assert_nonnull (session);
  run_once (session);
  return dyno_session_end_profile (session, error);
}

static void
assert_qnn_node (GPtrArray *nodes, const char *name, const char *type, gint64 time_ns, gint64 calls)
{
  for (guint i = 0; i < nodes->len; i++)
    {
      const DynoNodeProfile *node = nodes->pdata[i];

      if (!g_str_equal (node->name, name))
        continue;
      g_assert_cmpstr (node->op_type, ==, type);
      g_assert_cmpstr (node->provider, ==, "QNNExecutionProvider");
      g_assert_cmpint (node->time_ns, ==, time_ns);
      g_assert_cmpint (node->calls, ==, calls);
      g_assert_cmpuint (node->outputs->len, ==, 0);
      return;
    }
  g_error ("There is no node “%s”", name);
}

/* Returns the nodes that replace ONNX Runtime's, one for each part of the graph, all called @calls times after the first
 * run. @values may be NULL. */
static GPtrArray *
read_qnn (Fixture *fixture, const char *text, guint n_parts, gint64 calls, GPtrArray *values)
{
  GPtrArray *nodes = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_node_profile_free);
  g_autoptr (GPtrArray) others = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_value_unref);
  g_autofree char *path = library_tree_add_file (fixture->tree.root, "qnn.csv", text);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < n_parts; i++)
    {
      DynoNodeProfile *part = g_new0 (DynoNodeProfile, 1);

      part->name = g_strdup_printf ("part %u", i);
      part->op_type = g_strdup ("part");
      part->provider = g_strdup ("QNNExecutionProvider");
      part->calls = calls;
      part->inputs = g_array_new (FALSE, FALSE, sizeof (DynoShape));
      part->outputs = g_array_new (FALSE, FALSE, sizeof (DynoShape));
      g_ptr_array_add (nodes, part);
    }
  g_assert_true (dyno_qnn_profile_read (path, nodes, values != NULL ? values : others, &error));
  g_assert_no_error (error);
  return nodes;
}

#define TWO_RUNS                                                                                             \
  QNN_HEADER "0,FINALIZE,9,US,BACKEND,ROOT,NULL\n" CYCLES (3000) NODE (100, CYCLES, "Input OpId_2 (cycles)") \
      NODE (2000, CYCLES, "/a/Conv_token_1_2:OpId_24 (cycles)")                                              \
          NODE (900, CYCLES, "MatMul_7:OpId_3 (cycles)") MICROSECONDS (1500) CYCLES (1000)                   \
              NODE (500, CYCLES, "/a/Conv_token_1_2:OpId_24 (cycles)")                                       \
                  NODE (80, CYCLES, "MatMul_7:OpId_3 (cycles)") NODE (7, US, "Output OpId_3")                \
                      MICROSECONDS (500)

/* In the device's cycles: 4000 of them took 2 ms. The first run counts for the clock alone. What goes in and out is no
 * operator. */
static void
test_qnn_times (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_value_unref);
  g_autoptr (GPtrArray) nodes = read_qnn (fixture, TWO_RUNS, 1, 1, values);
  g_autoptr (GPtrArray) other = read_qnn (fixture, TWO_RUNS, 1, 3, NULL);

  g_assert_cmpuint (nodes->len, ==, 2);
  assert_qnn_node (nodes, "/a/Conv", "Conv", 250000, 1);
  assert_qnn_node (nodes, "MatMul_7", "MatMul", 40000, 1);
  g_assert_cmpuint (values->len, ==, 2);
  g_assert_cmpstr (dyno_value_get_name (values->pdata[0]), ==, "device_time_ms");
  g_assert_cmpfloat_with_epsilon (dyno_value_get_number (values->pdata[0]), 0.5, 1e-9);
  g_assert_cmpstr (dyno_value_get_name (values->pdata[1]), ==, "device_cycles");
  g_assert_cmpfloat (dyno_value_get_number (values->pdata[1]), ==, 1000);
  /* more calls than executions: which are the first run's? */
  assert_qnn_node (other, "MatMul_7", "MatMul", -1, 2);
}

/* Types are read off the names that exporters, Dyno and the provider give. */
static void
test_qnn_types (Fixture *fixture, gconstpointer data)
{
  static const char *const named[][2] = {
    { "layer.0.self.key.MatMul_20", "MatMul" },
    { "layer.0.MatMul_20Reshape", "Reshape" },
    { "input_idsCast", "Cast" },
    { "layer.0.dense.MatMul_42/MatMulAddFusion_2", "MatMulAddFusion" },
    { "attention_mask.Cast_2", "Cast" },
    { "layer.0.self.Div_45_1", "Div" },
    { "attention_mask_cast_int32", "attention_mask_cast_int32" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (named); i++)
    {
      g_autofree char *text = g_strdup_printf (
          QNN_HEADER MICROSECONDS (9) "0,NODE,9,US,BACKEND,SUB-EVENT,%s:OpId_3\n", named[i][0]);
      g_autoptr (GPtrArray) nodes = read_qnn (fixture, text, 1, 1, NULL);

      assert_qnn_node (nodes, named[i][0], named[i][1], 9000, 1);
    }
}

/* Parts of the graph may have nodes of the same name. The whole first run is left out: 1 ms for each of them. */
static void
test_qnn_parts (Fixture *fixture, gconstpointer data)
{
#define PART(n) CYCLES (n) NODE (n, CYCLES, "MatMul:OpId_3 (cycles)") MICROSECONDS (n)
  g_autoptr (GPtrArray) two =
      read_qnn (fixture, QNN_HEADER PART (1000) PART (1000) PART (10) PART (10), 2, 1, NULL);
  g_autoptr (GPtrArray) single = read_qnn (fixture, QNN_HEADER PART (1000) PART (1000), 2, 1, NULL);

  g_assert_cmpuint (two->len, ==, 1);
  assert_qnn_node (two, "MatMul", "MatMul", 20000, 2);
  /* no other run, so the first is all there is */
  assert_qnn_node (single, "MatMul", "MatMul", 2000000, 2);
#undef PART
}

/* Names are a stranger's, and may write rows of their own: impossible times count as the nearest possible one, and a name in
 * another encoding loses nothing but its letters. */
static void
test_qnn_damaged (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) values = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_value_unref);
  g_autoptr (GPtrArray) nodes = read_qnn (
      fixture,
      QNN_HEADER MICROSECONDS (inf) MICROSECONDS (nan) MICROSECONDS (1) NODE (1e999, US, "Conv_1:OpId_1")
          NODE (nan, US, "Conv_2:OpId_2") NODE (-7, US, "Conv_3:OpId_3") NODE (9, US, "\xff\xfe_4:OpId_4"),
      1, 3, values);

  g_assert_cmpuint (nodes->len, ==, 4);
  assert_qnn_node (nodes, "Conv_1", "Conv", G_GINT64_CONSTANT (1000000000000000000), 1);
  assert_qnn_node (nodes, "Conv_2", "Conv", 0, 1);
  assert_qnn_node (nodes, "Conv_3", "Conv", 0, 1);
  assert_qnn_node (nodes, "\xef\xbf\xbd\xef\xbf\xbd_4", "\xef\xbf\xbd\xef\xbf\xbd", 9000, 1);
  g_assert_cmpuint (values->len, ==, 1);
  g_assert_cmpfloat (dyno_value_get_number (values->pdata[0]), ==, 0.001);
}

/* The device's own operators come with the runtime's. */
static void
test_qnn_profile (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *log = NULL;
  g_autoptr (GPtrArray) nodes = profile_qnn (fixture, TWO_RUNS, &error);

  g_assert_no_error (error);
  if (nodes == NULL)
    return;
  /* The mock provider leaves everything to the processor, so that nothing distinguishes the runs. */
  assert_qnn_node (nodes, "/a/Conv", "Conv", -1, 2);
  assert_qnn_node (nodes, "MatMul_7", "MatMul", -1, 2);
  g_assert_true (g_file_get_contents (fixture->log, &log, NULL, NULL));
  g_assert_nonnull (strstr (log, "profiling_level=detailed"));
  /* nor have the processor's nodes shapes now, for the traffic of a part would pass for that of the whole */
  for (guint i = 0; i < nodes->len; i++)
    g_assert_cmpuint (((DynoNodeProfile *)nodes->pdata[i])->inputs->len, ==, 0);
}

/* Cycles are not a time if the device does not report its clock. */
static void
test_qnn_profile_without_clock (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) nodes =
      read_qnn (fixture, QNN_HEADER CYCLES (3000) NODE (2000, CYCLES, "MatMul:OpId_3 (cycles)"), 1, 1, NULL);

  assert_qnn_node (nodes, "MatMul", "MatMul", -1, 1);
}

static void
test_qnn_profile_of_another_kind (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) nodes = profile_qnn (fixture, "Name,Duration\nMatMul,3\n", &error);

  g_assert_null (nodes);
  if (g_getenv ("DYNO_FAKE_ORT_REAL") != NULL)
    g_assert_error (error, DYNO_ERROR, DYNO_ERROR_INVALID_DATA);
}

static void
test_mps (Fixture *fixture, gconstpointer data)
{
#ifdef __APPLE__
  g_test_skip ("this is macOS");
#else
  assert_unsupported ("mps", "macOS");
#endif
}

static void
test_others (Fixture *fixture, gconstpointer data)
{
  g_autoptr (DynoProbe) found = NULL;
  g_autoptr (DynoSession) session = NULL;

  if (!add_runtime_or_skip (fixture,
                            "XnnpackExecutionProvider,AbacusExecutionProvider,AzureExecutionProvider," BOTH))
    return;
  found = probe ("onnxruntime");
  g_assert_cmpstr (dyno_device_get_id (get_device (found, 2)), ==, "xnnpack");
  g_assert_nonnull (dyno_probe_find_device (found, "abacus"));
  session = open_fixture_or_fail ("onnxruntime", "xnnpack", NULL, FALSE);
  assert_told (fixture, "XNNPACK intra_op_num_threads=2");
  assert_told (fixture, "Abacus");
  g_assert_cmpstr (dyno_session_get_provider (session), ==, "XnnpackExecutionProvider");
  run_once (session);
}

static void
test_others_that_do_not_start (Fixture *fixture, gconstpointer data)
{
  if (!add_runtime_or_skip (fixture, "AbacusExecutionProvider,CPUExecutionProvider"))
    return;
  g_setenv ("DYNO_FAKE_ORT_PROBLEM", "a bead is missing", TRUE);
  assert_unsupported ("onnxruntime", "a bead is missing");
}

static void
test_broken_plugin (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = library_tree_add_folder (fixture->tree.runtimes, "plugins");

  write_file (folder, "libabacus.so", "no library\n");
  if (add_runtime_or_skip (fixture, "CPUExecutionProvider"))
    assert_unsupported ("onnxruntime", "libabacus.so”");
}

static gboolean
has_plugin_or_skip (Fixture *fixture)
{
  if (g_getenv ("DYNO_TEST_PLUGIN") != NULL)
    return add_runtime_or_skip (fixture, "CPUExecutionProvider");
  g_test_skip ("the header of ONNX Runtime that Dyno was built with is older than 1.23");
  return FALSE;
}

/* The plug-in's provider takes no operator, so the processor does, and is seen to. It is called by its own name,
 * wherever it is; other libraries beside it are left alone. */
static void
test_plugin (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = library_tree_add_folder (fixture->tree.root, "elsewhere");
  g_autofree char *plugin = NULL;
  g_autofree char *other = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (DynoProbe) found = NULL;
  g_autoptr (DynoSession) session = NULL;
  g_autoptr (GPtrArray) nodes = NULL;
  DynoDevice *device;

  if (!has_plugin_or_skip (fixture))
    return;
  plugin = library_tree_add_link (folder, "libonnxruntime_providers_abacus_plugin.so.1",
                                  g_getenv ("DYNO_TEST_PLUGIN"));
  other = library_tree_add_link (folder, "liba.so", g_getenv ("DYNO_TEST_NO_RUNTIME"));
  write_file (folder, "libb.so", "no library\n");
  dyno_engine_path_set ("DYNO_ONNXRUNTIME_PLUGINS", folder);
  found = probe ("onnxruntime");
  device = get_device (found, 2);
  g_assert_cmpstr (dyno_device_get_id (device), ==, "abacus-0");
  g_assert_true (g_str_has_prefix (dyno_device_get_name (device), "AbacusExecutionProvider ("));
  g_assert_cmpint (dyno_device_get_kind (device), ==, DYNO_DEVICE_KIND_CPU);
  g_assert_nonnull (dyno_probe_find_device (found, "abacus-1"));

  session = open_fixture_or_fail ("onnxruntime", "abacus-1", NULL, TRUE);
  run_once (session);
  g_assert_cmpstr (dyno_session_get_provider (session), ==, "AbacusExecutionProvider");
  nodes = dyno_session_end_profile (session, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (nodes->len, >, 0);
  g_assert_cmpstr (((DynoNodeProfile *)nodes->pdata[0])->provider, ==, "CPUExecutionProvider");
  g_assert_null (open_fixture ("onnxruntime", "abacus-2", NULL, FALSE, &error));
  suite_assert_error (error, DYNO_ERROR_NOT_FOUND, "2 devices");
  dyno_engine_path_set ("DYNO_ONNXRUNTIME_PLUGINS", NULL);
}

/* A crash is a sentence that names the plug-in, and takes no other with it. */
static void
test_crashing_plugin (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = library_tree_add_folder (fixture->tree.runtimes, "plugins");
  g_autofree char *crashing = NULL;
  g_autofree char *plugin = NULL;
  g_autofree char *words = NULL;
  g_autoptr (DynoProbe) found = NULL;

  if (!has_plugin_or_skip (fixture))
    return;
  crashing = library_tree_add_link (folder, "libaaa.so", g_getenv ("DYNO_TEST_CRASHING_PLUGIN"));
  words = g_strdup_printf ("libaaa.so”: A process that examined it crashed: %s.", g_strsignal (SIGSEGV));
  assert_unsupported ("onnxruntime", words);
  plugin = library_tree_add_link (folder, "libabacus.so", g_getenv ("DYNO_TEST_PLUGIN"));
  found = probe ("onnxruntime");
  g_assert_cmpstr (dyno_device_get_id (get_device (found, 2)), ==, "abacus-0");
}

/* Which library the mock runtime leaves the work to; this process does not open it as one of its own. */
static void
find_real_library (void)
{
  g_autoptr (GListModel) found = dyno_ort_library_list_found ();

  for (guint i = 0; i < g_list_model_get_n_items (found) && g_getenv ("DYNO_FAKE_ORT_REAL") == NULL; i++)
    {
      g_autoptr (DynoOrtRuntime) runtime = g_list_model_get_item (found, i);

      if (dyno_ort_runtime_is_usable (runtime))
        g_setenv ("DYNO_FAKE_ORT_REAL", dyno_ort_runtime_get_path (runtime), TRUE);
    }
}

#define ADD(path, data, function) g_test_add (path, Fixture, data, set_up, function, tear_down)

static int
run_suite (int argc, char *argv[])
{
  g_unsetenv ("CUDA_VISIBLE_DEVICES");
  g_unsetenv ("ROCR_VISIBLE_DEVICES");
  g_test_init (&argc, &argv, NULL);
  find_real_library ();

  ADD ("/ort-provider/cuda/no-driver", NULL, test_no_driver);
  ADD ("/ort-provider/cuda/no-device", NULL, test_no_device);
  ADD ("/ort-provider/cuda/boards", NULL, test_boards);
  ADD ("/ort-provider/cuda/no-provider", NULL, test_no_provider);
  ADD ("/ort-provider/cuda/no-library", NULL, test_no_library);
  ADD ("/ort-provider/cuda/library-does-not-load", NULL, test_library_does_not_load);
  ADD ("/ort-provider/cuda/provider-finds-no-device", NULL, test_provider_finds_no_device);
  ADD ("/ort-provider/cuda/runtime-with-provider", NULL, test_runtime_with_provider);
  ADD ("/ort-provider/no-telemetry", NULL, test_no_telemetry);
  ADD ("/ort-provider/cuda/falls-back-visibly", NULL, test_falls_back_visibly);
  for (guint i = 0; i < G_N_ELEMENTS (told); i++)
    {
      g_autofree char *name = g_strdup_printf ("/ort-provider/cuda/options/%u", i);

      ADD (name, &told[i], test_cuda_options);
    }
  ADD ("/ort-provider/cuda/unknown-engine", NULL, test_unknown_engine);
  ADD ("/ort-provider/cuda/left-alone", NULL, test_left_alone);
  ADD ("/ort-provider/cuda/without-tf32", NULL, test_without_tf32);
  ADD ("/ort-provider/cuda/one-device", NULL, test_one_device);
  ADD ("/ort-provider/rocm", NULL, test_rocm);
  for (guint i = 0; i < G_N_ELEMENTS (tuned); i++)
    {
      g_autofree char *name = g_strdup_printf ("/ort-provider/tuned/%u", i);

      ADD (name, &tuned[i], test_tuned);
    }
  ADD ("/ort-provider/cache-of-trials", NULL, test_cache_of_trials);
  ADD ("/ort-provider/cuda/no-stream", NULL, test_no_stream);
  ADD ("/ort-provider/cache-keeps-nothing", NULL, test_cache_keeps_nothing);
  ADD ("/ort-provider/qnn/options", NULL, test_qnn);
  ADD ("/ort-provider/qnn/cache", NULL, test_qnn_cache);
  ADD ("/ort-provider/qnn/keeps-nothing", NULL, test_qnn_keeps_nothing);
  ADD ("/ort-provider/qnn/times", NULL, test_qnn_times);
  ADD ("/ort-provider/qnn/types", NULL, test_qnn_types);
  ADD ("/ort-provider/qnn/parts", NULL, test_qnn_parts);
  ADD ("/ort-provider/qnn/damaged", NULL, test_qnn_damaged);
  ADD ("/ort-provider/qnn/profile", NULL, test_qnn_profile);
  ADD ("/ort-provider/qnn/profile-without-clock", NULL, test_qnn_profile_without_clock);
  ADD ("/ort-provider/qnn/profile-of-another-kind", NULL, test_qnn_profile_of_another_kind);
  ADD ("/ort-provider/mps", NULL, test_mps);
  ADD ("/ort-provider/others", NULL, test_others);
  ADD ("/ort-provider/others-in-two-runtimes", NULL, test_others_in_two_runtimes);
  ADD ("/ort-provider/others-that-do-not-start", NULL, test_others_that_do_not_start);
  ADD ("/ort-provider/broken-plugin", NULL, test_broken_plugin);
  ADD ("/ort-provider/plugin", NULL, test_plugin);
  ADD ("/ort-provider/crashing-plugin", NULL, test_crashing_plugin);

  return g_test_run ();
}

SUITE (run_suite)

/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gstdio.h>

#include "dyno-error.h"
#include "dyno-ort-profile.h"
#include "dyno-session.h"
#include "suite.h"

#define CUDA   "CUDAExecutionProvider"
#define WEBGPU "WebGpuExecutionProvider"
#define CPU    "CPUExecutionProvider"

/* What ONNX Runtime writes for a node on a provider, and the time it reports. */
#define NODE(name, op, provider, us)                                                                         \
  "{\"cat\":\"Node\",\"dur\":" #us ",\"name\":\"" name "_kernel_time\",\"args\":{\"op_name\":\"" op          \
  "\",\"provider\":\"" provider "\",\"node_index\":\"" name "\"}}"
#define RUN "{\"cat\":\"Session\",\"dur\":1,\"name\":\"model_run\",\"args\":{}}"
#define PROGRAM(name, op, p, us)                                                                             \
  "{\"cat\":\"Api\",\"dur\":" #us ",\"name\":\"" name "&" op "&" p "\",\"args\":{}}"
#define KERNEL(kernel, parent, op, us)                                                                       \
  "{\"cat\":\"Kernel\",\"dur\":" #us ",\"name\":\"" kernel "\",\"args\":{\"op_name\":\"" op                  \
  "\",\"parent_name\":\"" parent "\"}}"

static GPtrArray *
parse (const char *trace)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("dyno-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "trace.json", NULL);
  GPtrArray *nodes;

  g_assert_true (g_file_set_contents (path, trace, -1, NULL));
  nodes = dyno_ort_profile_parse (path, &error);
  g_assert_no_error (error);
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
  return nodes;
}

static void
assert_time (GPtrArray *nodes, guint position, const char *name, gint64 time_ns)
{
  const DynoNodeProfile *node = nodes->pdata[position];

  g_assert_cmpstr (node->name, ==, name);
  g_assert_cmpint (node->time_ns, ==, time_ns);
}

static void
assert_kernel (GPtrArray *nodes, guint position, const char *kernel)
{
  g_assert_cmpstr (((DynoNodeProfile *)nodes->pdata[position])->kernel, ==, kernel);
}

/* One name that is not UTF-8 does not lose the others. */
static void
test_bad_name (void)
{
  g_autoptr (GPtrArray) nodes =
      parse ("[" NODE ("a\xff\xfe", "MatMul", CPU, 7) "," NODE ("b", "Gather", CPU, 5) "," RUN "]");

  g_assert_cmpuint (nodes->len, ==, 2);
  g_assert_true (g_utf8_validate (((DynoNodeProfile *)nodes->pdata[0])->name, -1, NULL));
  assert_time (nodes, 1, "b", 5000);
}

/* A page in a browser hands over such a trace, too: members of the wrong kind count as missing. */
static void
test_wrong_kinds (void)
{
  g_autoptr (GPtrArray) nodes = parse (
      "[5,{\"cat\":5,\"name\":[]},{\"cat\":\"Node\",\"name\":{}},{\"cat\":\"Session\",\"name\":7},"
      "{\"cat\":\"Node\",\"name\":\"a_kernel_time\",\"dur\":9223372036854775807,\"ts\":\"x\",\"args\":"
      "{\"op_name\":7,\"provider\":[],\"node_index\":{},\"input_type_shape\":[{\"float\":[\"x\",{},-3]}]}},"
      "{\"cat\":\"Node\",\"name\":\"a_kernel_time\",\"dur\":9223372036854775807,\"args\":{}}," RUN "]");
  const DynoNodeProfile *node = nodes->pdata[0];

  g_assert_cmpuint (nodes->len, ==, 1);
  g_assert_cmpstr (node->op_type, ==, "");
  g_assert_null (node->provider);
  g_assert_cmpint (node->calls, ==, 2);
  g_assert_cmpint (node->time_ns, ==, -1);
}

/* The parser is recursive: this would overflow its stack. */
static void
test_deep (void)
{
  g_autoptr (GString) trace = g_string_new (NULL);
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  int fd = g_file_open_tmp ("dyno-test-XXXXXX", &path, NULL);

  for (guint i = 0; i < 1000000; i++)
    g_string_append_c (trace, '[');
  g_assert_true (g_close (fd, NULL) && g_file_set_contents (path, trace->str, (gssize)trace->len, NULL));
  g_assert_null (dyno_ort_profile_parse (path, &error));
  suite_assert_error (error, DYNO_ERROR_INVALID_DATA, "not a list of events");
  g_unlink (path);
}

/* The time of a loop excludes its body, which is timed separately. */
static void
test_body (void)
{
#define AT(name, op, ts, us)                                                                                 \
  "{\"cat\":\"Node\",\"ts\":" #ts ",\"dur\":" #us ",\"name\":\"" name                                        \
  "_kernel_time\",\"args\":{\"op_name\":\"" op "\",\"provider\":\"" CPU "\"}}"
  g_autoptr (GPtrArray) nodes = parse ("[" AT ("before", "Add", 0, 9) "," AT ("body", "Mul", 11, 4) "," AT (
      "body", "Mul", 16, 5) "," AT ("scan", "Scan", 10, 20) "," AT ("after", "Add", 31, 2) "," RUN "]");
  /* as the clock ticks, two short nodes may add up to more */
  g_autoptr (GPtrArray) rounded = parse (
      "[" AT ("body", "Mul", 11, 2) "," AT ("body", "Mul", 12, 2) "," AT ("loop", "Loop", 10, 3) "," RUN "]");
#undef AT

  g_assert_cmpuint (nodes->len, ==, 4);
  assert_time (nodes, 0, "before", 9000);
  assert_time (nodes, 1, "body", 9000);
  assert_time (nodes, 2, "scan", 11000);
  assert_time (nodes, 3, "after", 2000);
  assert_time (rounded, 1, "loop", 0);
}

/* Convolutions in blocks of channels are named so; a name alone says nothing. */
static void
test_blocks (void)
{
  g_autoptr (GPtrArray) blocked =
      parse ("[" NODE ("ReorderInput", "ReorderInput", CPU, 1) "," NODE ("a_nchwc", "Conv", CPU, 7) "," NODE (
          "b_nchwc_token_1", "MaxPool", CPU,
          5) "," NODE ("c", "Conv", CPU, 5) "," NODE ("d_nchwc", "Conv", CUDA, 5) "," RUN "]");
  g_autoptr (GPtrArray) plain = parse ("[" NODE ("a_nchwc", "Conv", CPU, 7) "," RUN "]");

  assert_kernel (blocked, 0, NULL);
  assert_kernel (blocked, 1, "NCHWc");
  assert_kernel (blocked, 2, "NCHWc");
  assert_kernel (blocked, 3, NULL);
  assert_kernel (blocked, 4, NULL);
  assert_kernel (plain, 0, NULL);
}

/* The host only times the submission of a node, which must not count as its duration. */
static void
test_silent_device (void)
{
  g_autoptr (GPtrArray) nodes = parse ("[" NODE ("a", "MatMul", CUDA, 7) "," NODE (
      "b", "Gather", CPU, 5) "," NODE ("c", "Gelu", "AbacusExecutionProvider", 3) "," RUN "]");

  g_assert_cmpuint (nodes->len, ==, 3);
  assert_time (nodes, 0, "a", -1);
  assert_time (nodes, 1, "b", 5000);
  assert_time (nodes, 2, "c", -1);
  g_assert_cmpint (((DynoNodeProfile *)nodes->pdata[0])->calls, ==, 1);
}

/* Two steps of a small BERT, as ONNX Runtime 1.30 wrote them on an H100: all nodes are there, and none of the times is
 * that of the device. */
static void
test_cuda_on_h100 (void)
{
  g_autofree char *path =
      g_test_build_filename (G_TEST_DIST, "backends", "fixtures", "trace-cuda-h100.json", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) nodes = dyno_ort_profile_parse (path, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (nodes->len, ==, 70);
  for (guint i = 0; i < nodes->len; i++)
    {
      const DynoNodeProfile *node = nodes->pdata[i];

      g_assert_cmpstr (node->provider, ==, CUDA);
      g_assert_cmpint (node->calls, ==, 1); /* the first step is left out */
      g_assert_cmpint (node->time_ns, ==, -1);
      g_assert_cmpuint (node->inputs->len, >, 0);
    }
}

/* Two programs a run make a node of the first; the second is none of the device's. */
static void
test_programs (void)
{
  g_autoptr (GPtrArray) nodes =
      parse ("[" NODE ("a", "MatMul", WEBGPU, 7) "," NODE ("b", "Reshape", WEBGPU, 2) "," NODE (
          "c", "Gather", CPU,
          5) "," RUN
             "," NODE ("a", "MatMul", WEBGPU, 7) "," NODE ("b", "Reshape", WEBGPU, 2) "," NODE (
                 "c", "Gather", CPU, 5) "," RUN
                                        "," PROGRAM ("a", "MatMul", "Transpose", 300) "," PROGRAM (
                                            "a", "MatMul", "MatMul",
                                            200) "," PROGRAM ("a", "MatMul", "Transpose",
                                                              10) "," PROGRAM ("a", "MatMul", "MatMul",
                                                                               20) "]");

  assert_time (nodes, 0, "a", 30000);
  assert_kernel (nodes, 0, "MatMul"); /* the longer one of its two programs, from the second run on */
  assert_kernel (nodes, 1, NULL);
  assert_time (nodes, 1, "b", 0);
  assert_time (nodes, 2, "c", 5000);
}

static void
test_kernels (void)
{
  g_autoptr (GPtrArray) nodes = parse (
      "[" NODE ("a", "MatMul", CUDA, 7) "," KERNEL ("sgemm", "a_kernel_time", "MatMul", 40) "," KERNEL (
          "sgemm_tail", "a_kernel_time", "MatMul",
          2) "," NODE ("b", "Add", CUDA, 9) "," KERNEL ("stray", "SequentialExecutor::Execute", "",
                                                        1000) "," RUN "]");

  assert_time (nodes, 0, "a", 42000);
  assert_kernel (nodes, 0, "sgemm");
  assert_kernel (nodes, 1, NULL);
  assert_time (nodes, 1, "b", 0);
}

static const SuiteTest tests[] = {
  { "/ort-profile/silent-device", test_silent_device },
  { "/ort-profile/bad-name", test_bad_name },
  { "/ort-profile/wrong-kinds", test_wrong_kinds },
  { "/ort-profile/deep", test_deep },
  { "/ort-profile/cuda-on-h100", test_cuda_on_h100 },
  { "/ort-profile/programs", test_programs },
  { "/ort-profile/kernels", test_kernels },
  { "/ort-profile/blocks", test_blocks },
  { "/ort-profile/body", test_body },
};

SUITE_TESTS (tests)

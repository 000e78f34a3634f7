/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-engine-name.h"
#include "suite.h"

static const struct
{
  const char *backend;
  const char *device;
  const char *name;
} names[] = {
  { "cpu", NULL, "ONNX Runtime (CPU)" },
  { "cpu", "", "ONNX Runtime (CPU)" },
  { "cpu", "cpu", "ONNX Runtime (CPU)" },
  { "cuda", "GPU-5f2c", "ONNX Runtime (CUDA)" },
  { "rocm", "0000:03:00.0", "ONNX Runtime (ROCm)" },
  { "webgpu", "vulkan-0", "ONNX Runtime (WebGPU)" },
  { "openvino", NULL, "OpenVINO (CPU)" },
  { "openvino", "GPU", "OpenVINO (GPU)" },
  { "openvino", "gpu", "OpenVINO (GPU)" },
  { "openvino", "GPU.1", "OpenVINO (GPU.1)" },
  { "openvino", "AUTO", "OpenVINO (AUTO)" },
  { "webnn", "", "ONNX Runtime Web (WebNN)" },
  { "webnn", "gpu", "ONNX Runtime Web (WebNN GPU)" },
  { "webnn", "wasm", "ONNX Runtime Web (WebAssembly)" },
  { "qnn", "htp", "ONNX Runtime (QNN NPU)" },
  { "mps", NULL, "ONNX Runtime (CoreML)" },
  { "onnxruntime", NULL, "ONNX Runtime" },
  { "onnxruntime", "xnnpack", "ONNX Runtime (XNNPACK)" },
  { "onnxruntime", "vitisai", "ONNX Runtime (vitisai)" },
  /* Other tools' engines, and servers. */
  { "llama.cpp", NULL, "llama.cpp" },
  { "llama.cpp", "CUDA", "llama.cpp (CUDA)" },
  { "pytorch", "", "PyTorch" },
  { "vllm", "cuda", "vLLM (cuda)" },
  { "mytool", NULL, "mytool" },
  { "server", "http://127.0.0.1:8080", "server (http://127.0.0.1:8080)" },
};

static void
test_names (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *name = dyno_engine_name_dup (names[i].backend, names[i].device);

      g_assert_cmpstr (name, ==, names[i].name);
    }
}

static void
test_backends (void)
{
  static const char *const expected[][2] = {
    { "cpu", "ONNX Runtime (CPU)" },    { "cuda", "ONNX Runtime (CUDA)" },
    { "mps", "ONNX Runtime (CoreML)" }, { "webnn", "ONNX Runtime Web" },
    { "qnn", "ONNX Runtime (QNN)" },    { "openvino", "OpenVINO" },
    { "onnxruntime", "ONNX Runtime" },  { "server", "Server" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (expected); i++)
    {
      g_autofree char *name = dyno_engine_name_dup_backend (expected[i][0], "Server");

      g_assert_cmpstr (name, ==, expected[i][1]);
    }
}

/* Several GPUs of one engine have one name. */
static void
test_devices (void)
{
  g_assert_true (dyno_engine_name_tells_device ("cpu", "cpu"));
  g_assert_true (dyno_engine_name_tells_device ("openvino", "GPU.1"));
  g_assert_true (dyno_engine_name_tells_device ("llama.cpp", "CUDA"));
  g_assert_true (dyno_engine_name_tells_device ("vllm", "cuda"));
  g_assert_true (dyno_engine_name_tells_device ("cuda", NULL));
  g_assert_true (dyno_engine_name_tells_device ("cuda", ""));
  g_assert_false (dyno_engine_name_tells_device ("cuda", "GPU-5f2c"));
}

static void
test_list (void)
{
  static const char *const specs[] = { "cpu", "openvino:GPU", "fake:a:b", "", NULL };
  g_autofree char *list = dyno_engine_name_dup_list (specs);

  g_assert_cmpstr (list, ==, "ONNX Runtime (CPU), OpenVINO (GPU), fake (a:b), ");
}

static void
check_spec (const char *device, const char *expected)
{
  g_autofree char *spec = dyno_engine_name_dup_spec ("openvino", device);

  g_assert_cmpstr (spec, ==, expected);
}

static void
test_spec (void)
{
  check_spec ("GPU.1", "openvino:GPU.1");
  check_spec ("", "openvino");
  check_spec (NULL, "openvino");
}

static const SuiteTest tests[] = {
  { "/engine-name/names", test_names },       { "/engine-name/devices", test_devices },
  { "/engine-name/backends", test_backends }, { "/engine-name/list", test_list },
  { "/engine-name/spec", test_spec },
};

SUITE_TESTS (tests)

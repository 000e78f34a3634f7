/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-engine-name.h"

static const DynoEngineName engines[] = {
  { "cpu", "ONNX Runtime", "CPU", { { "cpu", "CPU" }, { NULL, "CPU" } } },
  { "cuda", "ONNX Runtime", "CUDA", { { NULL, "CUDA" } } },
  { "rocm", "ONNX Runtime", "ROCm", { { NULL, "ROCm" } } },
  { "mps", "ONNX Runtime", "CoreML", { { "gpu", "CoreML GPU" }, { "npu", "CoreML NPU" } } },
  { "webgpu", "ONNX Runtime", "WebGPU", { { NULL, "WebGPU" } } },
  { "qnn", "ONNX Runtime", "QNN", { { "htp", "QNN NPU" }, { "gpu", "QNN GPU" }, { "cpu", "QNN CPU" } } },
  { "onnxruntime",
    "ONNX Runtime",
    NULL,
    { { "cpu", "CPU" }, { "cuda", "CUDA" }, { "xnnpack", "XNNPACK" }, { "dnnl", "oneDNN" } } },
  { "webnn",
    "ONNX Runtime Web",
    "WebNN",
    { { "cpu", "WebNN" },
      { "gpu", "WebNN GPU" },
      { "npu", "WebNN NPU" },
      { "webgpu", "WebGPU" },
      { "wasm", "WebAssembly" } } },
  { "openvino", "OpenVINO", "CPU", { { "cpu", "CPU" }, { "gpu", "GPU" }, { "npu", "NPU" } } },
  { "llamacpp", "llama.cpp", "CPU", { { "cpu", "CPU" } } },
  /* Of imported results: engines, or the programs that measured where those do not name the engine. */
  { "aiperf", "AIPerf" },
  { "codecarbon", "CodeCarbon" },
  { "criterion", "Criterion" },
  { "google-benchmark", "Google Benchmark" },
  { "guidellm", "GuideLLM" },
  { "llmperf", "LLMPerf" },
  { "mlperf-client", "MLPerf Client" },
  { "mlperf-loadgen", "MLPerf LoadGen" },
  { "ollama", "Ollama" },
  { "perf_analyzer", "Perf Analyzer" },
  { "pts", "Phoronix Test Suite" },
  { "pytorch", "PyTorch" },
  { "sglang", "SGLang" },
  { "tensorrt", "TensorRT" },
  { "vllm", "vLLM" },
  { "winml", "Windows ML" },
  { "zeus", "Zeus" },
};

/* Names are added before there are threads that look for them. */
static GPtrArray *added;

void
dyno_engine_name_add (const DynoEngineName *name)
{
  if (added == NULL)
    added = g_ptr_array_new ();
  g_ptr_array_add (added, (gpointer)name);
}

static const DynoEngineName *
find_engine (const char *backend_id)
{
  for (guint i = 0; i < G_N_ELEMENTS (engines); i++)
    if (g_str_equal (engines[i].backend, backend_id))
      return &engines[i];
  for (guint i = 0; added != NULL && i < added->len; i++)
    if (g_str_equal (((const DynoEngineName *)added->pdata[i])->backend, backend_id))
      return added->pdata[i];
  return NULL;
}

char *
dyno_engine_name_dup (const char *backend_id, const char *device)
{
  const DynoEngineName *engine;
  const char *part;
  gboolean is_named = device != NULL && *device != '\0';

  g_return_val_if_fail (backend_id != NULL, NULL);

  engine = find_engine (backend_id);
  part = is_named ? device : engine != NULL ? engine->usual : NULL;
  if (is_named && engine != NULL)
    for (const DynoEngineNamePart *known = engine->parts; known->name != NULL; known++)
      if (known->device == NULL || g_ascii_strcasecmp (known->device, device) == 0)
        {
          part = known->name;
          break;
        }
  if (part == NULL)
    return g_strdup (engine != NULL ? engine->engine : backend_id);
  return g_strdup_printf ("%s (%s)", engine != NULL ? engine->engine : backend_id, part);
}

char *
dyno_engine_name_dup_backend (const char *backend_id, const char *name)
{
  const DynoEngineName *engine;
  gboolean is_one = FALSE, has_rest = FALSE;

  g_return_val_if_fail (backend_id != NULL, NULL);

  engine = find_engine (backend_id);
  if (engine == NULL)
    return g_strdup (name);
  for (const DynoEngineNamePart *part = engine->parts; part->name != NULL; part++)
    {
      has_rest = has_rest || part->device == NULL;
      is_one = is_one || g_strcmp0 (part->name, engine->usual) == 0;
    }
  /* The usual device may be one of several. */
  if (engine->usual == NULL || (is_one && !has_rest))
    return g_strdup (engine->engine);
  return dyno_engine_name_dup (backend_id, NULL);
}

char *
dyno_engine_name_dup_spec (const char *backend_id, const char *device)
{
  g_return_val_if_fail (backend_id != NULL, NULL);
  return device != NULL && *device != '\0' ? g_strconcat (backend_id, ":", device, NULL)
                                           : g_strdup (backend_id);
}

char *
dyno_engine_name_dup_list (const char *const *specs)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);

  for (; *specs != NULL; specs++)
    {
      g_auto (GStrv) parts = g_strsplit (*specs, ":", 2);

      g_ptr_array_add (names, parts[0] != NULL ? dyno_engine_name_dup (parts[0], parts[1]) : g_strdup (""));
    }
  g_ptr_array_add (names, NULL);
  return g_strjoinv (", ", (char **)names->pdata);
}

gboolean
dyno_engine_name_tells_device (const char *backend_id, const char *device)
{
  const DynoEngineName *engine;

  g_return_val_if_fail (backend_id != NULL, FALSE);

  engine = find_engine (backend_id);
  return device == NULL || *device == '\0' || engine == NULL || engine->parts[0].name == NULL ||
         engine->parts[0].device != NULL;
}

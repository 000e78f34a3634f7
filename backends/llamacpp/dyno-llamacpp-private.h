/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

#include "dyno-backend.h"
#include "dyno-engine-library.h"

G_BEGIN_DECLS

/* The part of llama.cpp's C interface that Dyno calls, as it is in releases 0.4 and 0.5; its libraries are opened at run
 * time and no header of them is needed. Structures are passed by value, so every member counts, whether Dyno sets it or
 * not. */

typedef struct LlamaModel LlamaModel;
typedef struct LlamaContext LlamaContext;
typedef struct LlamaMemory LlamaMemory;
typedef struct LlamaVocabulary LlamaVocabulary;
typedef struct LlamaDevice LlamaDevice;

typedef enum
{
  LLAMA_DEVICE_CPU,
  LLAMA_DEVICE_GPU,
  LLAMA_DEVICE_INTEGRATED_GPU,
  LLAMA_DEVICE_ACCELERATOR,
} LlamaDeviceType;

typedef enum
{
  LLAMA_LOG_ERROR = 4,
} LlamaLogLevel;

typedef void (*LlamaLog) (LlamaLogLevel level, const char *text, void *data);

typedef struct
{
  LlamaDevice **devices;
  const void *buffer_overrides;
  gint32 n_gpu_layers;
  int split_mode;
  int load_mode;
  int lazy_mode;
  gint32 main_gpu;
  const float *tensor_split;
  void *progress;
  void *progress_data;
  const void *overrides;
  bool vocabulary_only;
  bool check_tensors;
  bool repacks;
  bool no_host;
  bool no_alloc;
  bool loads_mtp;
} LlamaModelParams;

typedef struct
{
  guint32 n_ctx;
  guint32 n_batch;
  guint32 n_ubatch;
  guint32 n_seq_max;
  guint32 n_rs_seq;
  guint32 n_outputs_max;
  guint32 n_outputs_max_per_seq;
  gint32 n_threads;
  gint32 n_threads_batch;
  int type;
  int rope_scaling;
  int pooling;
  int attention;
  int flash_attention;
  float rope_base;
  float rope_scale;
  float yarn[4];
  guint32 yarn_context;
  float defragment;
  void *evaluate;
  void *evaluate_data;
  int type_k;
  int type_v;
  void *abort;
  void *abort_data;
  bool embeddings;
  bool offload_kqv;
  bool no_perf;
  bool op_offload;
  bool swa_full;
  bool kv_unified;
  void *samplers;
  gsize n_samplers;
  LlamaContext *other;
} LlamaContextParams;

typedef struct
{
  gint32 n_tokens;
  gint32 *tokens;
  float *embeddings;
  gint32 *positions;
  gint32 *n_sequences;
  gint32 **sequences;
  gint8 *outputs;
} LlamaBatch;

typedef struct
{
  gint32 n_threads;
  int file_type;
  int output_type;
  int table_type;
  bool requantizes;
  bool quantizes_output;
  bool only_copies;
  bool is_pure;
  bool keeps_split;
  bool is_trial;
  const void *importance;
  const void *overrides;
  const void *types;
  const void *pruned;
  int reserved[2];
} LlamaQuantizeParams;

/* clang-format off */
#define LLAMA_FUNCTIONS(F)                                                                                     \
  F (const char *, llama_version, (void))                                                                      \
  F (void, llama_backend_init, (void))                                                                         \
  F (void, llama_log_set, (LlamaLog log, void *data))                                                          \
  F (LlamaModelParams, llama_model_default_params, (void))                                                     \
  F (LlamaContextParams, llama_context_default_params, (void))                                                 \
  F (LlamaQuantizeParams, llama_model_quantize_default_params, (void))                                         \
  F (guint32, llama_model_quantize, (const char *from, const char *to, const LlamaQuantizeParams *params))     \
  F (LlamaModel *, llama_model_load_from_file, (const char *path, LlamaModelParams params))                    \
  F (void, llama_model_free, (LlamaModel *model))                                                              \
  F (const LlamaVocabulary *, llama_model_get_vocab, (const LlamaModel *model))                                \
  F (gint32, llama_vocab_n_tokens, (const LlamaVocabulary *vocabulary))                                        \
  F (LlamaContext *, llama_init_from_model, (LlamaModel *model, LlamaContextParams params))                    \
  F (void, llama_free, (LlamaContext *context))                                                                \
  F (gint32, llama_decode, (LlamaContext *context, LlamaBatch batch))                                          \
  F (void, llama_synchronize, (LlamaContext *context))                                                         \
  F (float *, llama_get_logits_ith, (LlamaContext *context, gint32 i))                                         \
  F (LlamaMemory *, llama_get_memory, (const LlamaContext *context))                                           \
  F (bool, llama_memory_seq_rm, (LlamaMemory *memory, gint32 sequence, gint32 from, gint32 to))                \
  F (void, ggml_backend_load_all_from_path, (const char *folder))                                              \
  F (gsize, ggml_backend_dev_count, (void))                                                                    \
  F (LlamaDevice *, ggml_backend_dev_get, (gsize index))                                                       \
  F (const char *, ggml_backend_dev_name, (LlamaDevice *device))                                               \
  F (const char *, ggml_backend_dev_description, (LlamaDevice *device))                                        \
  F (LlamaDeviceType, ggml_backend_dev_type, (LlamaDevice *device))                                            \
  F (void, ggml_backend_dev_memory, (LlamaDevice *device, gsize *available, gsize *total))
/* clang-format on */

#define LLAMA_FUNCTION(result, name, arguments) result (*name) arguments;

typedef struct
{
  LLAMA_FUNCTIONS (LLAMA_FUNCTION)
} LlamaApi;

#undef LLAMA_FUNCTION

/* dyno-llama-library */

#define DYNO_TYPE_LLAMA_LIBRARY (dyno_llama_library_get_type ())

/**
 * DynoLlamaLibrary:
 *
 * A file that may be libllama, with ggml and its libraries for devices beside it.
 */
G_DECLARE_FINAL_TYPE (DynoLlamaLibrary, dyno_llama_library, DYNO, LLAMA_LIBRARY, DynoEngineLibrary)

/* Returns its functions. */
const LlamaApi *dyno_llama_library_get_api (DynoLlamaLibrary *self);
/* Returns the device of that id: its name in lower case; NULL if there is none. */
LlamaDevice *dyno_llama_library_find_device (DynoLlamaLibrary *self, const char *id);
/* Returns the errors that the library reported since the last call, in one line; NULL if there are none. The caller
 * owns it. */
char *dyno_llama_library_take_errors (void);

/* dyno-llama-config */

/* Returns the options of llama.cpp alone, up to an entry without a name. */
const DynoBackendOption *dyno_llama_config_get_options (void);
void dyno_llama_config_set_model (const DynoSessionOptions *options, LlamaModelParams *params);
void dyno_llama_config_set_context (const DynoSessionOptions *options, LlamaContextParams *params);
/* Returns for how many tokens of an item llama.cpp makes room. */
guint dyno_llama_config_round_positions (guint n_positions);

/* dyno-llama-session */

#define DYNO_TYPE_LLAMA_SESSION (dyno_llama_session_get_type ())

/**
 * DynoLlamaSession:
 *
 * A GGUF file, loaded into llama.cpp, with a context for the sizes of its inputs.
 */
G_DECLARE_FINAL_TYPE (DynoLlamaSession, dyno_llama_session, DYNO, LLAMA_SESSION, DynoSession)

/* Returns the model, ready to run; NULL on error. @error: return location for an error. */
DynoSession *dyno_llama_session_new (DynoLlamaLibrary *library,
                                     LlamaDevice *device,
                                     const char *path,
                                     const DynoSessionOptions *options,
                                     GError **error);

G_END_DECLS

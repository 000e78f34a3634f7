/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdbool.h>

#include "dyno-backend.h"
#include "dyno-engine-library.h"
#include "dyno-model-description.h"
#include "dyno-value.h"

G_BEGIN_DECLS

/* The part of LiteRT's C interface that Dyno calls, as it is in releases 2.2 and 2.3; its library is opened at run time and no
 * header of it is needed. */

typedef struct LiteRtEnvironment LiteRtEnvironment;
typedef struct LiteRtModel LiteRtModel;
typedef struct LiteRtSignature LiteRtSignature;
typedef struct LiteRtSubgraph LiteRtSubgraph;
typedef struct LiteRtOp LiteRtOp;
typedef struct LiteRtTensor LiteRtTensor;
typedef struct LiteRtWeights LiteRtWeights;
typedef struct LiteRtOptions LiteRtOptions;
typedef struct LiteRtOpaqueOptions LiteRtOpaqueOptions;
typedef struct LiteRtCompiledModel LiteRtCompiledModel;
typedef struct LiteRtBuffer LiteRtBuffer;
typedef struct LiteRtRequirements LiteRtRequirements;
typedef struct LiteRtProfiler LiteRtProfiler;

typedef int LiteRtStatus;

enum
{
  LITERT_OK = 0,
  LITERT_OUT_OF_MEMORY = 2,
  LITERT_UNSUPPORTED = 5,
};

enum
{
  LITERT_ENVIRONMENT_COMPILERS = 0,
  LITERT_ENVIRONMENT_DISPATCHERS = 1,
  LITERT_ENVIRONMENT_LIBRARIES = 22,
  LITERT_ENVIRONMENT_ACCELERATORS = 24,
  LITERT_ENVIRONMENT_LEAST_SEVERITY = 25,
};

enum
{
  LITERT_ANY_INT = 2,
  LITERT_ANY_TEXT = 8,
  LITERT_ACCELERATOR_CPU = 1,
  LITERT_ACCELERATOR_GPU = 2,
  LITERT_ACCELERATOR_NPU = 4,
  LITERT_SEVERITY_ERROR = 3,
  LITERT_LOCK_READ = 0,
  LITERT_LOCK_WRITE = 1,
};

typedef struct
{
  int tag;
  struct
  {
    int type;
    union
    {
      gint64 number;
      const char *text;
    };
  } value;
} LiteRtEnvironmentOption;

#define LITERT_MAX_RANK 8

typedef struct
{
  unsigned int rank : 7;
  unsigned int has_strides : 1;
  gint32 dims[LITERT_MAX_RANK];
  guint32 strides[LITERT_MAX_RANK];
} LiteRtLayout;

typedef struct
{
  int element;
  LiteRtLayout layout;
} LiteRtTensorType;

enum
{
  LITERT_EVENT_OPERATOR = 1 << 1,
  LITERT_EVENT_DELEGATE_OPERATOR = 1 << 2,
  LITERT_EVENT_DELEGATE_PROFILED = 1 << 3,
};

typedef struct
{
  const char *tag;
  int type;
  guint64 begin_us;
  guint64 elapsed_us;
  gsize memory[6];
  guint64 index;
  guint64 subgraph;
  int source;
} LiteRtEvent;

/* clang-format off */
#define LITERT_FUNCTIONS(F)                                                                                          \
  F (LiteRtStatus, LiteRtCreateEnvironment, (int n, const LiteRtEnvironmentOption *options, LiteRtEnvironment **made)) \
  F (LiteRtStatus, LiteRtCreateModelFromBuffer, (LiteRtEnvironment *environment, const void *bytes, gsize size, LiteRtModel **made)) \
  F (void, LiteRtDestroyModel, (LiteRtModel *model))                                                                  \
  F (LiteRtStatus, LiteRtGetNumModelSubgraphs, (LiteRtModel *model, gsize *n))                                        \
  F (LiteRtStatus, LiteRtGetModelSubgraph, (LiteRtModel *model, gsize index, LiteRtSubgraph **subgraph))              \
  F (LiteRtStatus, LiteRtGetModelSignature, (LiteRtModel *model, gsize index, LiteRtSignature **signature))           \
  F (LiteRtStatus, LiteRtGetSignatureSubgraph, (LiteRtSignature *signature, LiteRtSubgraph **subgraph))               \
  F (LiteRtStatus, LiteRtGetNumSignatureInputs, (LiteRtSignature *signature, gsize *n))                               \
  F (LiteRtStatus, LiteRtGetSignatureInputName, (LiteRtSignature *signature, gsize index, const char **name))         \
  F (LiteRtStatus, LiteRtGetSignatureInputTensorByIndex, (LiteRtSignature *signature, gsize index, LiteRtTensor **tensor)) \
  F (LiteRtStatus, LiteRtGetNumSignatureOutputs, (LiteRtSignature *signature, gsize *n))                              \
  F (LiteRtStatus, LiteRtGetSignatureOutputName, (LiteRtSignature *signature, gsize index, const char **name))        \
  F (LiteRtStatus, LiteRtGetSignatureOutputTensorByIndex, (LiteRtSignature *signature, gsize index, LiteRtTensor **tensor)) \
  F (LiteRtStatus, LiteRtGetNumSubgraphOps, (LiteRtSubgraph *subgraph, gsize *n))                                     \
  F (LiteRtStatus, LiteRtGetSubgraphOp, (LiteRtSubgraph *subgraph, gsize index, LiteRtOp **op))                       \
  F (LiteRtStatus, LiteRtGetOpCode, (LiteRtOp *op, int *code))                                                        \
  F (LiteRtStatus, LiteRtGetCustomCode, (LiteRtOp *op, const char **code))                                            \
  F (LiteRtStatus, LiteRtGetNumOpInputs, (LiteRtOp *op, gsize *n))                                                    \
  F (LiteRtStatus, LiteRtGetOpInput, (LiteRtOp *op, gsize index, LiteRtTensor **tensor))                              \
  F (LiteRtStatus, LiteRtGetNumOpOutputs, (LiteRtOp *op, gsize *n))                                                   \
  F (LiteRtStatus, LiteRtGetOpOutput, (LiteRtOp *op, gsize index, LiteRtTensor **tensor))                             \
  F (LiteRtStatus, LiteRtGetAveragePool2dFilterHeightOption, (LiteRtOp *op, gint32 *value))                           \
  F (LiteRtStatus, LiteRtGetAveragePool2dFilterWidthOption, (LiteRtOp *op, gint32 *value))                            \
  F (LiteRtStatus, LiteRtGetMaxPool2dFilterHeightOption, (LiteRtOp *op, gint32 *value))                               \
  F (LiteRtStatus, LiteRtGetMaxPool2dFilterWidthOption, (LiteRtOp *op, gint32 *value))                                \
  F (LiteRtStatus, LiteRtGetGatherAxisOption, (LiteRtOp *op, gint32 *value))                                          \
  /* This is the byte of the file, which need not be 0 or 1. */                                                       \
  F (LiteRtStatus, LiteRtGetGeluApproximateOption, (LiteRtOp *op, guint8 *value))                                     \
  F (LiteRtStatus, LiteRtGetAddFusedActivationOption, (LiteRtOp *op, guint32 *value))                                 \
  F (LiteRtStatus, LiteRtGetConv2dFusedActivationOption, (LiteRtOp *op, guint32 *value))                              \
  F (LiteRtStatus, LiteRtGetDepthwiseConv2dFusedActivationOption, (LiteRtOp *op, guint32 *value))                     \
  F (LiteRtStatus, LiteRtGetDivFusedActivationOption, (LiteRtOp *op, guint32 *value))                                 \
  F (LiteRtStatus, LiteRtGetFullyConnectedFusedActivationOption, (LiteRtOp *op, guint32 *value))                      \
  F (LiteRtStatus, LiteRtGetMulFusedActivationOption, (LiteRtOp *op, guint32 *value))                                 \
  F (LiteRtStatus, LiteRtGetSubFusedActivationOption, (LiteRtOp *op, guint32 *value))                                 \
  F (LiteRtStatus, LiteRtGetTensorName, (LiteRtTensor *tensor, const char **name))                                    \
  F (LiteRtStatus, LiteRtGetTensorTypeId, (LiteRtTensor *tensor, int *id))                                            \
  F (LiteRtStatus, LiteRtGetRankedTensorType, (LiteRtTensor *tensor, LiteRtTensorType *type))                         \
  F (LiteRtStatus, LiteRtGetTensorWeights, (LiteRtTensor *tensor, LiteRtWeights **weights))                           \
  F (LiteRtStatus, LiteRtGetWeightsBytes, (LiteRtWeights *weights, const void **bytes, gsize *size))                  \
  F (LiteRtStatus, LiteRtGetWeightsBufferId, (LiteRtWeights *weights, gint32 *id))                                    \
  F (LiteRtStatus, LiteRtCreateOptions, (LiteRtOptions **made))                                                       \
  F (void, LiteRtDestroyOptions, (LiteRtOptions *options))                                                            \
  F (LiteRtStatus, LiteRtSetOptionsHardwareAccelerators, (LiteRtOptions *options, int accelerators))                  \
  F (LiteRtStatus, LiteRtCreateOpaqueOptions, (const char *id, void *text, void (*free_text) (void *text), LiteRtOpaqueOptions **made)) \
  F (LiteRtStatus, LiteRtAddOpaqueOptions, (LiteRtOptions *options, LiteRtOpaqueOptions *added))                      \
  F (LiteRtStatus, LiteRtCreateCompiledModel, (LiteRtEnvironment *environment, LiteRtModel *model, LiteRtOptions *options, LiteRtCompiledModel **made)) \
  F (void, LiteRtDestroyCompiledModel, (LiteRtCompiledModel *compiled))                                               \
  F (LiteRtStatus, LiteRtCompiledModelGetErrorMessages, (LiteRtCompiledModel *compiled, char **messages))             \
  F (LiteRtStatus, LiteRtCompiledModelIsFullyAccelerated, (LiteRtCompiledModel *compiled, bool *is_full))             \
  F (LiteRtStatus, LiteRtCompiledModelGetProfiler, (LiteRtCompiledModel *compiled, LiteRtProfiler **profiler))        \
  F (LiteRtStatus, LiteRtCompiledModelResizeInputTensor, (LiteRtCompiledModel *compiled, gsize signature, gsize input, const int *dims, gsize rank)) \
  F (LiteRtStatus, LiteRtGetCompiledModelInputBufferRequirements, (LiteRtCompiledModel *compiled, gsize signature, gsize input, LiteRtRequirements **requirements)) \
  F (LiteRtStatus, LiteRtGetCompiledModelOutputBufferRequirements, (LiteRtCompiledModel *compiled, gsize signature, gsize output, LiteRtRequirements **requirements)) \
  F (LiteRtStatus, LiteRtGetCompiledModelOutputTensorLayouts, (LiteRtCompiledModel *compiled, gsize signature, gsize n, LiteRtLayout *layouts, bool updates)) \
  F (LiteRtStatus, LiteRtRunCompiledModel, (LiteRtCompiledModel *compiled, gsize signature, gsize n_inputs, LiteRtBuffer **inputs, gsize n_outputs, LiteRtBuffer **outputs)) \
  F (LiteRtStatus, LiteRtCreateManagedTensorBufferFromRequirements, (LiteRtEnvironment *environment, const LiteRtTensorType *type, LiteRtRequirements *requirements, LiteRtBuffer **made)) \
  F (void, LiteRtDestroyTensorBuffer, (LiteRtBuffer *buffer))                                                         \
  F (LiteRtStatus, LiteRtGetTensorBufferPackedSize, (LiteRtBuffer *buffer, gsize *size))                              \
  F (LiteRtStatus, LiteRtLockTensorBuffer, (LiteRtBuffer *buffer, void **memory, int mode))                           \
  F (LiteRtStatus, LiteRtUnlockTensorBuffer, (LiteRtBuffer *buffer))                                                  \
  F (LiteRtStatus, LiteRtStartProfiler, (LiteRtProfiler *profiler))                                                   \
  F (LiteRtStatus, LiteRtResetProfiler, (LiteRtProfiler *profiler))                                                   \
  F (LiteRtStatus, LiteRtGetNumProfilerEvents, (LiteRtProfiler *profiler, int *n))                                    \
  F (LiteRtStatus, LiteRtGetProfilerEvents, (LiteRtProfiler *profiler, int n, LiteRtEvent *events))
/* clang-format on */

#define LITERT_FUNCTION(result, name, arguments) result (*name) arguments;

typedef struct
{
  LITERT_FUNCTIONS (LITERT_FUNCTION)
} LiteRtApi;

#undef LITERT_FUNCTION

/* dyno-litert-library */

#define DYNO_TYPE_LITERT_LIBRARY (dyno_litert_library_get_type ())

/**
 * DynoLitertLibrary:
 *
 * A file that may be libLiteRt.
 */
G_DECLARE_FINAL_TYPE (DynoLitertLibrary, dyno_litert_library, DYNO, LITERT_LIBRARY, DynoEngineLibrary)

/* Returns its functions. */
const LiteRtApi *dyno_litert_library_get_api (DynoLitertLibrary *self);
/* Returns the environment of this process for one kind of accelerator; NULL if it does not start. */
LiteRtEnvironment *
dyno_litert_library_get_environment (DynoLitertLibrary *self, int accelerator, GError **error);
/* Returns whether the call went well. @sentence: ends the error if it did not; taken. @messages (nullable): LiteRT's own. */
gboolean dyno_litert_check (LiteRtStatus status, char *sentence, const char *messages, GError **error);

/* dyno-litert-accelerator */

/* The id of the processor, and the provider of operators that it runs. */
#define DYNO_LITERT_DEVICE    "cpu"
#define DYNO_LITERT_PROCESSOR "CPU"

/**
 * LiteRtTarget:
 * @accelerator: the bit of a kind of accelerator
 * @provider: the provider of operators that it runs
 *
 * The place where a model is to run.
 */
typedef struct
{
  int accelerator;
  const char *provider;
} LiteRtTarget;

/* Adds the devices of accelerators to the probe, those that are missing with the reason. */
void dyno_litert_accelerator_add_devices (DynoLitertLibrary *library, DynoProbe *probe);
/* Chooses the driver of a GPU for this process. Returns the target for the device; NULL without an error if there is no such
 * device. */
const LiteRtTarget *dyno_litert_accelerator_find (DynoLitertLibrary *library, const char *id, GError **error);

/* dyno-litert-file */

/**
 * LiteRtFile:
 * @library: that opened it
 * @api: its functions
 * @contents: the file, in which the model stays
 * @environment: that it is open in
 * @model: all of it
 * @signature: its first signature, the only one that is measured
 * @graph: the graph of that signature
 *
 * A file that LiteRT has read and found to be valid.
 */
typedef struct
{
  DynoLitertLibrary *library;
  const LiteRtApi *api;
  GMappedFile *contents;
  LiteRtEnvironment *environment;
  LiteRtModel *model;
  LiteRtSignature *signature;
  LiteRtSubgraph *graph;
} LiteRtFile;

/* Returns the file; NULL on error. @accelerator: the kind that is to run it. */
LiteRtFile *
dyno_litert_file_open (DynoLitertLibrary *library, int accelerator, const char *path, GError **error);
void dyno_litert_file_free (LiteRtFile *self);
/* Returns an input or output of the signature; NULL if LiteRT gives none. @name: gets its name, which may be NULL. */
LiteRtTensor *
dyno_litert_file_get_port (const LiteRtFile *self, gboolean is_input, gsize index, const char **name);
/* The id of the format. */
#define DYNO_LITERT_FORMAT "tflite"

/* Returns the description of a file; NULL on error. */
DynoModelDescription *dyno_litert_file_describe (const char *path, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (LiteRtFile, dyno_litert_file_free)

/* dyno-litert-graph */

/* Returns the type of elements with that number; DYNO_DATA_TYPE_UNDEFINED for one that Dyno does not know. */
DynoDataType dyno_litert_get_data_type (int element);
/* Returns whether the tensor has a shape. @shape: gets it; a free dimension has the size -1, and the type may be
 * DYNO_DATA_TYPE_UNDEFINED. */
gboolean dyno_litert_get_shape (const LiteRtApi *api, LiteRtTensor *tensor, DynoShape *shape);
/* Returns how many bytes of data a tensor has, which is 0 unless it is a constant. @buffer: gets the number of their buffer. */
gsize dyno_litert_get_constant (const LiteRtApi *api, LiteRtTensor *tensor, gint32 *buffer);
/* Returns the nodes of the graph under the names of ONNX, with the shapes that its rules count; what LiteRT fuses into one
 * operator is several nodes. Elements are DynoNodeProfile. The caller owns it. @batch_size: of the first dimension where that
 * is free. @provider: (nullable): what runs them. */
GPtrArray *dyno_litert_graph_list_nodes (const LiteRtFile *file,
                                         LiteRtSubgraph *graph,
                                         gint64 batch_size,
                                         const char *provider);
/* Adds the number of elements of each node's sliding window. */
void dyno_litert_graph_add_windows (const LiteRtFile *file, DynoModelDescription *description);

/* dyno-litert-profile */

/* The delegate whose kernels run most operators on the processor. */
#define DYNO_LITERT_XNNPACK "XNNPACK"

/**
 * DynoLitertProfile:
 *
 * The times of operators, summed over runs.
 */
typedef struct _DynoLitertProfile DynoLitertProfile;

/* Returns an empty profile that records from now on. */
DynoLitertProfile *dyno_litert_profile_new (const LiteRtApi *api, LiteRtProfiler *profiler);
void dyno_litert_profile_free (DynoLitertProfile *self);
/* Takes the events of the run that ended. */
LiteRtStatus dyno_litert_profile_record (DynoLitertProfile *self);
/* Returns the share of the operators in the file that the delegate took, as `delegated_operators_percent`; NULL if the profile
 * contradicts LiteRT. The caller owns it. @delegate: its name for people. @took_all: whether LiteRT says that it took them all. */
DynoValue *dyno_litert_profile_count_delegated (DynoLitertProfile *self,
                                                const LiteRtFile *file,
                                                const char *delegate,
                                                gboolean took_all);
/* Returns the operators in order of their first run, without the first run if there are others. Elements are
 * DynoNodeProfile. The caller owns it. */
GPtrArray *dyno_litert_profile_sum_up (DynoLitertProfile *self);

/* dyno-litert-session */

#define DYNO_TYPE_LITERT_SESSION (dyno_litert_session_get_type ())

/**
 * DynoLitertSession:
 *
 * A file, compiled by LiteRT for the processor or an accelerator.
 */
G_DECLARE_FINAL_TYPE (DynoLitertSession, dyno_litert_session, DYNO, LITERT_SESSION, DynoSession)

/* Returns the options of LiteRT alone, up to an entry without a name. */
const DynoBackendOption *dyno_litert_session_get_options (void);
/* Returns the model, ready to run; NULL on error. @error: return location for an error. */
DynoSession *dyno_litert_session_new (DynoLitertLibrary *library,
                                      const LiteRtTarget *target,
                                      const char *path,
                                      const DynoSessionOptions *options,
                                      GError **error);

G_END_DECLS

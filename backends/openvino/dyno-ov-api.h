/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The part of OpenVINO's C interface that Dyno calls, as it is since 2024; its library is opened at run time and no
 * header of it is needed. Names are those of the library without `ov_` and `_t`. */

#include <glib.h>
#include <stdbool.h>

G_BEGIN_DECLS

typedef struct OvCore OvCore;
typedef struct OvModel OvModel;
typedef struct OvCompiledModel OvCompiledModel;
typedef struct OvInferRequest OvInferRequest;
typedef struct OvTensor OvTensor;
typedef struct OvPort OvPort;

/* Every call that can fail returns one; the library has more, and all except OK are failures. */
typedef enum
{
  OV_STATUS_OK = 0,
  OV_STATUS_NOT_IMPLEMENTED = -2,
  OV_STATUS_PARAMETER_MISMATCH = -4,
  OV_STATUS_NOT_FOUND = -5,
  OV_STATUS_INVALID_C_PARAM = -14,
  OV_STATUS_NOT_IMPLEMENTED_C_METHOD = -16,
} OvStatus;

/* As in 2026; in 2025.0 and earlier, each was one more. */
typedef enum
{
  OV_ELEMENT_BOOLEAN = 1,
  OV_ELEMENT_BF16 = 2,
  OV_ELEMENT_F16 = 3,
  OV_ELEMENT_F32 = 4,
  OV_ELEMENT_F64 = 5,
  OV_ELEMENT_I8 = 7,
  OV_ELEMENT_I16 = 8,
  OV_ELEMENT_I32 = 9,
  OV_ELEMENT_I64 = 10,
  OV_ELEMENT_U8 = 16,
  OV_ELEMENT_U16 = 17,
  OV_ELEMENT_U32 = 18,
  OV_ELEMENT_U64 = 19,
} OvElement;

typedef enum
{
  OV_NODE_NOT_RUN,
  OV_NODE_OPTIMIZED_OUT,
  OV_NODE_EXECUTED,
} OvNodeStatus;

typedef struct
{
  gint64 rank;
  gint64 *dims;
} OvShape;

typedef struct
{
  gint64 min;
  gint64 max; /* -1 for no limit */
} OvDimension;

typedef struct
{
  OvDimension rank;
  OvDimension *dims;
} OvPartialShape;

typedef struct
{
  const char *build;
  const char *description;
} OvVersion;

typedef struct
{
  char **names;
  gsize n_names;
} OvDevices;

typedef struct
{
  OvNodeStatus status;
  gint64 real_time; /* µs */
  gint64 cpu_time;  /* µs */
  const char *node_name;
  const char *exec_type;
  const char *node_type;
} OvProfilingInfo;

typedef struct
{
  OvProfilingInfo *infos;
  gsize n_infos;
} OvProfilingList;

/* clang-format off */
#define OV_FUNCTIONS(F)                                                                                        \
  F (const char *, get_last_err_msg, (void))                                                                   \
  F (const char *, get_error_info, (OvStatus status))                                                          \
  F (void, free, (const char *text))                                                                           \
  F (OvStatus, get_openvino_version, (OvVersion *version))                                                     \
  F (void, version_free, (OvVersion *version))                                                                 \
  F (OvStatus, core_create, (OvCore **core))                                                                   \
  F (OvStatus, core_get_available_devices, (const OvCore *core, OvDevices *devices))                           \
  F (void, available_devices_free, (OvDevices *devices))                                                       \
  F (OvStatus, core_get_property, (const OvCore *core, const char *device, const char *key, char **value))     \
  F (OvStatus, core_read_model, (const OvCore *core, const char *path, const char *weights, OvModel **model))  \
  F (OvStatus, core_compile_model, (const OvCore *core, const OvModel *model, const char *device,              \
                                    gsize n_arguments, OvCompiledModel **compiled, ...))                       \
  F (void, model_free, (OvModel *model))                                                                       \
  F (OvStatus, compiled_model_inputs_size, (const OvCompiledModel *compiled, gsize *size))                     \
  F (OvStatus, compiled_model_outputs_size, (const OvCompiledModel *compiled, gsize *size))                    \
  F (OvStatus, compiled_model_input_by_index, (const OvCompiledModel *compiled, gsize index, OvPort **port))   \
  F (OvStatus, compiled_model_output_by_index, (const OvCompiledModel *compiled, gsize index, OvPort **port))  \
  F (OvStatus, compiled_model_input_by_name, (const OvCompiledModel *compiled, const char *name, OvPort **port)) \
  F (OvStatus, compiled_model_output_by_name,                                                                  \
     (const OvCompiledModel *compiled, const char *name, OvPort **port))                                       \
  F (OvStatus, compiled_model_get_property, (const OvCompiledModel *compiled, const char *key, char **value))  \
  F (OvStatus, compiled_model_create_infer_request, (const OvCompiledModel *compiled, OvInferRequest **self))  \
  F (void, compiled_model_free, (OvCompiledModel *compiled))                                                   \
  F (OvStatus, port_get_any_name, (const OvPort *port, char **name))                                           \
  F (OvStatus, port_get_partial_shape, (const OvPort *port, OvPartialShape *shape))                            \
  F (OvStatus, port_get_element_type, (const OvPort *port, guint *element))                                    \
  F (void, output_const_port_free, (OvPort *port))                                                             \
  F (void, partial_shape_free, (OvPartialShape *shape))                                                        \
  F (OvStatus, infer_request_set_input_tensor_by_index, (OvInferRequest *self, gsize index,                    \
                                                         const OvTensor *tensor))                              \
  F (OvStatus, infer_request_set_output_tensor_by_index, (OvInferRequest *self, gsize index,                   \
                                                          const OvTensor *tensor))                             \
  F (OvStatus, infer_request_get_output_tensor_by_index, (const OvInferRequest *self, gsize index,             \
                                                          OvTensor **tensor))                                  \
  F (OvStatus, infer_request_infer, (OvInferRequest *self))                                                    \
  F (OvStatus, infer_request_start_async, (OvInferRequest *self))                                              \
  F (OvStatus, infer_request_wait, (OvInferRequest *self))                                                     \
  F (OvStatus, infer_request_get_profiling_info, (const OvInferRequest *self, OvProfilingList *list))          \
  F (void, profiling_info_list_free, (OvProfilingList *list))                                                  \
  F (void, infer_request_free, (OvInferRequest *self))                                                         \
  F (OvStatus, tensor_create, (guint element, OvShape shape, OvTensor **tensor))                               \
  F (OvStatus, tensor_create_from_host_ptr, (guint element, OvShape shape, void *memory, OvTensor **tensor))   \
  F (OvStatus, tensor_get_shape, (const OvTensor *tensor, OvShape *shape))                                     \
  F (OvStatus, tensor_get_size, (const OvTensor *tensor, gsize *n_elements))                                   \
  F (OvStatus, tensor_get_byte_size, (const OvTensor *tensor, gsize *n_bytes))                                 \
  F (OvStatus, tensor_get_element_type, (const OvTensor *tensor, guint *element))                              \
  F (OvStatus, tensor_data, (const OvTensor *tensor, void **data))                                             \
  F (void, tensor_free, (OvTensor *tensor))                                                                    \
  F (OvStatus, shape_free, (OvShape *shape))
/* clang-format on */

#define OV_FUNCTION(result, name, arguments) result (*name) arguments;

typedef struct
{
  OV_FUNCTIONS (OV_FUNCTION)
} OvApi;

#undef OV_FUNCTION

G_END_DECLS

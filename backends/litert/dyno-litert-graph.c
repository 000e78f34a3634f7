/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-litert-private.h"
#include "dyno-session.h"
#include "dyno-text.h"

/* The most tensors that one operator may have. */
#define MAX_TENSORS 4096

#define FUSED(name) G_STRUCT_OFFSET (LiteRtApi, LiteRtGet##name##FusedActivationOption)
#define WINDOW(name)                                                                                         \
  {                                                                                                          \
    G_STRUCT_OFFSET (LiteRtApi, LiteRtGet##name##FilterHeightOption),                                        \
        G_STRUCT_OFFSET (LiteRtApi, LiteRtGet##name##FilterWidthOption)                                      \
  }

/* How shapes differ from those of the ONNX operator. */
typedef enum
{
  SAME,
  DEPTHWISE,   /* the weight has its outputs last */
  DENSE,       /* the data may have any shape whose elements make up rows */
  TRANSPOSED,  /* the shape of the result comes first, and the weight has its inputs last */
  FOUR_POINTS, /* each element is interpolated between four */
  ONE_POINT,   /* or copied from one */
} Layout;

typedef struct
{
  int code;
  const char *name; /* in files */
  const char
      *types; /* of ONNX, which together compute the same, with “+” between them; NULL if there are none */
  Layout layout;
  glong fused;     /* the function that tells the activation after it; 0 if there is none */
  glong window[2]; /* likewise, the height and the width of its window */
} Operator;

typedef LiteRtStatus (*GetActivation) (LiteRtOp *op, guint32 *activation);
typedef LiteRtStatus (*GetSize) (LiteRtOp *op, gint32 *size);

static const Operator operators[] = {
  { 0, "ADD", "Add", SAME, FUSED (Add) },
  { 1, "AVERAGE_POOL_2D", "AveragePool", .window = WINDOW (AveragePool2d) },
  { 2, "CONCATENATION", "Concat" },
  { 3, "CONV_2D", "Conv", SAME, FUSED (Conv2d) },
  { 4, "DEPTHWISE_CONV_2D", "Conv", DEPTHWISE, FUSED (DepthwiseConv2d) },
  { 5, "DEPTH_TO_SPACE", "DepthToSpace" },
  { 6, "DEQUANTIZE", "DequantizeLinear" },
  { 7, "EMBEDDING_LOOKUP", "Gather" },
  { 8, "FLOOR", "Floor" },
  { 9, "FULLY_CONNECTED", "Gemm", DENSE, FUSED (FullyConnected) },
  { 11, "L2_NORMALIZATION", "LpNormalization" },
  { 14, "LOGISTIC", "Sigmoid" },
  { 17, "MAX_POOL_2D", "MaxPool", .window = WINDOW (MaxPool2d) },
  { 18, "MUL", "Mul", SAME, FUSED (Mul) },
  { 19, "RELU", "Relu" },
  { 20, "RELU_N1_TO_1", "Clip" },
  { 21, "RELU6", "Clip" },
  { 22, "RESHAPE", "Reshape" },
  { 23, "RESIZE_BILINEAR", "Resize", FOUR_POINTS },
  { 25, "SOFTMAX", "Softmax" },
  { 26, "SPACE_TO_DEPTH", "SpaceToDepth" },
  { 28, "TANH", "Tanh" },
  { 34, "PAD", "Pad" },
  { 36, "GATHER", "Gather" },
  { 37, "BATCH_TO_SPACE_ND", "DepthToSpace" },
  { 38, "SPACE_TO_BATCH_ND", "SpaceToDepth" },
  { 39, "TRANSPOSE", "Transpose" },
  { 40, "MEAN", "ReduceMean" },
  { 41, "SUB", "Sub", SAME, FUSED (Sub) },
  { 42, "DIV", "Div", SAME, FUSED (Div) },
  { 43, "SQUEEZE", "Squeeze" },
  { 45, "STRIDED_SLICE", "Slice" },
  { 47, "EXP", "Exp" },
  { 48, "TOPK_V2", "TopK" },
  { 49, "SPLIT", "Split" },
  { 50, "LOG_SOFTMAX", "LogSoftmax" },
  { 53, "CAST", "Cast" },
  { 54, "PRELU", "PRelu" },
  { 55, "MAXIMUM", "Max" },
  { 56, "ARG_MAX", "ArgMax" },
  { 57, "MINIMUM", "Min" },
  { 58, "LESS", "Less" },
  { 59, "NEG", "Neg" },
  { 60, "PADV2", "Pad" },
  { 61, "GREATER", "Greater" },
  { 62, "GREATER_EQUAL", "GreaterOrEqual" },
  { 63, "LESS_EQUAL", "LessOrEqual" },
  { 64, "SELECT", "Where" },
  { 65, "SLICE", "Slice" },
  { 66, "SIN", "Sin" },
  { 67, "TRANSPOSE_CONV", "ConvTranspose", TRANSPOSED },
  { 69, "TILE", "Tile" },
  { 70, "EXPAND_DIMS", "Unsqueeze" },
  { 71, "EQUAL", "Equal" },
  { 73, "LOG", "Log" },
  { 74, "SUM", "ReduceSum" },
  { 75, "SQRT", "Sqrt" },
  { 76, "RSQRT", "Sqrt+Reciprocal" },
  { 77, "SHAPE", "Shape" },
  { 78, "POW", "Pow" },
  { 79, "ARG_MIN", "ArgMin" },
  { 81, "REDUCE_PROD", "ReduceProd" },
  { 82, "REDUCE_MAX", "ReduceMax" },
  { 83, "PACK", "Concat" },
  { 85, "ONE_HOT", "OneHot" },
  { 86, "LOGICAL_AND", "And" },
  { 87, "LOGICAL_NOT", "Not" },
  { 88, "UNPACK", "Split" },
  { 89, "REDUCE_MIN", "ReduceMin" },
  { 92, "SQUARE", "Mul" },
  { 94, "FILL", "Expand" },
  { 96, "RANGE", "Range" },
  { 97, "RESIZE_NEAREST_NEIGHBOR", "Resize", ONE_POINT },
  { 98, "LEAKY_RELU", "LeakyRelu" },
  { 99, "SQUARED_DIFFERENCE", "Sub+Mul" },
  { 100, "MIRROR_PAD", "Pad" },
  { 101, "ABS", "Abs" },
  { 102, "SPLIT_V", "Split" },
  { 104, "CEIL", "Ceil" },
  { 107, "GATHER_ND", "GatherND" },
  { 108, "COS", "Cos" },
  { 111, "ELU", "Elu" },
  { 114, "QUANTIZE", "QuantizeLinear" },
  { 116, "ROUND", "Round" },
  { 117, "HARD_SWISH", "HardSwish" },
  { 122, "SCATTER_ND", "ScatterND" },
  { 123, "SELECT_V2", "Where" },
  { 126, "BATCH_MATMUL", "MatMul" },
  { 128, "CUMSUM", "CumSum" },
  { 130, "BROADCAST_TO", "Expand" },
  { 150, "GELU", "Gelu" },
  { 151, "DYNAMIC_UPDATE_SLICE", "ScatterND" },
  { 152, "RELU_0_TO_1", "Clip" },
  { 13, "LOCAL_RESPONSE_NORMALIZATION" },
  { 16, "LSTM" },
  { 24, "RNN" },
  { 27, "SVDF" },
  { 44, "UNIDIRECTIONAL_SEQUENCE_LSTM" },
  { 112, "REVERSE_SEQUENCE", "ReverseSequence" },
  { 118, "IF" },
  { 119, "WHILE" },
  { 124, "DENSIFY" },
  { 206, "STABLEHLO_COMPOSITE" },
};

#define DEQUANTISE_CODE 6
#define CUSTOM_CODE     32
#define DENSIFY_CODE    124
#define GELU_CODE       150

DynoDataType
dyno_litert_get_data_type (int element)
{
  static const DynoDataType types[] = {
    [1] = DYNO_DATA_TYPE_FLOAT,       [2] = DYNO_DATA_TYPE_INT32,   [3] = DYNO_DATA_TYPE_UINT8,
    [4] = DYNO_DATA_TYPE_INT64,       [5] = DYNO_DATA_TYPE_STRING,  [6] = DYNO_DATA_TYPE_BOOL,
    [7] = DYNO_DATA_TYPE_INT16,       [9] = DYNO_DATA_TYPE_INT8,    [10] = DYNO_DATA_TYPE_FLOAT16,
    [11] = DYNO_DATA_TYPE_DOUBLE,     [13] = DYNO_DATA_TYPE_UINT64, [16] = DYNO_DATA_TYPE_UINT32,
    [17] = DYNO_DATA_TYPE_UINT16,     [18] = DYNO_DATA_TYPE_INT4,   [19] = DYNO_DATA_TYPE_BFLOAT16,
    [20] = DYNO_DATA_TYPE_INT2,       [21] = DYNO_DATA_TYPE_UINT4,  [22] = DYNO_DATA_TYPE_FLOAT8E4M3FN,
    [23] = DYNO_DATA_TYPE_FLOAT8E5M2,
  };

  return element >= 0 && element < (int)G_N_ELEMENTS (types) ? types[element] : DYNO_DATA_TYPE_UNDEFINED;
}

gboolean
dyno_litert_get_shape (const LiteRtApi *api, LiteRtTensor *tensor, DynoShape *shape)
{
  LiteRtTensorType type = { 0 };
  int id = -1;

  *shape = (DynoShape){ 0 };
  if (tensor == NULL || api->LiteRtGetTensorTypeId (tensor, &id) != LITERT_OK || id != 0 ||
      api->LiteRtGetRankedTensorType (tensor, &type) != LITERT_OK || type.layout.rank > LITERT_MAX_RANK)
    return FALSE;
  shape->type = dyno_litert_get_data_type (type.element);
  shape->rank = type.layout.rank;
  for (guint axis = 0; axis < shape->rank; axis++)
    shape->dims[axis] = MAX (type.layout.dims[axis], -1);
  return TRUE;
}

gsize
dyno_litert_get_constant (const LiteRtApi *api, LiteRtTensor *tensor, gint32 *buffer)
{
  LiteRtWeights *weights = NULL;
  const void *bytes = NULL;
  gsize size = 0;

  *buffer = 0;
  if (tensor == NULL || api->LiteRtGetTensorWeights (tensor, &weights) != LITERT_OK || weights == NULL ||
      api->LiteRtGetWeightsBytes (weights, &bytes, &size) != LITERT_OK || bytes == NULL ||
      api->LiteRtGetWeightsBufferId (weights, buffer) != LITERT_OK)
    return 0;
  return size;
}

static const Operator *
find_operator (int code)
{
  for (guint i = 0; i < G_N_ELEMENTS (operators); i++)
    if (operators[i].code == code)
      return &operators[i];
  return NULL;
}

/* An operator is called after its first result. Returns its name, which fits JSON. */
static char *
dup_name (const LiteRtApi *api, LiteRtOp *op, gsize index)
{
  LiteRtTensor *result = NULL;
  const char *name = NULL;
  gsize n = 0;

  if (api->LiteRtGetNumOpOutputs (op, &n) == LITERT_OK && n > 0 &&
      api->LiteRtGetOpOutput (op, 0, &result) == LITERT_OK && result != NULL &&
      api->LiteRtGetTensorName (result, &name) == LITERT_OK && name != NULL && *name != '\0')
    return dyno_plain_text_quote (name, DYNO_PLAIN_TEXT_NAME);
  return g_strdup_printf ("#%" G_GSIZE_FORMAT, index);
}

/* One without a known shape is left out of a list of results, so that no rule counts it, and ends one of operands. */
static GArray *
list_shapes (const LiteRtApi *api, LiteRtOp *op, gboolean of_results, gint64 batch_size)
{
  GArray *shapes = g_array_new (FALSE, FALSE, sizeof (DynoShape));
  gsize n = 0;

  if ((of_results ? api->LiteRtGetNumOpOutputs : api->LiteRtGetNumOpInputs) (op, &n) != LITERT_OK)
    return shapes;
  for (gsize i = 0; i < MIN (n, MAX_TENSORS); i++)
    {
      LiteRtTensor *tensor = NULL;
      DynoShape shape;
      gboolean is_known =
          (of_results ? api->LiteRtGetOpOutput : api->LiteRtGetOpInput) (op, i, &tensor) == LITERT_OK &&
          dyno_litert_get_shape (api, tensor, &shape);

      if (is_known && shape.rank > 0 && shape.dims[0] < 0)
        shape.dims[0] = batch_size;
      for (guint axis = 0; is_known && axis < shape.rank; axis++)
        is_known = shape.dims[axis] >= 0;
      if (!is_known)
        break;
      g_array_append_val (shapes, shape);
    }
  return shapes;
}

/* Makes the shape one of rows. */
static void
flatten (DynoShape *shape, gint64 width)
{
  gint64 count = dyno_shape_count (shape);

  if (count < 0 || width < 1)
    return;
  *shape = (DynoShape){ shape->type, 2, { count / width, width } };
}

static void
swap_ends (DynoShape *shape)
{
  gint64 last = shape->dims[MAX (shape->rank, 1) - 1];

  shape->dims[MAX (shape->rank, 1) - 1] = shape->dims[0];
  shape->dims[0] = last;
}

/* The rules count the elements of a filter, however they lie, but must find the number of filters first. */
static void
arrange (Layout layout, GArray *inputs, GArray *outputs)
{
  DynoShape *shapes = (DynoShape *)(void *)inputs->data;

  if (layout == TRANSPOSED && inputs->len > 0)
    g_array_remove_index (inputs, 0);
  if (inputs->len < 2 || outputs->len < 1)
    return;
  if (layout == DEPTHWISE)
    swap_ends (&shapes[1]);
  else if (layout == DENSE && shapes[1].rank == 2)
    {
      flatten (&shapes[0], shapes[1].dims[1]);
      flatten (&g_array_index (outputs, DynoShape, 0), shapes[1].dims[0]);
    }
  else if (layout == TRANSPOSED)
    {
      DynoShape weight = shapes[0];

      swap_ends (&weight);
      shapes[0] = shapes[1];
      shapes[1] = weight;
    }
}

/* Takes @op_type. */
static void
add_node (GPtrArray *nodes, const char *name, char *op_type, GArray *inputs, GArray *outputs)
{
  DynoNodeProfile *node = g_new0 (DynoNodeProfile, 1);

  node->name = g_strdup (name);
  node->op_type = op_type;
  node->time_ns = -1;
  node->calls = 1;
  node->inputs = g_array_ref (inputs);
  node->outputs = g_array_ref (outputs);
  g_ptr_array_add (nodes, node);
}

static void
add_activation (const LiteRtApi *api,
                GPtrArray *nodes,
                const Operator *known,
                LiteRtOp *op,
                const char *name,
                GArray *outputs)
{
  static const char *const types[] = { NULL, "Relu", "Clip", "Clip", "Tanh" };
  const GetActivation get = known->fused != 0 ? G_STRUCT_MEMBER (GetActivation, api, known->fused) : NULL;
  guint32 activation = 0;

  if (get != NULL && get (op, &activation) == LITERT_OK && activation < G_N_ELEMENTS (types) &&
      types[activation] != NULL)
    add_node (nodes, name, g_strdup (types[activation]), outputs, outputs);
}

static void
add_nodes (const LiteRtApi *api, GPtrArray *nodes, LiteRtOp *op, gsize index, gint64 batch_size)
{
  g_autofree char *name = dup_name (api, op, index);
  g_autoptr (GArray) inputs = list_shapes (api, op, FALSE, batch_size);
  g_autoptr (GArray) outputs = list_shapes (api, op, TRUE, batch_size);
  const Operator *known;
  g_auto (GStrv) types = NULL;
  const char *custom = NULL;
  guint8 is_approximate = 0;
  int code = -1;

  api->LiteRtGetOpCode (op, &code);
  known = find_operator (code);
  if (code == CUSTOM_CODE)
    api->LiteRtGetCustomCode (op, &custom);
  if (known == NULL || known->types == NULL)
    {
      char *type = custom != NULL  ? dyno_plain_text_quote (custom, DYNO_PLAIN_TEXT_NAME)
                   : known != NULL ? g_strdup (known->name)
                                   : g_strdup_printf ("TFLite:%d", code);

      add_node (nodes, name, type, inputs, outputs);
      return;
    }
  arrange (known->layout, inputs, outputs);
  types = g_strsplit (known->types, "+", -1);
  if (code == GELU_CODE && api->LiteRtGetGeluApproximateOption (op, &is_approximate) == LITERT_OK &&
      is_approximate != 0)
    {
      g_free (types[0]);
      types[0] = g_strdup ("FastGelu");
    }
  for (guint i = 0; types[i] != NULL; i++)
    add_node (nodes, name, g_strdup (types[i]), inputs, outputs);
  add_activation (api, nodes, known, op, name, outputs);
}

/* Constants are converted while a model is loaded. */
static gboolean
is_of_constant (const LiteRtApi *api, LiteRtOp *op)
{
  LiteRtTensor *tensor = NULL;
  gint32 buffer;
  int code = -1;

  return api->LiteRtGetOpCode (op, &code) == LITERT_OK && (code == DEQUANTISE_CODE || code == DENSIFY_CODE) &&
         api->LiteRtGetOpInput (op, 0, &tensor) == LITERT_OK &&
         dyno_litert_get_constant (api, tensor, &buffer) > 0;
}

GPtrArray *
dyno_litert_graph_list_nodes (const LiteRtFile *file,
                              LiteRtSubgraph *graph,
                              gint64 batch_size,
                              const char *provider)
{
  const LiteRtApi *api = file->api;
  GPtrArray *nodes = g_ptr_array_new_with_free_func ((GDestroyNotify)dyno_node_profile_free);
  gsize n = 0;

  api->LiteRtGetNumSubgraphOps (graph, &n);
  for (gsize i = 0; i < n; i++)
    {
      LiteRtOp *op = NULL;

      if (api->LiteRtGetSubgraphOp (graph, i, &op) == LITERT_OK && op != NULL && !is_of_constant (api, op))
        add_nodes (api, nodes, op, i, batch_size);
    }
  for (guint i = 0; i < nodes->len; i++)
    ((DynoNodeProfile *)nodes->pdata[i])->provider = g_strdup (provider);
  return nodes;
}

void
dyno_litert_graph_add_windows (const LiteRtFile *file, DynoModelDescription *description)
{
  const LiteRtApi *api = file->api;
  gsize n = 0;

  api->LiteRtGetNumSubgraphOps (file->graph, &n);
  for (gsize i = 0; i < n; i++)
    {
      const Operator *known = NULL;
      g_autofree char *name = NULL;
      gint64 elements = 0;
      gint32 size[2] = { 0 };
      LiteRtOp *op = NULL;
      int code = -1;

      if (api->LiteRtGetSubgraphOp (file->graph, i, &op) == LITERT_OK && op != NULL &&
          api->LiteRtGetOpCode (op, &code) == LITERT_OK)
        known = find_operator (code);
      if (known == NULL)
        continue;
      if (known->layout == FOUR_POINTS || known->layout == ONE_POINT)
        elements = known->layout == FOUR_POINTS ? 4 : 1;
      for (guint side = 0; known->window[0] != 0 && side < G_N_ELEMENTS (size); side++)
        {
          const GetSize get = G_STRUCT_MEMBER (GetSize, api, known->window[side]);

          if (get (op, &size[side]) != LITERT_OK || size[side] < 0)
            size[side] = 0;
          elements = side == 0 ? size[0] : elements * size[1];
        }
      name = dup_name (api, op, i);
      dyno_model_description_set_window (description, name, elements);
    }
}

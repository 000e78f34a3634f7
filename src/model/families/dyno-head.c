/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "dyno-config-checks.h"
#include "dyno-head.h"
#include "dyno-layers.h"
#include "dyno-model-graph-private.h"

#define DECODERS                                                                                             \
  "bloom deepseek_v2 deepseek_v3 falcon gemma gemma2 gemma3_text glm glm4 gpt2 gpt_neox gpt_oss llama "      \
  "mistral mixtral olmo2 olmo3 olmoe opt phi phi3 phimoe qwen2 qwen2_moe qwen3 qwen3_moe smollm3 stablelm "  \
  "starcoder2"
/* Decoders without a classifier. */
/* Text encoders that are built as decoders are. */
#define READERS "eurobert nomic_bert"
#define SPEAKERS                                                                                             \
  "cohere cohere2 ernie4_5 ernie4_5_moe gemma3n_text gemma4_text glm4_moe granite granitemoe kimi_k2 "       \
  "llama4_text mimo "                                                                                        \
  "minimax_m2"
/* Decoders that do not read a text at once. */
#define HYBRIDS "jamba lfm2 minimax qwen3_5_moe_text qwen3_5_text qwen3_next"
/* Decoders whose classifier of tokens has the name of that of whole texts. */
#define SCORERS                                                                                              \
  "deepseek_v3 gemma gemma2 gemma3_text glm glm4 gpt_oss llama mistral mixtral phi phi3 qwen2 qwen2_moe "    \
  "qwen3 qwen3_moe smollm3 stablelm starcoder2"
#define ENCODERS "albert bert camembert deberta deberta-v2 distilbert electra esm mpnet roberta xlm-roberta"
#define PICTURES "beit convnext convnextv2 efficientnet mobilenet_v2 mobilevit mobilevitv2 resnet swin swinv2"
#define SEEING                                                                                               \
  "blip-2 florence2 gemma3 idefics3 llava paligemma qwen2_5_vl qwen2_audio qwen2_vl qwen3_vl smolvlm "       \
  "voxtral"

#define CLASSIFIER "ForSequenceClassification"
#define TAGGER     "ForTokenClassification"
#define READER     "ForQuestionAnswering"
#define GENERATOR  "ForConditionalGeneration"

#define TEXTS  "text-classification"
#define TAGS   "token-classification"
#define SPANS  "question-answering"
#define IMAGES "image-classification"

/* The classes that Dyno builds, as transformers defines them. The first that fits counts. */
static const DynoHead heads[] = {
  { CLASSIFIER, "bert", DYNO_HEAD_LAYERS, TEXTS, DYNO_HEAD_FIRST, "pooler.dense", "tanh",
    .output = "classifier" },
  { CLASSIFIER, "albert", DYNO_HEAD_LAYERS, TEXTS, DYNO_HEAD_FIRST, "pooler", "tanh",
    .output = "classifier" },
  { CLASSIFIER, "distilbert", DYNO_HEAD_LAYERS, TEXTS, DYNO_HEAD_FIRST, "pre_classifier", "relu",
    .output = "classifier" },
  { CLASSIFIER, "electra", DYNO_HEAD_LAYERS, TEXTS, DYNO_HEAD_FIRST, "classifier.dense", "gelu",
    .output = "classifier.out_proj" },
  { CLASSIFIER, "camembert esm mpnet roberta xlm-roberta", DYNO_HEAD_LAYERS, TEXTS, DYNO_HEAD_FIRST,
    "classifier.dense", "tanh", .output = "classifier.out_proj" },
  { CLASSIFIER, "deberta deberta-v2", DYNO_HEAD_LAYERS, TEXTS, DYNO_HEAD_FIRST, "pooler.dense", "gelu",
    .output = "classifier", .option = "pooler_hidden_act" },
  { CLASSIFIER, "modernbert", DYNO_HEAD_LAYERS, TEXTS, DYNO_HEAD_FIRST, "head.dense", "gelu", "head.norm",
    "classifier", .option = "classifier_activation" },
  { CLASSIFIER, "layoutlmv3", DYNO_HEAD_LAYERS, TEXTS, DYNO_HEAD_FIRST, "classifier.dense", "tanh",
    .output = "classifier.out_proj" },
  { TAGGER, "layoutlmv3", DYNO_HEAD_LAYERS, TAGS, DYNO_HEAD_ALL, .output = "classifier" },
  { CLASSIFIER, "bart", DYNO_HEAD_LAYERS, TEXTS, DYNO_HEAD_LAST, "classification_head.dense", "tanh",
    .output = "classification_head.out_proj", .n_labels = 3 },
  { CLASSIFIER, DECODERS, DYNO_HEAD_LAYERS, TEXTS, DYNO_HEAD_LAST, .output = "score",
    .has_no_output_bias = TRUE },
  { TAGGER, ENCODERS, DYNO_HEAD_LAYERS, TAGS, DYNO_HEAD_ALL, .output = "classifier" },
  { TAGGER, "modernbert", DYNO_HEAD_LAYERS, TAGS, DYNO_HEAD_ALL, "head.dense", "gelu", "head.norm",
    "classifier", .option = "classifier_activation" },
  { TAGGER, "bloom falcon gpt2 gpt_neox", DYNO_HEAD_LAYERS, TAGS, DYNO_HEAD_ALL, .output = "classifier" },
  { TAGGER, SCORERS, DYNO_HEAD_LAYERS, TAGS, DYNO_HEAD_ALL, .output = "score" },
  { READER, ENCODERS, DYNO_HEAD_LAYERS, SPANS, DYNO_HEAD_ALL, .output = "qa_outputs", .is_span = TRUE },
  { READER, "modernbert", DYNO_HEAD_LAYERS, SPANS, DYNO_HEAD_ALL, "head.dense", "gelu", "head.norm",
    "classifier", .option = "classifier_activation", .is_span = TRUE },
  { "ForCTC", "hubert wav2vec2 wav2vec2-bert wavlm", DYNO_HEAD_LAYERS, "automatic-speech-recognition",
    DYNO_HEAD_ALL, .output = "lm_head" },
  { "ForImageClassification", "dinov2 dinov2_with_registers segformer", DYNO_HEAD_LAYERS, IMAGES,
    DYNO_HEAD_POOLED, .output = "classifier" },

  { "ForImageClassification", PICTURES " deit vit" },
  { "ForAudioClassification", "audio-spectrogram-transformer" },
  { "ForImageClassificationWithTeacher", "deit" },
  { "ForDepthEstimation", "depth_anything" },
  { "ForObjectDetection", "detr rt_detr rt_detr_v2 yolos" },
  { "ForSemanticSegmentation", "segformer" },
  { "ForCausalLM", DECODERS " " SPEAKERS " " HYBRIDS " falcon_mamba mamba mamba2 rwkv zamba2" },
  { "LMHeadModel", "gpt2 t5" },
  { GENERATOR, "bart m2m_100 mbart moonshine mt5 pegasus t5 t5gemma whisper " SEEING },
  { "MTModel", "marian" },
  { "EncoderModel", "mt5 t5" },
  { "ForMaskedLM", ENCODERS " modernbert " READERS, DYNO_HEAD_TRAINING },
  { "ForPreTraining", ENCODERS " hubert wav2vec2 wavlm", DYNO_HEAD_TRAINING },
  { "HeadModel", NULL, DYNO_HEAD_UNKNOWN },
  { "HeadsModel", NULL, DYNO_HEAD_UNKNOWN },
  { "Model", DECODERS " " SPEAKERS " " READERS, DYNO_HEAD_NONE, "feature-extraction" },
  { "Model", PICTURES " deit vit yolos", DYNO_HEAD_NONE, "image-feature-extraction" },
  { "Model", "audio-spectrogram-transformer", DYNO_HEAD_NONE, "feature-extraction" },
  { "Model", ENCODERS
    " clap clip clip_text_model dinov2 dinov2_with_registers dinov3_convnext dinov3_vit hubert imagebind "
    "layoutlmv3 modernbert sam sam2 siglip "
    "wav2vec2 wav2vec2-bert wavlm" },
  { "EncoderDecoderModel", "vision-encoder-decoder" },
  { "ModelWithProjection", "clip_text_model" },
  { "Model",
    "bart detr falcon_mamba rt_detr rt_detr_v2 " HYBRIDS
    " m2m_100 mamba mamba2 marian mbart moonshine mt5 pegasus rwkv segformer t5 t5gemma whisper "
    "zamba2 " SEEING,
    DYNO_HEAD_SPARE },
  { "", NULL, DYNO_HEAD_UNKNOWN },
};

static gboolean
has_word (const char *words, const char *word)
{
  g_auto (GStrv) list = g_strsplit (words, " ", -1);

  return g_strv_contains ((const char *const *)list, word);
}

/* Finds the head of the first of its `architectures`. The config of a part is ignored here, because that of
 * the whole decides. */
static const DynoHead *
find (DynoConfig *config)
{
  static const DynoHead usual = { NULL };
  const char *name = dyno_config_is_part (config) ? "" : dyno_config_get_class (config);
  const char *model = dyno_config_get_string_or (config, "model_type", "");
  const DynoHead *head = heads;

  if (*name == '\0')
    return &usual;
  while (!g_str_has_suffix (name, head->classes) || (head->models != NULL && !has_word (head->models, model)))
    head++;
  return head;
}

DynoHead
dyno_head_read (DynoConfig *config)
{
  DynoHead self = *find (config);

  if (self.kind != DYNO_HEAD_LAYERS)
    return self;
  if (self.is_span)
    self.n_labels = 2;
  else if (g_str_equal (self.classes, "ForCTC"))
    self.n_labels = dyno_config_get_int (config, "vocab_size");
  else
    self.n_labels = dyno_config_get_n_labels (config, self.n_labels > 0 ? self.n_labels : 2);
  if (self.dense == NULL)
    return self;

  /* A config may change these for DeBERTa and ModernBERT. */
  const char *pooling = dyno_config_get_string_or (config, "classifier_pooling", "cls");

  if (self.option != NULL)
    self.activation = dyno_config_get_string_or (config, self.option, self.activation);
  if (self.norm != NULL)
    {
      self.is_unbiased = !dyno_config_get_boolean_or (config, "classifier_bias", FALSE);
      self.has_norm_bias = dyno_config_get_boolean_or (config, "norm_bias", FALSE);
      self.epsilon = dyno_config_get_double_or (config, "norm_eps", 1e-5);
      if (self.tokens == DYNO_HEAD_FIRST && g_str_equal (pooling, "mean"))
        self.tokens = DYNO_HEAD_MEAN;
    }

  if (self.option != NULL)
    dyno_config_check_activation (config, self.option, self.activation);
  return self;
}

gint64
dyno_head_count_labels (DynoConfig *config)
{
  if (*dyno_config_get_string_or (config, "architecture", "") != '\0')
    return dyno_config_get_count_or (config, "num_classes", 1000);
  return find (config)->kind == DYNO_HEAD_NONE ? 0 : dyno_config_get_n_labels (config, 2);
}

static const char *
take_tokens (const DynoHead *self, DynoGraph *graph, const char *value, const char *mask)
{
  const gint64 last = 2, second = 1;
  const char *places, *axis, *count;

  switch (self->tokens)
    {
    case DYNO_HEAD_FIRST:
      return dyno_graph_add (graph, "Gather", "axis=1", value, dyno_graph_add_int (graph, 0), NULL);
    case DYNO_HEAD_LAST:
      /* The last token that is not padding. */
      places = dyno_relative_places (graph, mask, 1);
      places = dyno_graph_add (graph, "Mul", NULL, mask, places, NULL);
      places = dyno_graph_add (graph, "ReduceMax", "axes=[1] keepdims=1", places, NULL);
      return dyno_layers_take_rows (graph, value, places);
    case DYNO_HEAD_MEAN:
      /* The mean of the tokens that are not padding: [batch, width]. Long sums are in single precision in any graph. */
      axis = dyno_graph_add_ints (graph, 1, &second);
      mask = dyno_layers_cast (graph, mask, DYNO_DATA_TYPE_FLOAT);
      count = dyno_graph_add (graph, "ReduceSum", "keepdims=1", mask, axis, NULL);
      mask = dyno_graph_add (graph, "Unsqueeze", NULL, mask, dyno_graph_add_ints (graph, 1, &last), NULL);
      value = dyno_layers_cast (graph, value, DYNO_DATA_TYPE_FLOAT);
      value = dyno_graph_add (graph, "Mul", NULL, value, mask, NULL);
      value = dyno_graph_add (graph, "ReduceSum", "keepdims=1", value, axis, NULL);
      value = dyno_graph_add (graph, "Squeeze", NULL, value, axis, NULL);
      value = dyno_graph_add (graph, "Div", NULL, value, count, NULL);
      return dyno_layers_cast (graph, value, dyno_graph_get_real_type (graph));
    case DYNO_HEAD_ALL:
    case DYNO_HEAD_POOLED:
    default:
      return value;
    }
}

void
dyno_head_add (
    const DynoHead *self, DynoGraph *graph, const char *value, const char *mask, const char *dimension)
{
  gboolean is_of_tokens = self->tokens == DYNO_HEAD_ALL;
  g_autofree char *dimensions =
      g_strdup_printf ("batch, %s%s%" G_GINT64_FORMAT, is_of_tokens ? dimension : "",
                       is_of_tokens ? ", " : "", self->n_labels);

  dyno_graph_push_scope (graph, "%s", self->dense != NULL ? self->dense : self->output);
  value = take_tokens (self, graph, value, mask);
  dyno_graph_pop_scope (graph);
  if (self->dense != NULL)
    {
      const DynoShape *shape = dyno_graph_get_shape (graph, value);

      value =
          dyno_layers_linear (graph, self->dense, value, shape->dims[shape->rank - 1], !self->is_unbiased);
      dyno_graph_push_scope (graph, "%s", self->dense);
      value = dyno_layers_activation (graph, self->activation, value);
      dyno_graph_pop_scope (graph);
      if (self->norm != NULL)
        value = self->has_norm_bias
                    ? dyno_layers_layer_norm (graph, self->norm, value, self->epsilon)
                    : dyno_layers_layer_norm_unbiased (graph, self->norm, value, self->epsilon);
    }
  value = dyno_layers_linear (graph, self->output, value, self->n_labels, !self->has_no_output_bias);
  if (self->is_span)
    {
      /* The scores of where an answer begins and ends, [batch, tokens] each. */
      static const char *const names[] = { "start_logits", "end_logits" };
      g_autofree char *of_span = g_strconcat ("batch, ", dimension, NULL);
      const gint64 sizes[] = { 1, 1 }, last = 2;
      const char *parts[2];

      dyno_graph_push_scope (graph, "%s", self->output);
      dyno_graph_add_split (graph, value, 2, 2, sizes, parts);
      for (guint i = 0; i < 2; i++)
        parts[i] =
            dyno_graph_add (graph, "Squeeze", NULL, parts[i], dyno_graph_add_ints (graph, 1, &last), NULL);
      dyno_graph_pop_scope (graph);
      for (guint i = 0; i < 2; i++)
        dyno_graph_add_output (graph, names[i], parts[i], of_span);
    }
  else
    dyno_graph_add_output (graph, "logits", value, dimensions);
}

const char *
dyno_head_add_perceptron (DynoGraph *graph, const char *name, const char *value, gint64 n_outputs)
{
  const DynoShape *shape = dyno_graph_get_shape (graph, value);
  gint64 width = shape->dims[shape->rank - 1];

  dyno_graph_push_scope (graph, "%s", name);
  value = dyno_layers_linear (graph, "layers.0", value, width, TRUE);
  value = dyno_layers_activation (graph, "relu", value);
  value = dyno_layers_linear (graph, "layers.1", value, width, TRUE);
  value = dyno_layers_activation (graph, "relu", value);
  value = dyno_layers_linear (graph, "layers.2", value, n_outputs, TRUE);
  dyno_graph_pop_scope (graph);
  return value;
}

void
dyno_head_add_classes (DynoGraph *graph, const char *name, const char *value, gint64 n_labels)
{
  gint64 width = n_labels > 0 ? n_labels : dyno_graph_get_shape (graph, value)->dims[1];
  g_autofree char *dimensions = g_strdup_printf ("batch, %" G_GINT64_FORMAT, width);

  if (n_labels > 0)
    value = dyno_layers_linear (graph, name, value, n_labels, TRUE);
  dyno_graph_add_output (graph, n_labels > 0 ? "logits" : "pooler_output", value, dimensions);
}

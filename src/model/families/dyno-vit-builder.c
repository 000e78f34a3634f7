/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <math.h>

#include "dyno-architecture.h"
#include "dyno-head.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"
#include "dyno-tower.h"

typedef struct
{
  DynoTower tower;
  const char *scope; /* prefix of names outside the tower */
  const char *norm;  /* the last norm, NULL for the usual name */
  double theta;      /* base of the rotations of patches, 0 for a table of positions */
  gint64 image_side;
  gint64 patch_side;
  gint64 n_channels;
  gint64 n_labels; /* 0: no classifier */
  gint64 n_registers;
  gboolean has_mask_token;
  gboolean has_teacher_token; /* a second token before the patches, for learning a teacher's answer */
  gboolean has_teacher_head;  /* the result is the mean of those of both tokens */
  gboolean has_pooler;        /* a layer after the class token if there is no classifier */
  DynoHead head;
} Vit;

static const DynoTowerNames deit_names = DYNO_TOWER_VIT_NAMES ("deit");
static const DynoTowerNames vit_names = DYNO_TOWER_VIT_NAMES ("vit");

#define DINOV2_NAMES                                                                                         \
  .layer = "encoder.layer", .attention_norm = "norm1", .attention = "attention.attention", .query = "query", \
  .key = "key", .value = "value", .output = "attention.output.dense", .inner_norm = "norm2",                 \
  .scales = { "layer_scale1.lambda1", "layer_scale2.lambda1" }

static const DynoTowerNames dinov2_names = { DINOV2_NAMES, .up_dense = "mlp.fc1", .down_dense = "mlp.fc2" };
static const DynoTowerNames dinov2_gated_names = { DINOV2_NAMES, .up_dense = "mlp.weights_in",
                                                   .down_dense = "mlp.weights_out" };

#define DINOV3_NAMES                                                                                         \
  .layer = "layer", .attention_norm = "norm1", .attention = "attention", .query = "q_proj", .key = "k_proj", \
  .value = "v_proj", .output = "attention.o_proj", .inner_norm = "norm2", .up_dense = "mlp.up_proj",         \
  .down_dense = "mlp.down_proj", .scales = { "layer_scale1.lambda1", "layer_scale2.lambda1" }

static const DynoTowerNames dinov3_names = { DINOV3_NAMES };
static const DynoTowerNames dinov3_gated_names = { DINOV3_NAMES, .gate_dense = "mlp.gate_proj" };

#define JOINED_NAMES                                                                                         \
  .layer = "blocks", .attention_norm = "norm1", .attention = "attn", .joined = "qkv", .output = "attn.proj", \
  .inner_norm = "norm2", .up_dense = "mlp.fc1", .down_dense = "mlp.fc2"

static const DynoTowerNames joined_names = { JOINED_NAMES };
static const DynoTowerNames scaled_names = { JOINED_NAMES, .scales = { "ls1.gamma", "ls2.gamma" } };

/* The same learned token before every image's patches. */
static const char *
add_token (DynoGraph *graph, const Vit *self, const char *name, const char *pixels, const char *value)
{
  const char *token = dyno_tower_add_tokens (graph, name, pixels, 1, self->tower.width);

  return dyno_graph_add (graph, "Concat", "axis=1", token, value, NULL);
}

/* The first and the third quarter of a head rotate with the row of a patch, the others with its column. */
static const char *
add_wave (DynoGraph *graph, const Vit *self, double (*wave) (double angle))
{
  gint64 per_side = self->image_side / self->patch_side, width = self->tower.width / self->tower.n_heads;
  gint64 quarter = width / 4, n_values = per_side * per_side * width;
  const gint64 dims[] = { 1, 1, per_side * per_side, width };
  g_autofree float *values = g_new (float, n_values);
  const char *value;

  for (gint64 i = 0; i < n_values; i++)
    {
      gint64 patch = i / width, pair = i % (2 * quarter);
      gint64 place = pair < quarter ? patch / per_side : patch % per_side;
      double along = 2 * ((double)place + 0.5) / (double)per_side - 1;
      double frequency = pow (self->theta, -(double)(pair % quarter) / (double)quarter);

      values[i] = (float)wave (2 * G_PI * along * frequency);
    }
  value = dyno_graph_add_floats (graph, (guint)n_values, values);
  value = dyno_layers_reshape (graph, value, 4, dims);
  return dyno_layers_cast (graph, value, dyno_graph_get_real_type (graph));
}

/* One token alone: [batch, width]. */
static const char *
take_token (DynoGraph *graph, const char *scope, const char *value, gint64 which)
{
  dyno_graph_push_scope (graph, "%s", scope);
  value = dyno_graph_add (graph, "Gather", "axis=1", value, dyno_graph_add_int (graph, which), NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

static const char *
classify (DynoGraph *graph, const Vit *self, const char *name, const char *value, gint64 which)
{
  return dyno_layers_linear (graph, name, take_token (graph, name, value, which), self->n_labels, TRUE);
}

/* The class token beside the mean of the patches, without the registers between them: [batch, 2 × width] */
static const char *
take_picture (DynoGraph *graph, const Vit *self, const char *value)
{
  gint64 n_patches = dyno_graph_get_shape (graph, value)->dims[1] - 1 - self->n_registers;
  const gint64 sizes[] = { 1, self->n_registers, n_patches };
  const gint64 without[] = { 1, n_patches };
  const char *parts[3];
  gboolean has_registers = self->n_registers > 0;

  dyno_graph_push_scope (graph, "pooler");
  dyno_graph_add_split (graph, value, 1, has_registers ? 3 : 2, has_registers ? sizes : without, parts);
  value = dyno_graph_add (graph, "ReduceMean", "axes=[1] keepdims=1", parts[has_registers ? 2 : 1], NULL);
  value = dyno_graph_add (graph, "Concat", "axis=2", parts[0], value, NULL);
  value = dyno_graph_add (graph, "Flatten", "axis=1", value, NULL);
  dyno_graph_pop_scope (graph);
  return value;
}

/* The tokens before the first layer. */
static const char *
add_input (DynoGraph *graph, const Vit *self)
{
  gint64 width = self->tower.width;
  gint64 per_side = self->image_side / self->patch_side;
  const gint64 one[] = { 1, 1, width }, mask[] = { 1, width };
  const gint64 dims[] = { 1, per_side * per_side + 1 + self->has_teacher_token, width };
  const gint64 sizes[] = { 1, dims[1] - 1 };
  const char *pixels = dyno_tower_add_pixels (graph, self->n_channels, self->image_side, self->image_side);
  const char *value, *registers, *parts[2];

  dyno_graph_push_scope (graph, "%sembeddings", self->scope);
  if (self->theta > 0)
    {
      /* DINOv3, Siméoni et al. 2025: nothing is added to the tokens, because the patches are rotated. */
      value = dyno_tower_cut_patches (graph, "patch_embeddings", pixels, width, self->patch_side, TRUE);
      dyno_graph_add_weight (graph, "mask_token", 0, 0.02, 3, one);
      if (self->n_registers > 0)
        {
          registers = dyno_tower_add_tokens (graph, "register_tokens", pixels, self->n_registers, width);
          value = dyno_graph_add (graph, "Concat", "axis=1", registers, value, NULL);
        }
      value = add_token (graph, self, "cls_token", pixels, value);
    }
  else
    {
      /* A class token comes first, from which the result is read. The token that masks patches in training counts as a
       * weight, but is not used. */
      value = dyno_tower_cut_patches (graph, "patch_embeddings.projection", pixels, width, self->patch_side,
                                      TRUE);
      if (self->has_teacher_token)
        value = add_token (graph, self, "distillation_token", pixels, value);
      value = add_token (graph, self, "cls_token", pixels, value);
      if (self->has_mask_token)
        dyno_graph_add_weight (graph, "mask_token", 0, 0.02, 2, mask);
      value = dyno_graph_add (graph, "Add", NULL, value,
                              dyno_graph_add_weight (graph, "position_embeddings", 0, 0.02, 3, dims), NULL);
      if (self->n_registers > 0)
        {
          /* Learned tokens between the class token and the patches, Darcet et al. 2023; they have no position. */
          registers = dyno_tower_add_tokens (graph, "register_tokens", pixels, self->n_registers, width);
          dyno_graph_add_split (graph, value, 1, 2, sizes, parts);
          value = dyno_graph_add (graph, "Concat", "axis=1", parts[0], registers, parts[1], NULL);
        }
    }
  dyno_graph_pop_scope (graph);
  return value;
}

/* The states of all tokens after the last norm. */
static const char *
add_layers (DynoGraph *graph, const Vit *self)
{
  g_autofree char *norm = g_strconcat (self->scope, self->norm != NULL ? self->norm : "layernorm", NULL);
  const char *value = add_input (graph, self);
  DynoTower tower = self->tower;

  if (self->theta > 0)
    {
      dyno_graph_push_scope (graph, "rope_embeddings");
      tower.rotary.width = tower.width / tower.n_heads;
      tower.rotation = (DynoRotation){ add_wave (graph, self, cos), add_wave (graph, self, sin) };
      tower.n_unturned = 1 + self->n_registers;
      dyno_graph_pop_scope (graph);
    }
  value = dyno_tower_add (&tower, graph, value, NULL);
  return dyno_layers_layer_norm (graph, norm, value, self->tower.epsilon);
}

static gboolean
check (DynoConfig *config, const Vit *self)
{
  dyno_tower_check (&self->tower, config);
  dyno_config_check_patches (config, "patch_size", self->image_side, self->patch_side);
  return dyno_config_check (config, NULL);
}

static void
check_and_build (DynoGraph *graph, DynoConfig *config, const Vit *self)
{
  g_autofree char *labels = g_strdup_printf ("batch, %" G_GINT64_FORMAT, self->n_labels);
  const char *value;

  if (!check (config, self))
    return;
  value = add_layers (graph, self);
  if (self->has_teacher_head)
    {
      /* DeiT with a distillation token, Touvron et al. 2021: a classifier for each of both tokens, and
       * the mean of them. */
      const char *own = classify (graph, self, "cls_classifier", value, 0);
      const char *teacher = classify (graph, self, "distillation_classifier", value, 1);
      const char *mean = dyno_graph_add (graph, "Add", NULL, own, teacher, NULL);

      mean = dyno_graph_add (graph, "Mul", NULL, mean, dyno_graph_add_real (graph, 0.5), NULL);
      dyno_graph_add_output (graph, "logits", mean, labels);
      dyno_graph_add_output (graph, "cls_logits", own, labels);
      dyno_graph_add_output (graph, "distillation_logits", teacher, labels);
    }
  else if (self->n_labels > 0)
    dyno_graph_add_output (graph, "logits", classify (graph, self, "classifier", value, 0), labels);
  else if (self->head.kind == DYNO_HEAD_LAYERS)
    dyno_head_add (&self->head, graph, take_picture (graph, self, value), NULL, NULL);
  else
    {
      g_autofree char *features =
          g_strdup_printf ("batch, %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT,
                           dyno_graph_get_shape (graph, value)->dims[1], self->tower.width);
      g_autofree char *pooled = g_strdup_printf ("batch, %" G_GINT64_FORMAT, self->tower.width);
      g_autofree char *pooler = g_strconcat (self->scope, "pooler", NULL);

      dyno_graph_add_output (graph, "last_hidden_state", value, features);
      value = take_token (graph, pooler, value, 0);
      if (self->has_pooler)
        {
          /* This is the same as in BERT. */
          dyno_graph_push_scope (graph, "%s", pooler);
          value = dyno_layers_linear (graph, "dense", value, self->tower.width, TRUE);
          value = dyno_layers_activation (graph, "tanh", value);
          dyno_graph_pop_scope (graph);
        }
      dyno_graph_add_output (graph, "pooler_output", value, pooled);
    }
}

DynoTower
dyno_vit_read_tower (DynoConfig *config, double epsilon)
{
  return (DynoTower){
    .width = dyno_config_get_int (config, "hidden_size"),
    .n_layers = dyno_config_get_int (config, "num_hidden_layers"),
    .n_heads = dyno_config_get_int (config, "num_attention_heads"),
    .has_input_bias = dyno_config_get_boolean_or (config, "qkv_bias", TRUE),
    .epsilon = dyno_config_get_double_or (config, "layer_norm_eps", epsilon),
    .activation = dyno_config_get_string_or (config, "hidden_act", "gelu"),
  };
}

static gboolean
is_of_class (DynoConfig *config, const char *name)
{
  return g_str_equal (dyno_config_get_class (config), name);
}

static Vit
read_vit (DynoConfig *config, const DynoTowerNames *names, const char *scope)
{
  gint64 n_labels = dyno_head_count_labels (config);
  Vit self = {
    .tower = dyno_vit_read_tower (config, 1e-12),
    .scope = scope,
    .image_side = dyno_config_get_int_or (config, "image_size", 224),
    .patch_side = dyno_config_get_int_or (config, "patch_size", 16),
    .n_channels = dyno_config_get_int_or (config, "num_channels", 3),
    .n_labels = n_labels,
    .has_pooler = n_labels == 0,
  };

  self.tower.names = names;
  self.tower.inner_width = dyno_config_get_int (config, "intermediate_size");
  return self;
}

/* The encoder of another model: the names of its weights begin with “encoder.”. */
static Vit
read_encoder (DynoConfig *config)
{
  static const DynoTowerNames encoder_names = DYNO_TOWER_VIT_NAMES ("encoder");
  const char *model_type = dyno_config_get_string_or (config, "model_type", "");
  Vit self = read_vit (config, &encoder_names, "encoder.");

  self.has_teacher_token = g_str_equal (model_type, "deit");
  if (!self.has_teacher_token && !g_str_equal (model_type, "vit"))
    dyno_config_fail (config, _ ("Dyno does not know “%s” of its “%s”"), model_type, "model_type");
  return self;
}

gint64
dyno_vit_count_tokens (DynoConfig *config)
{
  Vit self = read_encoder (config);
  gint64 per_side = self.image_side / self.patch_side;

  return per_side * per_side + 1 + self.has_teacher_token;
}

const char *
dyno_vit_add_encoder (DynoGraph *graph, DynoConfig *config)
{
  Vit self = read_encoder (config);

  return check (config, &self) ? add_layers (graph, &self) : NULL;
}

void
dyno_vit_build_joined (DynoGraph *graph, DynoConfig *config, gboolean is_scaled)
{
  Vit self = read_vit (config, is_scaled ? &scaled_names : &joined_names, "vit.");

  self.has_pooler = FALSE;
  check_and_build (graph, config, &self);
}

static void
build_vit (DynoGraph *graph, DynoConfig *config)
{
  Vit self = read_vit (config, &vit_names, "vit.");

  check_and_build (graph, config, &self);
}

/* Its plain classifier also has the second token, but reads only the first. */
static void
build_deit (DynoGraph *graph, DynoConfig *config)
{
  Vit self = read_vit (config, &deit_names, "deit.");

  self.has_teacher_token = TRUE;
  self.has_teacher_head = is_of_class (config, "DeiTForImageClassificationWithTeacher");
  if (is_of_class (config, "DeiTForMaskedImageModeling"))
    dyno_config_fail (config, _ ("Dyno does not know “%s” of its “%s”"), "DeiTForMaskedImageModeling",
                      "architectures");
  check_and_build (graph, config, &self);
}

/* DINOv2, Oquab et al. 2023: the gated layers have two thirds of the inner width, rounded up to a multiple of 8. */
static Vit
read_dinov2 (DynoConfig *config, gint64 n_registers)
{
  double share = dyno_config_get_double_or (config, "mlp_ratio", 4);
  Vit self = {
    .tower = dyno_vit_read_tower (config, 1e-6),
    .scope = "",
    .image_side = dyno_config_get_int_or (config, "image_size", 224),
    .patch_side = dyno_config_get_int_or (config, "patch_size", 14),
    .n_channels = dyno_config_get_int_or (config, "num_channels", 3),
    .n_registers = n_registers,
    .has_mask_token = dyno_config_get_boolean_or (config, "use_mask_token", TRUE),
    .head = dyno_head_read (config),
  };

  dyno_config_check_share (config, "mlp_ratio", share, self.tower.width);
  self.tower.names = &dinov2_names;
  self.tower.inner_width = (gint64)((double)self.tower.width * MIN (share, 100));
  self.tower.is_gated = dyno_config_get_boolean_or (config, "use_swiglu_ffn", FALSE);
  if (self.tower.is_gated)
    {
      self.tower.names = &dinov2_gated_names;
      self.tower.inner_width = (self.tower.inner_width * 2 / 3 + 7) / 8 * 8;
      self.tower.activation = "silu";
    }
  return self;
}

#define USUAL_DINOV2                                                                                         \
  "{\"hidden_size\": 768, \"num_hidden_layers\": 12, \"num_attention_heads\": 12, \"image_size\": 224}"

gint64
dyno_vit_add_backbone (
    DynoGraph *graph, DynoConfig *config, guint n_states, const gint64 *layers, const char **states)
{
  gboolean is_normal = dyno_config_get_boolean_or (config, "apply_layernorm", TRUE);
  DynoTower tower;
  const char *value;
  Vit self;

  dyno_config_set_defaults (config, USUAL_DINOV2);
  self = read_dinov2 (config, 0);
  if (!check (config, &self))
    return 0;
  tower = self.tower;
  value = add_input (graph, &self);
  for (guint i = 0; i < n_states; i++)
    {
      tower.first_layer = i > 0 ? layers[i - 1] : 0;
      tower.n_layers = layers[i];
      value = dyno_tower_add (&tower, graph, value, NULL);
      states[i] = is_normal ? dyno_layers_layer_norm (graph, "layernorm", value, tower.epsilon) : value;
    }
  return self.image_side / self.patch_side;
}

static void
build_dinov2 (DynoGraph *graph, DynoConfig *config)
{
  Vit self = read_dinov2 (config, 0);

  check_and_build (graph, config, &self);
}

static void
build_dinov2_with_registers (DynoGraph *graph, DynoConfig *config)
{
  Vit self = read_dinov2 (config, dyno_config_get_int_or (config, "num_register_tokens", 4));

  check_and_build (graph, config, &self);
}

/* Options of the published code that no published DINOv3 has. */
static const DynoConfigFixed fixed_dinov3[] = {
  { "proj_bias", "true" },
  { "mlp_bias", "true" },
};

static void
build_dinov3 (DynoGraph *graph, DynoConfig *config)
{
  Vit self = {
    .tower = dyno_vit_read_tower (config, 1e-5),
    .scope = "",
    .norm = "norm",
    .theta = dyno_config_get_double_or (config, "rope_theta", 100),
    .image_side = dyno_config_get_int_or (config, "image_size", 224),
    .patch_side = dyno_config_get_int_or (config, "patch_size", 16),
    .n_channels = dyno_config_get_int_or (config, "num_channels", 3),
    .n_registers = dyno_config_get_count_or (config, "num_register_tokens", 0),
  };

  dyno_config_check_fixed (config, fixed_dinov3, G_N_ELEMENTS (fixed_dinov3));
  if (!(self.theta >= 1))
    dyno_config_fail (config, _ ("its “rope_theta” is %g, but must be at least 1"), self.theta);
  if (self.tower.width / self.tower.n_heads % 4 != 0)
    dyno_config_fail (config, _ ("its heads cannot be divided into four parts (“num_attention_heads”)"));
  self.tower.inner_width = dyno_config_get_int (config, "intermediate_size");
  self.tower.has_input_bias = dyno_config_get_boolean_or (config, "query_bias", TRUE);
  self.tower.has_no_key_bias = !dyno_config_get_boolean_or (config, "key_bias", FALSE);
  if (dyno_config_get_boolean_or (config, "value_bias", TRUE) != self.tower.has_input_bias ||
      (!self.tower.has_input_bias && !self.tower.has_no_key_bias))
    dyno_config_fail (config, _ ("a bias of keys or values, but not of queries (“query_bias”, “key_bias”, "
                                 "“value_bias”), is not supported"));
  self.tower.names =
      dyno_config_get_boolean_or (config, "use_gated_mlp", FALSE) ? &dinov3_gated_names : &dinov3_names;
  check_and_build (graph, config, &self);
}

static const DynoNaming dinov3_naming = { "model" };
static const DynoNaming deit_naming = { "deit" };
static const DynoNaming naming = { "vit" };
static const DynoNaming dinov2_naming = { "dinov2" };
static const DynoNaming registers_naming = { "dinov2_with_registers" };

const DynoArchitecture dyno_vit_architectures[] = {
  { "deit", &dyno_vision_family, "image-classification", build_deit, &deit_naming },
  { "dinov2", &dyno_vision_family, "image-feature-extraction", build_dinov2, &dinov2_naming },
  { "dinov2_with_registers", &dyno_vision_family, "image-feature-extraction", build_dinov2_with_registers,
    &registers_naming },
  { "dinov3_vit", &dyno_vision_family, "image-feature-extraction", build_dinov3, &dinov3_naming },
  { "vit", &dyno_vision_family, "image-classification", build_vit, &naming },
  { NULL },
};

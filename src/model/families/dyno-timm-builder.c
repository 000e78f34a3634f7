/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "dyno-architecture.h"
#include "dyno-model-families-private.h"

/* Models of timm (Wightman 2019): their configs name an architecture instead of sizes. They are other names
 * for models of other builders. */

typedef struct
{
  const char *name;
  const char *members; /* of the config that the other builder reads */
} Variant;

#define RESNET(type, widths, depths)                                                                         \
  "\"embedding_size\": 64, \"hidden_sizes\": " widths ", \"depths\": " depths ", \"layer_type\": \"" type "\""
#define BASIC      "[64, 128, 256, 512]"
#define BOTTLENECK "[256, 512, 1024, 2048]"

static const Variant resnets[] = {
  { "resnet18", RESNET ("basic", BASIC, "[2, 2, 2, 2]") },
  { "resnet34", RESNET ("basic", BASIC, "[3, 4, 6, 3]") },
  { "resnet26", RESNET ("bottleneck", BOTTLENECK, "[2, 2, 2, 2]") },
  { "resnet50", RESNET ("bottleneck", BOTTLENECK, "[3, 4, 6, 3]") },
  { "resnet101", RESNET ("bottleneck", BOTTLENECK, "[3, 4, 23, 3]") },
  { "resnet152", RESNET ("bottleneck", BOTTLENECK, "[3, 8, 36, 3]") },
  { NULL },
};

#define CONVNEXT(widths, depths) "\"layer_norm_eps\": 1e-6, \"hidden_sizes\": " widths ", \"depths\": " depths

static const Variant convnexts[] = {
  { "convnext_tiny", CONVNEXT ("[96, 192, 384, 768]", "[3, 3, 9, 3]") },
  { "convnext_small", CONVNEXT ("[96, 192, 384, 768]", "[3, 3, 27, 3]") },
  { "convnext_base", CONVNEXT ("[128, 256, 512, 1024]", "[3, 3, 27, 3]") },
  { "convnext_large", CONVNEXT ("[192, 384, 768, 1536]", "[3, 3, 27, 3]") },
  { "convnext_xlarge", CONVNEXT ("[256, 512, 1024, 2048]", "[3, 3, 27, 3]") },
  { NULL },
};

#define VIT(width, layers, heads, inner)                                                                     \
  "\"layer_norm_eps\": 1e-6, \"hidden_size\": " width ", \"num_hidden_layers\": " layers                     \
  ", \"num_attention_heads\": " heads ", \"intermediate_size\": " inner

/* The names go on with the sizes of patches and pictures. */
static const Variant vits[] = {
  { "vit_tiny_patch", VIT ("192", "12", "3", "768") },
  { "vit_small_patch", VIT ("384", "12", "6", "1536") },
  { "vit_base_patch", VIT ("768", "12", "12", "3072") },
  { "vit_large_patch", VIT ("1024", "24", "16", "4096") },
  { "deit_tiny_patch", VIT ("192", "12", "3", "768") },
  { "deit_small_patch", VIT ("384", "12", "6", "1536") },
  { "deit_base_patch", VIT ("768", "12", "12", "3072") },
  { NULL },
};

#define DINO "_dinov2"

/* DINOv2; the names do not contain the size of pictures. */
static const Variant dinos[] = {
  { "vit_small_patch14_dinov2", VIT ("384", "12", "6", "1536") },
  { "vit_base_patch14_dinov2", VIT ("768", "12", "12", "3072") },
  { "vit_large_patch14_dinov2", VIT ("1024", "24", "16", "4096") },
  { NULL },
};

#define SWIN(width, depths, heads) "\"embed_dim\": " width ", \"depths\": " depths ", \"num_heads\": " heads

/* The names go on with the sizes of patches, windows and pictures. */
static const Variant swins[] = {
  { "swin_tiny_patch", SWIN ("96", "[2, 2, 6, 2]", "[3, 6, 12, 24]") },
  { "swin_small_patch", SWIN ("96", "[2, 2, 18, 2]", "[3, 6, 12, 24]") },
  { "swin_base_patch", SWIN ("128", "[2, 2, 18, 2]", "[4, 8, 16, 32]") },
  { "swin_large_patch", SWIN ("192", "[2, 2, 18, 2]", "[6, 12, 24, 48]") },
  { NULL },
};

/* Reads height and width of pictures, which must be @fallback squared if there is no “pretrained_cfg”. */
static void
read_sides (DynoConfig *config, gint64 fallback, gint64 *sides)
{
  JsonObject *pretrained = dyno_config_get_object (config, "pretrained_cfg");
  g_autoptr (GArray) size = NULL;

  sides[0] = sides[1] = fallback;
  if (pretrained == NULL || !json_object_has_member (pretrained, "input_size"))
    return;
  size = dyno_config_get_ints (dyno_config_get_child (config, "pretrained_cfg"), "input_size");
  if (size->len != 3 || g_array_index (size, gint64, 0) != 3)
    dyno_config_fail (config, _ ("its “input_size” is not that of pictures with three channels"));
  for (guint i = 0; i < 2 && size->len == 3; i++)
    sides[i] = g_array_index (size, gint64, i + 1);
}

/* Fails for options that make another model of the same name. */
static void
check_options (DynoConfig *config, const char *pooling)
{
  JsonObject *options = dyno_config_get_object (config, "model_args");
  const char *pool = dyno_config_get_string_or (config, "global_pool", pooling);

  if (options != NULL && json_object_get_size (options) > 0)
    dyno_config_fail (config, _ ("“%s” is not supported"), "model_args");
  if (!g_str_equal (pool, pooling))
    dyno_config_fail (config, _ ("Dyno does not know “%s” of its “%s”"), pool, "global_pool");
}

static const char *
get_name (DynoConfig *config)
{
  return dyno_config_get_string_or (config, "architecture", "");
}

/* The whole name, or its beginning. */
static const char *
find_members (DynoConfig *config, const Variant *variants, gboolean is_whole)
{
  const char *name = get_name (config);

  for (; variants->name != NULL; variants++)
    if (is_whole ? g_str_equal (name, variants->name) : g_str_has_prefix (name, variants->name))
      return variants->members;
  dyno_config_fail (config, _ ("Dyno does not know “%s” of its “%s”"), name, "architecture");
  return NULL;
}

static void
set_members (DynoConfig *config, const char *members, const gint64 *sides, gint64 patch)
{
  g_autofree char *side = sides[0] == sides[1]
                              ? g_strdup_printf ("%" PRId64, sides[0])
                              : g_strdup_printf ("[%" PRId64 ", %" PRId64 "]", sides[0], sides[1]);
  g_autofree char *json =
      g_strdup_printf ("{%s, \"image_size\": %s, \"patch_size\": %" PRId64 "}", members, side, patch);

  dyno_config_set_defaults (config, json);
}

static void
build_convolutions (DynoGraph *graph,
                    DynoConfig *config,
                    const Variant *variants,
                    const DynoArchitecture *others,
                    const char *model_type)
{
  const char *members = find_members (config, variants, TRUE);
  gint64 sides[2];

  check_options (config, "avg");
  read_sides (config, 224, sides);
  if (!dyno_config_check (config, NULL))
    return;
  set_members (config, members, sides, 4);
  while (!g_str_equal (others->model_type, model_type))
    others++;
  others->build (graph, config);
}

static void
build_resnet (DynoGraph *graph, DynoConfig *config)
{
  build_convolutions (graph, config, resnets, dyno_convolution_architectures, "resnet");
}

static void
build_convnext (DynoGraph *graph, DynoConfig *config)
{
  build_convolutions (graph, config, convnexts, dyno_convnext_architectures, "convnext");
}

static void
build_inverted (DynoGraph *graph, DynoConfig *config)
{
  gint64 side = dyno_inverted_get_side (get_name (config)), sides[2];

  if (side == 0)
    dyno_config_fail (config, _ ("Dyno does not know “%s” of its “%s”"), get_name (config), "architecture");
  check_options (config, "avg");
  read_sides (config, side, sides);
  if (dyno_config_check (config, NULL))
    dyno_inverted_build (graph, config, get_name (config), sides);
}

static void
build_vit (DynoGraph *graph, DynoConfig *config)
{
  gboolean is_dino = g_str_has_suffix (get_name (config), DINO);
  const char *members = find_members (config, is_dino ? dinos : vits, is_dino);
  gint64 patch = is_dino ? 14 : 16, side = is_dino ? 518 : 224, sides[2];
  g_autoptr (GRegex) regex = g_regex_new ("_patch([0-9]{1,3})_([0-9]{1,4})$", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  /* Accepts “patch16_224”, and nothing else after it. */
  if (!is_dino && g_regex_match (regex, get_name (config), 0, &match))
    {
      g_autofree char *first = g_match_info_fetch (match, 1);
      g_autofree char *second = g_match_info_fetch (match, 2);

      patch = g_ascii_strtoll (first, NULL, 10);
      side = g_ascii_strtoll (second, NULL, 10);
    }
  if (!is_dino && (match == NULL || !g_match_info_matches (match) || patch <= 0 || side <= 0))
    dyno_config_fail (config, _ ("Dyno does not know “%s” of its “%s”"), get_name (config), "architecture");
  check_options (config, "token");
  read_sides (config, side, sides);
  if (sides[0] != sides[1])
    dyno_config_fail (config, _ ("its “input_size” is not that of a square"));
  if (!dyno_config_check (config, NULL))
    return;
  set_members (config, members, sides, patch);
  dyno_vit_build_joined (graph, config, is_dino);
}

/* Accepts “patch4_window7_224”, and nothing else after it. */
static void
build_swin (DynoGraph *graph, DynoConfig *config)
{
  g_autoptr (GRegex) regex = g_regex_new ("_patch4_window([1-9][0-9]?)_([0-9]{1,4})$", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;
  const char *members = find_members (config, swins, FALSE);
  gint64 sides[2];

  if (!g_regex_match (regex, get_name (config), 0, &match))
    dyno_config_fail (config, _ ("Dyno does not know “%s” of its “%s”"), get_name (config), "architecture");
  check_options (config, "avg");
  if (dyno_config_check (config, NULL))
    {
      g_autofree char *window = g_match_info_fetch (match, 1), *side = g_match_info_fetch (match, 2);
      g_autofree char *all = g_strdup_printf ("%s, \"window_size\": %s", members, window);

      read_sides (config, g_ascii_strtoll (side, NULL, 10), sides);
      set_members (config, all, sides, 4);
      dyno_swin_build_joined (graph, config);
    }
}

static const DynoNamePair resnet_pairs[] = { { "resnet.embedder.embedder.convolution.", "conv1." },
                                             { "resnet.embedder.embedder.normalization.", "bn1." },
                                             { "resnet.encoder.stages.0.layers.", "layer1." },
                                             { "resnet.encoder.stages.1.layers.", "layer2." },
                                             { "resnet.encoder.stages.2.layers.", "layer3." },
                                             { "resnet.encoder.stages.3.layers.", "layer4." },
                                             { ".layer.0.convolution.", ".conv1." },
                                             { ".layer.0.normalization.", ".bn1." },
                                             { ".layer.1.convolution.", ".conv2." },
                                             { ".layer.1.normalization.", ".bn2." },
                                             { ".layer.2.convolution.", ".conv3." },
                                             { ".layer.2.normalization.", ".bn3." },
                                             { ".shortcut.convolution.", ".downsample.0." },
                                             { ".shortcut.normalization.", ".downsample.1." },
                                             { "classifier.1.", "fc." },
                                             { NULL } };
static const DynoNamePair convnext_pairs[] = { { "convnext.embeddings.patch_embeddings.", "stem.0." },
                                               { "convnext.embeddings.layernorm.", "stem.1." },
                                               { "convnext.encoder.", "" },
                                               { ".downsampling_layer.", ".downsample." },
                                               { ".layers.", ".blocks." },
                                               { ".dwconv.", ".conv_dw." },
                                               { ".pwconv1.", ".mlp.fc1." },
                                               { ".pwconv2.", ".mlp.fc2." },
                                               { ".layer_scale_parameter", ".gamma" },
                                               { "convnext.layernorm.", "head.norm." },
                                               { ".layernorm.", ".norm." },
                                               { "classifier.", "head.fc." },
                                               { NULL } };
static const DynoNamePair vit_pairs[] = { { "vit.embeddings.patch_embeddings.projection.",
                                            "patch_embed.proj." },
                                          { "vit.embeddings.position_embeddings", "pos_embed" },
                                          { "vit.embeddings.cls_token", "cls_token" },
                                          { "vit.layernorm.", "norm." },
                                          { "classifier.", "head." },
                                          { NULL } };

/* In timm a stage begins with the layer that ends the stage before here. */
static const DynoNamePair swin_pairs[] = { { "swin.embeddings.patch_embeddings.projection.",
                                             "patch_embed.proj." },
                                           { "swin.embeddings.norm.", "patch_embed.norm." },
                                           { "swin.layernorm.", "norm." },
                                           { "swin.encoder.layers.2.downsample.", "layers.3.downsample." },
                                           { "swin.encoder.layers.1.downsample.", "layers.2.downsample." },
                                           { "swin.encoder.layers.0.downsample.", "layers.1.downsample." },
                                           { "swin.encoder.", "" },
                                           { ".attention.self.", ".attn." },
                                           { ".attention.output.dense.", ".attn.proj." },
                                           { ".layernorm_before.", ".norm1." },
                                           { ".layernorm_after.", ".norm2." },
                                           { ".intermediate.dense.", ".mlp.fc1." },
                                           { ".output.dense.", ".mlp.fc2." },
                                           { "classifier.", "head.fc." },
                                           { NULL } };

static const DynoNaming resnet_naming = { NULL, resnet_pairs };
static const DynoNaming convnext_naming = { NULL, convnext_pairs };
static const DynoNaming swin_naming = { NULL, swin_pairs };
static const DynoNaming vit_naming = { NULL, vit_pairs };

const DynoArchitecture dyno_timm_architectures[] = {
  { DYNO_ARCHITECTURE_TIMM "convnext", &dyno_vision_family, "image-classification", build_convnext,
    &convnext_naming },
  { DYNO_ARCHITECTURE_TIMM "deit", &dyno_vision_family, "image-classification", build_vit, &vit_naming },
  { DYNO_ARCHITECTURE_TIMM "efficientnet", &dyno_vision_family, "image-classification", build_inverted },
  { DYNO_ARCHITECTURE_TIMM "efficientnetv2", &dyno_vision_family, "image-classification", build_inverted },
  { DYNO_ARCHITECTURE_TIMM "mobilenetv2", &dyno_vision_family, "image-classification", build_inverted },
  { DYNO_ARCHITECTURE_TIMM "mobilenetv3", &dyno_vision_family, "image-classification", build_inverted },
  { DYNO_ARCHITECTURE_TIMM "swin", &dyno_vision_family, "image-classification", build_swin, &swin_naming },
  { DYNO_ARCHITECTURE_TIMM "tf_efficientnet", &dyno_vision_family, "image-classification", build_inverted },
  { DYNO_ARCHITECTURE_TIMM "tf_efficientnetv2", &dyno_vision_family, "image-classification", build_inverted },
  { DYNO_ARCHITECTURE_TIMM "tf_mobilenetv3", &dyno_vision_family, "image-classification", build_inverted },
  { DYNO_ARCHITECTURE_TIMM "resnet", &dyno_vision_family, "image-classification", build_resnet,
    &resnet_naming },
  { DYNO_ARCHITECTURE_TIMM "vit", &dyno_vision_family, "image-classification", build_vit, &vit_naming },
  { NULL },
};

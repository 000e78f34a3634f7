/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <glib/gi18n-lib.h>
#include <inttypes.h>

#include "dyno-architecture.h"
#include "dyno-head.h"
#include "dyno-layers.h"
#include "dyno-model-families-private.h"
#include "dyno-tower.h"

/* YOLOS, Fang et al. 2021: a ViT that detects objects by tokens which follow the patches. */

typedef struct
{
  DynoTower tower;
  gint64 sides[2];
  gint64 patch_side;
  gint64 n_channels;
  gint64 n_objects;
  gint64 n_labels;
  gboolean has_inner_positions; /* positions are added after each layer but the last, too */
} Yolos;

static const DynoTowerNames names = DYNO_TOWER_VIT_NAMES ("vit");

static gint64
count_tokens (const Yolos *self)
{
  return 1 + self->sides[0] / self->patch_side * (self->sides[1] / self->patch_side) + self->n_objects;
}

/* A class for each object, including “no object”, and the box: centre and size relative to the picture. */
static void
add_heads (DynoGraph *graph, const Yolos *self, const char *value)
{
  const gint64 sizes[] = { count_tokens (self) - self->n_objects, self->n_objects };
  g_autofree char *classes = g_strdup_printf ("batch, %" PRId64 ", %" PRId64, sizes[1], self->n_labels + 1);
  g_autofree char *boxes = g_strdup_printf ("batch, %" PRId64 ", 4", sizes[1]);
  const char *parts[2], *logits, *box;

  dyno_graph_push_scope (graph, "vit.detection_tokens");
  dyno_graph_add_split (graph, value, 1, 2, sizes, parts);
  dyno_graph_pop_scope (graph);
  logits = dyno_head_add_perceptron (graph, "class_labels_classifier", parts[1], self->n_labels + 1);
  box = dyno_head_add_perceptron (graph, "bbox_predictor", parts[1], 4);
  dyno_graph_push_scope (graph, "bbox_predictor");
  box = dyno_graph_add (graph, "Sigmoid", NULL, box, NULL);
  dyno_graph_pop_scope (graph);
  dyno_graph_add_output (graph, "logits", logits, classes);
  dyno_graph_add_output (graph, "pred_boxes", box, boxes);
}

static void
add_yolos (DynoGraph *graph, const Yolos *self)
{
  gint64 n_layers = self->tower.n_layers, width = self->tower.width;
  const gint64 dims[] = { 1, count_tokens (self), width };
  const gint64 inner_dims[] = { n_layers - 1, 1, count_tokens (self), width };
  const char *pixels = dyno_tower_add_pixels (graph, self->n_channels, self->sides[0], self->sides[1]);
  const char *patches, *first, *last, *value, *places, *inner = NULL;

  dyno_graph_push_scope (graph, "vit.embeddings");
  patches =
      dyno_tower_cut_patches (graph, "patch_embeddings.projection", pixels, width, self->patch_side, TRUE);
  first = dyno_tower_add_tokens (graph, "cls_token", pixels, 1, width);
  last = dyno_tower_add_tokens (graph, "detection_tokens", pixels, self->n_objects, width);
  value = dyno_graph_add (graph, "Concat", "axis=1", first, patches, last, NULL);
  value = dyno_graph_add (graph, "Add", NULL, value,
                          dyno_graph_add_weight (graph, "position_embeddings", 0, 0.02, 3, dims), NULL);
  dyno_graph_pop_scope (graph);

  dyno_graph_push_scope (graph, "vit.encoder");
  if (self->has_inner_positions)
    inner = dyno_graph_add_weight (graph, "mid_position_embeddings", 0, 0.02, 4, inner_dims);
  dyno_graph_pop_scope (graph);
  for (gint64 i = 0; i < n_layers; i++)
    {
      DynoTower layer = self->tower;

      layer.first_layer = i;
      layer.n_layers = i + 1;
      value = dyno_tower_add (&layer, graph, value, NULL);
      if (inner == NULL || i + 1 == n_layers)
        continue;
      dyno_graph_push_scope (graph, "vit.encoder.mid_position_embeddings.%" PRId64, i);
      places = dyno_graph_add (graph, "Gather", "axis=0", inner, dyno_graph_add_int (graph, i), NULL);
      value = dyno_graph_add (graph, "Add", NULL, value, places, NULL);
      dyno_graph_pop_scope (graph);
    }
  add_heads (graph, self, dyno_layers_layer_norm (graph, "vit.layernorm", value, self->tower.epsilon));
}

static void
build_yolos (DynoGraph *graph, DynoConfig *config)
{
  Yolos self = {
    .tower = dyno_vit_read_tower (config, 1e-12),
    .patch_side = dyno_config_get_int_or (config, "patch_size", 16),
    .n_channels = dyno_config_get_int_or (config, "num_channels", 3),
    .n_objects = dyno_config_get_int_or (config, "num_detection_tokens", 100),
    .n_labels = dyno_config_get_n_labels (config, 2),
    .has_inner_positions = dyno_config_get_boolean_or (config, "use_mid_position_embeddings", TRUE),
  };

  self.tower.names = &names;
  self.tower.inner_width = dyno_config_get_int (config, "intermediate_size");
  dyno_config_get_sides (config, 512, self.sides);
  dyno_tower_check (&self.tower, config);
  for (guint i = 0; i < 2; i++)
    dyno_config_check_patches (config, "patch_size", self.sides[i], self.patch_side);
  if (self.has_inner_positions &&
      (self.sides[0] % self.patch_side != 0 || self.sides[1] % self.patch_side != 0))
    dyno_config_fail (config, _ ("its pictures (“image_size”) are not made of whole patches (“patch_size”), "
                                 "which positions in all layers (“use_mid_position_embeddings”) require"));
  self.has_inner_positions = self.has_inner_positions && self.tower.n_layers > 1;
  if (dyno_config_check (config, NULL))
    add_yolos (graph, &self);
}

static const DynoNaming naming = { "vit" };

const DynoArchitecture dyno_yolos_architectures[] = {
  { "yolos", &dyno_vision_family, "object-detection", build_yolos, &naming },
  { NULL },
};

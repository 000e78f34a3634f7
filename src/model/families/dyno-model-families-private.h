/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-architecture.h"
#include "dyno-config.h"
#include "dyno-graph.h"
#include "dyno-head.h"
#include "dyno-stack.h"
#include "dyno-tower.h"

G_BEGIN_DECLS

/* dyno-autoencoder */

/**
 * DynoAutoencoder:
 *
 * The decoder of a variational autoencoder, which turns latents into images: Kingma and Welling 2013, Rombach et al.
 * 2022. The encoder is not needed to generate images.
 */
typedef struct _DynoAutoencoder DynoAutoencoder;

/* Returns its decoder. @config: a config of an `AutoencoderKL`, which fails if it is invalid. */
DynoAutoencoder *dyno_autoencoder_new (DynoConfig *config);
void dyno_autoencoder_free (DynoAutoencoder *self);

gint64 dyno_autoencoder_get_n_channels (const DynoAutoencoder *self);
gint64 dyno_autoencoder_get_n_colours (const DynoAutoencoder *self);
/* Returns height and width of the latents of its training images. */
gint64 dyno_autoencoder_get_side (const DynoAutoencoder *self);
/* Returns the ratio of the side of an image to the side of its latents. */
gint64 dyno_autoencoder_get_growth (const DynoAutoencoder *self);
/* Returns the number that latents are divided by before decoding. */
double dyno_autoencoder_get_scale (const DynoAutoencoder *self);
/* Returns the number that is then added to the latents, in the pipelines that do so. */
double dyno_autoencoder_get_shift (const DynoAutoencoder *self);
/* Returns the images, in most cases from −1 to 1. @latents: unscaled latents, [batch, channels, height,
 * width]. */
const char *dyno_autoencoder_add (const DynoAutoencoder *self, DynoGraph *graph, const char *latents);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoAutoencoder, dyno_autoencoder_free)

/* dyno-clip-vision */

/**
 * DynoClipVision:
 * @tower: its layers
 * @image_side: width of an image in pixels
 * @patch_side: width of a patch in pixels
 * @n_channels: channels of an image
 * @has_class: whether a class token precedes the patches, and a norm the layers
 *
 * The vision tower of CLIP and of models that use it; without a class token, that of SigLIP.
 */
typedef struct
{
  DynoTower tower;
  gint64 image_side;
  gint64 patch_side;
  gint64 n_channels;
  gboolean has_class;
} DynoClipVision;

/**
 * DYNO_CLIP_TOWER_NAMES:
 * @tower: the model of the tower, a literal
 *
 * The names of the layers of a tower; both towers of CLIP use the same.
 */
#define DYNO_CLIP_TOWER_NAMES(tower)                                                                         \
  {                                                                                                          \
    .layer = tower ".encoder.layers", .attention_norm = "layer_norm1", .attention = "self_attn",             \
    .query = "q_proj", .key = "k_proj", .value = "v_proj", .output = "self_attn.out_proj",                   \
    .inner_norm = "layer_norm2", .up_dense = "mlp.fc1", .down_dense = "mlp.fc2",                             \
  }

/* Returns the vision tower. */
DynoClipVision dyno_clip_vision_read (DynoConfig *config, gboolean is_siglip);
void dyno_clip_vision_check (const DynoClipVision *self, DynoConfig *config);
/* Returns the number of tokens per image. */
gint64 dyno_clip_vision_count_tokens (const DynoClipVision *self);
/* Returns the output of the last norm, [batch, tokens, width]. */
const char *dyno_clip_vision_add (const DynoClipVision *self, DynoGraph *graph);
/* Returns the input of the first layer, [batch, tokens, width]. */
const char *dyno_clip_vision_add_patches (const DynoClipVision *self, DynoGraph *graph, const char *pixels);

/* Returns the tower. @is_siglip: whether the defaults are those of the first SigLIP, else those of the
 * first CLIP. */
DynoTower
dyno_clip_read_tower (DynoConfig *config, const DynoTowerNames *names, gint64 width, gboolean is_siglip);

/* dyno-clip */

/* CLIP's text encoder as a part of other models. */

gint64 dyno_clip_get_n_tokens (DynoConfig *config);
gint64 dyno_clip_get_text_width (DynoConfig *config);
/* Returns the width into which it projects the last token of a text, 0 if it does not. @config: a config
 * of a `clip_text_model`. */
gint64 dyno_clip_get_projected_width (DynoConfig *config);
/* Returns the outputs of all tokens, [batch, sequence, width]; NULL if the config or its parent has
 * failed. @config: a config of a `clip_text_model`, which fails if it is invalid. @ids: texts as tokens,
 * without padding, [batch, sequence]. */
const char *dyno_clip_add_text (DynoGraph *graph, DynoConfig *config, const char *ids);
/* Returns the outputs of the last tokens, [batch, width]; NULL if the config or its parent has failed.
 * @config: a config of a `clip_text_model`, which fails if it is invalid. @ids: texts as tokens, without
 * padding, [batch, sequence]. */
const char *dyno_clip_add_text_pooled (DynoGraph *graph, DynoConfig *config, const char *ids);
/* Returns the outputs of the layer before the last, [batch, sequence, width]; NULL if the config or its
 * parent has failed. @config: a config of a `clip_text_model`, which fails if it is invalid. @ids: texts
 * as tokens, without padding, [batch, sequence]. @projected: the projection of the last token, [batch,
 * width]; NULL for a model without one. */
const char *
dyno_clip_add_text_inside (DynoGraph *graph, DynoConfig *config, const char *ids, const char **projected);

/* dyno-diffusion-pipeline */

/* Pipelines from text to image with one and with two text encoders of CLIP, from a class, and with T5. */
extern const DynoStage dyno_diffusion_text_stages[];
extern const DynoStage dyno_diffusion_pair_stages[];
extern const DynoStage dyno_diffusion_class_stages[];
extern const DynoStage dyno_diffusion_t5_stages[];

/* The stages of models in which text and picture attend to each other. */
extern const DynoStage dyno_joint_pipeline_flux_stages[];
extern const DynoStage dyno_joint_pipeline_sd3_stages[];

/* Names that all pipelines share. */

#define DYNO_DIFFUSION_PIPELINE_SAMPLE      "sample"
#define DYNO_DIFFUSION_PIPELINE_NEXT_SAMPLE "next_sample"
#define DYNO_DIFFUSION_PIPELINE_STATES      "encoder_hidden_states"

/* Returns an input of latents. */
const char *
dyno_diffusion_pipeline_add_latents (DynoGraph *graph, const char *name, gint64 channels, const char *place);
/* Returns all items without and then with the condition. */
const char *dyno_diffusion_pipeline_twice (DynoGraph *graph, const char *value, const char *guided);
/* Returns both answers combined. @sample: latents, [batch, channels, height, width]. @guidance: by how
 * much the difference of both answers is enlarged. */
const char *
dyno_diffusion_pipeline_guide (DynoGraph *graph, const char *sample, const char *answer, float guidance);
/* @encoder: the config of a part, which fails if it is not the text encoder of CLIP. */
void dyno_diffusion_pipeline_check_text (DynoConfig *encoder);
/* Returns the unwanted and the wanted content of a picture, as tokens. */
const char *dyno_diffusion_pipeline_add_texts (DynoGraph *graph,
                                               const char *suffix,
                                               gint64 n_tokens,
                                               const char *sequence);
/* Returns the outputs of all tokens, [batch, sequence, width]; NULL if the config has failed. @part: the
 * name of its text encoder of T5, which fails if it is not one. @ids: texts as tokens, [batch, sequence].
 * @tokens: 1 for a token and 0 for padding, [batch, sequence]; NULL if padding is read as well. */
const char *dyno_diffusion_pipeline_add_t5 (
    DynoGraph *graph, DynoConfig *config, const char *part, const char *ids, const char *tokens);
gint64 dyno_diffusion_pipeline_count_t5_tokens (DynoConfig *config, const char *part);
gint64 dyno_diffusion_pipeline_get_t5_width (DynoConfig *config, const char *part);
/* Returns the decoder. The caller owns it. @config: the config of a pipeline, which fails if its decoder
 * is invalid. */
DynoAutoencoder *
dyno_diffusion_pipeline_read_decoder (DynoConfig *config, const char *network, gint64 channels);
/* Adds the stage that decodes latents. They are scaled to the variance of noise; the decoder takes them
 * unscaled. @graph: an empty graph. @is_shifted: whether latents are also shifted to the mean of noise. */
void dyno_diffusion_pipeline_add_pictures (DynoGraph *graph,
                                           const DynoAutoencoder *decoder,
                                           const char *place,
                                           gboolean is_shifted);

/* dyno-diffusion */

/**
 * DynoDiffusion:
 * @n_groups: number of groups of the group norms
 * @epsilon: epsilon of the norms around convolutions
 * @activation: activation between the layers
 *
 * Settings that the convolutional parts of a diffusion model share, Rombach et al. 2022. Images and latents are [batch,
 * channels, height, width].
 */
typedef struct
{
  gint64 n_groups;
  double epsilon;
  const char *activation;
} DynoDiffusion;

/**
 * DynoDiffusionAttention:
 * @n_heads: number of heads
 * @has_bias: whether the projections of queries, keys and values have a bias
 * @upcasts: whether scores are in single precision in any graph
 *
 * Attention with layers named as in Diffusers.
 */
typedef struct
{
  gint64 n_heads;
  gboolean has_bias;
  gboolean upcasts;
} DynoDiffusionAttention;

/**
 * DynoDiffusionTime:
 * @width: number of sines and cosines
 * @is_flipped: whether the cosines come first
 * @shift: half the width minus the number of frequencies between 1 and 1/10000
 *
 * How a number, such as a timestep, is embedded.
 */
typedef struct
{
  gint64 width;
  gboolean is_flipped;
  gint64 shift;
} DynoDiffusionTime;

/* Returns its norms and activations. */
DynoDiffusion dyno_diffusion_read (DynoConfig *config, double epsilon);
/* @widths: its `block_out_channels`. */
void dyno_diffusion_check (const DynoDiffusion *self, DynoConfig *config, GArray *widths);

/* Returns the value. @value: [batch, channels, height, width]. */
const char *dyno_diffusion_convolve (
    DynoGraph *graph, const char *name, const char *value, gint64 channels, gint64 kernel, gint64 stride);
/* Enlarges an image by nearest-neighbour interpolation and convolves it. Returns the value. @value:
 * [batch, channels, height, width]. */
const char *dyno_diffusion_enlarge (DynoGraph *graph, const char *value, const char *sizes);
/* Returns the value after the last norm and convolution. @value: [batch, channels, height, width]. */
const char *
dyno_diffusion_finish (const DynoDiffusion *self, DynoGraph *graph, const char *value, gint64 channels);
/* A residual block of two convolutions, each after a norm. Returns the value. @value: [batch, channels,
 * height, width]. @time (nullable): the embedded timestep after its activation, [batch, width]. */
const char *dyno_diffusion_add_residual (
    const DynoDiffusion *self, DynoGraph *graph, const char *value, const char *time, gint64 channels);

/* Returns its positions as a sequence, [batch, positions, channels]. @value: [batch, channels, height,
 * width]. */
const char *dyno_diffusion_flatten (DynoGraph *graph, const char *value, const char **shape);
const char *dyno_diffusion_unflatten (DynoGraph *graph, const char *value, const char *shape);
/* Returns [batch, positions, width]. @value: [batch, positions, width]: source of the queries. @states:
 * [batch, tokens, width]: source of keys and values, @value itself or a text. @mask (nullable): added to
 * the scores, [batch, 1, 1, tokens]. */
const char *dyno_diffusion_attend (const DynoDiffusionAttention *self,
                                   DynoGraph *graph,
                                   const char *name,
                                   const char *value,
                                   const char *states,
                                   const char *mask);

/* Returns their sines and cosines, [n, width], in the type of the graph. They are computed in single
 * precision, because half precision cannot represent 999.5. @value: numbers, [n]. */
const char *dyno_diffusion_embed_number (const DynoDiffusionTime *self, DynoGraph *graph, const char *value);
/* Returns [batch, width]. @value: [batch, any width]. */
const char *dyno_diffusion_embed (
    DynoGraph *graph, const char *name, const char *value, gint64 width, const char *activation);

/* dyno-disentangled */

/**
 * DynoDisentangled:
 * @n_terms: number of the two terms below that are used; 0: ordinary attention
 * @content_to_position: whether scores have a term of the query's content and the distance
 * @position_to_content: whether scores have a term of the distance and the key's content
 * @is_first: whether it is that of the first DeBERTa, whose projections have other names and fewer biases
 * @shares_projections: whether distances are projected with the weights of the tokens
 * @is_normalized: whether the table of distances is normalised before use
 * @is_logarithmic: whether large distances share rows
 * @n_rows: rows of the table of distances
 * @max_distance: distances from here on share a row
 * @width: width of the table
 * @n_heads: number of heads
 * @kernel: kernel size of the convolution after the first layer; 0: none
 * @groups: number of groups of that convolution
 * @activation: activation of that convolution
 *
 * The disentangled attention of both DeBERTas (He et al. 2021), with separate terms for the contents of two tokens and their
 * distance.
 */
typedef struct
{
  gint64 n_terms;
  gboolean content_to_position;
  gboolean position_to_content;
  gboolean is_first;
  gboolean shares_projections;
  gboolean is_normalized;
  gboolean is_logarithmic;
  gint64 n_rows;
  gint64 max_distance;
  gint64 width;
  gint64 n_heads;
  double epsilon;
  gint64 kernel;
  gint64 groups;
  const char *activation;
} DynoDisentangled;

/**
 * DynoDisentangledDistances:
 * @table: embeddings of the distances, [rows, width]
 * @rows: the row of each pair, [batch, heads, queries, keys]
 * @turned_rows: the same, [batch, heads, keys, queries]
 *
 * The values that all layers share.
 */
typedef struct
{
  const char *table;
  const char *rows;
  const char *turned_rows;
} DynoDisentangledDistances;

/* Returns the disentangled attention, without terms if the model has ordinary attention. @config: the
 * config of a DeBERTa of the second or third version. */
DynoDisentangled dyno_disentangled_read (DynoConfig *config, double epsilon);
/* Returns the disentangled attention, without terms if the model has ordinary attention. */
DynoDisentangled dyno_disentangled_read_first (DynoConfig *config, double epsilon);
/* Returns the values that all layers share. @ids: the tokens, [batch, sequence]. */
DynoDisentangledDistances
dyno_disentangled_add (const DynoDisentangled *self, DynoGraph *graph, const char *ids);
/* Returns the bias of the scores by distance, with the same scale, [batch, heads, queries, keys]. @query:
 * [batch, heads, queries, head width]. @key: [batch, heads, keys, head width]. */
const char *dyno_disentangled_bias (const DynoDisentangled *self,
                                    DynoGraph *graph,
                                    const DynoDisentangledDistances *distances,
                                    const char *query,
                                    const char *key);
/* Returns the input of the second layer. @embeddings: the input of the first layer, [batch, sequence,
 * width]. */
const char *dyno_disentangled_convolve (const DynoDisentangled *self,
                                        DynoGraph *graph,
                                        const char *embeddings,
                                        const char *value);

/* dyno-dit */

/**
 * DynoDit:
 *
 * A transformer that denoises latents step by step, conditioned on a class: DiT, Peebles and Xie 2022; or on a text: PixArt,
 * Chen et al. 2023.
 */
typedef struct _DynoDit DynoDit;

/**
 * DynoDitInputs:
 * @sample: latents, [batch, channels, side, side]
 * @timestep: timesteps, [batch]
 * @labels: (nullable): classes of the images, [batch]; the last one means no class
 * @states: (nullable): instead of classes, a text, [batch, tokens, width]
 * @mask: (nullable): added to the scores of its tokens, [batch, 1, 1, tokens]
 * @resolution: (nullable): height and width of the images in pixels, [batch, 2] or [1, 2], if the model
 * takes them
 * @ratio: (nullable): in that case, height divided by width, [batch, 1] or [1, 1]
 *
 * Its inputs.
 */
typedef struct
{
  const char *sample;
  const char *timestep;
  const char *labels;
  const char *states;
  const char *mask;
  const char *resolution;
  const char *ratio;
} DynoDitInputs;

/* Returns the transformer. @config: a config of a `DiTTransformer2DModel`, a `PixArtTransformer2DModel`,
 * or of either as a `Transformer2DModel`; it fails if it is invalid. */
DynoDit *dyno_dit_new (DynoConfig *config);
void dyno_dit_free (DynoDit *self);

gint64 dyno_dit_get_n_channels (const DynoDit *self);
/* Returns the number of output channels: that of the input channels, or twice as many. */
gint64 dyno_dit_get_n_results (const DynoDit *self);
gint64 dyno_dit_get_side (const DynoDit *self);
gint64 dyno_dit_get_n_classes (const DynoDit *self);
/* Returns width of the tokens of a text; 0 for a model of classes. */
gint64 dyno_dit_get_states_width (const DynoDit *self);
/* Returns whether it takes the size of the images. */
gboolean dyno_dit_has_sizes (const DynoDit *self);
/* Returns the noise in the latents, followed by its variance if the model was trained to predict it. */
const char *dyno_dit_add (const DynoDit *self, DynoGraph *graph, const DynoDitInputs *inputs);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoDit, dyno_dit_free)

/* dyno-encoder */

/* RoBERTa as a part of other models. */

/* Adds the encoder as a part of another model, with inputs for a text. Returns the pooled first token,
 * [batch, width]; NULL if the config or its parent has failed. @config: a config of RoBERTa, which fails
 * if it is invalid. */
const char *dyno_encoder_add_roberta (DynoGraph *graph, DynoConfig *config, const char *scope);

/* dyno-flow */

/**
 * DynoFlow:
 * @n_levels: number of timesteps of training
 * @least: share of the noise at which the last of several steps starts; 0 if all steps have the same length before they are
 *   shifted
 * @shift: how strongly steps are drawn towards the noise
 * @is_dynamic: whether the size of the picture decides about that instead
 * @is_linear: whether it then does so itself, else its exponential
 * @shifts: the shifts of a picture of @lengths tokens
 * @lengths: two numbers of tokens
 *
 * How rectified flow, Liu et al. 2022, turns noise into a picture: straight from one to the other, as Stable Diffusion 3 and
 * Flux do it.
 */
typedef struct
{
  gint64 n_levels;
  double least;
  double shift;
  gboolean is_dynamic;
  gboolean is_linear;
  double shifts[2];
  gint64 lengths[2];
} DynoFlow;

/**
 * DynoFlowStep:
 * @from: share of the noise at the start
 * @to: share of the noise at the end
 *
 * A step.
 */
typedef struct
{
  const char *from;
  const char *to;
} DynoFlowStep;

/* Returns its steps. @config: a config of a scheduler of Diffusers, which fails if it is invalid.
 * @has_least: whether the last of several steps starts with the noise of the lowest timestep of training,
 * shifted twice, as in Stable Diffusion 3, instead of at equal steps, as in Flux. */
DynoFlow dyno_flow_read (DynoConfig *config, gboolean has_least);

/* Returns the input DYNO_SCHEDULE_STEPS with which step it is and how many there are, [steps, 2]. */
const char *dyno_flow_add_input (DynoGraph *graph, gint64 n_steps);
/* Returns the step, in single precision in any graph. @steps: the row of the step, [1, 2]. */
DynoFlowStep
dyno_flow_add_step (const DynoFlow *self, DynoGraph *graph, const char *steps, const char *n_tokens);
/* Returns the timestep at which the model is asked, [1]. */
const char *dyno_flow_add_time (const DynoFlow *self, DynoGraph *graph, const DynoFlowStep *step);
/* Returns the latents at its end. @sample: latents at its start, [batch, channels, height, width].
 * @answer: their velocity from the picture to the noise, which the model predicts. */
const char *
dyno_flow_move (DynoGraph *graph, const DynoFlowStep *step, const char *sample, const char *answer);

/* dyno-inverted */

/* Networks of inverted residuals by their names in timm. */

/* Returns the usual side of a picture, 0 if the network is unknown. */
gint64 dyno_inverted_get_side (const char *name);
/* Adds the network. @graph: an empty graph. */
void dyno_inverted_build (DynoGraph *graph, DynoConfig *config, const char *name, const gint64 *sides);

/* dyno-joint */

/**
 * DynoJoint:
 *
 * A transformer that denoises latents and in whose layers a picture and a text attend to each other: that of Stable
 * Diffusion 3, Esser et al. 2024, or of Flux.
 */
typedef struct _DynoJoint DynoJoint;

/**
 * DynoJointInputs:
 * @sample: latents, [batch, channels, height, width]
 * @timestep: timesteps from 0 to 1000, [batch] or [1]
 * @guidance: (nullable): how closely a picture follows the text, [batch] or [1], if the model has learned it
 * @states: the text as tokens, [batch, sequence, width]
 * @text: the text as a whole, [batch, width]
 *
 * Its inputs.
 */
typedef struct
{
  const char *sample;
  const char *timestep;
  const char *guidance;
  const char *states;
  const char *text;
} DynoJointInputs;

/* Returns the transformer. @config: a config of a `FluxTransformer2DModel`, which fails if it is invalid. */
DynoJoint *dyno_joint_new_flux (DynoConfig *config);
/* Returns the transformer. @config: a config of a `SD3Transformer2DModel`, which fails if it is invalid. */
DynoJoint *dyno_joint_new_sd3 (DynoConfig *config);
void dyno_joint_free (DynoJoint *self);

/* Returns the number of channels of the latents. */
gint64 dyno_joint_get_n_channels (const DynoJoint *self);
gint64 dyno_joint_get_n_results (const DynoJoint *self);
gint64 dyno_joint_get_side (const DynoJoint *self);
gint64 dyno_joint_get_states_width (const DynoJoint *self);
gint64 dyno_joint_get_text_width (const DynoJoint *self);
/* Returns into how many tokens it cuts them, a list of one. @sample: latents, [batch, channels, height,
 * width]. */
const char *dyno_joint_count_tokens (const DynoJoint *self, DynoGraph *graph, const char *sample);
gboolean dyno_joint_has_guidance (const DynoJoint *self);
/* Returns the velocity of the latents from the picture to the noise. */
const char *dyno_joint_add (const DynoJoint *self, DynoGraph *graph, const DynoJointInputs *inputs);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoJoint, dyno_joint_free)

/* dyno-log-mel */

/* The input of the stage that makes features of sound. */
#define DYNO_LOG_MEL_INPUT "waveform"

/* The member of a config that holds the `preprocessor_config.json` beside it. */
#define DYNO_LOG_MEL_CONFIG "preprocessor_config"

/**
 * DynoLogMel:
 * @rate: samples per second
 * @n_fft: length of the Fourier transform
 * @window: length of a frame, in samples
 * @hop: from one frame to the next, in samples
 * @n_mels: number of triangles
 * @n_frames: number of frames
 * @lowest: where the first triangle begins, in Hz
 * @highest: where the last one ends
 * @floor: the smallest energy
 * @is_kaldi: whether frames, filters and scale are those of Kaldi; else frames are centred and filters are Slaney's
 * @keeps_last: whether the last centred frame, half of which is after the end, is kept
 *
 * How a published feature extractor makes a log-mel spectrogram of sound.
 */
typedef struct
{
  gint64 rate;
  gint64 n_fft;
  gint64 window;
  gint64 hop;
  gint64 n_mels;
  gint64 n_frames;
  double lowest;
  double highest;
  double floor;
  gboolean is_kaldi;
  gboolean keeps_last;
} DynoLogMel;

/* Replaces the usual values by those in the `preprocessor_config.json` beside the config; the config fails if they do not
 * fit. */
void dyno_log_mel_read (DynoLogMel *self, DynoConfig *config);
gint64 dyno_log_mel_count_samples (const DynoLogMel *self);
/* Adds the input DYNO_LOG_MEL_INPUT. Returns the natural logarithm of the energies, [batch, mels, frames], in single
 * precision. */
const char *dyno_log_mel_add (const DynoLogMel *self, DynoGraph *graph);
/* Returns (value + offset) · factor, in single precision. */
const char *dyno_log_mel_scale (DynoGraph *graph, const char *value, double offset, double factor);

/* dyno-modulation */

/* Transformers of diffusion models take the timestep and the content of a picture as modulation: vectors
 * computed from both scale, shift and gate the values in a layer. */

/* @condition: the embedding of timestep and picture after its activation, [batch, width]. @parts: the
 * vectors that a linear layer computes from @condition, each [batch, 1, width]. */
void dyno_modulation_split (
    DynoGraph *graph, const char *name, const char *condition, gint64 width, guint n, const char **parts);
/* Returns the value after a norm without weights, a scale and a shift. @value: [batch, positions, width].
 * @scale: the factor of the normalised value, less 1. */
const char *dyno_modulation_norm (
    DynoGraph *graph, const char *value, double epsilon, const char *scale, const char *shift);
/* Returns the sum of @value and the gated @inner. */
const char *dyno_modulation_gate (DynoGraph *graph, const char *value, const char *inner, const char *gate);
/* Returns the value after both feed-forward layers, with the names of Diffusers. @value: [batch,
 * positions, width]. */
const char *dyno_modulation_feed (DynoGraph *graph, const char *name, const char *value);

/* dyno-recurrence */

/**
 * DynoKernel:
 * @size: width of the window, at least 2
 * @has_bias: whether a bias is added
 *
 * A convolution of each channel over its last positions.
 */
typedef struct
{
  gint64 size;
  gboolean has_bias;
} DynoKernel;

/**
 * DynoSelective:
 * @state_width: numbers of the state of each channel
 * @step_rank: width of the input of the steps
 * @epsilon: epsilon of the norms of Δ, B and C; 0 if they are not normalised
 * @has_norm_weights: whether these norms have weights
 *
 * The selective scan of Mamba 1 (Gu and Dao 2023).
 */
typedef struct
{
  gint64 state_width;
  gint64 step_rank;
  double epsilon;
  gboolean has_norm_weights;
} DynoSelective;

/* Returns −exp (A_log), in single precision in any graph, as is the recurrence. */
const char *dyno_recurrence_add_decay (DynoGraph *graph, guint rank, const gint64 *dims);
/* Returns [batch, sequence, channels]. @value: [batch, sequence, channels]. */
const char *dyno_recurrence_select (
    const DynoSelective *self, DynoGraph *graph, guint layer, const char *value, const char **last);
/* Returns [batch, sequence, channels]. @value: [batch, sequence, channels]. */
const char *dyno_recurrence_convolve (const DynoKernel *self,
                                      DynoGraph *graph,
                                      guint layer,
                                      const char *name,
                                      const char *value,
                                      const char **last);
/* Scans the sequence with a state, in single precision in any graph. Returns the outputs of all steps.
 * @inputs: each [batch, sequence, …]; gets them in single precision. */
const char *dyno_recurrence_scan (DynoGraph *graph,
                                  guint layer,
                                  const char *dimensions,
                                  guint n_inputs,
                                  const char **inputs,
                                  DynoGraphBody body,
                                  gpointer data,
                                  const char **last);
/* Adds an output of the same size as the input of the next step. @what: `conv` or `state`. */
void dyno_recurrence_add_output (DynoGraph *graph, const char *what, guint layer, const char *value);

/* dyno-sam-decoder */

/* Several times that of any model. */
#define DYNO_SAM_MAX_SIDE  512
#define DYNO_SAM_MAX_DEPTH 64

/**
 * DynoSamPrompt:
 * @n_kinds: number of kinds of points
 * @n_mask_channels: width of the embedding of a mask
 * @n_waves: number of sines, and of cosines, in a position embedding
 * @has_points: whether there are points
 * @has_boxes: whether there is a box
 * @has_masks: whether there is a mask
 * @epsilon: epsilon of the norms
 * @activation: activation of the embedding of a mask
 *
 * How prompts are read.
 */
typedef struct
{
  gint64 n_kinds;
  gint64 n_mask_channels;
  gint64 n_waves;
  gboolean has_points;
  gboolean has_boxes;
  gboolean has_masks;
  double epsilon;
  const char *activation;
} DynoSamPrompt;

/**
 * DynoSamExchange:
 * @width: width of a token
 * @n_layers: number of layers
 * @n_heads: number of heads
 * @inner_width: inner width of the feed-forward layers
 * @reduction: the divisor of the width of cross-attention
 * @n_masks: number of masks
 * @score_depth: layers of the head of scores
 * @score_width: their width
 * @output: the output projection of attention
 * @feed: (array fixed-size=2): the layers of the feed-forward layers
 * @epsilon: epsilon of the norms
 * @activation: activation of the feed-forward layers
 *
 * The layers in which mask tokens and positions of the picture attend to each other.
 */
typedef struct
{
  gint64 width;
  gint64 n_layers;
  gint64 n_heads;
  gint64 inner_width;
  gint64 reduction;
  gint64 n_masks;
  gint64 score_depth;
  gint64 score_width;
  const char *output;
  const char *const *feed;
  double epsilon;
  const char *activation;
} DynoSamExchange;

/**
 * DynoSamDecoder:
 * @prompt: how prompts are read
 * @exchange: the layers
 * @side: positions per row of a picture
 * @image_side: its side in pixels
 * @is_second: whether it belongs to the second version
 *
 * The part of SAM that predicts masks, from the features of a picture and a prompt.
 */
typedef struct
{
  DynoSamPrompt prompt;
  DynoSamExchange exchange;
  gint64 side;
  gint64 image_side;
  gboolean is_second;
} DynoSamDecoder;

/* Returns [batch, tokens, width]. @value: [batch, tokens, width]. */
const char *dyno_sam_add_feed (DynoGraph *graph,
                               const char *value,
                               gint64 width,
                               gint64 inner_width,
                               const char *const names[2],
                               const char *activation);
/* Published configs do not contain the kind of prompts: points, unless Dyno's own member `prompts` names
 * others. Returns the decoder, without the sides of a picture. @is_second: whether it is one of the second
 * version. */
DynoSamDecoder dyno_sam_decoder_read (DynoConfig *config, gboolean is_second);
/* @config: the config of the whole model, which fails if the decoder is invalid. @patch_side: pixels per
 * side of a position. */
void dyno_sam_decoder_check (const DynoSamDecoder *self, DynoConfig *config, gint64 patch_side);
/* Adds the inputs of a prompt, and the masks as outputs. @places: the features of a picture, [batch,
 * positions, width]. @fine (nullable): its features at four times and at twice the resolution, [batch,
 * width / 8, height, width] and [batch, width / 4, height, width]. */
void dyno_sam_decoder_add (const DynoSamDecoder *self,
                           DynoGraph *graph,
                           const char *places,
                           const char *const *fine);

/* dyno-schedule */

/**
 * DynoSolver:
 * @DYNO_SOLVER_PLAIN: a step uses one answer of the model: DDIM, and Euler's method, which is the same in
 * other variables
 * @DYNO_SOLVER_LINEAR: a linear multistep method, PNDM of Liu et al. 2022 without Runge-Kutta steps: a step
 * uses up to four answers, and the second corrects the first
 * @DYNO_SOLVER_EXPONENTIAL: the multistep method of second order of DPM-Solver++, Lu et al. 2022
 * @DYNO_SOLVER_ANCESTRAL: Euler's method down to less noise than that of the next level, and new noise up
 * to it
 *
 * How a step follows from the model's predictions.
 */
typedef enum
{
  DYNO_SOLVER_PLAIN,
  DYNO_SOLVER_LINEAR,
  DYNO_SOLVER_EXPONENTIAL,
  DYNO_SOLVER_ANCESTRAL,
} DynoSolver;

/**
 * DynoSchedule:
 * @solver: how a step is computed
 * @n_levels: number of noise levels: those of training, and zero noise
 * @signal: (array length=n_levels): share of the signal in the latents at each level
 * @noise: (array length=n_levels): share of the noise in the latents at each level
 * @spacing: the levels of steps
 * @is_between: whether levels are between those of training
 * @has_karras: whether they then are at the distances of Karras et al. 2022, else at equal ones
 * @rounds_time: whether the model then gets the nearest level of training
 * @has_velocity: whether the model predicts the velocity, Salimans and Ho 2022, instead of the noise
 *
 * The noise schedule of a diffusion model, from zero noise on.
 */
typedef struct
{
  DynoSolver solver;
  gint64 n_levels;
  float *signal;
  float *noise;
  DynoSpacing spacing;
  gboolean is_between;
  gboolean has_karras;
  gboolean rounds_time;
  gboolean has_velocity;
} DynoSchedule;

/* The input with one row per step: the level that the model gets, and the level at which the step ends;
 * for DPM-Solver++ also that of the step before, or 0; for PNDM also the level at which the step starts,
 * and its index among the first steps, at most DYNO_INPUTS_LAST_KIND. */
#define DYNO_SCHEDULE_INPUT "noise_levels"

/* Used instead if levels are between those of training: the index of the step, from 0, the number of steps,
 * and the levels of the first and of the last. */
#define DYNO_SCHEDULE_STEPS "denoising_steps"

/* The new noise of each step of a stochastic solver. */
#define DYNO_SCHEDULE_NOISE "step_noise"

/* Returns its noise levels. @config: a config of a scheduler of Diffusers, which fails if it is invalid. */
DynoSchedule *dyno_schedule_new (DynoConfig *config);
void dyno_schedule_free (DynoSchedule *self);

/* Returns the timestep at which the model is asked, [1], between two of training a fraction. @levels: the
 * row of the step, [1, columns]. */
const char *dyno_schedule_add_time (const DynoSchedule *self, DynoGraph *graph, const char *levels);
/* Returns the input DYNO_SCHEDULE_INPUT or DYNO_SCHEDULE_STEPS. */
const char *dyno_schedule_add_levels (const DynoSchedule *self, DynoGraph *graph, const char *n_steps);
/* Adds a step, in single precision in any graph: that of DDIM, Song et al. 2020, after a multistep method
 * has combined the answer with earlier ones, or a stochastic step with the noise. These are further inputs
 * and outputs. Returns the denoised latents. @levels: the row of the step, [1, columns]. @sample: latents,
 * [batch, channels, height, width]. */
const char *dyno_schedule_add_step (const DynoSchedule *self,
                                    DynoGraph *graph,
                                    const char *levels,
                                    const char *sample,
                                    const char *answer,
                                    const char *dimensions);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoSchedule, dyno_schedule_free)

/* dyno-seq2seq */

/* Mask of cross-attention. */
#define DYNO_SEQ2SEQ_MASK            "cross_mask"
#define DYNO_SEQ2SEQ_MASK_DIMENSIONS "batch, 1, 1, sequence"

/**
 * DynoSeq2seqPositions:
 * @DYNO_SEQ2SEQ_RELATIVE: a bias of the scores, its table in the first layer
 * @DYNO_SEQ2SEQ_TABLE: added to the embeddings
 * @DYNO_SEQ2SEQ_SINES: added to the embeddings, but not trained
 * @DYNO_SEQ2SEQ_ROTARY: queries and keys of the stacks are turned
 *
 * How a model encodes positions.
 */
typedef enum
{
  DYNO_SEQ2SEQ_RELATIVE,
  DYNO_SEQ2SEQ_TABLE,
  DYNO_SEQ2SEQ_SINES,
  DYNO_SEQ2SEQ_ROTARY,
} DynoSeq2seqPositions;

/**
 * DynoSeq2seq:
 * @encoder: the encoder
 * @decoder: the decoder
 * @shared: the token embedding
 * @head: the output projection, if it is not @shared transposed
 * @vocabulary: size of the vocabulary
 * @n_positions: maximum length of a text or answer
 * @offset: rows before that of the first position
 * @n_buckets: rows of the table of distances
 * @max_distance: distances from here on share a row
 * @positions: kind of positions
 * @has_fixed_sines: whether the sines are no weight, and the last one has exactly the longest wave
 * @is_tied: whether @shared is also the head
 * @has_logits_bias: whether a bias is added to the logits
 * @has_embedding_norm: whether a norm follows the embeddings
 * @scales_outputs: whether the input of a tied head is divided by √width
 * @embedding_scale: factor of embeddings
 *
 * An encoder-decoder model: an encoder of text or anything else, and a decoder that generates text.
 */
typedef struct
{
  DynoStack encoder;
  DynoStack decoder;
  const char *shared;
  const char *head;
  gint64 vocabulary;
  gint64 n_positions;
  gint64 offset;
  gint64 n_buckets;
  gint64 max_distance;
  DynoSeq2seqPositions positions;
  gboolean has_fixed_sines;
  gboolean is_tied;
  gboolean has_logits_bias;
  gboolean has_embedding_norm;
  gboolean scales_outputs;
  double embedding_scale;
} DynoSeq2seq;

/* Returns the model; one with an untied head does not scale its input. @config: a config of T5, Raffel et
 * al. 2020, or of its gated versions. */
DynoSeq2seq dyno_seq2seq_read_t5 (DynoConfig *config);
/* Positions begin at row 2 of their table. Returns the model. @config: a config of BART, Lewis et al.
 * 2019. */
DynoSeq2seq dyno_seq2seq_read_bart (DynoConfig *config);
/* Returns the stack, post-norm. @prefix: prefix of its members, `encoder` or `decoder`. */
DynoStack dyno_seq2seq_read_stack (DynoConfig *config, const char *scope, const char *prefix);
/* Returns the same from the members `hidden_size`, `num_hidden_layers` and so on. */
DynoStack dyno_seq2seq_read_plain_stack (DynoConfig *config, const char *scope);
/* Returns their rotations. */
DynoRotation dyno_seq2seq_rotate (const DynoStack *stack, DynoGraph *graph, const char *places);
/* Moves its norms before attention and feed-forward layers, and adds a final norm. */
void dyno_seq2seq_set_pre_norm (DynoStack *self);
void dyno_seq2seq_check (const DynoSeq2seq *self, DynoConfig *config);
/* Adds the outputs of the encoder: @states, and the keys and values of cross-attention, which are the same
 * for every token. @states: the output of the encoder, [batch, tokens, width]. @source: number of tokens,
 * a size or the name of a dimension. */
void
dyno_seq2seq_add_states (const DynoSeq2seq *self, DynoGraph *graph, const char *states, const char *source);
/* Returns their embeddings without positions, [batch, tokens, width]. @ids: tokens, [batch, tokens]. */
const char *
dyno_seq2seq_embed (const DynoSeq2seq *self, DynoGraph *graph, const DynoStack *stack, const char *ids);
/* Returns the input of the tokens, `input_ids`, [batch, sequence]. */
const char *dyno_seq2seq_add_tokens (const DynoSeq2seq *self, DynoGraph *graph);
/* Adds the stage that reads the text once for all tokens of the answer. @scope (nullable): the scope of its
 * weights in that of another model. @ids (nullable): the tokens, [batch, sequence]. @value (nullable):
 * replaces their embeddings, [batch, sequence, width]. */
void dyno_seq2seq_add_encoder (
    const DynoSeq2seq *self, DynoGraph *graph, const char *scope, const char *ids, const char *value);
/* Adds the encoder as a part of another model. Returns [batch, sequence, width]. @ids: its tokens, [batch,
 * sequence]. @tokens: 1 for a token and 0 for padding, [batch, sequence]; NULL if padding is read as well. */
const char *
dyno_seq2seq_add_part (const DynoSeq2seq *self, DynoGraph *graph, const char *ids, const char *tokens);
/* Adds the encoder of a model without a decoder. @graph: an empty graph. */
void dyno_seq2seq_add_encoder_alone (const DynoSeq2seq *self, DynoGraph *graph);
/* Adds a model that classifies a text: both encoder and decoder read the whole of it. @self: a model whose
 * source is a text, with positions in a table. @graph: an empty graph. */
void
dyno_seq2seq_add_classifier (const DynoSeq2seq *self, DynoGraph *graph, gint64 start, const DynoHead *head);
/* Adds the decoder stage: for a whole given answer, or for one more token after those in the cache.
 * @graph: an empty graph. @source: as for dyno_seq2seq_add_states(). @has_mask: whether the output of the
 * encoder may contain padding. */
void
dyno_seq2seq_add_decoder (const DynoSeq2seq *self, DynoGraph *graph, const char *source, gboolean has_mask);

/* dyno-speech-builder */

/* Whisper, Radford et al. 2022: two convolutions read a spectrogram of thirty seconds, the input
 * `input_features`, and halve its length. Returns the input of the encoder, [batch, positions, width]. */
const char *
dyno_speech_add_spectrogram (const DynoStack *encoder, DynoGraph *graph, gint64 n_mels, gint64 n_positions);
/* Adds the stage that makes the spectrogram of sound. @audio: the config of the encoder, which may be all of @config. */
void dyno_speech_add_features (DynoGraph *graph, DynoConfig *config, DynoConfig *audio);

/* dyno-stack-cache */

/* The length of the answer: a generation begins with one token, whatever the prompt is. */
#define DYNO_STACK_ANSWER "decoder_sequence"

/**
 * DynoStackCache:
 * @past: (element-type utf8): keys and values of earlier tokens, two for each layer
 * @present: (element-type utf8): the same including this step, for the layers added so far
 * @cross: (element-type utf8): keys and values of the encoder's output
 *
 * The values that a decoder need not compute again for each token, [batch, heads, tokens, width].
 */
struct _DynoStackCache
{
  GPtrArray *past;
  GPtrArray *present;
  GPtrArray *cross;
};

/* Adds the keys and values of earlier tokens and of the encoder as inputs. Returns the cache. @source:
 * number of tokens of the encoder, a size or the name of a dimension. */
DynoStackCache *dyno_stack_cache_new (const DynoStack *stack, DynoGraph *graph, const char *source);
/* Returns the inputs of the keys and values of the encoder alone. The caller owns the list, not its
 * elements. */
GPtrArray *dyno_stack_cache_take_cross (const DynoStack *stack, DynoGraph *graph, const char *source);
void dyno_stack_cache_free (DynoStackCache *self);
/* Returns the keys or values of all tokens. @value: keys or, after them, values of the tokens of this step,
 * layer by layer. */
const char *dyno_stack_cache_join (DynoStackCache *self, DynoGraph *graph, const char *value);
/* Adds the outputs that the next token needs. */
void dyno_stack_cache_add_outputs (DynoStackCache *self, const DynoStack *stack, DynoGraph *graph);
/* Adds the outputs that all steps of the decoder need. @values: keys and values of its output for each
 * layer of the decoder. */
void
dyno_stack_cache_add_cross (const DynoStack *stack, DynoGraph *graph, GPtrArray *values, const char *source);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoStackCache, dyno_stack_cache_free)

/* dyno-state-space */

/**
 * DynoStateSpace:
 *
 * The sizes of Mamba, or of the layers of Mamba in another model.
 */
typedef struct
{
  gint64 vocabulary;
  gint64 width;
  gint64 inner_width;
  gint64 n_layers;
  gint64 state_width;
  gint64 kernel;
  gint64 step_rank; /* Mamba 1 only */
  gint64 n_heads;   /* Mamba 2 only, like the next two */
  gint64 head_width;
  gint64 n_groups;
  gboolean is_tied;
  gboolean has_bias;
  gboolean has_kernel_bias;
  double epsilon;
  double selected_epsilon; /* of the norms of Δ, B and C; 0: they are not normalised */
  double least_step;       /* the least Δ, 0 for no limit */
  const char *activation;
} DynoStateSpace;

/**
 * DynoStateSpaceLayers:
 * @model: the model
 * @graph: its graph
 * @kernels: (element-type utf8): the last inputs of the convolution of each layer
 * @states: (element-type utf8): the state of each layer
 * @layer: the layer that is being added
 *
 * The layers of a model with their cache.
 */
typedef struct
{
  const DynoStateSpace *model;
  DynoGraph *graph;
  GPtrArray *kernels;
  GPtrArray *states;
  guint layer;
} DynoStateSpaceLayers;

/* Returns the result of a layer of Mamba 2, [batch, sequence, width]. @value: [batch, sequence, width]. */
const char *dyno_state_space_add_mixer2 (DynoStateSpaceLayers *self, const char *name, const char *value);
/* Adds the outputs, including those that the next step needs. @logits: [batch, sequence, vocabulary]. */
void dyno_state_space_add_outputs (DynoStateSpaceLayers *self, const char *logits);

/* dyno-swin */

/**
 * DynoSwin:
 * @depths: (element-type gint64): number of layers of each stage
 * @heads: (element-type gint64): number of heads of each stage
 * @trained_windows: (nullable) (element-type gint64): of the second version, the window of each stage by which distances are
 *   scaled; 0 for the window itself, NULL for all
 * @width: width of the first stage
 * @image_sides: height and width of an image
 * @patch_side: height and width of a patch
 * @window: height and width of a window, in patches
 * @n_channels: channels of an image
 * @n_labels: number of classes
 * @has_input_bias: whether the projections of queries, keys and values have a bias
 * @is_joined: whether queries, keys and values have one projection
 * @is_second: whether it is the second version
 * @scope: scope of the model
 * @layers: scope of the stages, without their number
 * @inner_share: inner width of the feed-forward layers per width
 * @epsilon: epsilon of the norms
 * @activation: activation of the feed-forward layers
 *
 * Swin, Liu et al. 2021.
 */
typedef struct
{
  GArray *depths;
  GArray *heads;
  GArray *trained_windows;
  gint64 width;
  gint64 image_sides[2];
  gint64 patch_side;
  gint64 window;
  gint64 n_channels;
  gint64 n_labels;
  gboolean has_input_bias;
  gboolean is_joined;
  gboolean is_second;
  const char *scope;
  const char *layers;
  double inner_share;
  double epsilon;
  const char *activation;
} DynoSwin;

/* @config: the config that it was read from, which fails if it is invalid. */
void dyno_swin_check (const DynoSwin *self, DynoConfig *config);
/* Returns the output of the last stage, [batch, places, width]. @items: any value with the size of the batch in front.
 * @value: the embeddings of patches, [batch, patches, width]. */
const char *dyno_swin_add (const DynoSwin *self, DynoGraph *graph, const char *items, const char *value);

/* Swin in other models, and with other names. */

/* Returns the number of its tokens. */
gint64 dyno_swin_count_tokens (DynoConfig *config);
/* Adds it with its input of pictures, as `encoder`. Returns the states of all tokens, [batch, tokens,
 * width]; NULL if the config is invalid. @config: the config of Donut's Swin, which has no norm after its
 * last layer. */
const char *dyno_swin_add_encoder (DynoGraph *graph, DynoConfig *config);
/* Adds a Swin whose queries, keys and values are one weight. @graph: an empty graph. */
void dyno_swin_build_joined (DynoGraph *graph, DynoConfig *config);

/* dyno-time-convolution */

/**
 * DynoTimeConvolution:
 * @channels: number of output channels
 * @kernel: length of the window
 * @stride: its stride
 * @groups: into how many groups the channels are divided
 * @padding: zeros before and after
 * @has_bias: whether a bias is added
 *
 * A convolution over time, of values that are [batch, channels, time].
 */
typedef struct
{
  gint64 channels;
  gint64 kernel;
  gint64 stride;
  gint64 groups;
  gint64 padding[2];
  gboolean has_bias;
} DynoTimeConvolution;

/* Returns the value. @value: [batch, channels, time]. @weight: its weight; a bias is the weight `bias`. */
const char *dyno_time_convolution_apply (const DynoTimeConvolution *self,
                                         DynoGraph *graph,
                                         const char *value,
                                         const char *weight);
/* Returns the value. @value: [batch, channels, time]. */
const char *dyno_time_convolution_add (const DynoTimeConvolution *self,
                                       DynoGraph *graph,
                                       const char *name,
                                       const char *value);
/* Returns the other of both. @value: [batch, channels, time], or as tokens, [batch, time, channels]. */
const char *dyno_time_convolution_swap (DynoGraph *graph, const char *value);
/* Training replaces some positions by a learned mask embedding, which is in checkpoints but not used
 * otherwise. */
void dyno_time_convolution_add_mask (DynoGraph *graph, DynoConfig *config, gint64 width);

/* dyno-unet */

/**
 * DynoUnet:
 *
 * The network that denoises latents step by step, conditioned on a text: Ronneberger et al. 2015, Rombach et al. 2022.
 */
typedef struct _DynoUnet DynoUnet;

/**
 * DynoUnetInputs:
 * @sample: latents, [batch, channels, height, width]
 * @timestep: timesteps, [batch]
 * @states: the output of a text encoder, [batch, tokens, width]
 * @text: (nullable): its pooled output, [batch, width]
 * @time_ids: (nullable): the size and crop of the image, [batch, 6]
 * @condition: (nullable): the embedded guidance scale, [batch, width]
 *
 * Its inputs. Inputs that a model does not have are NULL: see dyno_unet_get_text_width() and so on.
 */
typedef struct
{
  const char *sample;
  const char *timestep;
  const char *states;
  const char *text;
  const char *time_ids;
  const char *condition;
} DynoUnetInputs;

/* Height and width before cropping, the corner of the crop, and the target size: Podell et al. 2023. */
#define DYNO_UNET_N_TIME_IDS 6

/* One more than the largest height and width of an image. */
#define DYNO_UNET_MAX_PIXELS 1025

/* Returns the network. @config: a config of a `UNet2DConditionModel`, which fails if it is invalid. */
DynoUnet *dyno_unet_new (DynoConfig *config);
void dyno_unet_free (DynoUnet *self);

gint64 dyno_unet_get_n_channels (const DynoUnet *self);
gint64 dyno_unet_get_n_results (const DynoUnet *self);
/* Returns height and width of the latents in training. */
gint64 dyno_unet_get_side (const DynoUnet *self);
gint64 dyno_unet_get_states_width (const DynoUnet *self);
/* Returns width of the pooled text embedding, 0 if the model takes neither that nor the sizes of the
 * image. */
gint64 dyno_unet_get_text_width (const DynoUnet *self);
gint64 dyno_unet_get_condition_width (const DynoUnet *self);
/* Returns the noise in the latents, or the other value it was trained to predict, in the shape of the
 * latents. */
const char *dyno_unet_add (const DynoUnet *self, DynoGraph *graph, const DynoUnetInputs *inputs);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (DynoUnet, dyno_unet_free)

/* dyno-vit */

/* Returns the layers, without the width of the feed-forward layers and the names. */
DynoTower dyno_vit_read_tower (DynoConfig *config, double epsilon);
/* Returns the number of its tokens. */
gint64 dyno_vit_count_tokens (DynoConfig *config);
/* Adds it with its input of pictures, in the current scope. Returns patches per side of a picture, 0 if the
 * config is invalid. @config: the config of a DINOv2 that is a part of another model. @layers: the number
 * of layers before each of the states, rising; the last is all layers. @states: the states of all tokens,
 * normalised, [batch, tokens, width]. */
gint64 dyno_vit_add_backbone (
    DynoGraph *graph, DynoConfig *config, guint n_states, const gint64 *layers, const char **states);
/* Adds a ViT whose queries, keys and values are one weight, and that has no layer after the class token
 * but a classifier. @graph: an empty graph. @is_scaled: whether the results of attention and of the
 * feed-forward layers have learned scales. */
void dyno_vit_build_joined (DynoGraph *graph, DynoConfig *config, gboolean is_scaled);
/* Adds it with its input of pictures, as `encoder`. Returns the states of all tokens, [batch, tokens,
 * width]; NULL if the config is invalid. @config: the config of a ViT or DeiT that is a part of another
 * model. */
const char *dyno_vit_add_encoder (DynoGraph *graph, DynoConfig *config);

/* dyno-windows */

/* Attention within windows of a square picture. */

/* Pads windows at the edge with zeros. Returns [batch × windows, positions of a window, width].
 * @value: [batch, positions, width]. */
const char *dyno_windows_cut (DynoGraph *graph, const char *value, gint64 side, gint64 window);
/* Returns [batch, positions, width], without the padding of the windows. @value: [batch × windows,
 * positions of a window, width]. */
const char *dyno_windows_join (DynoGraph *graph, const char *value, gint64 side, gint64 window);

G_END_DECLS

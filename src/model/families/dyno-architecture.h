/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "dyno-checkpoint.h"
#include "dyno-config.h"
#include "dyno-family.h"
#include "dyno-graph.h"

G_BEGIN_DECLS

/* The prefix of a name that replaces a model type, for configs of timm, whose “architecture” begins with
 * the name. */
#define DYNO_ARCHITECTURE_TIMM "timm-"

/* The modality of models that take sound itself in place of its features. */
#define DYNO_ARCHITECTURE_WAVEFORM "waveform"

/* The samples per second of most models of speech. */
#define DYNO_SPEECH_RATE 16000

/**
 * DynoStage:
 * @name: a stable word in lower case, such as `encoder`
 * @build: adds inputs, layers and outputs to an empty graph
 * @is_for_prompt: in a model that generates tokens, whether it runs once for the prompt and not for each token
 * @repeats: (nullable): a free dimension of inputs; the stage runs once for each index in it, and its outputs
 *   `next_NAME` are the inputs `NAME` of the next iteration
 *
 * One graph of a model of several. An output of an earlier stage feeds the input of the same name.
 */
typedef struct
{
  const char *name;
  void (*build) (DynoGraph *graph, DynoConfig *config);
  gboolean is_for_prompt;
  const char *repeats;
} DynoStage;

/**
 * DynoModality:
 * @name: a stable word in lower case, such as `image`
 * @stages: the graphs that a step with this kind of input runs, terminated by one without a name
 *
 * The part of a model of several graphs that works on one kind of input alone.
 */
typedef struct
{
  const char *name;
  const DynoStage *stages;
} DynoModality;

/**
 * DynoArchitecture:
 * @model_type: the `model_type` of a Hugging Face config, or the `_class_name` of one of Diffusers
 * @family: the family it belongs to
 * @task: its usual task, as named by Hugging Face
 * @build: (nullable): adds inputs, layers and outputs to an empty graph; NULL if there are @stages
 * @naming: (nullable): how published files name the weights, if different from @build
 * @stages: (nullable): the graphs of a model of several, in the order in which they run, terminated by one
 * without a name
 * @text_type: (nullable): the `model_type` of its `text_config`, if models with different ones have
 * different stages; before the entry for all others
 * @class_name: (nullable): the end of the first of its `architectures`, if a class has a graph of its own;
 * before the entry for all others
 * @modalities: (nullable): its parts for one kind of input each, terminated by one without a name
 * @build_features: (nullable): adds a graph that makes what the model hears of sound, the stage in front of the others of
 * its modality DYNO_ARCHITECTURE_WAVEFORM
 * @sound_rate: the usual samples of sound per second; 0 without @build_features
 * @takes_images: whether a text may have any number of images: its stages follow dyno_graph_get_pictures(), and its
 * modality `text` is that without any
 *
 * Turns a config into a graph. A family is a file `dyno-<family>-builder.c` with its DynoFamily
 * and a list of these, and one line in dyno-architecture.c.
 */
typedef struct
{
  const char *model_type;
  const DynoFamily *family;
  const char *task;
  void (*build) (DynoGraph *graph, DynoConfig *config);
  const DynoNaming *naming;
  const DynoStage *stages;
  const char *text_type;
  const char *class_name;
  const DynoModality *modalities;
  void (*build_features) (DynoGraph *graph, DynoConfig *config);
  gint64 sound_rate;
  gboolean takes_images;
} DynoArchitecture;

extern const DynoFamily dyno_encoder_family;
extern const DynoFamily dyno_multimodal_family;
extern const DynoFamily dyno_state_space_family;
extern const DynoFamily dyno_speech_family;
extern const DynoFamily dyno_vision_family;
extern const DynoFamily dyno_vision_text_family;

extern const DynoArchitecture dyno_beit_architectures[];
extern const DynoArchitecture dyno_blip2_architectures[];
extern const DynoArchitecture dyno_clap_architectures[];
extern const DynoArchitecture dyno_clip_architectures[];
extern const DynoArchitecture dyno_conformer_architectures[];
extern const DynoArchitecture dyno_convnext_architectures[];
extern const DynoArchitecture dyno_convolution_architectures[];
extern const DynoArchitecture dyno_decoder_architectures[];
extern const DynoArchitecture dyno_depth_architectures[];
extern const DynoArchitecture dyno_detr_architectures[];
extern const DynoArchitecture dyno_diffusion_architectures[];
extern const DynoArchitecture dyno_efficientnet_architectures[];
extern const DynoArchitecture dyno_encoder_architectures[];
extern const DynoArchitecture dyno_esm_architectures[];
extern const DynoArchitecture dyno_florence_architectures[];
extern const DynoArchitecture dyno_gemma3_architectures[];
extern const DynoArchitecture dyno_idefics_architectures[];
extern const DynoArchitecture dyno_qwen_vl_architectures[];
extern const DynoArchitecture dyno_rwkv_architectures[];
extern const DynoArchitecture dyno_zamba_architectures[];
extern const DynoArchitecture dyno_imagebind_architectures[];
extern const DynoArchitecture dyno_layout_architectures[];
extern const DynoArchitecture dyno_listener_architectures[];
extern const DynoArchitecture dyno_llava_architectures[];
extern const DynoArchitecture dyno_mobilevit_architectures[];
extern const DynoArchitecture dyno_modernbert_architectures[];
extern const DynoArchitecture dyno_moonshine_architectures[];
extern const DynoArchitecture dyno_reader_architectures[];
extern const DynoArchitecture dyno_rt_detr_architectures[];
extern const DynoArchitecture dyno_sam2_architectures[];
extern const DynoArchitecture dyno_sam_architectures[];
extern const DynoArchitecture dyno_retrieval_architectures[];
extern const DynoArchitecture dyno_segformer_architectures[];
extern const DynoArchitecture dyno_seq2seq_architectures[];
extern const DynoArchitecture dyno_spectrogram_architectures[];
extern const DynoArchitecture dyno_speech_architectures[];
extern const DynoArchitecture dyno_swin_architectures[];
extern const DynoArchitecture dyno_state_space_architectures[];
extern const DynoArchitecture dyno_timm_architectures[];
extern const DynoArchitecture dyno_vit_architectures[];
extern const DynoArchitecture dyno_yolos_architectures[];

/* Returns one of each model type that Dyno can build. Elements are DynoArchitecture. The caller owns the
 * list, not its elements. */
GPtrArray *dyno_architecture_list (void);
/* Returns the architecture that its `model_type` names; without one, its `_class_name` or `architecture`.
 * Fails with DYNO_ERROR_UNSUPPORTED, which suggests an alternative. */
const DynoArchitecture *dyno_architecture_find (DynoConfig *config, GError **error);
/* Returns the usual task of such a model, NULL if unknown. @model_type (nullable): the `model_type` of a
 * Hugging Face config. */
const char *dyno_architecture_get_task (const char *model_type);
/* Returns the family of such a model, NULL if unknown. @model_type (nullable): the `model_type` of a
 * Hugging Face config. */
const DynoFamily *dyno_architecture_get_family (const char *model_type);
/* Returns the task of its class, or the usual one. */
const char *dyno_architecture_find_task (const DynoArchitecture *self, DynoConfig *config);
/* Returns the architecture of that part, which lives as long as the process, or @self for all of its modalities. Fails with
 * DYNO_ERROR_UNSUPPORTED naming the parts there are. @self may be NULL. @modality: the name of one, or several with “+”
 * between them. @model: its name, for the error. */
const DynoArchitecture *dyno_architecture_find_modality (const DynoArchitecture *self,
                                                         const char *modality,
                                                         const char *model,
                                                         GError **error);
/* Returns the complete graph, or that of each stage; for a repeated stage, one iteration. Elements are
 * DynoGraph. @binding may be NULL. @of_stages (nullable): precisions by the names of their stages, where they differ; an
 * input that another stage gives in another type is cast. @n_pictures: how many pictures each item has, if any. @is_outline: whether the graphs are only counted, as
 * dyno_graph_set_outline() says. */
GPtrArray *dyno_architecture_build (const DynoArchitecture *self,
                                    DynoConfig *config,
                                    DynoBinding *binding,
                                    const char *precision,
                                    GHashTable *of_stages,
                                    gboolean is_fused,
                                    guint n_pictures,
                                    gboolean is_outline,
                                    GError **error);
/* Returns how often the graph runs per step. */
gint64 dyno_architecture_count_times (const DynoArchitecture *self, guint stage, DynoBinding *binding);

G_END_DECLS

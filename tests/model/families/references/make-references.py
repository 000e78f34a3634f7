#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs tiny models of each architecture with PyTorch and transformers, and writes what they take and give.

    python3 make-references.py [NAME…]

No test runs this: it needs `pip install torch transformers diffusers timm`, and what it writes is committed. test-references.c builds
the same models with Dyno, gives them the same weights, and compares the outputs, so this is the independent
implementation that Dyno's builders must agree with.

To add an architecture, add an entry to CASES and run the script with its name:
- the class of transformers that computes what Dyno's builder computes (a tuple of a module and a name for others),
- a config with the names that published config.json files have, as tiny as it can be and still show everything (several
  layers, several heads, odd sizes, a window shorter than the sequence; sizes that differ from each other),
- the inputs, by the names that Dyno's graph has for them, made by the functions below; what the class does not take, such
  as position_ids of most models, is given to Dyno alone,
- of a class of Diffusers, `_class_name` in the config and the function that runs it,
- where a text has a picture in it, `prompt`: of how many tokens the part is with which decoding begins,
- where the tokens of a prompt attend to later ones, `by_steps`: the outputs are those of the prompt and the steps after it,
- what the class takes and Dyno's graph finds by itself, such as which tokens are those of a picture, `hidden`,
- where the class takes them in another shape, `given`: a function that changes them,
- where it matters, `attention`: which of transformers' ways to compute it counts (Falcon's eager one adds ALiBi twice).
The outputs are those of the class whose names Dyno's graph has too; `outputs` names others. A model with a cache is also
decoded token by token by the test; nothing is to be added for that. Keep a file below some kilobytes.

Weights follow from the names and shapes in the file that transformers saves, so they are the published ones.
"""

import json
import math
import pathlib
import sys
import tempfile

import numpy
import safetensors.numpy
import torch
import transformers

MASK = (1 << 64) - 1
NOISE = 1.7
COMPUTED = ("num_batches_tracked", "inv_freq", "slope_rate", "query_decay", "key_decay", "diagonal_decay",
            "relative_position_index", "position_ids", "token_type_ids")  # what files hold although it follows from the config
HERE = pathlib.Path(__file__).parent


def mix(counter):
    """SplitMix64's finaliser over a Weyl sequence, as dyno_weights_mix()."""
    bits = counter * numpy.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
    return bits ^ (bits >> numpy.uint64(31))


def draw(name, n):
    """Numbers from -1 to 1 that follow from a name: FNV-1a of it is where the counters begin."""
    key = 0xCBF29CE484222325
    for byte in name.encode():
        key = (key ^ byte) * 0x100000001B3 & MASK
    counters = (numpy.arange(n, dtype=numpy.uint64) + numpy.uint64(key))
    return (mix(counters) >> numpy.uint64(11)).astype(numpy.float64) / (1 << 52) - 1


def make_weight(name, shape):
    """Matrices keep the size of what flows through them; biases are small, scales near 1. The test has the same rule."""
    n = math.prod(shape)
    values = draw(name, n)
    if len(shape) >= 2:
        values = values * math.sqrt(3 * shape[0] / n)
    elif name.endswith(("bias", "beta", "mean")):
        values = values * 0.1
    else:
        values = 1 + values * 0.1
    return values.astype(numpy.float32).reshape(shape)


def tokens(name, shape, limit):
    return ((draw(name, math.prod(shape)) + 1) / 2 * limit).astype(numpy.int64).reshape(shape)


def noise(name, shape):
    """Follows from the name as well, and so is not written into the file."""
    return (draw(name, math.prod(shape)) * NOISE).astype(numpy.float32).reshape(shape)


def padded(shape):
    """A mask in which the last tokens of the second item are none."""
    mask = numpy.ones(shape, dtype=numpy.int64)
    mask[1, -2:] = 0
    return mask


def with_last(ids, last):
    """Texts that end before their padding."""
    ids = numpy.where(ids == last, last + 1, ids)
    ids[0, -1] = ids[1, -3] = last
    return ids


def positions(shape):
    return numpy.broadcast_to(numpy.arange(shape[1], dtype=numpy.int64), shape).copy()


def text_inputs(vocabulary, with_types=True, shape=(2, 6)):
    inputs = {"input_ids": tokens("input_ids", shape, vocabulary), "attention_mask": padded(shape)}
    if with_types:
        inputs["token_type_ids"] = tokens("token_type_ids", shape, 2)
    return inputs


def page_inputs():
    """A text with the boxes of its tokens on a page, and a picture of the page."""
    boxes = numpy.sort(tokens("bbox", (2, 6, 2, 2), 30), axis=2).reshape(2, 6, 4)
    return text_inputs(40) | {"bbox": boxes} | picture(12)


def answer_inputs(vocabulary):
    """A text with padding, and an answer of another length."""
    return text_inputs(vocabulary, with_types=False) | {
        "decoder_input_ids": tokens("decoder_input_ids", (2, 5), vocabulary)}


def decoder_inputs(vocabulary, shape=(2, 7)):
    return {"input_ids": tokens("input_ids", shape, vocabulary),
            "attention_mask": numpy.ones(shape, dtype=numpy.int64), "position_ids": positions(shape)}


def whole_inputs(vocabulary):
    """A text that a decoder reads at once; its padding is the token 0."""
    mask = padded((2, 7))
    return {"input_ids": (tokens("input_ids", (2, 7), vocabulary - 1) + 1) * mask, "attention_mask": mask,
            "position_ids": positions((2, 7))}


def of_class(name, model_type, config):
    return config | {"model_type": model_type, "architectures": [name], "id2label": VIT["id2label"]}


def picture(side, channels=3):
    return {"pixel_values": noise("pixel_values", (2, channels, side, side))}


def samples(n):
    return {"input_values": noise("input_values", (2, n))}


def with_pictures(inputs):
    """Of some classes each text may have several pictures."""
    return inputs | {"pixel_values": inputs["pixel_values"][:, None]}


def with_patches(side, square, n_frames=2):
    """Qwen-VL takes the patches of all pictures in the order of squares, twice for the two frames, and finds positions."""
    def give(inputs):
        pixels = inputs["pixel_values"]
        n, channels, height, _ = pixels.shape
        rows = height // side // square
        patches = pixels.reshape(n, channels, rows, square, side, rows, square, side).permute(0, 2, 5, 3, 6, 1, 4, 7)
        patches = patches[:, :, :, :, :, :, None].expand(*patches.shape[:6], n_frames, side, side)
        return {"input_ids": inputs["input_ids"], "attention_mask": inputs["attention_mask"],
                "pixel_values": patches.reshape(n * (rows * square) ** 2, -1),
                "image_grid_thw": torch.tensor([[1, rows * square, rows * square]] * n),
                "mm_token_type_ids": (inputs["input_ids"] == 39).int()}
    return give


def seeing_inputs(token, n, side=12):
    """A text that begins with the places of a picture's tokens."""
    inputs = decoder_inputs(token, (2, n + 4)) | picture(side)
    inputs["input_ids"][:, :n] = token
    return inputs


def listening_inputs(token, n):
    """A text that begins with the places of the tokens of a spectrogram."""
    inputs = decoder_inputs(token, (2, n + 4)) | {"input_features": noise("input_features", (2, 6, 16))}
    inputs["input_ids"][:, :n] = token
    return inputs


def with_whole_sound(inputs):
    """Nothing of the spectrogram is padding."""
    return inputs | {"feature_attention_mask": torch.ones(inputs["input_features"][:, 0].shape, dtype=torch.int64)}


def seeing_answer_inputs(token, n, side):
    """The same where an encoder reads the text, and an answer to it."""
    inputs = answer_inputs(token) | picture(side)
    places = numpy.full((2, n), token)
    inputs["input_ids"] = numpy.concatenate([places, inputs["input_ids"]], axis=1)
    inputs["attention_mask"] = numpy.concatenate([numpy.ones_like(places), inputs["attention_mask"]], axis=1)
    return inputs


def wide_picture():
    """With places so near to its edge that RT-DETR leaves them out."""
    return {"pixel_values": noise("pixel_values", (2, 3, 64, 416))}
def with_text_before(inputs):
    """A picture that does not begin the text."""
    return inputs | {"input_ids": numpy.roll(inputs["input_ids"], 1, axis=1)}


BERT = {"vocab_size": 40, "hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 3, "intermediate_size": 36,
        "max_position_embeddings": 12, "type_vocab_size": 2}
LLAMA = {"vocab_size": 40, "hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 4,
         "num_key_value_heads": 2, "intermediate_size": 36, "max_position_embeddings": 16, "rms_norm_eps": 1e-5}
QWEN_VL = LLAMA | {"num_hidden_layers": 3, "hidden_size": 24, "num_attention_heads": 2, "num_key_value_heads": 1,
                   "max_position_embeddings": 32, "rope_theta": 100.0,
                   "rope_scaling": {"type": "mrope", "mrope_section": [1, 3, 2]}}
COHERE = {key: value for key, value in LLAMA.items() if key != "rms_norm_eps"} | {"logit_scale": 0.25}
DEEPSEEK = LLAMA | {
    "num_hidden_layers": 2, "num_key_value_heads": 4, "n_routed_experts": 6, "num_experts_per_tok": 2,
    "moe_intermediate_size": 20, "n_shared_experts": 2, "first_k_dense_replace": 1, "n_group": 3, "topk_group": 2,
    "routed_scaling_factor": 1.5, "pad_token_id": 0, "num_nextn_predict_layers": 0}
LATENT = {"kv_lora_rank": 16, "q_lora_rank": None, "qk_nope_head_dim": 6, "qk_rope_head_dim": 4, "v_head_dim": 8}
STABLELM = {key: value for key, value in LLAMA.items() if key != "rms_norm_eps"} | {
    "hidden_size": 32, "partial_rotary_factor": 0.25}
GPT = {"vocab_size": 40, "hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 4,
       "max_position_embeddings": 16}
GEMMA = LLAMA | {"num_hidden_layers": 3, "head_dim": 8, "sliding_window": 4, "query_pre_attn_scalar": 12,
                 "hidden_activation": "gelu_pytorch_tanh"}
GEMMA4 = GEMMA | {"global_head_dim": 16, "rope_parameters": {
    "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0},
    "full_attention": {"rope_type": "proportional", "partial_rotary_factor": 0.25, "rope_theta": 1000.0}}}
T5_GEMMA = GEMMA | {"model_type": "t5_gemma_module", "sliding_window": 3, "attn_logit_softcapping": 2.0,
                    "final_logit_softcapping": 3.0, "pad_token_id": 0}
ZAMBA = LLAMA | {"num_hidden_layers": 5, "num_key_value_heads": 4, "n_mamba_heads": 6, "mamba_d_state": 5, "mamba_d_conv": 3,
                 "mamba_ngroups": 2, "num_mem_blocks": 2, "adapter_rank": 3, "chunk_size": 4, "rms_norm_eps": 1e-4,
                 "intermediate_size": 20}
EXPERTS = LLAMA | {"num_experts": 5, "num_experts_per_tok": 2}
DELTA = {"head_dim": 8, "linear_conv_kernel_dim": 3, "linear_key_head_dim": 6, "linear_value_head_dim": 5,
         "linear_num_key_heads": 2, "linear_num_value_heads": 4, "pad_token_id": 0}
VIT = {"hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 3, "intermediate_size": 36, "image_size": 12,
       "patch_size": 4, "id2label": {"0": "a", "1": "b", "2": "c"}}

DISTILBERT = {"vocab_size": 40, "dim": 24, "n_layers": 2, "n_heads": 3, "hidden_dim": 36, "max_position_embeddings": 12}
MODERNBERT = {"vocab_size": 40, "hidden_size": 24, "num_hidden_layers": 4, "num_attention_heads": 3,
              "intermediate_size": 36, "max_position_embeddings": 12, "global_attn_every_n_layers": 3,
              "local_attention": 4, "global_rope_theta": 500.0, "local_rope_theta": 50.0, "pad_token_id": 0}
DINOV2 = {"hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 3, "mlp_ratio": 2, "image_size": 12,
          "patch_size": 4}
DEPTH = {"backbone_config": DINOV2 | {
    "model_type": "dinov2", "num_hidden_layers": 4, "image_size": 20, "out_indices": [1, 2, 3, 4],
    "reshape_hidden_states": False}, "patch_size": 4, "reassemble_hidden_size": 24, "neck_hidden_sizes": [6, 8, 10, 12],
    "reassemble_factors": [4, 2, 1, 0.5], "fusion_hidden_size": 14, "head_hidden_size": 9}
SEGFORMER = {"num_encoder_blocks": 2, "depths": [2, 1], "hidden_sizes": [8, 12], "sr_ratios": [2, 1],
             "patch_sizes": [7, 3], "strides": [4, 2], "num_attention_heads": [1, 2], "mlp_ratios": [2, 3],
             "decoder_hidden_size": 10}
SWIN = {"image_size": 16, "patch_size": 2, "embed_dim": 8, "depths": [2, 2], "num_heads": [2, 4], "window_size": 4,
        "mlp_ratio": 2.0}
MPNET = {key: value for key, value in BERT.items() if key != "type_vocab_size"}
DEBERTA = BERT | {"model_type": "deberta-v2", "type_vocab_size": 0, "relative_attention": True,
                  "max_relative_positions": -1, "layer_norm_eps": 1e-7}
T5 = {"vocab_size": 40, "d_model": 24, "d_kv": 10, "d_ff": 36, "num_layers": 2, "num_decoder_layers": 3, "num_heads": 3,
      "relative_attention_num_buckets": 8, "relative_attention_max_distance": 10}
BART = {"vocab_size": 40, "d_model": 24, "encoder_layers": 2, "decoder_layers": 1, "encoder_attention_heads": 3,
        "decoder_attention_heads": 2, "encoder_ffn_dim": 36, "decoder_ffn_dim": 28, "max_position_embeddings": 12,
        "pad_token_id": 1, "scale_embedding": True}
FLORENCE = {
    "image_token_id": 39,
    "vision_config": {"model_type": "florence_vision", "embed_dim": [8, 18], "depths": [1, 1], "num_heads": [2, 3],
                      "num_groups": [4, 2], "patch_size": [7, 3], "patch_stride": [4, 2], "patch_padding": [3, 1],
                      "patch_prenorm": [False, True], "window_size": 5, "mlp_ratio": 1.5, "projection_dim": 24,
                      "max_position_embeddings": 4, "max_temporal_embeddings": 3, "image_size": 24},
    "text_config": BART | {"model_type": "bart", "max_position_embeddings": 20, "tie_word_embeddings": True}}
RT_RESNET = {"model_type": "rt_detr_resnet", "embedding_size": 8, "hidden_sizes": [8, 16, 16, 24],
             "depths": [1, 2, 1, 1], "layer_type": "basic", "out_features": ["stage2", "stage3", "stage4"]}
RT_DETR = {"backbone_config": RT_RESNET, "encoder_in_channels": [16, 16, 24], "encoder_hidden_dim": 12, "d_model": 16,
           "encoder_attention_heads": 3, "decoder_attention_heads": 2, "encoder_ffn_dim": 20, "decoder_ffn_dim": 28,
           "decoder_layers": 2, "num_queries": 5, "decoder_in_channels": [12, 12, 12], "num_denoising": 3,
           "decoder_n_points": 2, "id2label": {"0": "a", "1": "b", "2": "c"}, "image_size": [64, 416]}
DETECTED = {"outputs": ["logits", "pred_boxes"]}
CLIP_TEXT = {"vocab_size": 40, "hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 3,
             "intermediate_size": 36, "max_position_embeddings": 12, "eos_token_id": 2, "bos_token_id": 1}
CLIP_VISION = {"hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 28,
               "image_size": 12, "patch_size": 4}
CLIP_OUTPUTS = {"outputs": ["logits_per_image", "text_embeds", "image_embeds"]}
WHISPER = {"vocab_size": 40, "num_mel_bins": 6, "d_model": 24, "encoder_layers": 2, "decoder_layers": 2,
           "encoder_attention_heads": 3, "decoder_attention_heads": 2, "encoder_ffn_dim": 36, "decoder_ffn_dim": 28,
           "max_source_positions": 8, "max_target_positions": 9, "pad_token_id": 0, "bos_token_id": 1,
           "eos_token_id": 1, "decoder_start_token_id": 2}
WAVE = {"hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 3, "intermediate_size": 36,
        "conv_dim": [8, 10, 12], "conv_kernel": [6, 3, 2], "conv_stride": [4, 2, 2], "num_feat_extract_layers": 3,
        "num_conv_pos_embeddings": 6, "num_conv_pos_embedding_groups": 4}
LAYOUT = BERT | {"max_2d_position_embeddings": 40, "coordinate_size": 4, "shape_size": 4, "input_size": 12,
                 "patch_size": 4, "rel_pos_bins": 8, "max_rel_pos": 6, "rel_2d_pos_bins": 10, "max_rel_2d_pos": 20,
                 "pad_token_id": 1}
ESM = {"vocab_size": 40, "hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 3, "intermediate_size": 36,
       "max_position_embeddings": 12, "pad_token_id": 1}
TROCR = {"model_type": "trocr", "vocab_size": 40, "d_model": 20, "decoder_layers": 2, "decoder_attention_heads": 2,
         "decoder_ffn_dim": 28, "max_position_embeddings": 9, "is_decoder": True, "add_cross_attention": True}
WAVE_STABLE = WAVE | {"feat_extract_norm": "layer", "conv_bias": True, "do_stable_layer_norm": True,
                      "num_conv_pos_embeddings": 5}
CONFORMER = {"hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 3, "intermediate_size": 36,
             "feature_projection_input_dim": 10, "conv_depthwise_kernel_size": 5, "left_max_position_embeddings": 4,
             "right_max_position_embeddings": 1}
MOONSHINE = {"vocab_size": 40, "hidden_size": 24, "intermediate_size": 36, "encoder_num_hidden_layers": 2,
             "decoder_num_hidden_layers": 2, "encoder_num_attention_heads": 3, "decoder_num_attention_heads": 3,
             "max_position_embeddings": 16, "partial_rotary_factor": 0.8, "rope_theta": 100.0, "bos_token_id": 1,
             "eos_token_id": 2, "pad_token_id": 0}
CLAP = {"projection_dim": 9, "text_config": BERT | {"type_vocab_size": 1, "pad_token_id": 1, "projection_dim": 9},
        "audio_config": {"spec_size": 16, "num_mel_bins": 4, "patch_size": 2, "patch_stride": [2, 2], "window_size": 4,
                         "patch_embeds_hidden_size": 8, "depths": [2, 1], "num_attention_heads": [2, 4],
                         "hidden_size": 16, "projection_dim": 9, "mlp_ratio": 2.0}}
USUAL_OUTPUTS = ["last_hidden_state", "pooler_output", "logits"]
BLIP_TEXT = GPT | {"ffn_dim": 36, "word_embed_proj_dim": 24}
SAM_WIDTHS = {"hidden_size": 16, "image_size": 12, "patch_size": 4}
SAM = {
    "vision_config": {"hidden_size": 24, "output_channels": 16, "num_hidden_layers": 3, "num_attention_heads": 3,
                      "image_size": 12, "patch_size": 4, "window_size": 2, "global_attn_indexes": [1],
                      "num_pos_feats": 8, "mlp_dim": 36},
    "prompt_encoder_config": SAM_WIDTHS | {"mask_input_channels": 8},
    "mask_decoder_config": {"hidden_size": 16, "mlp_dim": 28, "num_hidden_layers": 2, "num_attention_heads": 2,
                            "num_multimask_outputs": 2, "iou_head_depth": 4, "iou_head_hidden_dim": 12}}
SAM_OUTPUTS = {"outputs": ["iou_scores", "pred_masks"]}
SAM2_WIDTHS = {"hidden_size": 16, "image_size": 64, "patch_size": 16}
SAM2 = {
    "vision_config": {
        "model_type": "sam2_vision_model", "fpn_hidden_size": 16, "backbone_channel_list": [24, 16, 12, 8],
        "backbone_feature_sizes": [[16, 16], [8, 8], [4, 4]], "fpn_top_down_levels": [1, 2, 3],
        "backbone_config": {
            "model_type": "sam2_hiera_det_model", "hidden_size": 8, "image_size": [64, 64], "blocks_per_stage": [1, 2, 2, 1],
            "embed_dim_per_stage": [8, 12, 16, 24], "num_attention_heads_per_stage": [1, 2, 2, 3], "mlp_ratio": 1.5,
            "window_size_per_stage": [4, 2, 6, 3], "global_attention_blocks": [2],
            "window_positional_embedding_background_size": [3, 5]}},
    "prompt_encoder_config": SAM2_WIDTHS | {"mask_input_channels": 8},
    "mask_decoder_config": {"hidden_size": 16, "mlp_dim": 28, "num_attention_heads": 2, "num_multimask_outputs": 2,
                            "iou_head_depth": 4, "iou_head_hidden_dim": 12}}
SAM2_OUTPUTS = {"outputs": ["iou_scores", "pred_masks", "object_score_logits"]}
SEQ2SEQ = {"outputs": ["logits", "encoder_last_hidden_state"]}

UNET = {"_class_name": "UNet2DConditionModel", "in_channels": 3, "out_channels": 2, "block_out_channels": [8, 12, 16],
        "down_block_types": ["CrossAttnDownBlock2D", "CrossAttnDownBlock2D", "DownBlock2D"],
        "up_block_types": ["UpBlock2D", "CrossAttnUpBlock2D", "CrossAttnUpBlock2D"], "layers_per_block": 1,
        "norm_num_groups": 4, "attention_head_dim": 2, "cross_attention_dim": 10, "sample_size": 8}
UNET_XL = UNET | {
    "block_out_channels": [8, 12], "down_block_types": ["DownBlock2D", "CrossAttnDownBlock2D"],
    "up_block_types": ["CrossAttnUpBlock2D", "UpBlock2D"], "layers_per_block": [1, 2], "attention_head_dim": [2, 3],
    "transformer_layers_per_block": [1, 2], "use_linear_projection": True, "upcast_attention": True,
    "flip_sin_to_cos": False, "freq_shift": 1, "center_input_sample": True, "mid_block_type": None,
    "addition_embed_type": "text_time", "addition_time_embed_dim": 6, "projection_class_embeddings_input_dim": 43,
    "time_cond_proj_dim": 5}
VAE = {"_class_name": "AutoencoderKL", "block_out_channels": [8, 12, 16], "down_block_types": ["DownEncoderBlock2D"] * 3,
       "up_block_types": ["UpDecoderBlock2D"] * 3, "layers_per_block": 1, "norm_num_groups": 4, "sample_size": 16}
DIT = {"_class_name": "DiTTransformer2DModel", "num_attention_heads": 3, "attention_head_dim": 8, "num_layers": 2,
       "in_channels": 2, "out_channels": 4, "patch_size": 2, "sample_size": 8, "num_embeds_ada_norm": 6}


FLUX = {"_class_name": "FluxTransformer2DModel", "in_channels": 12, "num_layers": 2, "num_single_layers": 2,
        "attention_head_dim": 12, "num_attention_heads": 2, "joint_attention_dim": 10, "pooled_projection_dim": 7,
        "axes_dims_rope": [2, 4, 6]}
SD3 = {"_class_name": "SD3Transformer2DModel", "sample_size": 8, "in_channels": 3, "out_channels": 2, "num_layers": 2,
       "attention_head_dim": 6, "num_attention_heads": 4, "joint_attention_dim": 10, "caption_projection_dim": 24,
       "pooled_projection_dim": 7, "pos_embed_max_size": 7}


PIXART = {"_class_name": "PixArtTransformer2DModel", "num_attention_heads": 3, "attention_head_dim": 8, "num_layers": 2,
          "in_channels": 2, "out_channels": 4, "sample_size": 8, "cross_attention_dim": 24, "caption_channels": 10}


PIPELINE = {
    "_class_name": "StableDiffusionPipeline",
    "scheduler": {"beta_schedule": "scaled_linear", "beta_start": 0.00085, "beta_end": 0.012, "clip_sample": False,
                  "num_train_timesteps": 1000, "set_alpha_to_one": False, "timestep_spacing": "trailing"},
    "text_encoder": CLIP_TEXT | {"model_type": "clip_text_model"},
    "unet": UNET | {"in_channels": 4, "out_channels": 4, "cross_attention_dim": 24},
    "vae": VAE | {"scaling_factor": 0.5}}
PIPELINE_XL = {
    "_class_name": "StableDiffusionXLPipeline",
    "scheduler": PIPELINE["scheduler"] | {"_class_name": "EulerDiscreteScheduler"},
    "text_encoder": CLIP_TEXT | {"model_type": "clip_text_model"},
    "text_encoder_2": CLIP_TEXT | {
        "model_type": "clip_text_model", "architectures": ["CLIPTextModelWithProjection"], "hidden_size": 16,
        "num_attention_heads": 2, "num_hidden_layers": 3, "projection_dim": 7, "hidden_act": "gelu"},
    "unet": UNET_XL | {"in_channels": 4, "out_channels": 4, "cross_attention_dim": 40, "time_cond_proj_dim": None},
    "vae": VAE | {"scaling_factor": 0.5}}
DIT_PIPELINE = {
    "_class_name": "DiTPipeline",
    "scheduler": {"beta_schedule": "linear", "clip_sample": False, "prediction_type": "v_prediction",
                  "timestep_spacing": "trailing"},
    "transformer": DIT | {"sample_size": 4}, "vae": VAE | {"latent_channels": 2}}


T5_PART = T5 | {"model_type": "t5", "architectures": ["T5EncoderModel"]}
VAE_SHIFTED = VAE | {"latent_channels": 3, "scaling_factor": 0.5, "shift_factor": 0.2, "use_post_quant_conv": False}
FLOW = {"_class_name": "FlowMatchEulerDiscreteScheduler", "shift": 3.0}
FLUX_PIPELINE = {
    "_class_name": "FluxPipeline", "text_encoder": CLIP_TEXT | {"model_type": "clip_text_model"}, "text_encoder_2": T5_PART,
    "scheduler": FLOW | {"use_dynamic_shifting": True, "base_image_seq_len": 4, "max_image_seq_len": 16},
    "transformer": FLUX | {"joint_attention_dim": 24, "pooled_projection_dim": 24, "guidance_embeds": True, "num_layers": 1,
                           "num_single_layers": 1}, "vae": VAE_SHIFTED}
SD3_PIPELINE = {
    "_class_name": "StableDiffusion3Pipeline", "scheduler": FLOW, "text_encoder": CLIP_TEXT | {
        "model_type": "clip_text_model", "architectures": ["CLIPTextModelWithProjection"], "hidden_size": 8,
        "num_attention_heads": 2, "projection_dim": 7},
    "text_encoder_2": CLIP_TEXT | {
        "model_type": "clip_text_model", "architectures": ["CLIPTextModelWithProjection"], "hidden_size": 12,
        "num_hidden_layers": 3, "projection_dim": 5, "hidden_act": "gelu"},
    "text_encoder_3": T5_PART, "transformer": SD3 | {"joint_attention_dim": 24, "pooled_projection_dim": 12,
                                                     "out_channels": 3}, "vae": VAE_SHIFTED}


PIXART_PIPELINE = {
    "_class_name": "PixArtAlphaPipeline", "text_encoder": T5_PART, "scheduler": {
        "_class_name": "DPMSolverMultistepScheduler", "timestep_spacing": "trailing"},
    "transformer": PIXART | {"sample_size": 4, "caption_channels": 24, "use_additional_conditions": True},
    "vae": VAE | {"latent_channels": 2}}


RETRIEVAL = {"_class_name": "DynoRetrievalPipeline", "encoder": BERT | {"model_type": "bert"},
             "index": {"entries": 20, "top_k": 2, "passage_tokens": 3},
             "decoder": LLAMA | {"model_type": "llama", "max_position_embeddings": 20}}


def build_retrieval(config):
    shapes = {"index.vectors": (20, 24), "index.passages": (20, 3)}
    models = {name: torch.from_numpy(make_weight(name, shape)) for name, shape in shapes.items()}
    for name, cls in ("encoder", "BertModel"), ("decoder", "LlamaForCausalLM"):
        cls = getattr(transformers, cls)
        part = {key: value for key, value in config[name].items() if key != "model_type"}
        models[name], own = give_weights(cls(cls.config_class(**part, attn_implementation="eager")), f"{name}.", "")
        shapes |= own
    return models, shapes


def run_retrieval(models, question_ids, decoder_input_ids, **inputs):
    states = models["encoder"](**inputs).last_hidden_state
    mask = inputs["attention_mask"][:, :, None].float()
    vector = torch.nn.functional.normalize((states * mask).sum(1) / mask.sum(1), dim=-1)
    found = (vector @ models["index.vectors"].T).topk(2).indices
    stored = (models["index.passages"][found].flatten(1).clamp(0, 0.9999) * 40).long()
    logits = models["decoder"](torch.cat([stored, question_ids, decoder_input_ids], dim=1)).logits
    return {"logits": logits[:, -decoder_input_ids.shape[1]:]}


def build_jina(config):
    """The weights of jina-embeddings-v2, by their names in its files."""
    width, inner = config["hidden_size"], config["intermediate_size"]
    shapes = {"embeddings.word_embeddings.weight": (config["vocab_size"], width),
              "embeddings.token_type_embeddings.weight": (2, width), "pooler.dense.weight": (width, width),
              "pooler.dense.bias": (width,)}
    norms = ["embeddings.LayerNorm"]
    for i in range(config["num_hidden_layers"]):
        layer = f"encoder.layer.{i}"
        norms += [f"{layer}.attention.output.LayerNorm", f"{layer}.mlp.layernorm"]
        for name in "self.query", "self.key", "self.value", "output.dense":
            shapes |= {f"{layer}.attention.{name}.weight": (width, width), f"{layer}.attention.{name}.bias": (width,)}
        shapes |= {f"{layer}.mlp.gated_layers.weight": (2 * inner, width), f"{layer}.mlp.wo.weight": (width, inner),
                   f"{layer}.mlp.wo.bias": (width,)}
    shapes |= {f"{name}.{end}": (width,) for name in norms for end in ("weight", "bias")}
    return {"config": config} | {name: torch.from_numpy(make_weight(name, shape)) for name, shape in shapes.items()}, shapes


def slopes_of_heads(n):
    """ALiBi, Press et al. 2021: with other counts than powers of two, every other slope of the next power follows."""
    if math.log2(n).is_integer():
        return [2 ** (-8 * (i + 1) / n) for i in range(n)]
    power = 2 ** math.floor(math.log2(n))
    return slopes_of_heads(power) + slopes_of_heads(2 * power)[0::2][:n - power]


def run_jina(model, input_ids, attention_mask, token_type_ids):
    """BERT without positions, whose scores fall with the distance, and with gated layers (Günther et al. 2023)."""
    config, functional = model["config"], torch.nn.functional
    heads, inner = config["num_attention_heads"], config["intermediate_size"]

    def linear(name, value):
        return functional.linear(value, model[f"{name}.weight"], model.get(f"{name}.bias"))

    def norm(name, value):
        return functional.layer_norm(value, value.shape[-1:], model[f"{name}.weight"], model[f"{name}.bias"], 1e-12)

    places = torch.arange(input_ids.shape[1])
    bias = -(places[:, None] - places).abs() * torch.tensor(slopes_of_heads(heads))[:, None, None]
    bias = bias[None] + (1 - attention_mask[:, None, None].float()) * torch.finfo(torch.float32).min
    value = norm("embeddings.LayerNorm", model["embeddings.word_embeddings.weight"][input_ids]
                 + model["embeddings.token_type_embeddings.weight"][token_type_ids])
    for i in range(config["num_hidden_layers"]):
        layer = f"encoder.layer.{i}"
        query, key, seen = (linear(f"{layer}.attention.self.{name}", value).unflatten(-1, (heads, -1)).transpose(1, 2)
                            for name in ("query", "key", "value"))
        scores = query @ key.transpose(2, 3) / query.shape[-1] ** 0.5 + bias
        read = (scores.softmax(-1) @ seen).transpose(1, 2).flatten(2)
        value = norm(f"{layer}.attention.output.LayerNorm", linear(f"{layer}.attention.output.dense", read) + value)
        both = linear(f"{layer}.mlp.gated_layers", value)
        both = functional.gelu(both[..., :inner]) * both[..., inner:]
        value = norm(f"{layer}.mlp.layernorm", linear(f"{layer}.mlp.wo", both) + value)
    return {"last_hidden_state": value, "pooler_output": linear("pooler.dense", value[:, 0]).tanh()}


def times(n=2):
    return tokens("timestep", (n,), 1000)


def unet_inputs():
    return {"sample": noise("sample", (2, 3, 5, 6)), "timestep": times(),
            "encoder_hidden_states": noise("encoder_hidden_states", (2, 4, 10))}


def run_unet(model, sample, timestep, encoder_hidden_states, timestep_cond=None, **added):
    return {"out_sample": model(sample, timestep, encoder_hidden_states, timestep_cond=timestep_cond,
                                added_cond_kwargs=added).sample}


def run_decoder(model, latent_sample):
    return {"sample": model.decode(latent_sample).sample}


def levels(n):
    """Steps of the same length from the most noise to none, as the spacing “trailing” of Diffusers."""
    return numpy.array([[1000 * (n - i) // n, 1000 * (n - i - 1) // n] for i in range(n)])


def levels_back(n):
    """The same with the level of the step before, 0 in the first, as DPM-Solver++ needs it."""
    return numpy.c_[levels(n), numpy.r_[0, levels(n)[:-1, 0]]]


def levels_of_pair(n):
    """The same for PNDM, whose second step starts where the first did: level, end, start, and which step it is."""
    at = levels(n - 1)[[0, 0, *range(1, n - 1)]]
    asked = numpy.r_[at[0, 0], at[0, 1], at[2:, 0]]
    return numpy.c_[asked, at[:, 1], at[:, 0], numpy.minimum(range(n), 4)]


def flow_steps(n):
    """Which step it is, and of how many."""
    return numpy.array([[i, n] for i in range(n)])


def steps(n, first=1000, last=1):
    """Which step it is, of how many, and the levels of the first and the last, where levels lie between those of training."""
    return numpy.array([[i, n, first, last] for i in range(n)])


def denoise(scheduler, sample, n_steps, guidance, predict, step_noise=None):
    scheduler.set_timesteps(n_steps)
    is_flow = type(scheduler).__name__.startswith("FlowMatch")
    if hasattr(scheduler, "sigmas") and "Euler" in type(scheduler).__name__ and not is_flow:
        sample = sample * (scheduler.sigmas[0] ** 2 + 1) ** 0.5  # to the variables of Euler's method
    if step_noise is not None:
        sys.modules[type(scheduler).__module__].randn_tensor = lambda *args, drawn=iter(step_noise), **kw: next(drawn)
    for time in scheduler.timesteps:
        noisy = sample if is_flow else scheduler.scale_model_input(sample, time)
        without, answer = predict(torch.cat([noisy, noisy]), time).chunk(2)
        sample = scheduler.step(without + guidance * (answer - without), time, sample).prev_sample
    return sample


def run_pipeline(models, input_ids, negative_input_ids, sample, noise_levels=None, denoising_steps=None,
                 step_noise=None, **unused):
    states = models["text_encoder"](torch.cat([negative_input_ids, input_ids])).last_hidden_state
    n_steps = (len(denoising_steps) if noise_levels is None else
               len(noise_levels) - (noise_levels.shape[1] == 4))  # PNDM asks once more
    sample = denoise(models["scheduler"], sample, n_steps, 7.5,
                     lambda noisy, time: models["unet"](noisy, time, states).sample, step_noise)
    return {"images": models["vae"].decode(sample / models["vae"].config.scaling_factor).sample}


def run_pipeline_xl(models, input_ids, negative_input_ids, input_ids_2, negative_input_ids_2, sample, noise_levels,
                    time_ids):
    texts = (negative_input_ids, input_ids), (negative_input_ids_2, input_ids_2)
    first, second = (models[name](torch.cat(pair), output_hidden_states=True)
                     for name, pair in zip(("text_encoder", "text_encoder_2"), texts))
    states = torch.cat([first.hidden_states[-2], second.hidden_states[-2]], dim=-1)
    added = {"text_embeds": second.text_embeds, "time_ids": torch.cat([time_ids, time_ids])}
    sample = denoise(models["scheduler"], sample, len(noise_levels), 5.0,
                     lambda noisy, time: models["unet"](noisy, time, states, added_cond_kwargs=added).sample)
    return {"images": models["vae"].decode(sample / models["vae"].config.scaling_factor).sample}


def run_dit_pipeline(models, class_labels, sample, noise_levels):
    none = torch.full_like(class_labels, models["transformer"].config.num_embeds_ada_norm)
    labels = torch.cat([none, class_labels])
    sample = denoise(models["scheduler"], sample, len(noise_levels), 4.0, lambda noisy, time: models["transformer"](
        noisy, timestep=time.expand(len(labels)), class_labels=labels).sample.chunk(2, dim=1)[0])
    return {"images": models["vae"].decode(sample / models["vae"].config.scaling_factor).sample}


def run_pixart(model, resolution=None, aspect_ratio=None, **inputs):
    return {"sample": model(added_cond_kwargs={"resolution": resolution, "aspect_ratio": aspect_ratio}, **inputs).sample}


def run_pixart_pipeline(models, input_ids, negative_input_ids, attention_mask, negative_attention_mask, sample,
                        noise_levels, **unused):
    ids, mask = torch.cat([negative_input_ids, input_ids]), torch.cat([negative_attention_mask, attention_mask])
    states = models["text_encoder"](ids, attention_mask=mask).last_hidden_state
    side = 4.0 * sample.shape[2]
    sizes = {"resolution": torch.full([len(ids), 2], side), "aspect_ratio": torch.ones(len(ids), 1)}
    sample = denoise(models["scheduler"], sample, len(noise_levels), 4.5, lambda noisy, time: models["transformer"](
        noisy, states, time.expand(len(ids)), sizes, encoder_attention_mask=mask).sample.chunk(2, dim=1)[0])
    return {"images": models["vae"].decode(sample / models["vae"].config.scaling_factor).sample}


def run_dit(model, **inputs):
    return {"sample": model(**inputs).sample}


def run_sd3(model, **inputs):
    return {"sample": model(**inputs).sample}


def pack(latents):
    """Patches of four pixels as tokens, as FluxPipeline does it."""
    batch, channels, height, width = latents.shape
    latents = latents.view(batch, channels, height // 2, 2, width // 2, 2).permute(0, 2, 4, 1, 3, 5)
    return latents.reshape(batch, height * width // 4, 4 * channels)


def unpack(tokens, height, width):
    tokens = tokens.view(len(tokens), height // 2, width // 2, -1, 2, 2).permute(0, 3, 1, 4, 2, 5)
    return tokens.reshape(len(tokens), -1, height, width)


def ask_flux(model, latents, states, text, time, guidance=None):
    height, width = latents.shape[2:]
    places = torch.zeros(height // 2, width // 2, 3)
    places[..., 1] += torch.arange(height // 2)[:, None]
    places[..., 2] += torch.arange(width // 2)
    answer = model(pack(latents), states, text, time, places.flatten(0, 1), torch.zeros(states.shape[1], 3), guidance)
    return unpack(answer.sample, height, width)


def run_flux(model, hidden_states, timestep, encoder_hidden_states, pooled_projections, guidance=None):
    return {"sample": ask_flux(model, hidden_states, encoder_hidden_states, pooled_projections, timestep / 1000,
                               guidance)}


def decode_shifted(vae, sample):
    return {"images": vae.decode(sample / vae.config.scaling_factor + vae.config.shift_factor).sample}


def shift_of(scheduler, n_tokens):
    """calculate_shift() of the pipelines."""
    config = scheduler.config
    slope = (config.max_shift - config.base_shift) / (config.max_image_seq_len - config.base_image_seq_len)
    return config.base_shift + slope * (n_tokens - config.base_image_seq_len)


def run_flux_pipeline(models, input_ids, input_ids_2, sample, denoising_steps):
    text = models["text_encoder"](input_ids).pooler_output
    states = models["text_encoder_2"](input_ids_2).last_hidden_state
    n_steps, scheduler = len(denoising_steps), models["scheduler"]
    scheduler.set_timesteps(sigmas=numpy.linspace(1.0, 1 / n_steps, n_steps),
                            mu=shift_of(scheduler, sample.shape[2] * sample.shape[3] // 4))
    guidance = torch.full([len(sample)], 3.5) if models["transformer"].config.guidance_embeds else None
    for time in scheduler.timesteps:
        answer = ask_flux(models["transformer"], sample, states, text, time.expand(len(sample)) / 1000, guidance)
        sample = scheduler.step(answer, time, sample).prev_sample
    return decode_shifted(models["vae"], sample)


def run_sd3_pipeline(models, sample, denoising_steps, **texts):
    first, second, third = (
        models[f"text_encoder{end}"](torch.cat([texts[f"negative_input_ids{end}"], texts[f"input_ids{end}"]]),
                                     output_hidden_states=True) for end in ("", "_2", "_3"))
    states = torch.cat([first.hidden_states[-2], second.hidden_states[-2]], dim=-1)
    states = torch.nn.functional.pad(states, (0, third.last_hidden_state.shape[-1] - states.shape[-1]))
    states = torch.cat([states, third.last_hidden_state], dim=1)
    text = torch.cat([first.text_embeds, second.text_embeds], dim=-1)
    sample = denoise(models["scheduler"], sample, len(denoising_steps), 7.0, lambda noisy, time: models["transformer"](
        noisy, states, text, time.expand(len(noisy))).sample)
    return decode_shifted(models["vae"], sample)


def joint_inputs():
    return {"hidden_states": noise("hidden_states", (2, 3, 4, 6)), "timestep": times(),
            "encoder_hidden_states": noise("encoder_hidden_states", (2, 5, 10)),
            "pooled_projections": noise("pooled_projections", (2, 7))}


def pixart_inputs():
    return {"hidden_states": noise("hidden_states", (2, 2, 8, 8)), "timestep": times(),
            "encoder_hidden_states": noise("encoder_hidden_states", (2, 5, 10)), "encoder_attention_mask": padded((2, 5))}


def timm_config(name, side, pooling="avg"):
    return {"architecture": name, "num_classes": 3, "global_pool": pooling,
            "pretrained_cfg": {"input_size": [3, side, side]}}


def build_timm(config):
    import timm
    name = config["architecture"]
    sides = {"img_size": config["pretrained_cfg"]["input_size"][1]} if "patch" in name else {}
    model, shapes = give_weights(timm.create_model(name, num_classes=config["num_classes"], **sides), "", "")
    return model, {name: shape for name, shape in shapes.items() if not name.endswith(COMPUTED)}


def run_timm(model, pixel_values):
    return {"logits": model(pixel_values)}


TIMM = {"build": build_timm, "run": run_timm}


def untie(model):
    """As in published files of T5 1.1, which transformers reads, but does not make."""
    head = model.language_model.lm_head
    weight = make_weight("language_model.lm_head.weight", tuple(head.weight.shape))
    head.weight = torch.nn.Parameter(torch.from_numpy(weight))
    model.language_model.config.scale_decoder_outputs = False


def rotate_part(model):
    """As in the published code of MiniMax-01, of which transformers only rotates a part of heads in MiniMax-M2."""
    from transformers.models.minimax import modeling_minimax
    from transformers.models.minimax_m2 import modeling_minimax_m2
    config = transformers.MiniMaxM2Config(**{key: model.config.to_dict()[key] for key in (
        "hidden_size", "num_attention_heads", "head_dim", "max_position_embeddings")}, rotary_dim=4,
        rope_theta=model.config.rope_parameters["rope_theta"])
    model.model.rotary_emb = modeling_minimax_m2.MiniMaxM2RotaryEmbedding(config)
    modeling_minimax.apply_rotary_pos_emb = modeling_minimax_m2.apply_rotary_pos_emb


# name: (class, config, inputs[, options])
CASES = {
    "bert": ("BertModel", BERT, text_inputs(40)),
    "roberta": ("RobertaModel", BERT | {"type_vocab_size": 1, "pad_token_id": 1},
                text_inputs(40) | {"token_type_ids": numpy.zeros((2, 6), dtype=numpy.int64)}),
    "distilbert": ("DistilBertModel", DISTILBERT, text_inputs(40, with_types=False)),
    "albert": ("AlbertModel", BERT | {"embedding_size": 20, "num_hidden_layers": 4, "num_hidden_groups": 2,
                                      "inner_group_num": 2}, text_inputs(40)),
    "electra": ("ElectraModel", BERT | {"embedding_size": 20}, text_inputs(40)),
    "mpnet": ("MPNetModel", MPNET | {"pad_token_id": 1},
              text_inputs(40, with_types=False)),
    "deberta": ("DebertaModel", DEBERTA | {"model_type": "deberta", "pos_att_type": "c2p|p2c",
                                           "position_biased_input": False},
                text_inputs(40, with_types=False) | {"attention_mask": numpy.ones((2, 6), dtype=numpy.int64)}),
    "deberta-far": ("DebertaModel", DEBERTA | {"model_type": "deberta", "pos_att_type": ["p2c"], "type_vocab_size": 2,
                                               "max_relative_positions": 4},
                    text_inputs(40) | {"attention_mask": numpy.ones((2, 6), dtype=numpy.int64)}),
    "deberta-v2": ("DebertaV2Model", DEBERTA | {
        "model_type": "deberta-v2", "position_buckets": 4, "norm_rel_ebd": "layer_norm", "share_att_key": True,
        "pos_att_type": "p2c|c2p", "position_biased_input": False},
        text_inputs(40, with_types=False) | {"attention_mask": numpy.ones((2, 6), dtype=numpy.int64)}),
    "deberta-v2-conv": ("DebertaV2Model", DEBERTA | {
        "type_vocab_size": 2, "position_buckets": -1, "pos_att_type": "c2p", "conv_kernel_size": 3, "conv_act": "gelu"},
        text_inputs(40) | {"attention_mask": numpy.ones((2, 6), dtype=numpy.int64)}),
    "t5": ("T5ForConditionalGeneration", T5, answer_inputs(40), SEQ2SEQ),
    "t5-gated": ("T5ForConditionalGeneration", T5 | {"model_type": "t5", "feed_forward_proj": "gated-gelu"},
                 answer_inputs(40), SEQ2SEQ),
    "t5gemma": ("T5GemmaForConditionalGeneration", {
        "vocab_size": 40, "encoder": T5_GEMMA | {"hidden_size": 20, "num_attention_heads": 5, "num_key_value_heads": 1,
                                                 "sliding_window": 2},
        "decoder": T5_GEMMA}, answer_inputs(40) | {"decoder_attention_mask": numpy.ones((2, 5), dtype=numpy.int64)},
        SEQ2SEQ | {"hidden": ["decoder_attention_mask"]}),
    "bart": ("BartForConditionalGeneration", BART, answer_inputs(40), SEQ2SEQ),
    "mbart": ("MBartForConditionalGeneration", BART, answer_inputs(40), SEQ2SEQ),
    "marian": ("MarianMTModel", BART | {"decoder_vocab_size": 40, "activation_function": "swish"}, answer_inputs(40),
               SEQ2SEQ),
    "pegasus": ("PegasusForConditionalGeneration", BART, answer_inputs(40), SEQ2SEQ),
    "gpt2": ("GPT2LMHeadModel", {"vocab_size": 40, "n_embd": 24, "n_layer": 2, "n_head": 3, "n_positions": 12},
             decoder_inputs(40)),
    "llama": ("LlamaForCausalLM", LLAMA, decoder_inputs(40)),
    "llama-scaled": ("LlamaForCausalLM", LLAMA | {
        "model_type": "llama", "tie_word_embeddings": True, "head_dim": 8, "rope_theta": 500.0, "attention_bias": True,
        "rope_scaling": {"rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
                         "original_max_position_embeddings": 8}}, decoder_inputs(40)),
    "llama-yarn": ("LlamaForCausalLM", LLAMA | {
        "model_type": "llama", "head_dim": 16, "rope_theta": 100.0,
        "rope_scaling": {"rope_type": "yarn", "factor": 4.0, "beta_fast": 2.0, "beta_slow": 0.3}}, decoder_inputs(40)),
    "mistral": ("MistralForCausalLM", LLAMA | {"sliding_window": 3}, decoder_inputs(40)),
    "qwen2": ("Qwen2ForCausalLM", LLAMA | {"use_sliding_window": False, "tie_word_embeddings": True},
              decoder_inputs(40)),
    "qwen2-window": ("Qwen2ForCausalLM", LLAMA | {"model_type": "qwen2", "use_sliding_window": True,
                                                  "sliding_window": 3, "max_window_layers": 1}, decoder_inputs(40)),
    "qwen3": ("Qwen3ForCausalLM", LLAMA | {"head_dim": 8, "tie_word_embeddings": True}, decoder_inputs(40)),
    "opt": ("OPTForCausalLM", GPT | {"ffn_dim": 36, "word_embed_proj_dim": 24}, decoder_inputs(40)),
    "opt-after": ("OPTForCausalLM", GPT | {"model_type": "opt", "ffn_dim": 36, "word_embed_proj_dim": 16,
                                           "do_layer_norm_before": False}, decoder_inputs(40)),
    "bloom": ("BloomForCausalLM", {"vocab_size": 40, "hidden_size": 24, "n_layer": 2, "n_head": 6, "seq_length": 16},
              decoder_inputs(40)),
    "gpt_neox": ("GPTNeoXForCausalLM", GPT | {"hidden_size": 32, "intermediate_size": 36, "rotary_pct": 0.25,
                                              "tie_word_embeddings": False}, decoder_inputs(40)),
    "gpt_neox-serial": ("GPTNeoXForCausalLM", GPT | {
        "model_type": "gpt_neox", "hidden_size": 32, "intermediate_size": 36, "rotary_pct": 1.0,
        "use_parallel_residual": False}, decoder_inputs(40)),
    "falcon": ("FalconForCausalLM", GPT, decoder_inputs(40)),
    "falcon-new": ("FalconForCausalLM", GPT | {"model_type": "falcon", "new_decoder_architecture": True,
                                               "num_kv_heads": 2}, decoder_inputs(40)),
    "falcon-alibi": ("FalconForCausalLM", GPT | {
        "model_type": "falcon", "alibi": True, "bias": True, "multi_query": False, "parallel_attn": False},
        decoder_inputs(40), {"attention": "sdpa"}),
    "gemma": ("GemmaForCausalLM", LLAMA | {"head_dim": 8}, decoder_inputs(40)),
    "gemma2": ("Gemma2ForCausalLM", GEMMA | {"attn_logit_softcapping": 2.0, "final_logit_softcapping": 3.0},
               decoder_inputs(40)),
    "gemma3_text": ("Gemma3ForCausalLM", GEMMA | {
        "sliding_window_pattern": 2, "rope_theta": 1000000.0, "rope_local_base_freq": 10000.0,
        "rope_scaling": {"rope_type": "linear", "factor": 8.0}}, decoder_inputs(40)),
    "gemma3_text-wide": ("Gemma3ForCausalLM", GEMMA | {
        "model_type": "gemma3_text", "sliding_window": 16, "sliding_window_pattern": 2, "rope_theta": 1000000.0,
        "rope_local_base_freq": 10.0}, decoder_inputs(40)),
    "gemma3n_text": ("Gemma3nForCausalLM", GEMMA | {
        "num_hidden_layers": 5, "num_kv_shared_layers": 2, "laurel_rank": 5, "altup_num_inputs": 3,
        "hidden_size_per_layer_input": 7, "vocab_size_per_layer_input": 32, "intermediate_size": [36, 36, 20, 36, 36],
        "activation_sparsity_pattern": [0.7, 0.3, 0.0, 0.0, 0.2], "layer_types": [
            "sliding_attention", "full_attention", "sliding_attention", "full_attention", "sliding_attention"]},
        decoder_inputs(40)),
    "gemma4_text": ("Gemma4ForCausalLM", GEMMA4 | {
        "num_hidden_layers": 6, "num_kv_shared_layers": 2, "hidden_size_per_layer_input": 7,
        "vocab_size_per_layer_input": 40, "use_double_wide_mlp": True, "final_logit_softcapping": 5.0, "layer_types": [
            "sliding_attention", "full_attention", "sliding_attention", "full_attention", "sliding_attention",
            "full_attention"]}, decoder_inputs(40)),
    "gemma4_text-experts": ("Gemma4ForCausalLM", GEMMA4 | {
        "model_type": "gemma4_text", "num_hidden_layers": 3, "hidden_size_per_layer_input": 0, "attention_k_eq_v": True,
        "num_global_key_value_heads": 1, "enable_moe_block": True, "num_experts": 5, "top_k_experts": 2,
        "moe_intermediate_size": 20, "layer_types": ["sliding_attention", "full_attention", "full_attention"]},
        decoder_inputs(40)),
    "phi": ("PhiForCausalLM", {key: value for key, value in LLAMA.items() if key != "rms_norm_eps"} | {
        "model_type": "phi", "hidden_size": 32, "partial_rotary_factor": 0.5, "layer_norm_eps": 1e-5},
        decoder_inputs(40)),
    "phi3": ("Phi3ForCausalLM", LLAMA | {"sliding_window": 4, "pad_token_id": 0}, decoder_inputs(40)),
    "phi3-long": ("Phi3ForCausalLM", LLAMA | {
        "model_type": "phi3", "pad_token_id": 0, "original_max_position_embeddings": 8,
        "rope_scaling": {"type": "longrope", "short_factor": [1.0, 1.1, 1.3], "long_factor": [2.0, 5.0, 9.0]}},
        decoder_inputs(40)),
    "smollm3": ("SmolLM3ForCausalLM", LLAMA | {"no_rope_layers": [1, 0], "pad_token_id": 0}, decoder_inputs(40)),
    "granite": ("GraniteForCausalLM", LLAMA | {
        "embedding_multiplier": 1.5, "attention_multiplier": 0.3, "residual_multiplier": 0.6, "logits_scaling": 2.5,
        "tie_word_embeddings": True, "pad_token_id": 0}, decoder_inputs(40)),
    "glm": ("GlmForCausalLM", LLAMA | {"head_dim": 8, "attention_bias": True, "pad_token_id": 0}, decoder_inputs(40)),
    "glm4": ("Glm4ForCausalLM", LLAMA | {"head_dim": 8, "attention_bias": True, "pad_token_id": 0}, decoder_inputs(40)),
    "cohere": ("CohereForCausalLM", COHERE, decoder_inputs(40)),
    "cohere2": ("Cohere2ForCausalLM", COHERE | {"sliding_window": 3, "sliding_window_pattern": 2}, decoder_inputs(40)),
    "starcoder2": ("Starcoder2ForCausalLM", {key: value for key, value in LLAMA.items() if key != "rms_norm_eps"} | {
        "sliding_window": 3}, decoder_inputs(40)),
    "stablelm": ("StableLmForCausalLM", STABLELM | {"use_qkv_bias": True}, decoder_inputs(40)),
    "stablelm-parallel": ("StableLmForCausalLM", STABLELM | {
        "model_type": "stablelm", "use_parallel_residual": True}, decoder_inputs(40)),
    "ernie4_5": ("Ernie4_5ForCausalLM", LLAMA | {"head_dim": 8, "use_bias": True, "pad_token_id": 0},
                 decoder_inputs(40)),
    "olmo3": ("Olmo3ForCausalLM", LLAMA | {
        "pad_token_id": 0, "eos_token_id": 1, "sliding_window": 3, "rope_theta": 500000.0,
        "layer_types": ["sliding_attention", "full_attention"],
        "rope_scaling": {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 4,
                         "beta_fast": 2.0, "beta_slow": 0.3}}, decoder_inputs(40)),
    "ernie4_5_moe": ("Ernie4_5_MoeForCausalLM", LLAMA | {
        "num_hidden_layers": 3, "moe_num_experts": 5, "moe_k": 2, "moe_intermediate_size": 20, "moe_layer_end_index": 1,
        "moe_num_shared_experts": 2, "pad_token_id": 0, "use_bias": True}, decoder_inputs(40)),
    "llama4_text": ("Llama4ForCausalLM", LLAMA | {
        "head_dim": 8, "intermediate_size": 20, "intermediate_size_mlp": 36, "num_hidden_layers": 4,
        "num_local_experts": 5, "num_experts_per_tok": 2, "interleave_moe_layer_step": 2, "no_rope_layers": [1, 0, 1, 1],
        "attention_chunk_size": 3, "floor_scale": 2, "attn_scale": 0.7, "pad_token_id": 0, "rope_theta": 500.0,
        "rope_scaling": {"rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0, "high_freq_factor": 1.0,
                         "original_max_position_embeddings": 8}}, decoder_inputs(40)),
    "jamba": ("JambaForCausalLM", EXPERTS | {
        "num_hidden_layers": 4, "attn_layer_period": 3, "attn_layer_offset": 1, "expert_layer_period": 2,
        "expert_layer_offset": 1, "mamba_d_state": 5, "mamba_d_conv": 3, "mamba_dt_rank": 6, "mamba_proj_bias": True,
        "rms_norm_eps": 1e-3, "use_mamba_kernels": False}, decoder_inputs(40)),
    "lfm2": ("Lfm2ForCausalLM", {key: value for key, value in LLAMA.items() if key != "intermediate_size"} | {
        "num_hidden_layers": 3, "block_ff_dim": 54, "block_multiple_of": 5, "block_ffn_dim_multiplier": 1.2,
        "conv_bias": True, "full_attn_idxs": [1], "tie_embedding": True}, decoder_inputs(40)),
    "qwen3_next": ("Qwen3NextForCausalLM", EXPERTS | DELTA | {
        "num_hidden_layers": 4, "moe_intermediate_size": 20, "shared_expert_intermediate_size": 28,
        "full_attention_interval": 2, "mlp_only_layers": [2]}, decoder_inputs(40)),
    "qwen3_5_text": ("Qwen3_5ForCausalLM", LLAMA | DELTA | {
        "layer_types": ["full_attention", "linear_attention"]}, decoder_inputs(40)),
    "qwen3_5_moe_text": ("Qwen3_5MoeForCausalLM", EXPERTS | DELTA | {
        "moe_intermediate_size": 20, "shared_expert_intermediate_size": 28, "full_attention_interval": 2},
        decoder_inputs(40)),
    "eurobert": ("EuroBertModel", LLAMA | {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "mask_token_id": 3},
                 whole_inputs(40)),
    "gemma3_text-encoder": ("Gemma3TextModel", GEMMA | {
        "model_type": "gemma3_text", "architectures": ["Gemma3TextModel"], "sliding_window": 4,
        "sliding_window_pattern": 2, "rope_theta": 1000000.0, "rope_local_base_freq": 10000.0,
        "use_bidirectional_attention": True}, whole_inputs(40)),
    "nomic_bert": ("NomicBertModel", BERT | {"hidden_act": "silu", "pad_token_id": 0, "max_position_embeddings": 16},
                   whole_inputs(40) | {"token_type_ids": tokens("token_type_ids", (2, 7), 2)}),
    "m2m_100": ("M2M100ForConditionalGeneration", BART | {"activation_function": "relu", "eos_token_id": 0}, {
        "input_ids": tokens("input_ids", (2, 6), 38) + 2, "attention_mask": padded((2, 6)),
        "decoder_input_ids": tokens("decoder_input_ids", (2, 5), 38) + 2}, SEQ2SEQ),
    "mixtral": ("MixtralForCausalLM", LLAMA | {"num_local_experts": 5, "num_experts_per_tok": 2}, decoder_inputs(40)),
    "granitemoe": ("GraniteMoeForCausalLM", LLAMA | {
        "num_local_experts": 5, "num_experts_per_tok": 2, "embedding_multiplier": 1.5, "attention_multiplier": 0.3,
        "residual_multiplier": 0.6, "logits_scaling": 2.5, "tie_word_embeddings": True, "pad_token_id": 0},
        decoder_inputs(40)),
    "gpt_oss": ("GptOssForCausalLM", LLAMA | {
        "head_dim": 8, "num_local_experts": 5, "num_experts_per_tok": 2, "sliding_window": 3, "swiglu_limit": 1.5,
        "rope_theta": 100.0, "pad_token_id": 0, "rope_scaling": {
            "rope_type": "yarn", "factor": 4.0, "beta_fast": 2.0, "beta_slow": 0.3, "truncate": False,
            "original_max_position_embeddings": 4}}, decoder_inputs(40)),
    "minimax": ("MiniMaxForCausalLM", LLAMA | {
        "num_hidden_layers": 3, "num_local_experts": 5, "num_experts_per_tok": 2, "head_dim": 8,
        "block_size": 3, "layer_types": ["linear_attention", "full_attention", "linear_attention"],
        "full_attn_alpha_factor": 1.5, "full_attn_beta_factor": 0.7, "linear_attn_alpha_factor": 0.8,
        "linear_attn_beta_factor": 1.2, "mlp_alpha_factor": 0.9, "mlp_beta_factor": 1.1}, decoder_inputs(40)),
    "minimax-part": ("MiniMaxForCausalLM", LLAMA | {
        "model_type": "minimax", "num_hidden_layers": 2, "num_local_experts": 3, "num_experts_per_tok": 2, "head_dim": 8,
        "rotary_dim": 4, "block_size": 3, "layer_types": ["linear_attention", "full_attention"]}, decoder_inputs(40),
        {"change": rotate_part}),
    "minimax_m2": ("MiniMaxM2ForCausalLM", LLAMA | {
        "head_dim": 8, "rotary_dim": 4, "num_local_experts": 5, "num_experts_per_tok": 2, "pad_token_id": 0,
        "eos_token_id": 1, "bos_token_id": 2}, decoder_inputs(40)),
    "glm4_moe": ("Glm4MoeForCausalLM", DEEPSEEK | {
        "head_dim": 8, "num_key_value_heads": 2, "attention_bias": True, "use_qk_norm": True}, decoder_inputs(40)),
    "deepseek_v2": ("DeepseekV2ForCausalLM", DEEPSEEK | LATENT | {
        "norm_topk_prob": False, "topk_method": "group_limited_greedy"}, decoder_inputs(40)),
    "deepseek_v3": ("DeepseekV3ForCausalLM", DEEPSEEK | LATENT | {
        "q_lora_rank": 14, "rope_theta": 100.0, "rope_scaling": {
            "rope_type": "yarn", "factor": 4.0, "beta_fast": 2.0, "beta_slow": 0.3, "mscale": 1.0,
            "mscale_all_dim": 0.7, "original_max_position_embeddings": 4}}, decoder_inputs(40)),
    "phimoe": ("PhimoeForCausalLM", LLAMA | {
        "num_local_experts": 5, "num_experts_per_tok": 2, "attention_bias": True, "lm_head_bias": True,
        "router_jitter_noise": 0.4, "pad_token_id": 0, "original_max_position_embeddings": 8, "rope_scaling": {
            "type": "longrope", "short_factor": [1.0, 1.1, 1.3], "long_factor": [2.0, 5.0, 9.0],
            "short_mscale": 1.2, "long_mscale": 1.2, "original_max_position_embeddings": 8}}, decoder_inputs(40)),
    "qwen2_moe": ("Qwen2MoeForCausalLM", EXPERTS | {
        "num_hidden_layers": 3, "moe_intermediate_size": 20, "shared_expert_intermediate_size": 28,
        "mlp_only_layers": [1]}, decoder_inputs(40)),
    "qwen3_moe": ("Qwen3MoeForCausalLM", EXPERTS | {
        "head_dim": 8, "moe_intermediate_size": 20, "norm_topk_prob": True}, decoder_inputs(40)),
    "olmo2": ("Olmo2ForCausalLM", LLAMA | {"pad_token_id": 0, "eos_token_id": 1}, decoder_inputs(40)),
    "olmoe": ("OlmoeForCausalLM", EXPERTS | {"pad_token_id": 0, "eos_token_id": 1}, decoder_inputs(40)),
    "mamba": ("MambaForCausalLM", {"vocab_size": 40, "hidden_size": 24, "num_hidden_layers": 2, "state_size": 5,
                                   "conv_kernel": 3, "time_step_rank": 2}, decoder_inputs(40)),
    "mamba2": ("Mamba2ForCausalLM", {"vocab_size": 40, "hidden_size": 24, "num_hidden_layers": 2, "state_size": 5,
                                     "num_heads": 6, "head_dim": 8, "n_groups": 2, "chunk_size": 4, "pad_token_id": 0},
               decoder_inputs(40)),
    "falcon_mamba": ("FalconMambaForCausalLM", {
        "vocab_size": 40, "hidden_size": 24, "num_hidden_layers": 2, "state_size": 5, "conv_kernel": 3, "expand": 5,
        "intermediate_size": 40, "time_step_rank": 2, "mixer_rms_eps": 1e-3, "tie_word_embeddings": False},
        decoder_inputs(40)),
    "rwkv": ("RwkvForCausalLM", {"vocab_size": 40, "hidden_size": 24, "attention_hidden_size": 20, "num_hidden_layers": 3,
                                 "intermediate_size": 36, "layer_norm_epsilon": 1e-4, "rescale_every": 2, "use_cache": False},
             decoder_inputs(40)),
    "zamba2": ("Zamba2ForCausalLM", ZAMBA | {
        "use_shared_attention_adapter": True, "use_mem_rope": True, "time_step_min": 0.6, "layers_block_type": [
            "hybrid", "mamba", "hybrid", "mamba", "hybrid"]}, decoder_inputs(40)),
    "zamba2-plain": ("Zamba2ForCausalLM", ZAMBA | {
        "model_type": "zamba2", "num_mem_blocks": 1, "num_hidden_layers": 3,
        "add_bias_linear": True, "layers_block_type": ["mamba", "hybrid", "hybrid"]}, decoder_inputs(40)),
    "vit": ("ViTForImageClassification", VIT, picture(12)),
    "beit": ("BeitForImageClassification", VIT | {"use_relative_position_bias": True}, picture(12)),
    "beit-shared": ("BeitForImageClassification", VIT | {
        "model_type": "beit", "use_shared_relative_position_bias": True, "use_mean_pooling": False,
        "use_absolute_position_embeddings": True, "layer_scale_init_value": 0.0}, picture(12)),
    "beit-pooled": ("BeitModel", VIT | {
        "model_type": "beit", "architectures": ["BeitModel"], "use_relative_position_bias": True,
        "use_mask_token": True}, picture(12), {"outputs": ["pooler_output"]}),
    "yolos": ("YolosForObjectDetection", VIT | {
        "num_hidden_layers": 3, "image_size": [12, 16], "num_detection_tokens": 5}, {
            "pixel_values": noise("pixel_values", (2, 3, 12, 16))}, {"outputs": ["logits", "pred_boxes"]}),
    "yolos-plain": ("YolosForObjectDetection", VIT | {
        "model_type": "yolos", "image_size": [8, 14], "num_detection_tokens": 4, "use_mid_position_embeddings": False, "qkv_bias": False}, {
            "pixel_values": noise("pixel_values", (2, 3, 8, 14))}, {"outputs": ["logits", "pred_boxes"]}),
    "audio-spectrogram-transformer": ("ASTForAudioClassification", VIT | {
        "frequency_stride": 2, "time_stride": 3, "max_length": 13, "num_mel_bins": 8},
        {"input_values": noise("input_values", (2, 13, 8))}),
    "timm-vit": (("timm", "vit_tiny_patch16_224"), timm_config("vit_tiny_patch16_224", 48, "token"), picture(48), TIMM),
    "timm-dinov2": (("timm", "vit_small_patch14_dinov2"), timm_config("vit_small_patch14_dinov2", 42, "token"), picture(42),
                    TIMM),
    "timm-resnet": (("timm", "resnet18"), timm_config("resnet18", 40), picture(40), TIMM),
    "timm-resnet-deep": (("timm", "resnet26"), timm_config("resnet26", 40), picture(40), TIMM),
    "timm-convnext": (("timm", "convnext_tiny"), timm_config("convnext_tiny", 64), picture(64), TIMM),
    "timm-swin": (("timm", "swin_tiny_patch4_window7_224"), timm_config("swin_tiny_patch4_window7_224", 224),
                  picture(224), TIMM),
    "timm-efficientnet": (("timm", "efficientnet_b2"), timm_config("efficientnet_b2", 40), picture(40), TIMM),
    "timm-efficientnetv2": (("timm", "tf_efficientnetv2_s"), timm_config("tf_efficientnetv2_s", 45), picture(45), TIMM),
    "timm-mobilenetv2": (("timm", "mobilenetv2_100"), timm_config("mobilenetv2_100", 40), picture(40), TIMM),
    "timm-mobilenetv3": (("timm", "mobilenetv3_large_100"), timm_config("mobilenetv3_large_100", 40), picture(40), TIMM),
    "timm-mobilenetv3-small": (("timm", "tf_mobilenetv3_small_100"), timm_config("tf_mobilenetv3_small_100", 45),
                               picture(45), TIMM),
    "resnet": ("ResNetForImageClassification", {
        "embedding_size": 8, "hidden_sizes": [16, 24], "depths": [2, 1], "layer_type": "bottleneck",
        "id2label": VIT["id2label"]}, picture(20)),
    "resnet-basic": ("ResNetForImageClassification", {
        "model_type": "resnet", "embedding_size": 8, "hidden_sizes": [8, 16], "depths": [1, 2], "layer_type": "basic",
        "id2label": VIT["id2label"]}, picture(20)),
    "mobilenet_v2": ("MobileNetV2ForImageClassification", {
        "depth_multiplier": 0.1, "min_depth": 4, "depth_divisible_by": 4, "expand_ratio": 2, "image_size": 33,
        "finegrained_output": False, "id2label": VIT["id2label"]}, picture(20)),
    "convnext": ("ConvNextForImageClassification", {
        "hidden_sizes": [8, 12], "depths": [1, 2], "num_stages": 2, "patch_size": 2, "layer_scale_init_value": 0.5,
        "id2label": VIT["id2label"]}, picture(12)),
    "convnextv2": ("ConvNextV2ForImageClassification", {
        "hidden_sizes": [8, 12], "depths": [1, 2], "num_stages": 2, "patch_size": 2, "id2label": VIT["id2label"]},
        picture(12)),
    "efficientnet": ("EfficientNetForImageClassification", {
        "image_size": 21, "width_coefficient": 0.5, "depth_coefficient": 1.2, "depth_divisor": 4,
        "kernel_sizes": [3, 5], "in_channels": [32, 16], "out_channels": [16, 24], "strides": [2, 2],
        "num_block_repeats": [1, 1], "expand_ratios": [1, 2], "hidden_dim": 640, "depthwise_padding": [2],
        "id2label": VIT["id2label"]}, picture(21)),
    "swin": ("SwinForImageClassification", SWIN | {"id2label": VIT["id2label"]}, picture(16)),
    "swinv2": ("Swinv2ForImageClassification", SWIN | {
        "depths": [2, 2, 1], "num_heads": [2, 4, 4], "pretrained_window_sizes": [3, 0, 6], "id2label": VIT["id2label"]},
        picture(16)),
    "modernbert": ("ModernBertModel", MODERNBERT,
        text_inputs(40, with_types=False, shape=(2, 9))),
    "dinov2": ("Dinov2Model", DINOV2, picture(12)),
    "dinov2-gated": ("Dinov2Model", {
        "model_type": "dinov2", "hidden_size": 24, "num_hidden_layers": 1, "num_attention_heads": 2, "mlp_ratio": 2,
        "image_size": 12, "patch_size": 4, "use_swiglu_ffn": True}, picture(12)),
    "dinov2_with_registers": ("Dinov2WithRegistersModel", DINOV2 | {"num_register_tokens": 2}, picture(12)),
    "dinov3_vit": ("DINOv3ViTModel", {key: value for key, value in VIT.items() if key != "id2label"} | {
        "image_size": 16, "num_register_tokens": 2}, picture(16)),
    "dinov3_vit-gated": ("DINOv3ViTModel", {key: value for key, value in VIT.items() if key != "id2label"} | {
        "model_type": "dinov3_vit", "use_gated_mlp": True, "hidden_act": "silu", "key_bias": True,
        "num_register_tokens": 1}, picture(12)),
    "vit-pooled": ("ViTModel", VIT | {"model_type": "vit", "architectures": ["ViTModel"]}, picture(12)),
    "deit": ("DeiTForImageClassificationWithTeacher", VIT | {
        "architectures": ["DeiTForImageClassificationWithTeacher"]}, picture(12),
             {"outputs": ["logits", "cls_logits", "distillation_logits"]}),
    "deit-plain": ("DeiTForImageClassification", VIT | {
        "model_type": "deit", "architectures": ["DeiTForImageClassification"]}, picture(12)),
    "deit-pooled": ("DeiTModel", VIT | {"model_type": "deit", "architectures": ["DeiTModel"]}, picture(12)),
    "clip": ("CLIPModel", {"projection_dim": 20, "text_config": CLIP_TEXT, "vision_config": CLIP_VISION},
             text_inputs(40, with_types=False) | picture(12), CLIP_OUTPUTS),
    "clip_text_model": ("CLIPTextModel", CLIP_TEXT, text_inputs(40, with_types=False)),
    "clip_text_model-projected": ("CLIPTextModelWithProjection", CLIP_TEXT | {
        "model_type": "clip_text_model", "architectures": ["CLIPTextModelWithProjection"], "projection_dim": 20,
        "eos_token_id": 7}, {"input_ids": with_last(tokens("input_ids", (2, 6), 40), 7),
                             "attention_mask": padded((2, 6))},
        {"outputs": ["last_hidden_state", "text_embeds"]}),
    "siglip": ("SiglipModel", {"text_config": CLIP_TEXT | {"projection_size": 24}, "vision_config": CLIP_VISION},
               {"input_ids": tokens("input_ids", (2, 6), 40)} | picture(12), CLIP_OUTPUTS),
    "depth_anything": ("DepthAnythingForDepthEstimation", DEPTH, picture(20), {"outputs": ["predicted_depth"]}),
    "depth_anything-metric": ("DepthAnythingForDepthEstimation", DEPTH | {
        "model_type": "depth_anything", "depth_estimation_type": "metric", "max_depth": 20}, picture(20),
        {"outputs": ["predicted_depth"]}),
    "segformer": ("SegformerForSemanticSegmentation", SEGFORMER | {"id2label": VIT["id2label"]}, {"pixel_values": noise("pixel_values", (2, 3, 24, 32))}),
    "detr": ("DetrForObjectDetection", {
        "use_timm_backbone": False, "backbone": None, "use_pretrained_backbone": False, "d_model": 24,
        "backbone_config": {"model_type": "resnet", "embedding_size": 8, "hidden_sizes": [16, 20], "depths": [2, 1],
                            "out_features": ["stage2"]},
        "encoder_layers": 2, "decoder_layers": 2, "encoder_attention_heads": 3, "decoder_attention_heads": 2,
        "encoder_ffn_dim": 36, "decoder_ffn_dim": 28, "num_queries": 5, "id2label": VIT["id2label"]},
        {"pixel_values": noise("pixel_values", (2, 3, 40, 48))}, {"outputs": ["logits", "pred_boxes"]}),
    "sam": ("SamModel", SAM, picture(12) | {
        "input_points": noise("input_points", (2, 1, 1, 2)),
        "input_labels": numpy.array([[[1]], [[0]]], dtype=numpy.int64)}, SAM_OUTPUTS),
    "sam-box-mask": ("SamModel", SAM | {"model_type": "sam", "prompts": ["boxes", "masks"]}, picture(12) | {
        "input_boxes": noise("input_boxes", (2, 1, 4)), "input_masks": noise("input_masks", (2, 1, 12, 12))},
        SAM_OUTPUTS),
    "sam-box": ("SamModel", SAM | {"model_type": "sam", "prompts": ["points", "boxes"]}, picture(12) | {
        "input_points": noise("input_points", (2, 1, 3, 2)),
        "input_labels": numpy.array([[[1, 0, -1]], [[0, 1, 1]]], dtype=numpy.int64),
        "input_boxes": noise("input_boxes", (2, 1, 4))}, SAM_OUTPUTS),
    "llava": ("LlavaForConditionalGeneration", {
        "image_token_index": 39, "vision_feature_layer": -2, "text_config": {"model_type": "llama"} | LLAMA,
        "vision_config": CLIP_VISION | {"model_type": "clip_vision_model", "num_hidden_layers": 3, "patch_size": 6}},
        seeing_inputs(39, 4), {"outputs": ["logits"], "prompt": 6}),
    "llava-siglip": ("LlavaForConditionalGeneration", {
        "model_type": "llava", "image_token_index": 39, "vision_feature_layer": -1, "projector_hidden_act": "silu",
        "vision_feature_select_strategy": "full", "multimodal_projector_bias": False,
        "text_config": {"model_type": "qwen2"} | LLAMA,
        "vision_config": CLIP_VISION | {"model_type": "siglip_vision_model", "patch_size": 6, "vision_use_head": False}},
        seeing_inputs(39, 4), {"outputs": ["logits"], "prompt": 6}),
    "voxtral": ("VoxtralForConditionalGeneration", {
        "audio_token_id": 39, "projector_hidden_act": "silu", "text_config": {"model_type": "llama"} | LLAMA,
        "audio_config": {"hidden_size": 20, "intermediate_size": 40, "num_hidden_layers": 2, "num_attention_heads": 2,
                         "num_mel_bins": 6, "max_source_positions": 8}},
        listening_inputs(39, 4), {"outputs": ["logits"], "prompt": 6}),
    "qwen2_audio": ("Qwen2AudioForConditionalGeneration", {
        "audio_token_index": 39, "text_config": {"model_type": "qwen2"} | LLAMA,
        "audio_config": {"d_model": 20, "encoder_ffn_dim": 28, "encoder_layers": 2, "encoder_attention_heads": 2,
                         "num_mel_bins": 6, "max_source_positions": 8, "activation_function": "relu"}},
        listening_inputs(39, 4), {"outputs": ["logits"], "prompt": 6, "given": with_whole_sound}),
    "gemma3": ("Gemma3ForConditionalGeneration", {
        "image_token_index": 39, "mm_tokens_per_image": 4, "text_config": {"model_type": "gemma3_text"} | GEMMA | {
            "sliding_window": 5, "sliding_window_pattern": 2, "rope_theta": 1000000.0, "rope_local_base_freq": 10000.0},
        "vision_config": CLIP_VISION | {"model_type": "siglip_vision_model", "image_size": 16, "vision_use_head": False}},
        seeing_inputs(39, 4, side=16) | {"token_type_ids": numpy.array([[1] * 4 + [0] * 4] * 2)},
        {"outputs": ["logits"], "prompt": 6, "hidden": ["token_type_ids"]}),
    "paligemma": ("PaliGemmaForConditionalGeneration", {
        "image_token_index": 39, "projection_dim": 24, "text_config": {"model_type": "gemma", "head_dim": 8} | LLAMA,
        "vision_config": CLIP_VISION | {"model_type": "siglip_vision_model", "patch_size": 6, "vision_use_head": False}},
        seeing_inputs(39, 4) | {"token_type_ids": numpy.array([[0] * 6 + [1] * 2] * 2)},
        {"outputs": ["logits"], "prompt": 6, "by_steps": True, "hidden": ["token_type_ids"]}),
    "qwen2_vl": ("Qwen2VLForConditionalGeneration", {
        "image_token_id": 39, "text_config": QWEN_VL | {"model_type": "qwen2_vl_text"},
        "vision_config": {"depth": 2, "embed_dim": 24, "hidden_size": 24, "num_heads": 2, "mlp_ratio": 2, "patch_size": 2,
                          "image_size": 12}}, with_text_before(seeing_inputs(39, 9)),
        {"outputs": ["logits"], "prompt": 11, "given": with_patches(2, 2)}),
    "qwen2_5_vl": ("Qwen2_5_VLForConditionalGeneration", {
        "image_token_id": 39, "tie_word_embeddings": True, "text_config": QWEN_VL | {"model_type": "qwen2_5_vl_text"},
        "vision_config": {"depth": 3, "hidden_size": 24, "intermediate_size": 28, "num_heads": 2, "out_hidden_size": 24,
                          "patch_size": 2, "window_size": 8, "fullatt_block_indexes": [1], "image_size": 16}},
        with_text_before(seeing_inputs(39, 16, side=16)),
        {"outputs": ["logits"], "prompt": 18, "given": with_patches(2, 2)}),
    "qwen3_vl": ("Qwen3VLForConditionalGeneration", {
        "image_token_id": 39, "text_config": QWEN_VL | {"model_type": "qwen3_vl_text", "head_dim": 12, "rope_scaling": {
            "rope_type": "default", "mrope_section": [2, 2, 2], "mrope_interleaved": True}},
        "vision_config": {"depth": 3, "hidden_size": 24, "intermediate_size": 28, "num_heads": 2, "out_hidden_size": 24,
                          "patch_size": 2, "num_position_embeddings": 36, "deepstack_visual_indexes": [0, 1]}},
        with_text_before(seeing_inputs(39, 9)),
        {"outputs": ["logits"], "prompt": 11, "given": with_patches(2, 2)}),
    "paligemma-2": ("PaliGemmaForConditionalGeneration", {
        "model_type": "paligemma", "image_token_index": 39, "projection_dim": 24, "text_config": GEMMA | {
            "model_type": "gemma2", "sliding_window": 3, "attn_logit_softcapping": 2.0, "final_logit_softcapping": 3.0},
        "vision_config": CLIP_VISION | {"model_type": "siglip_vision_model", "patch_size": 6, "vision_use_head": False}},
        seeing_inputs(39, 4) | {"token_type_ids": numpy.array([[0] * 5 + [1] * 3] * 2)},
        {"outputs": ["logits"], "prompt": 5, "by_steps": True, "hidden": ["token_type_ids"]}),
    "smolvlm": ("SmolVLMForConditionalGeneration", {
        "image_token_id": 39, "scale_factor": 2, "text_config": {"model_type": "llama"} | LLAMA,
        "vision_config": CLIP_VISION | {"model_type": "smolvlm_vision", "patch_size": 3}},
        seeing_inputs(39, 4), {"outputs": ["logits"], "prompt": 6, "given": with_pictures}),
    "idefics3": ("Idefics3ForConditionalGeneration", {
        "image_token_id": 39, "scale_factor": 3, "tie_word_embeddings": True,
        "text_config": {"model_type": "llama"} | LLAMA,
        "vision_config": CLIP_VISION | {"model_type": "idefics3_vision", "image_size": 24}},
        seeing_inputs(39, 4, side=24), {"outputs": ["logits"], "prompt": 6, "given": with_pictures}),
    "blip-2": ("Blip2ForConditionalGeneration", {
        "image_token_index": 39, "num_query_tokens": 3, "text_config": {"model_type": "opt"} | BLIP_TEXT,
        "vision_config": CLIP_VISION | {"model_type": "blip_2_vision_model", "qkv_bias": True},
        "qformer_config": {"model_type": "blip_2_qformer", "hidden_size": 18, "num_hidden_layers": 3,
                           "num_attention_heads": 3, "intermediate_size": 20, "encoder_hidden_size": 24}},
        seeing_inputs(39, 3), {"outputs": ["logits"], "prompt": 5}),
    "blip-2-t5": ("Blip2ForConditionalGeneration", {
        "model_type": "blip-2", "image_token_index": 39, "num_query_tokens": 3, "tie_word_embeddings": False,
        "text_config": {"model_type": "t5", "feed_forward_proj": "gated-gelu", "tie_word_embeddings": False} | T5,
        "vision_config": CLIP_VISION | {"model_type": "blip_2_vision_model", "qkv_bias": True},
        "qformer_config": {"model_type": "blip_2_qformer", "hidden_size": 18, "num_hidden_layers": 2,
                           "num_attention_heads": 3, "intermediate_size": 20, "encoder_hidden_size": 24}},
        answer_inputs(39) | picture(12) | {"input_ids": seeing_inputs(39, 3)["input_ids"][:, :6]},
        {"outputs": ["logits"], "change": untie}),
    "imagebind": (("imagebind", "ImageBind"), {
        "image_size": 12, "kernel_size": [2, 4, 4], "vision_embed_dim": 24, "vision_num_blocks": 2,
        "vision_num_heads": 3, "text_embed_dim": 20, "text_num_blocks": 2, "text_num_heads": 2, "vocab_size": 40,
        "context_length": 9, "audio_embed_dim": 16, "audio_num_blocks": 2, "audio_num_heads": 2,
        "audio_num_mel_bins": 10, "audio_target_len": 13, "audio_kernel_size": 4, "audio_stride": 3,
        "depth_embed_dim": 12, "depth_num_blocks": 2, "depth_num_heads": 3, "depth_kernel_size": 6,
        "thermal_embed_dim": 18, "thermal_num_blocks": 1, "thermal_num_heads": 2, "thermal_kernel_size": 5,
        "imu_embed_dim": 10, "imu_num_blocks": 2, "imu_num_heads": 2, "imu_kernel_size": 3, "imu_target_len": 12,
        "out_embed_dim": 14}, picture(12) | {
            "input_ids": tokens("input_ids", (2, 6), 40), "input_features": noise("input_features", (2, 1, 10, 13)),
            "depth_values": noise("depth_values", (2, 1, 12, 12)),
            "thermal_values": noise("thermal_values", (2, 1, 12, 12)),
            "imu_values": noise("imu_values", (2, 6, 12))},
        {"outputs": ["vision_text", "audio_text", "vision_audio", "vision_depth", "vision_thermal", "vision_imu",
                     "text_embeds", "vision_embeds", "audio_embeds", "depth_embeds", "thermal_embeds",
                     "imu_embeds"]}),
    "esm": ("EsmModel", ESM | {"position_embedding_type": "rotary", "token_dropout": True, "mask_token_id": 5},
            text_inputs(40, with_types=False) | {"input_ids": with_last(tokens("input_ids", (2, 6), 38) + 1, 5)}),
    "esm-absolute": ("EsmModel", ESM | {"model_type": "esm", "emb_layer_norm_before": True},
                     text_inputs(40, with_types=False)),
    "esm-classifier": ("EsmForSequenceClassification", of_class(
        "EsmForSequenceClassification", "esm", ESM | {"position_embedding_type": "rotary"}),
        text_inputs(40, with_types=False)),
    "layoutlmv3": ("LayoutLMv3Model", LAYOUT, page_inputs()),
    "layoutlmv3-tagger": ("LayoutLMv3ForTokenClassification", LAYOUT | {
        "model_type": "layoutlmv3", "architectures": ["LayoutLMv3ForTokenClassification"],
        "id2label": {str(i): str(i) for i in range(11)}, "has_spatial_attention_bias": False}, page_inputs()),
    "layoutlmv3-classifier": ("LayoutLMv3ForSequenceClassification", of_class(
        "LayoutLMv3ForSequenceClassification", "layoutlmv3", LAYOUT | {
            "has_spatial_attention_bias": False, "has_relative_attention_bias": False}), page_inputs()),
    "wavlm": ("WavLMModel", WAVE | {"num_buckets": 8, "max_bucket_distance": 7}, samples(150)),
    "wavlm-stable": ("WavLMModel", WAVE_STABLE | {
        "model_type": "wavlm", "num_buckets": 12, "max_bucket_distance": 20}, samples(150)),
    "vision-encoder-decoder": ("VisionEncoderDecoderModel", {
        "encoder": VIT | {"model_type": "vit", "qkv_bias": False},
        "decoder": TROCR | {"cross_attention_hidden_size": 24, "tie_word_embeddings": False}}, picture(12) | {
            "decoder_input_ids": tokens("decoder_input_ids", (2, 5), 40)}, SEQ2SEQ),
    "vision-encoder-decoder-deit": ("VisionEncoderDecoderModel", {
        "model_type": "vision-encoder-decoder", "encoder": VIT | {"model_type": "deit"},
        "decoder": TROCR | {"layernorm_embedding": False, "scale_embedding": True}}, picture(12) | {
            "decoder_input_ids": tokens("decoder_input_ids", (2, 5), 40)}, {"outputs": ["logits"]}),
    "vision-encoder-decoder-gpt2": ("VisionEncoderDecoderModel", {
        "model_type": "vision-encoder-decoder", "encoder": VIT | {"model_type": "vit"},
        "decoder": {"model_type": "gpt2", "vocab_size": 40, "n_embd": 20, "n_layer": 2, "n_head": 2, "n_positions": 9,
                    "n_inner": 28, "is_decoder": True, "add_cross_attention": True, "bos_token_id": 1,
                    "eos_token_id": 1}}, picture(12) | {
                        "decoder_input_ids": tokens("decoder_input_ids", (2, 5), 40)}, {"outputs": ["logits"]}),
    "vision-encoder-decoder-donut": ("VisionEncoderDecoderModel", {
        "model_type": "vision-encoder-decoder", "encoder": SWIN | {
            "model_type": "donut-swin", "image_size": [16, 32], "embed_dim": 10, "num_heads": [2, 5]},
        "decoder": BART | {"model_type": "mbart", "d_model": 20, "decoder_layers": 2, "is_decoder": True,
                           "add_cross_attention": True, "add_final_layer_norm": True}},
        {"pixel_values": noise("pixel_values", (2, 3, 16, 32)),
         "decoder_input_ids": tokens("decoder_input_ids", (2, 5), 40)}, {"outputs": ["logits"]}),
    "whisper": ("WhisperForConditionalGeneration", WHISPER, {
        "input_features": noise("input_features", (2, 6, 16)),
        "decoder_input_ids": tokens("decoder_input_ids", (2, 5), 40)}, SEQ2SEQ),
    "wav2vec2": ("Wav2Vec2Model", WAVE, samples(150)),
    "wav2vec2-stable": ("Wav2Vec2Model", WAVE_STABLE | {"model_type": "wav2vec2"}, samples(150)),
    "hubert": ("HubertModel", WAVE, samples(150)),
    "hubert-stable": ("HubertModel", WAVE_STABLE | {"model_type": "hubert", "feat_proj_layer_norm": False},
                      samples(150)),
    "wav2vec2-bert": ("Wav2Vec2BertModel", CONFORMER, {"input_features": noise("input_features", (2, 9, 10))}),
    "wav2vec2-bert-ctc": ("Wav2Vec2BertForCTC", CONFORMER | {
        "model_type": "wav2vec2-bert", "architectures": ["Wav2Vec2BertForCTC"], "vocab_size": 11,
        "right_max_position_embeddings": 3, "hidden_act": "gelu", "mask_time_prob": 0.0},
        {"input_features": noise("input_features", (2, 9, 10))}),
    "moonshine": ("MoonshineForConditionalGeneration", MOONSHINE, samples(2000) | {
        "decoder_input_ids": tokens("decoder_input_ids", (2, 5), 40)}, SEQ2SEQ),
    "bert-jina": (("transformers", "BertModel"), BERT | {
        "model_type": "bert", "position_embedding_type": "alibi", "feed_forward_type": "geglu", "pad_token_id": 0},
        text_inputs(40), {"build": build_jina, "run": run_jina}),
    "clap": ("ClapModel", CLAP, text_inputs(40, with_types=False) | {
        "input_features": noise("input_features", (2, 1, 29, 4))},
        {"outputs": ["logits_per_audio", "logits_per_text", "text_embeds", "audio_embeds"]}),
    "unet": (("diffusers", "UNet2DConditionModel"), UNET, unet_inputs(), {"run": run_unet}),
    "unet-xl": (("diffusers", "UNet2DConditionModel"), UNET_XL, unet_inputs() | {
        "text_embeds": noise("text_embeds", (2, 7)), "time_ids": tokens("time_ids", (2, 6), 1025),
        "timestep_cond": noise("timestep_cond", (2, 5))}, {"run": run_unet}),
    "autoencoder": (("diffusers", "AutoencoderKL"), VAE, {"latent_sample": noise("latent_sample", (2, 4, 3, 5))},
                    {"run": run_decoder, "tensors": ("decoder.", "post_quant_conv.")}),
    "dit": (("diffusers", "DiTTransformer2DModel"), DIT, {
        "hidden_states": noise("hidden_states", (2, 2, 8, 8)), "timestep": times(),
        "class_labels": numpy.array([6, 2])}, {"run": run_dit}),
    "flux": (("diffusers", "FluxTransformer2DModel"), FLUX | {"guidance_embeds": True}, joint_inputs() | {
        "guidance": noise("guidance", (2,))}, {"run": run_flux}),
    "flux-plain": (("diffusers", "FluxTransformer2DModel"), FLUX | {"out_channels": 8, "num_layers": 1},
                   joint_inputs(), {"run": run_flux}),
    "sd3": (("diffusers", "SD3Transformer2DModel"), SD3, joint_inputs(), {"run": run_sd3}),
    "sd3-dual": (("diffusers", "SD3Transformer2DModel"), SD3 | {
        "dual_attention_layers": [0], "qk_norm": "rms_norm"}, joint_inputs(), {"run": run_sd3}),
    "flux-pipeline": (("diffusers", "FluxPipeline"), FLUX_PIPELINE, {
        "input_ids": tokens("input_ids", (2, 6), 40), "input_ids_2": tokens("input_ids_2", (2, 5), 40),
        "sample": noise("sample", (2, 3, 4, 6)), "denoising_steps": flow_steps(4)},
        {"run": run_flux_pipeline, "tensors": ("text_encoder.", "text_encoder_2.", "transformer.", "vae.decoder.")}),
    "flux-pipeline-plain": (("diffusers", "FluxPipeline"), FLUX_PIPELINE | {
        "scheduler": FLOW | {"use_dynamic_shifting": True, "time_shift_type": "linear"}, "transformer":
        FLUX_PIPELINE["transformer"] | {"guidance_embeds": False, "num_single_layers": 0}}, {
            "input_ids": tokens("input_ids", (2, 6), 40), "input_ids_2": tokens("input_ids_2", (2, 5), 40),
            "sample": noise("sample", (2, 3, 4, 2)), "denoising_steps": flow_steps(2)},
        {"run": run_flux_pipeline, "tensors": ("text_encoder.", "text_encoder_2.", "transformer.", "vae.decoder.")}),
    "sd3-pipeline": (("diffusers", "StableDiffusion3Pipeline"), SD3_PIPELINE, {
        f"{start}input_ids{end}": tokens(f"{start}input_ids{end}", (2, 5 if end == "_3" else 6), 40)
        for start in ("", "negative_") for end in ("", "_2", "_3")} | {
            "sample": noise("sample", (2, 3, 4, 6)), "denoising_steps": flow_steps(4)},
        {"run": run_sd3_pipeline, "tensors": ("text_encoder.", "text_encoder_2.", "text_encoder_3.", "transformer.",
                                              "vae.decoder.")}),
    "pixart": (("diffusers", "PixArtTransformer2DModel"), PIXART | {
        "use_additional_conditions": True, "interpolation_scale": 2}, pixart_inputs() | {
            "resolution": tokens("resolution", (2, 2), 1025), "aspect_ratio": noise("aspect_ratio", (2, 1))},
        {"run": run_pixart}),
    "pixart-plain": (("diffusers", "Transformer2DModel"), PIXART | {
        "_class_name": "Transformer2DModel", "caption_channels": None, "cross_attention_dim": 10, "patch_size": 2,
        "norm_type": "ada_norm_single", "norm_elementwise_affine": False, "norm_eps": 1e-6, "attention_bias": True,
        "activation_fn": "gelu-approximate", "num_embeds_ada_norm": 1000, "use_additional_conditions": False},
        pixart_inputs(), {"run": run_pixart}),
    "pixart-pipeline": (("diffusers", "PixArtAlphaPipeline"), PIXART_PIPELINE, {
        "input_ids": tokens("input_ids", (2, 6), 40), "negative_input_ids": tokens("negative_input_ids", (2, 6), 40),
        "attention_mask": padded((2, 6)), "negative_attention_mask": padded((2, 6))[::-1].copy(),
        "sample": noise("sample", (2, 2, 4, 4)), "noise_levels": levels_back(4),
        "earlier_picture": noise("earlier_picture", (2, 2, 4, 4))},
        {"run": run_pixart_pipeline, "tensors": ("text_encoder.", "transformer.", "vae.decoder.", "vae.post_quant_conv.")}),
    "stable-diffusion": (("diffusers", "StableDiffusionPipeline"), PIPELINE, {
        "input_ids": tokens("input_ids", (2, 6), 40), "negative_input_ids": tokens("negative_input_ids", (2, 6), 40),
        "sample": noise("sample", (2, 4, 2, 3)), "noise_levels": levels(4)},
        {"run": run_pipeline, "tensors": ("text_encoder.", "unet.", "vae.decoder.", "vae.post_quant_conv.")}),
    "stable-diffusion-pndm": (("diffusers", "StableDiffusionPipeline"), PIPELINE | {
        "scheduler": PIPELINE["scheduler"] | {"_class_name": "PNDMScheduler", "skip_prk_steps": True}}, {
        "input_ids": tokens("input_ids", (2, 6), 40), "negative_input_ids": tokens("negative_input_ids", (2, 6), 40),
        "sample": noise("sample", (2, 4, 2, 3)), "noise_levels": levels_of_pair(6)} | {
            name: noise(name, (2, 4, 2, 3)) for name in ("earlier_sample", "answer_1", "answer_2", "answer_3")},
        {"run": run_pipeline, "tensors": ("text_encoder.", "unet.", "vae.decoder.", "vae.post_quant_conv.")}),
    "stable-diffusion-dpm": (("diffusers", "StableDiffusionPipeline"), PIPELINE | {
        "scheduler": PIPELINE["scheduler"] | {"_class_name": "DPMSolverMultistepScheduler",
                                              "prediction_type": "v_prediction"}}, {
        "input_ids": tokens("input_ids", (2, 6), 40), "negative_input_ids": tokens("negative_input_ids", (2, 6), 40),
        "sample": noise("sample", (2, 4, 2, 3)), "noise_levels": levels_back(5),
        "earlier_picture": noise("earlier_picture", (2, 4, 2, 3))},
        {"run": run_pipeline, "tensors": ("text_encoder.", "unet.", "vae.decoder.", "vae.post_quant_conv.")}),
    "stable-diffusion-karras": (("diffusers", "StableDiffusionPipeline"), PIPELINE | {
        "scheduler": PIPELINE["scheduler"] | {"_class_name": "EulerDiscreteScheduler", "use_karras_sigmas": True,
                                              "timestep_spacing": "linspace"}}, {
        "input_ids": tokens("input_ids", (2, 6), 40), "negative_input_ids": tokens("negative_input_ids", (2, 6), 40),
        "sample": noise("sample", (2, 4, 2, 3)), "denoising_steps": steps(5)},
        {"run": run_pipeline, "tensors": ("text_encoder.", "unet.", "vae.decoder.", "vae.post_quant_conv.")}),
    "stable-diffusion-karras-leading": (("diffusers", "StableDiffusionPipeline"), PIPELINE | {
        "scheduler": PIPELINE["scheduler"] | {"_class_name": "EulerDiscreteScheduler", "use_karras_sigmas": True,
                                              "timestep_spacing": "leading", "steps_offset": 1}}, {
        "input_ids": tokens("input_ids", (2, 6), 40), "negative_input_ids": tokens("negative_input_ids", (2, 6), 40),
        "sample": noise("sample", (2, 4, 2, 3)), "denoising_steps": steps(3, first=668, last=2)},
        {"run": run_pipeline, "tensors": ("text_encoder.", "unet.", "vae.decoder.", "vae.post_quant_conv.")}),
    "stable-diffusion-euler": (("diffusers", "StableDiffusionPipeline"), PIPELINE | {
        "scheduler": PIPELINE["scheduler"] | {"_class_name": "EulerDiscreteScheduler", "timestep_spacing": "linspace"}}, {
        "input_ids": tokens("input_ids", (2, 6), 40), "negative_input_ids": tokens("negative_input_ids", (2, 6), 40),
        "sample": noise("sample", (2, 4, 2, 3)), "denoising_steps": steps(5)},
        {"run": run_pipeline, "tensors": ("text_encoder.", "unet.", "vae.decoder.", "vae.post_quant_conv.")}),
    "stable-diffusion-dpm-karras": (("diffusers", "StableDiffusionPipeline"), PIPELINE | {
        "scheduler": PIPELINE["scheduler"] | {"_class_name": "DPMSolverMultistepScheduler",
                                              "use_karras_sigmas": True}}, {
        "input_ids": tokens("input_ids", (2, 6), 40), "negative_input_ids": tokens("negative_input_ids", (2, 6), 40),
        "sample": noise("sample", (2, 4, 2, 3)), "denoising_steps": steps(6),
        "earlier_picture": noise("earlier_picture", (2, 4, 2, 3))},
        {"run": run_pipeline, "tensors": ("text_encoder.", "unet.", "vae.decoder.", "vae.post_quant_conv.")}),
    "stable-diffusion-ancestral": (("diffusers", "StableDiffusionPipeline"), PIPELINE | {
        "scheduler": PIPELINE["scheduler"] | {"_class_name": "EulerAncestralDiscreteScheduler"}}, {
        "input_ids": tokens("input_ids", (2, 6), 40), "negative_input_ids": tokens("negative_input_ids", (2, 6), 40),
        "sample": noise("sample", (2, 4, 2, 3)), "noise_levels": levels(4),
        "step_noise": noise("step_noise", (4, 2, 4, 2, 3))},
        {"run": run_pipeline, "tensors": ("text_encoder.", "unet.", "vae.decoder.", "vae.post_quant_conv.")}),
    "stable-diffusion-xl": (("diffusers", "StableDiffusionXLPipeline"), PIPELINE_XL, {
        "input_ids": tokens("input_ids", (2, 6), 40), "negative_input_ids": tokens("negative_input_ids", (2, 6), 40),
        "input_ids_2": tokens("input_ids_2", (2, 6), 40),
        "negative_input_ids_2": tokens("negative_input_ids_2", (2, 6), 40), "sample": noise("sample", (2, 4, 2, 3)),
        "time_ids": tokens("time_ids", (2, 6), 1025), "noise_levels": levels(4)},
        {"run": run_pipeline_xl, "tensors": ("text_encoder.", "text_encoder_2.", "unet.", "vae.decoder.",
                                             "vae.post_quant_conv.")}),
    "bert-classifier": ("BertForSequenceClassification", of_class("BertForSequenceClassification", "bert", BERT),
                        text_inputs(40)),
    "bert-tagger": ("BertForTokenClassification", of_class("BertForTokenClassification", "bert", BERT),
                    text_inputs(40)),
    "bert-reader": ("BertForQuestionAnswering", BERT | {
        "model_type": "bert", "architectures": ["BertForQuestionAnswering"]}, text_inputs(40),
        {"outputs": ["start_logits", "end_logits"]}),
    "distilbert-classifier": ("DistilBertForSequenceClassification", of_class(
        "DistilBertForSequenceClassification", "distilbert", DISTILBERT), text_inputs(40, with_types=False)),
    "electra-classifier": ("ElectraForSequenceClassification", of_class(
        "ElectraForSequenceClassification", "electra", BERT | {"embedding_size": 16}), text_inputs(40)),
    "roberta-classifier": ("RobertaForSequenceClassification", of_class(
        "RobertaForSequenceClassification", "roberta", BERT | {"pad_token_id": 1}), text_inputs(40)),
    "albert-classifier": ("AlbertForSequenceClassification", of_class(
        "AlbertForSequenceClassification", "albert", BERT | {"embedding_size": 16}), text_inputs(40)),
    "deberta-v2-classifier": ("DebertaV2ForSequenceClassification", of_class(
        "DebertaV2ForSequenceClassification", "deberta-v2", DEBERTA | {
            "pos_att_type": "c2p", "position_buckets": 4, "pooler_hidden_act": "gelu"}),
        text_inputs(40, with_types=False) | {"attention_mask": numpy.ones((2, 6), dtype=numpy.int64)}),
    "modernbert-classifier": ("ModernBertForSequenceClassification", of_class(
        "ModernBertForSequenceClassification", "modernbert", MODERNBERT | {
            "classifier_pooling": "mean", "classifier_bias": True, "norm_bias": True}),
        text_inputs(40, with_types=False, shape=(2, 9))),
    "bart-classifier": ("BartForSequenceClassification", of_class("BartForSequenceClassification", "bart", BART), {
        "input_ids": with_last(tokens("input_ids", (2, 6), 40), 2), "attention_mask": padded((2, 6))}),
    "mistral-classifier": ("MistralForSequenceClassification", of_class(
        "MistralForSequenceClassification", "mistral", LLAMA | {"sliding_window": 3, "pad_token_id": 0}),
        whole_inputs(40)),
    "mistral-whole": ("MistralModel", LLAMA | {
        "model_type": "mistral", "architectures": ["MistralModel"], "sliding_window": 3}, whole_inputs(40)),
    "t5-encoder": ("T5EncoderModel", T5 | {"model_type": "t5", "architectures": ["T5EncoderModel"]},
                   text_inputs(40, with_types=False)),
    "wav2vec2-ctc": ("Wav2Vec2ForCTC", WAVE | {
        "model_type": "wav2vec2", "architectures": ["Wav2Vec2ForCTC"], "vocab_size": 11}, samples(150)),
    "dinov2-classifier": ("Dinov2ForImageClassification", of_class("Dinov2ForImageClassification", "dinov2", DINOV2),
                          picture(12)),
    "dinov2_with_registers-classifier": ("Dinov2WithRegistersForImageClassification", of_class(
        "Dinov2WithRegistersForImageClassification", "dinov2_with_registers", DINOV2 | {"num_register_tokens": 2}),
        picture(12)),
    "segformer-classifier": ("SegformerForImageClassification", of_class(
        "SegformerForImageClassification", "segformer", SEGFORMER),
        {"pixel_values": noise("pixel_values", (2, 3, 24, 32))}),
    "swin-pooled": ("SwinModel", {"model_type": "swin", "architectures": ["SwinModel"]} | SWIN, picture(16),
                    {"outputs": ["pooler_output"]}),
    "florence2": ("Florence2ForConditionalGeneration", FLORENCE, seeing_answer_inputs(39, 10, 24),
                  SEQ2SEQ),
    "rt_detr": ("RTDetrForObjectDetection", RT_DETR | {"decoder_activation_function": "silu"}, wide_picture(),
                DETECTED),
    "rt_detr-bottleneck": ("RTDetrForObjectDetection", RT_DETR | {
        "model_type": "rt_detr", "encode_proj_layers": [1, 2], "hidden_expansion": 0.5, "encoder_layers": 2,
        "encoder_in_channels": [16, 20, 24], "num_denoising": 0, "backbone_config": RT_RESNET | {
            "layer_type": "bottleneck", "hidden_sizes": [12, 16, 20, 24]}}, wide_picture(), DETECTED),
    "rt_detr_v2": ("RTDetrV2ForObjectDetection", RT_DETR | {"decoder_offset_scale": 0.7}, wide_picture(), DETECTED),
    "sam2": ("Sam2Model", SAM2, picture(64) | {
        "input_points": noise("input_points", (2, 1, 2, 2)),
        "input_labels": numpy.array([[[1, 0]], [[0, -1]]], dtype=numpy.int64)}, SAM2_OUTPUTS),
    "sam2-box-mask": ("Sam2Model", SAM2 | {"model_type": "sam2", "prompts": ["boxes", "masks"]}, picture(64) | {
        "input_boxes": noise("input_boxes", (2, 1, 4)), "input_masks": noise("input_masks", (2, 1, 16, 16))},
        SAM2_OUTPUTS),
    "mobilevit": ("MobileViTForImageClassification", of_class("MobileViTForImageClassification", "mobilevit", {
        "image_size": [64, 128], "hidden_sizes": [12, 20, 16], "neck_hidden_sizes": [8, 12, 16, 20, 24, 28, 36],
        "num_attention_heads": 4, "expand_ratio": 1.5}), {"pixel_values": noise("pixel_values", (2, 3, 64, 128))}),
    "mobilevitv2": ("MobileViTV2ForImageClassification", of_class(
        "MobileViTV2ForImageClassification", "mobilevitv2", {
            "image_size": [64, 128], "width_multiplier": 0.15, "n_attn_blocks": [2, 1, 2],
            "base_attn_unit_dims": [50, 80, 100]}), {"pixel_values": noise("pixel_values", (2, 3, 64, 128))}),
    "dinov3_convnext": ("DINOv3ConvNextModel", {"hidden_sizes": [8, 12, 16], "depths": [1, 2, 1]},
                        {"pixel_values": noise("pixel_values", (2, 3, 32, 48))}),
    "retrieval": (("transformers", "DynoRetrievalPipeline"), RETRIEVAL, text_inputs(40) | {
        "question_ids": tokens("question_ids", (2, 6), 40),
        "decoder_input_ids": tokens("decoder_input_ids", (2, 5), 40)}, {"run": run_retrieval, "build": build_retrieval}),
    "dit-pipeline": (("diffusers", "DiTPipeline"), DIT_PIPELINE, {
        "class_labels": numpy.array([5, 2]), "sample": noise("sample", (2, 2, 4, 4)), "noise_levels": levels(5)},
        {"run": run_dit_pipeline, "tensors": ("transformer.", "vae.decoder.", "vae.post_quant_conv.")}),
}


def find_class(where):
    if isinstance(where, tuple):
        return getattr(__import__(where[0], fromlist=[where[1]]), where[1])
    return getattr(transformers, where)


def build(where, config, attention="eager", change=lambda model: None):
    """The model with the weights of the formula, and the tensors as transformers saves them."""
    cls = find_class(where)
    model = cls(cls.config_class(**{k: v for k, v in config.items() if k != "model_type"}))
    change(model)
    with tempfile.TemporaryDirectory() as folder:
        model.save_pretrained(folder)
        file = pathlib.Path(folder) / "model.safetensors"
        shapes = {name: value.shape for name, value in safetensors.numpy.load_file(file).items()}
        shapes = {name: shape for name, shape in shapes.items() if not name.endswith(COMPUTED)}
        weights = {name: make_weight(name, shape) for name, shape in shapes.items()}
        safetensors.numpy.save_file(weights, file, metadata={"format": "pt"})
        model, info = cls.from_pretrained(folder, attn_implementation=attention if model._supports_sdpa else None,
                                          output_loading_info=True, dtype=torch.float32)
    missing = [name for name in info["missing_keys"] if not name.endswith(COMPUTED)]
    assert not missing and not info["mismatched_keys"], info
    change(model)
    return model.eval(), shapes


def give_weights(model, prefix, wanted):
    places = {}  # a tied weight is saved under its first name
    for name, value in model.state_dict().items():
        places.setdefault(value.data_ptr(), name)
    weights = {name: make_weight(prefix + name, tuple(value.shape)) for name, value in model.state_dict().items()
               if places[value.data_ptr()] == name}
    model.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()},
                          strict=len(weights) == len(model.state_dict()))
    shapes = {prefix + name: value.shape for name, value in weights.items()}
    return model.eval(), {name: shape for name, shape in shapes.items() if name.startswith(wanted)}


def build_part(name, config):
    if name == "scheduler":
        import diffusers
        return getattr(diffusers, config.get("_class_name", "DDIMScheduler")).from_config(config)
    if "_class_name" in config:
        return find_class(("diffusers", config["_class_name"])).from_config(config)
    cls = getattr(transformers, config.get("architectures", ["CLIPTextModel"])[0])
    return cls(cls.config_class(**config))


def build_of_diffusers(where, config, wanted):
    """The same of a class of Diffusers; @wanted are beginnings of the names that Dyno builds."""
    if not where[1].endswith("Pipeline"):
        return give_weights(find_class(where).from_config(config), "", wanted)
    models = {name: build_part(name, part) for name, part in config.items() if isinstance(part, dict)}
    shapes = {}
    for name in models.keys() - {"scheduler"}:
        models[name], own = give_weights(models[name], f"{name}.", wanted)
        shapes |= own
    return models, shapes


def describe(array):
    array = numpy.asarray(array)
    whole = numpy.issubdtype(array.dtype, numpy.integer)
    values = [int(v) if whole else float(f"{v:.7g}") for v in array.ravel().tolist()]
    return {"type": "int64" if whole else "float", "shape": list(array.shape), "values": values}


def describe_input(array):
    if numpy.issubdtype(array.dtype, numpy.integer):
        return describe(array)
    return {"type": "float", "shape": list(array.shape), "noise": NOISE}


def accepted(model, inputs):
    """Without what only Dyno's graph takes."""
    import inspect
    names = inspect.signature(model.forward).parameters
    return {name: torch.from_numpy(value) for name, value in inputs.items() if name in names}


def make(name):
    where, config, inputs, *rest = CASES[name]
    options = rest[0] if rest else {}
    library = transformers
    with torch.no_grad():
        if "run" in options:
            library = __import__(where[0])
            model, shapes = (options["build"](config) if "build" in options else
                             build_of_diffusers(where, config, options.get("tensors", "")))
            answers = options["run"](model, **{key: torch.from_numpy(value) for key, value in inputs.items()})
        else:
            config = {"model_type": name} | config
            model, shapes = build(where, config, options.get("attention", "eager"),
                                  options.get("change", lambda model: None))
            answers = model(**options.get("given", lambda given: given)(accepted(model, inputs)))
    hidden = options.get("hidden", [])
    wanted = options.get("outputs", [*answers] if "run" in options else USUAL_OUTPUTS)
    outputs = {key: describe(answers[key]) for key in wanted if answers.get(key) is not None}
    return {"source": f"{where if isinstance(where, str) else '.'.join(where)}, {library.__name__} "
                      f"{library.__version__}, PyTorch {torch.__version__.split('+')[0]}",
            **{key: options[key] for key in ("prompt", "by_steps") if key in options},
            "config": config, "tensors": {key: list(shape) for key, shape in sorted(shapes.items())},
            "inputs": {key: describe_input(value) for key, value in inputs.items() if key not in hidden},
            "outputs": outputs}


def main(names):
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    for name in names or CASES:
        torch.manual_seed(0)
        text = json.dumps(make(name), separators=(",", ":"))
        text = text.replace('},"', '},\n"').replace('","config"', '",\n"config"')
        (HERE / f"{name}.json").write_text(text + "\n")
        print(f"{name}: {len(text)} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])

#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes log-mel features with the functions of transformers, and writes some frames of them.

    python3 make-log-mel.py

No test runs this: it needs `pip install numpy transformers`, and what it writes is committed. test-log-mel.c builds the
stage `features` of the same config, gives it the same sound and compares the frames, so this is the independent
implementation that Dyno's must agree with. A file has a config as small as it can be, the `preprocessor_config.json` where
the usual one is not meant, and each of the frames that are `every` apart: the numbers of its triangles.
"""

import json
import pathlib

import numpy
from transformers import WhisperFeatureExtractor
from transformers.audio_utils import mel_filter_bank, spectrogram, window_function

HERE = pathlib.Path(__file__).parent

WHISPER = {"model_type": "whisper", "vocab_size": 40, "d_model": 24, "encoder_layers": 1, "decoder_layers": 1,
           "encoder_attention_heads": 3, "decoder_attention_heads": 2, "encoder_ffn_dim": 36, "decoder_ffn_dim": 28,
           "max_target_positions": 9, "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 1, "decoder_start_token_id": 2}
VOXTRAL = {"model_type": "voxtral", "audio_token_id": 39, "projector_hidden_act": "silu",
           "text_config": {"model_type": "llama", "vocab_size": 40, "hidden_size": 24, "num_hidden_layers": 1,
                           "num_attention_heads": 4, "num_key_value_heads": 2, "intermediate_size": 36,
                           "max_position_embeddings": 16, "rms_norm_eps": 1e-05},
           "audio_config": {"hidden_size": 20, "intermediate_size": 40, "num_hidden_layers": 1, "num_attention_heads": 2,
                            "num_mel_bins": 128, "max_source_positions": 50}}
AST = {"model_type": "audio-spectrogram-transformer", "hidden_size": 24, "num_hidden_layers": 1, "num_attention_heads": 3,
       "intermediate_size": 36, "patch_size": 4, "frequency_stride": 4, "time_stride": 4, "max_length": 100,
       "num_mel_bins": 128, "id2label": {"0": "a", "1": "b"}}
CLAP = {"model_type": "clap", "projection_dim": 9,
        "text_config": {"vocab_size": 40, "hidden_size": 24, "num_hidden_layers": 1, "num_attention_heads": 3,
                        "intermediate_size": 36, "max_position_embeddings": 12, "type_vocab_size": 1, "pad_token_id": 1,
                        "projection_dim": 9},
        "audio_config": {"spec_size": 256, "num_mel_bins": 64, "patch_size": 4, "patch_stride": [4, 4], "window_size": 8,
                         "patch_embeds_hidden_size": 8, "depths": [1, 1], "num_attention_heads": [2, 4], "hidden_size": 16,
                         "projection_dim": 9, "mlp_ratio": 2.0}}


def draw(n):
    """Numbers from -1 to 1: SplitMix64's finaliser over a Weyl sequence, as dyno_weights_mix()."""
    bits = numpy.arange(n, dtype=numpy.uint64) * numpy.uint64(0x9E3779B97F4A7C15)
    bits = (bits ^ (bits >> numpy.uint64(30))) * numpy.uint64(0xBF58476D1CE4E5B9)
    bits = (bits ^ (bits >> numpy.uint64(27))) * numpy.uint64(0x94D049BB133111EB)
    bits = bits ^ (bits >> numpy.uint64(31))
    return (bits >> numpy.uint64(11)).astype(numpy.float64) / (1 << 52) - 1


def make_sound(rate, n):
    """Two tones with little noise, then silence, then noise. The test has the same rule."""
    time = numpy.arange(n) / rate
    tones = 0.5 * numpy.sin(2 * numpy.pi * 440 * time) + 0.2 * numpy.sin(2 * numpy.pi * 3000 * time) + 0.001 * draw(n)
    third = 3 * numpy.arange(n) // n
    return numpy.where(third == 0, tones, numpy.where(third == 1, 0, 0.05 * draw(n))).astype(numpy.float32)


def whisper(n_mels, n_frames, **changed):
    extractor = WhisperFeatureExtractor(feature_size=n_mels, **changed)
    sound = make_sound(extractor.sampling_rate, n_frames * extractor.hop_length)
    return sound, extractor._np_extract_fbank_features(sound[None], "cpu")[0].T


def ast(n_mels, n_frames):
    filters = mel_filter_bank(num_frequency_bins=257, num_mel_filters=n_mels, min_frequency=20, max_frequency=8000,
                              sampling_rate=16000, norm=None, mel_scale="kaldi", triangularize_in_mel_space=True)
    sound = make_sound(16000, (n_frames - 1) * 160 + 400)
    features = spectrogram(sound, window_function(400, "hann", periodic=False), frame_length=400, hop_length=160,
                           fft_length=512, power=2.0, center=False, preemphasis=0.97, mel_filters=filters, log_mel="log",
                           mel_floor=1.192092955078125e-07, remove_dc_offset=True)
    return sound, (features.T - -4.2677393) / (4.5689974 * 2)


def clap(n_mels, n_frames):
    filters = mel_filter_bank(num_frequency_bins=513, num_mel_filters=n_mels, min_frequency=50, max_frequency=14000,
                              sampling_rate=48000, norm="slaney", mel_scale="slaney")
    sound = make_sound(48000, (n_frames - 1) * 480)
    return sound, spectrogram(sound, window_function(1024, "hann"), frame_length=1024, hop_length=480, power=2.0,
                              mel_filters=filters, log_mel="dB").T


def write(name, config, output, rate, every, made, published=None):
    sound, features = made
    frames = features[::every]
    document = {"config": config, "output": output, "rate": rate, "samples": len(sound), "frames": len(features),
                "every": every, "values": [[round(float(x), 5) for x in frame] for frame in frames]}
    if published is not None:
        document["preprocessor"] = published
    (HERE / f"{name}.json").write_text(json.dumps(document, separators=(",", ":")) + "\n", encoding="utf-8")


write("whisper", {**WHISPER, "num_mel_bins": 80, "max_source_positions": 1500}, "input_features", 16000, 150, whisper(80, 3000))
write("whisper-other", {**WHISPER, "num_mel_bins": 40, "max_source_positions": 60}, "input_features", 24000, 11,
      whisper(40, 120, sampling_rate=24000, n_fft=512, hop_length=240),
      {"feature_extractor_type": "WhisperFeatureExtractor", "sampling_rate": 24000, "n_fft": 512, "hop_length": 240})
write("voxtral", VOXTRAL, "input_features", 16000, 9, whisper(128, 100))
write("audio-spectrogram-transformer", AST, "input_values", 16000, 9, ast(128, 100))
write("clap", CLAP, "input_features", 48000, 71, clap(64, 1001))

# SPDX-License-Identifier: GPL-3.0-or-later
"""ImageBind's six towers, made of PyTorch's own layers: the published code is no package.

Names of the parts are those of the published weights. make-references.py builds it as it builds models of transformers.
"""

import json
import pathlib

import safetensors.torch
import torch
from torch import nn

SENSES = ("vision", "text", "audio", "depth", "thermal", "imu")
EXTRA = SENSES[2:]  # those whose attention has a learned key and value
BOUND = SENSES[3:]  # those that are compared with pictures alone


class Block(nn.Module):
    def __init__(self, width, heads, extra):
        super().__init__()
        self.attn = nn.MultiheadAttention(width, heads, add_bias_kv=extra, batch_first=True)
        self.norm_1 = nn.LayerNorm(width, eps=1e-6)
        self.norm_2 = nn.LayerNorm(width, eps=1e-6)
        self.mlp = nn.ModuleDict({"fc1": nn.Linear(width, 4 * width), "fc2": nn.Linear(4 * width, width)})

    def forward(self, x, mask):
        y = self.norm_1(x)
        x = x + self.attn(y, y, y, need_weights=False, attn_mask=mask)[0]
        return x + self.mlp["fc2"](nn.functional.gelu(self.mlp["fc1"](self.norm_2(x))))


class Trunk(nn.Module):
    def __init__(self, config, sense):
        super().__init__()
        width, heads = config[f"{sense}_embed_dim"], config[f"{sense}_num_heads"]
        if sense == "vision":
            self.pre_transformer_layer = nn.Sequential(nn.LayerNorm(width, eps=1e-6))
        self.blocks = nn.ModuleList(Block(width, heads, sense in EXTRA)
                                    for _ in range(config[f"{sense}_num_blocks"]))

    def forward(self, x, mask=None):
        x = self.pre_transformer_layer(x) if hasattr(self, "pre_transformer_layer") else x
        for block in self.blocks:
            x = block(x, mask)
        return x


class Patches(nn.Module):
    """A learned token, patches, and where they are."""

    def __init__(self, stem, norm, n_patches, width, name="rgbt_stem"):
        super().__init__()
        self.name = name
        self.add_module(name, nn.ModuleDict({"proj": stem} | ({"norm_layer": norm} if norm else {})))
        self.cls_token = nn.Parameter(torch.zeros(1, 1, width))
        self.pos_embedding_helper = nn.Module()
        self.pos_embedding_helper.pos_embed = nn.Parameter(torch.zeros(1, n_patches + 1, width))

    def forward(self, x):
        stem = getattr(self, self.name)
        x = stem["proj"](x).flatten(2).transpose(1, 2)
        x = stem["norm_layer"](x) if "norm_layer" in stem else x
        return torch.cat([self.cls_token.expand(len(x), -1, -1), x], dim=1) + self.pos_embedding_helper.pos_embed


class Film(nn.Module):
    """A picture is a film of two equal frames."""

    def forward(self, x):
        return x.unsqueeze(2).repeat(1, 1, 2, 1, 1)


class Motion(nn.Module):
    """A token is a stretch of all six channels."""

    def __init__(self, config):
        super().__init__()
        self.length, width = config["imu_kernel_size"], config["imu_embed_dim"]
        self.imu_stem = nn.ModuleDict({"proj": nn.Linear(6 * self.length, width, bias=False),
                                       "norm_layer": nn.LayerNorm(width)})
        self.cls_token = nn.Parameter(torch.zeros(1, 1, width))
        self.pos_embed = nn.Parameter(torch.zeros(1, config["imu_target_len"] // self.length + 1, width))

    def forward(self, x):
        x = x.unfold(-1, self.length, self.length).permute(0, 2, 1, 3).flatten(2)
        x = self.imu_stem["norm_layer"](self.imu_stem["proj"](x))
        return torch.cat([self.cls_token.expand(len(x), -1, -1), x], dim=1) + self.pos_embed


class Text(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.token_embedding = nn.Embedding(config["vocab_size"], config["text_embed_dim"])
        self.pos_embed = nn.Parameter(torch.zeros(1, config["context_length"], config["text_embed_dim"]))

    def forward(self, ids):
        return self.token_embedding(ids) + self.pos_embed[:, :ids.shape[1]]


class Scale(nn.Module):
    def __init__(self, is_trained):
        super().__init__()
        if is_trained:
            self.log_logit_scale = nn.Parameter(torch.zeros([]))
        else:
            self.register_buffer("log_logit_scale", torch.zeros([]))

    def forward(self, x):
        return x * self.log_logit_scale.exp().clip(max=100)


class ImageBind(nn.Module):
    config_class = dict
    _supports_sdpa = False

    def __init__(self, config):
        super().__init__()
        self.config = config
        self.modality_preprocessors = nn.ModuleDict({
            "vision": self.see(config), "text": Text(config), "audio": self.hear(config),
            "depth": self.feel(config, "depth", "depth_stem"), "thermal": self.feel(config, "thermal", "rgbt_stem"),
            "imu": Motion(config)})
        self.modality_trunks = nn.ModuleDict({sense: Trunk(config, sense) for sense in SENSES})
        heads = {sense: nn.Sequential(*self.head(config, sense)) for sense in SENSES}
        heads["text"] = nn.ModuleDict({"proj": nn.Sequential(*self.head(config, "text")[::2])})
        heads["imu"].insert(2, nn.Dropout(0.5))
        self.modality_heads = nn.ModuleDict(heads)
        self.modality_postprocessors = nn.ModuleDict({
            sense: nn.Sequential(nn.Identity(), Scale(sense == "text")) for sense in SENSES[1:]})

    @staticmethod
    def see(config):
        kernel, width = tuple(config["kernel_size"]), config["vision_embed_dim"]
        stem = nn.Sequential(Film(), nn.Conv3d(3, width, kernel, stride=kernel, bias=False))
        return Patches(stem, None, (config["image_size"] // kernel[1]) ** 2, width)

    @staticmethod
    def hear(config):
        side, stride, width = config["audio_kernel_size"], config["audio_stride"], config["audio_embed_dim"]
        n = [(config[name] - side) // stride + 1 for name in ("audio_num_mel_bins", "audio_target_len")]
        return Patches(nn.Conv2d(1, width, side, stride=stride, bias=False), nn.LayerNorm(width), n[0] * n[1], width)

    @staticmethod
    def feel(config, sense, name):
        side, width = config[f"{sense}_kernel_size"], config[f"{sense}_embed_dim"]
        return Patches(nn.Conv2d(1, width, side, stride=side, bias=False), nn.LayerNorm(width),
                       (config["image_size"] // side) ** 2, width, name)

    @staticmethod
    def head(config, sense):
        width = config[f"{sense}_embed_dim"]
        return [nn.LayerNorm(width, eps=1e-6), nn.Identity(), nn.Linear(width, config["out_embed_dim"], bias=False)]

    def forward(self, pixel_values, input_ids, input_features, depth_values, thermal_values, imu_values):
        prepare, trunks, heads = self.modality_preprocessors, self.modality_trunks, self.modality_heads
        given = {"vision": pixel_values, "audio": input_features, "depth": depth_values, "thermal": thermal_values,
                 "imu": imu_values}
        mask = torch.full((input_ids.shape[1],) * 2, float("-inf")).triu(1)
        text = trunks["text"](prepare["text"](input_ids), mask)
        found = {"text": heads["text"]["proj"](text[torch.arange(len(text)), input_ids.argmax(dim=-1)])}
        found |= {sense: heads[sense](trunks[sense](prepare[sense](x)))[:, 0] for sense, x in given.items()}
        found = {sense: nn.functional.normalize(x, dim=-1) for sense, x in found.items()}
        found |= {sense: scale(found[sense]) for sense, scale in self.modality_postprocessors.items()}
        text, vision, audio = found["text"], found["vision"], found["audio"]
        return ({"vision_text": vision @ text.T, "audio_text": audio @ text.T, "vision_audio": vision @ audio.T}
                | {f"vision_{sense}": vision @ found[sense].T for sense in BOUND}
                | {f"{sense}_embeds": x for sense, x in found.items()})

    def save_pretrained(self, folder):
        safetensors.torch.save_file(self.state_dict(), pathlib.Path(folder) / "model.safetensors")
        (pathlib.Path(folder) / "config.json").write_text(json.dumps(self.config))

    @classmethod
    def from_pretrained(cls, folder, **_options):
        model = cls(json.loads((pathlib.Path(folder) / "config.json").read_text()))
        told = model.load_state_dict(safetensors.torch.load_file(pathlib.Path(folder) / "model.safetensors"))
        return model, {"missing_keys": told.missing_keys, "mismatched_keys": []}

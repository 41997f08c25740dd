"""Providers that people use, ready for `ccc init`.

Rule: addresses and model names of other people's services stand here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct, field

from ccc.claude.variables import OUTPUT, WINDOW


class Preset(Struct, frozen=True):
    name: str
    about: str
    key_variable: str | None = None  # None: the client's own login, no key
    hosts: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)


def _preset(
    name: str, about: str, key_variable: str, url: str, *, model: str, small: str, window: int, hosts: tuple[str, ...]
) -> Preset:
    env = {
        "ANTHROPIC_BASE_URL": url,
        "ANTHROPIC_MODEL": model,
        "ANTHROPIC_DEFAULT_OPUS_MODEL": model,
        "ANTHROPIC_DEFAULT_SONNET_MODEL": model,
        # The client asks its small model in the background; a provider without that model answers 404.
        "ANTHROPIC_DEFAULT_HAIKU_MODEL": small,
        "API_TIMEOUT_MS": "3000000",
        WINDOW: str(window),
        # Each of these models writes as much at once; the client's own guess for a stranger is half of it.
        OUTPUT: "64000",
    }
    return Preset(name, about, key_variable, hosts, env)


PRESETS: Mapping[str, Preset] = {
    preset.name: preset
    for preset in (
        _preset(
            "glm",
            "Zhipu GLM (use https://api.z.ai/api/anthropic outside China)",
            "GLM_API_KEY",
            "https://open.bigmodel.cn/api/anthropic",
            model="glm-5.2",
            small="glm-4.5-air",
            window=1_000_000,
            hosts=("bigmodel.cn", "z.ai"),
        ),
        _preset(
            "kimi",
            "Moonshot Kimi (use https://api.moonshot.ai/anthropic outside China)",
            "KIMI_API_KEY",
            "https://api.moonshot.cn/anthropic",
            model="kimi-k2.7-code",
            small="kimi-k2.7-code",
            window=262_144,
            hosts=("moonshot.cn", "moonshot.ai", "kimi.com"),
        ),
        _preset(
            "minimax",
            "MiniMax (use https://api.minimax.io/anthropic outside China)",
            "MINIMAX_API_KEY",
            "https://api.minimaxi.com/anthropic",
            model="MiniMax-M3",
            small="MiniMax-M3",
            window=1_000_000,
            hosts=("minimaxi.com", "minimax.io"),
        ),
        _preset(
            "deepseek",
            "DeepSeek",
            "DEEPSEEK_API_KEY",
            "https://api.deepseek.com/anthropic",
            model="deepseek-v4-pro",
            small="deepseek-v4-flash",
            window=1_000_000,
            hosts=("deepseek.com",),
        ),
        Preset("anthropic", "Anthropic, with the login that claude already has", hosts=("anthropic.com",)),
    )
}


def name_for_host(host: str) -> str:
    """The usual name of the provider at an address."""
    for preset in PRESETS.values():
        if any(host == known or host.endswith(f".{known}") for known in preset.hosts):
            return preset.name
    return host.split(".")[-2] if "." in host and not host.replace(".", "").isdigit() else "custom"

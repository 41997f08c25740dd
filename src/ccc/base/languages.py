"""Which language a text is in: zh or en.

Rule: no imports; every command pays for this module.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping


def of_specification(env: "Mapping[str, str]") -> str:
    """For texts that the specification fixes: Chinese, unless CCC_LANG says otherwise."""
    return "en" if env.get("CCC_LANG", "").lower().startswith("en") else "zh"


def of_person(env: "Mapping[str, str]") -> str:
    """For all other texts: CCC_LANG, then the locale."""
    named = env.get("CCC_LANG") or env.get("LC_ALL") or env.get("LC_MESSAGES") or env.get("LANG") or ""
    return "zh" if named.lower().startswith("zh") else "en"

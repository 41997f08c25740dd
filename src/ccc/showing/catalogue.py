"""What ccc says to a person who reads Chinese: English lines in, Chinese lines out.

Rule: imported only when something is to be shown in Chinese; total, in time linear in the line; a line that the
catalogue does not know stays as it is, and so do commands, paths and names in a line that it knows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources

from msgspec import Struct

HELP = """\
ccc：让 Claude Code 自己把任务真正做完，任何提供商都行。

  ccc glm                          用提供商 glm 启动 claude（并记住它）
  ccc                              … 用上一次的提供商
  ccc glm -p "修好测试"            提供商后面的内容原样交给 claude
  ccc -- doctor                    ccc 有同名命令时，运行 claude 自己的
  ccc demo                         看它怎么工作：真实的客户端，不要账号，不要密钥

监督
  CCC_SUPERVISOR=1 ccc glm         hooks 模式：Agent 的每次停止都经过审查，界面就是 Claude 自己的
  ccc --supervisor glm -- "任务"   pty 模式：ccc 自己运行 Agent，并审查它的停止
  ccc evidence                     对话记录能证明什么
  ccc eval FOLDER --provider glm   用带标注的案例衡量裁判有多准
  ccc checks add "pytest -q"       在这个项目里，做没做完由这条命令说了算
  ccc allow NAME                   允许这个项目的设置决定本该由您决定的东西
  ccc off, ccc on                  您说了算，从下一次停止起生效
  ccc hooks status|remove          settings.json 里的 Stop hook

查看
  ccc status, ccc watch            每个会话：阶段、次数、结论、花费、结局
  ccc logs -f                      边发生边看
  ccc report --open                一页报告，可留存，可给人看
  ccc doctor                       这里有什么会妨碍监督
  ccc clean --older-than 30d       清理旧的状态和日志
  ccc statusline                   用于 Claude Code 的 statusLine 设置

初次使用
  ccc init                         用预设或您的 settings.json 生成 ccc.json
  ccc providers                    配置了什么，从不显示密钥
  ccc validate --all               向每个提供商发一次真实请求

选项
  --version    --help              `ccc COMMAND --help` 说明该命令的更多内容

文件：~/.claude（或 CCC_CONFIG_DIR）里的 ccc.json。环境变量：CCC_CLAUDE（客户端）、CCC_LANG（zh、en）。
"""

SLOT = re.compile(r"\{([a-z]+)\}")
# What stands in these is ccc's or the system's own English; all others hold names, paths and commands.
LOOKED_UP = frozenset(
    ["advice", "doing", "error", "fix", "hint", "keys", "kind", "meaning", "problem", "reason", "wanted"]
)
DEPTH = 4


class Template(Struct, frozen=True):
    literals: tuple[str, ...]  # one more than there are slots
    slots: tuple[str, ...]
    chinese: str

    def values(self, line: str) -> Mapping[str, str] | None:
        """What stands in the slots; None when the line is not of this form.

        Each literal is taken where it comes first and never looked for again, so a hostile line costs one pass.
        """
        first, last = self.literals[0], self.literals[-1]
        if not self.slots:
            return {} if line == first else None
        at, end = len(first), len(line) - len(last)
        if end < at or not line.startswith(first) or not line.endswith(last):
            return None
        found: dict[str, str] = {}
        for slot, literal in zip(self.slots, (*self.literals[1:-1], ""), strict=True):
            stop = line.find(literal, at, end) if literal else end
            if stop < 0 or found.setdefault(slot, line[at:stop]) != line[at:stop]:
                return None
            at = stop + len(literal)
        return found


def chinese(line: str) -> str:
    """The line in Chinese, or as it is when the catalogue does not know it."""
    return _translated(line, DEPTH)


def pairs() -> list[tuple[str, str]]:
    """The catalogue as it is written: English, Chinese."""
    text = resources.files("ccc.showing").joinpath("catalogue.zh.txt").read_text("utf-8")
    lines = [line for line in text.split("\n") if line and not line.startswith("#")]
    return list(zip(lines[::2], lines[1::2], strict=True))


def _translated(line: str, depth: int) -> str:
    if depth == 0:
        return line
    for template in _templates():
        values = template.values(line)
        if values is not None:
            return _filled(template.chinese, values, depth - 1)
    return line


def _filled(text: str, values: Mapping[str, str], depth: int) -> str:
    shown = {slot: _translated(value, depth) if slot in LOOKED_UP else value for slot, value in values.items()}
    return SLOT.sub(lambda slot: shown[slot[1]], text)


@cache
def _templates() -> tuple[Template, ...]:
    """Those with the most words of their own first: a general form must not take the line of a special one."""
    made = [_template(english, text) for english, text in pairs()]
    return tuple(sorted(made, key=lambda template: -sum(map(len, template.literals))))


def _template(english: str, text: str) -> Template:
    parts = SLOT.split(english)
    return Template(tuple(parts[::2]), tuple(parts[1::2]), text)

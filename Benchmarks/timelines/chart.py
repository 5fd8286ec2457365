"""The ratios as a picture: a bar for each scenario, a mark for its goal; for light and dark pages."""

import html

_WIDTH, _ROW, _LEFT, _RIGHT, _TOP, _BOTTOM = 790, 30, 350, 56, 56, 34
_STYLE = """
text { font: 13px system-ui, sans-serif; fill: #24292f; }
.small { font-size: 11px; fill: #57606a; }
.grid { stroke: #d0d7de; }
.bar { fill: #2f6fd0; }
.missed { fill: #c8781e; }
.goal { stroke: #24292f; stroke-width: 2; }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3; }
  .small { fill: #9198a1; }
  .grid { stroke: #3d444d; }
  .bar { fill: #58a0ff; }
  .missed { fill: #e39a4a; }
  .goal { stroke: #e6edf3; }
}
"""


def svg(comparisons, caption):
    """The chart as a document. A bar that is too long for the picture is cut and says so by its number."""
    shown = [one for one in comparisons if one.goal is not None]
    height = _TOP + _ROW * len(shown) + _BOTTOM
    last = min(2.0, max([1.0, *(max(one.ratio, one.goal) for one in shown)]))
    scale = (_WIDTH - _LEFT - _RIGHT) / last
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}" '
        'role="img">',
        f"<title>{html.escape(caption)}</title>", f"<style>{_STYLE}</style>",
        f'<text x="0" y="16">{html.escape(caption)}</text>',
        *_grid(last, scale, height), *(_bar(row, one, last, scale) for row, one in enumerate(shown)),
        f'<text class="small" x="0" y="{height - 8}">A longer bar is better for us; the line across it is the goal.'
        "</text>", "</svg>"]
    return "\n".join(parts) + "\n"


def _grid(last, scale, height):
    for step in range(int(last * 4) + 1):
        x = _LEFT + step / 4 * scale
        yield f'<line class="grid" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP - 8}" y2="{height - _BOTTOM}"/>'
        yield f'<text class="small" x="{x:.1f}" y="{_TOP - 12}" text-anchor="middle">{step / 4:g}</text>'


def _bar(row, comparison, last, scale):
    top = _TOP + row * _ROW
    width = min(comparison.ratio, last) * scale
    goal = _LEFT + comparison.goal * scale
    label = html.escape(f"{comparison.title} / {comparison.peer_name}")
    kind = "bar" if comparison.is_reached else "missed"
    return "\n".join([
        f'<text x="{_LEFT - 8}" y="{top + 17}" text-anchor="end">{label}</text>',
        f'<rect class="{kind}" x="{_LEFT}" y="{top + 4}" width="{width:.1f}" height="{_ROW - 12}" rx="2"/>',
        f'<line class="goal" x1="{goal:.1f}" x2="{goal:.1f}" y1="{top + 1}" y2="{top + _ROW - 5}"/>',
        f'<text x="{max(_LEFT + width, goal) + 6:.1f}" y="{top + 17}">{comparison.ratio:.2f}</text>'])

"""Numbers into Markdown, and Markdown into its place in RESULTS.md."""

import os


def table(head, rows):
    """A Markdown table; the first column is text, the others are numbers."""
    lines = ["| " + " | ".join(head) + " |", "|---" + "|---:" * (len(head) - 1) + "|"]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines)


def put_section(path, heading, body, title):
    """Replaces the section under `## heading`, or appends it; everything else stays as it is."""
    text = path.read_text() if path.exists() else f"# {title}\n"
    section = f"## {heading}\n\n{body.strip()}\n"
    start, end = _section(text, heading)
    parts = [text[:start].rstrip("\n"), section.rstrip("\n"), text[end:].strip("\n")]
    temporary = path.with_suffix(".tmp")
    temporary.write_text("\n\n".join(part for part in parts if part) + "\n")
    os.replace(temporary, path)


def _section(text, heading):
    """Where the section begins and ends: at the next heading of its level or above."""
    start = end = None
    offset = 0
    for line in text.splitlines(keepends=True):
        if start is None and line.strip() == f"## {heading}":
            start = offset
        elif start is not None and line.startswith(("# ", "## ")):
            end = offset
            break
        offset += len(line)
    return (len(text), len(text)) if start is None else (start, len(text) if end is None else end)

"""What leaves for another program: formatting without anything that acts, and words without marks (U13)."""

from hypothesis import given
from hypothesis import strategies as st

from ui.kit.markdown.rich import plain, rich

TEXT = """# Rounding

It rounds **once**, see [the ledger](https://example.org/a) or [here](javascript:alert(1)).

- [x] green
- red
  1. per line

| a | b |
|---|---|
| 1 | 2 |

```python
x = **2
```

> said

![chart](https://example.org/x.png)
"""


def test_words_alone_keep_lists_tables_and_code() -> None:
    words = plain(TEXT)

    assert words.startswith("Rounding\n\nIt rounds once, see the ledger or ")
    assert "☑ green\n• red\n  1. per line" in words
    assert "a\tb\n1\t2" in words
    assert "x = **2" in words
    assert "said" in words.splitlines()


def test_formatting_loads_nothing_and_runs_nothing() -> None:
    """U12: what is pasted elsewhere is no way around the window's own rules."""
    html = rich(TEXT + "\n<script>alert(1)</script> <img src=x onerror=y>\n")

    assert "<strong>once</strong>" in html
    assert "<table>" in html
    assert 'href="https://example.org/a"' in html
    assert "<script" not in html
    assert "<img" not in html
    assert 'href="javascript' not in html


@given(st.text(alphabet="a*_`#>-|[]()!<:/\n 1.", max_size=80))
def test_no_text_becomes_markup_of_its_own(text: str) -> None:
    html = rich(text)

    assert "<script" not in html
    assert "<img" not in html
    plain(text)  # never fails

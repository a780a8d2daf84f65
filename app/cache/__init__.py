"""The provider's prompt cache, pure and told the facts: what it offers, where it is marked, what it saves, why it broke.

Peers' markers often never reach the wire, and their probes refresh nothing. So here nothing is believed that was not
reported back: what is sent is decided by these functions, and judged by them when the answer's usage comes.

`terms.py` what one model offers · `breakpoints.py` up to where a prompt is kept (P3) · `economics.py` what rewriting
and probing cost and save (P6) · `warmth.py` whether it is warm, and when a probe is due (P7, P8) · `breaks.py` why less
was read than should have been (P5). What sends is `app/agent/warmth.py`.
"""

"""The session health panel: what fills the window, how the chat went, and what compressing, pruning and caching brought.

`state` is one value, `view` draws it, `view_model` reads it while somebody looks. All figures are made in `app.health`
of what is stored; words are made here. pyqtgraph is loaded when the panel is first opened, in a thread.
"""

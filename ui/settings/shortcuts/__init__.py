"""The keys of commands: seen, changed, given back; two commands never share one unseen."""

"""The feature-free bottom room of the front end: theme, icons, inputs, Markdown and the virtual transcript."""

"""The worked examples of the lessons, a module each; `hc.examples` fetches them by name."""

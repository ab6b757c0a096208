"""How a model is asked: the embedded default's own format, and chat prompts for any other."""

"""Speculative decoding over stock Hugging Face models: engine, drafters, training."""

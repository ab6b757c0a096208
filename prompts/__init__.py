"""Prompt templates, one Jinja file a prompt, rendered with strict undefined."""

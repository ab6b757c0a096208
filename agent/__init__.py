"""The loop, the verdicts and every front door (CLI, chat, CI)."""

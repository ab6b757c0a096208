"""Design by conversation: each message makes or changes a design, and is answered by a verdict."""

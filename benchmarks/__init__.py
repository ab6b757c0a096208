"""Scripts that measure; each says on what and with which seed."""

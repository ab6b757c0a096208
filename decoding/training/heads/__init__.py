"""Training of draft heads on a frozen model: labels, cached states, the trainer."""

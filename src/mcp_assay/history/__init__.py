"""Every run remembered: a store of reports, and the questions that are asked of it."""

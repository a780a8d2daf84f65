"""Q12, Q5 and Q9 beside others: libraries that do the same work, on the same conversations, at the same size."""

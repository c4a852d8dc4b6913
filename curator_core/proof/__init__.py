"""What an edit does to the questions: each one judged, two evaluations compared, and the gate."""

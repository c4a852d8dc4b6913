"""Many authors on one registry: drafts, revisions, reviews, notes and who may do what, in one store."""

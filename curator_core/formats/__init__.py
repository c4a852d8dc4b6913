"""Foreign formats of tool lists and synonyms, one file each, in and out."""

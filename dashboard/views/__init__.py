"""One file per page: read the session, call the core, show."""

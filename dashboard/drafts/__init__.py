"""An author's draft on every page: what it does, the bar below the header, publishing, handing over and putting back."""

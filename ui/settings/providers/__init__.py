"""The page of providers: what is set up, what was found on this computer, and the form of one endpoint."""

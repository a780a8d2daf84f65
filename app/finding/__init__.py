"""Finding texts by what they say: pure rules, shared by the index of the store and the marks on the screen."""

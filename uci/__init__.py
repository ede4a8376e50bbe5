"""The UCI protocol: words in, words out; everything else is the session's."""

"""The XBoard protocol (CECP): words in, words out; everything else is the session's."""

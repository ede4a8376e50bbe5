"""A hypernetwork: the net of any chess-like game, made from its definition alone.

A piece's weights on a square are a function of how it moves and of what the square is like. That
function is learnt from the games of many pieces (`scripts/train-hypernet`). So a game that
nobody has trained has a net from its first second. Source of the name: D. Ha and others 2016.

Kinds of piece that several of the learnt games have are classes with weights of their own. The
neurons are those of chess's net: its pieces begin with its weights.
"""

"""How a net's metadata names what it was made of; engines ask for it before numpy is there."""

#: The key of what an untrained net was made of: another game and its net, HYPERNET or
#: MATERIAL.
BEGUN_AS = "begun as"
HYPERNET = "hypernet"
#: What a net is that counts material.
MATERIAL = "material"

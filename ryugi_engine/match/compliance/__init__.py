"""Does an engine speak its protocol as the specification has it?"""

"""The pages of the live service: what they say, draw and ask for, as HTML."""

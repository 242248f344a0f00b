"""Indexes over what is published or scheduled, for rules that compare a post with the others (docs/decisions/0019).

`minhash` and `shingles` are light: worker processes import them.
"""

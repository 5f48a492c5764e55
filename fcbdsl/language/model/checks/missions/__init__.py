"""What `check` finds wrong with missions: with a map, its set-up, its tracks and what is said of them.

`said` gathers what a model's behaviour speaks of, `scene` what belongs to one mission; every other module is one sort
of check. All are careful: what they report is so whatever is played.
"""

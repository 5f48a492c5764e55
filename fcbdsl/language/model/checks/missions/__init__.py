"""Checks of missions: their map, set-up, tracks, and the texts that concern them.

`behavior_references` collects the references in a model's behavior, and `mission_scene` everything that belongs to one
mission. Each other module is one kind of check. All are conservative: they report only faults that exist in every
course of play.
"""

"""Translations between sources and files of gettext: what there is to translate, what is done, and what comes back."""

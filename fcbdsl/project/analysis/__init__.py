"""The checks of a project's sources before play and print: one ordered pipeline."""

from fcbdsl.project.analysis.pipeline import CHECKS, Analysis, Check, Pass, Subject, analysis_of, analysis_of_model
from fcbdsl.project.analysis.source_pieces import Choice, no_test

__all__ = [
    "CHECKS",
    "Analysis",
    "Check",
    "Choice",
    "Pass",
    "Subject",
    "analysis_of",
    "analysis_of_model",
    "no_test",
]

"""Figures, from frames."""

from .figures import draw_curves

__all__ = ["draw_curves"]

"""Axes that a notebook shows. This module imports matplotlib, so it is imported only to draw."""

from io import BytesIO

from matplotlib.axes import Axes
from matplotlib.figure import Figure


class ShownAxes(Axes):
    """Axes of a figure that pyplot does not know; a notebook shows the figure where a cell ends with them."""

    def _repr_png_(self) -> bytes | None:
        figure, buffer = self.get_figure(root=True), BytesIO()
        if figure is None:  # the axes were removed from it
            return None
        figure.savefig(buffer, format="png")
        return buffer.getvalue()


def new_axes(figsize: tuple[float, float]) -> Axes:
    """Axes of a new figure, without pyplot, so that nothing has to be closed."""
    return Figure(figsize=figsize, layout="constrained").add_subplot(axes_class=ShownAxes)

"""A disk that is full: writes that fail for want of room."""

import resource
from contextlib import contextmanager


@contextmanager
def room(size):
    """Let no file of this process grow past so many bytes."""
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, limit[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)

"""The version, where the build and the store can both read it."""

__version__ = "0.1.0.dev0"

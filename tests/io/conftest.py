from tables import sound, write  # noqa: F401 fixtures

"""That the tests' PostgreSQL is there, and comes back after it was killed."""

import postgres as servers

import bygones as by


def test_a_database_survives_that_its_server_is_killed():
    server = servers.made()
    try:
        url = server.new("parts")
        journal = by.Journal.create(url, "parts", by.Problem(["rail", "road"], None, by.Window(4), 5.0))
        journal.observe([1.0, 2.0])
        server.kill()
        server.start()
        with by.Journal.open(url, "parts") as found:
            assert found.rounds == 1
            assert found.verify().sound
        journal.close()
    finally:
        server.close()

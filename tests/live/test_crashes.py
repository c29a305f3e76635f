"""Services, and databases, that are killed: nothing acknowledged is lost, and nothing is doubled."""

import random
import threading

import postgres as servers
import pytest
from crashing import Client, Killed, check, plan, undisturbed


def drive(killed, rounds, seed, strike, strikes):
    """Play all rounds, while something strikes at moments drawn at random."""
    client, failed = Client(killed.address), []
    steps = [*plan(rounds, seed)]
    moments = sorted(random.Random(seed + 1).sample(range(1, len(steps)), strikes))  # noqa: S311

    def play():
        try:
            for key, entry in steps:
                client.send(key, entry)
        except BaseException as error:
            failed.append(error)

    player = threading.Thread(target=play)
    player.start()
    for moment in moments:
        while len(client.acknowledged) < moment and player.is_alive():
            player.join(0.0005)
        strike()
    player.join()
    client.client.close()
    assert failed == []
    return client


@pytest.mark.parametrize(
    ("kind", "rounds", "kills"),
    [
        ("sqlite", 150, 2),
        pytest.param("sqlite", 10_000, 20, marks=pytest.mark.slow),
        pytest.param("postgres", 10_000, 20, marks=pytest.mark.slow),
    ],
)
def test_a_service_that_is_killed(kind, rounds, kills, tmp_path, request):
    url = str(tmp_path / "j.db")
    if kind == "postgres":
        url = request.getfixturevalue("postgres").new("killed")
    expected, last = undisturbed(tmp_path / "undisturbed.db", rounds, 7)
    killed = Killed(url, tmp_path / "log")
    client = drive(killed, rounds, 7, killed.kill, kills)
    killed.close()
    check(url, client, expected, last)


@pytest.mark.slow
def test_a_database_server_that_is_killed(tmp_path):
    server = servers.made()
    try:
        url = server.new("parts")
        rounds = 1000
        expected, last = undisturbed(tmp_path / "undisturbed.db", rounds, 8)
        killed = Killed(url, tmp_path / "log")

        def strike():
            server.kill()
            server.start()

        client = drive(killed, rounds, 8, strike, 3)
        killed.close()
        check(url, client, expected, last)
    finally:
        server.close()

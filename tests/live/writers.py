"""A program that enters rounds, for tests that run several or kill one: URL, name, first, last, author."""

import sys
import warnings

import numpy as np

import bygones as by

warnings.simplefilter("ignore")


def costs_of(t):
    """The costs of period t: the same for everybody."""
    return np.random.default_rng(t).random(3).round(3).tolist()


if __name__ == "__main__":
    url, name, first, last, author = sys.argv[1:]
    with by.Journal.open(url, name, author=author) as journal:
        print("ready", flush=True)
        for t in range(int(first), int(last)):
            event = journal.observe(costs_of(t), None if author.startswith("any") else f"p{t}")
            print(f"{t} {event.number} {event.hash}", flush=True)

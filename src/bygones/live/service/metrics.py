"""What is counted, for Prometheus."""

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

KIND = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10)
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
JOBS = (1, 2, 4, 8, 16, 32, 64, 128, 256)


class Metrics:
    """The counters of one service."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "bygones_requests", "Requests answered.", ["route", "method", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "bygones_request_seconds", "Time to answer.", ["route"], buckets=SECONDS, registry=self.registry
        )
        self.entries = Counter("bygones_entries", "Events entered.", registry=self.registry)
        self.batches = Histogram(
            "bygones_batch_requests", "Requests in one commit.", buckets=JOBS, registry=self.registry
        )
        self.streams = Gauge("bygones_streams", "Who listens to the stream.", registry=self.registry)

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        """Count a request.

        Args:
            route: its template, never the path.
            method: of the request.
            status: of the answer.
            seconds: that it took.
        """
        known = method if method in METHODS else "other"  # a client may invent as many as it likes
        self.requests.labels(route, known, str(status)).inc()
        self.seconds.labels(route).observe(seconds)

    def text(self) -> bytes:
        """All that was counted."""
        found: bytes = generate_latest(self.registry)
        return found

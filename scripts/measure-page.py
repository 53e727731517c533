#!/usr/bin/env python3
"""Measures how long `galop serve` takes to answer requests about one puzzle.

Usage: scripts/measure-page.py [GALOP] [REQUESTS]

GALOP is the program (default: target/release/galop), REQUESTS the number of each (default: 2,000). Each request has a connection
of its own, as the page's have. Prints the median, the 99th percentile and the maximum in milliseconds, connection included.
"""

import json
import socket
import subprocess
import sys
import time

PUZZLE = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."


def ask(port, path, body):
    body = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    started = time.perf_counter()
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(head.encode() + body)
        answer = b""
        while block := connection.recv(1 << 16):
            answer += block
    taken = time.perf_counter() - started
    assert answer.startswith(b"HTTP/1.1 200 "), answer
    return taken * 1e3


def main():
    galop = sys.argv[1] if len(sys.argv) > 1 else "target/release/galop"
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 2000
    server = subprocess.Popen([galop, "serve", "--port", "0", "--quiet"], stdout=subprocess.PIPE, text=True)
    try:
        port = int(server.stdout.readline().strip().rstrip("/").rsplit(":", 1)[1])
        requests = {
            "puzzle, 9x9": ("/api/puzzle", {"text": PUZZLE}),
            "solve, 9x9": ("/api/solve", {"text": PUZZLE}),
            "next, 9x9": ("/api/next", {"text": PUZZLE}),
            "explain, 9x9": ("/api/explain", {"text": PUZZLE}),
            "puzzle, 16x16": ("/api/puzzle", {"cells": [0] * 256}),
            "puzzle, 25x25": ("/api/puzzle", {"cells": [0] * 625}),
        }
        for name, (path, body) in requests.items():
            few = min(count, 100) if path == "/api/explain" else count
            times = sorted(ask(port, path, body) for _ in range(few))
            p99 = times[min(few - 1, few * 99 // 100)]
            print(f"{name:15} median {times[few // 2]:7.2f} ms, p99 {p99:7.2f} ms, max {times[-1]:7.2f} ms, {few} requests")
    finally:
        server.terminate()
        server.wait()


main()

"""A server on FastMCP: stdio, or `http PORT`, or `sse PORT`."""

import sys

from fastmcp import FastMCP

server = FastMCP("compat-fastmcp", version="1.0.0")


@server.tool
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


@server.resource("compat://hello")
def hello() -> str:
    return "hello"


@server.prompt
def greet(name: str) -> str:
    return f"Greet {name}."


if len(sys.argv) > 1:
    server.run(transport=sys.argv[1], host="127.0.0.1", port=int(sys.argv[2]), show_banner=False)
else:
    server.run(show_banner=False)

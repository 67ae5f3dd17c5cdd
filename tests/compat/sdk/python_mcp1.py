"""A server on the Python SDK, `mcp` 1: stdio, or `http PORT`, or `sse PORT`."""

import sys

from mcp.server.fastmcp import FastMCP

listens = len(sys.argv) > 1
server = FastMCP("compat-python-1", host="127.0.0.1", port=int(sys.argv[2]) if listens else 0)


@server.tool()
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b


@server.resource("compat://hello")
def hello() -> str:
    return "hello"


@server.prompt()
def greet(name: str) -> str:
    return f"Greet {name}."


transports = {"http": "streamable-http", "sse": "sse"}
server.run(transport=transports[sys.argv[1]] if listens else "stdio")

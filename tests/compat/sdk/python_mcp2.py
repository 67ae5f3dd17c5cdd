"""A server on the Python SDK, `mcp` 2: stdio, or `http PORT`, or `sse PORT`."""

import sys

from mcp.server import MCPServer

server = MCPServer("compat-python-2", version="1.0.0")


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
if len(sys.argv) > 1:
    server.run(transport=transports[sys.argv[1]], host="127.0.0.1", port=int(sys.argv[2]))
else:
    server.run(transport="stdio")

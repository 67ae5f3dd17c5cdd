"""A small server on the Python SDK, over stdio and in both eras: questions, progress, log messages, changes."""

from typing import Annotated

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.resolve import Elicit, ListRoots, Resolve
from mcp.types import ListRootsResult
from pydantic import BaseModel

server = MCPServer("python-peer", version="1.0.0", instructions="Asks, works, tells.")


class Table(BaseModel):
    number: int = 4


def table() -> Elicit[Table]:
    return Elicit("Which table?", Table)


def roots() -> ListRoots:
    return ListRoots()


@server.tool()
def ask(table: Annotated[Table, Resolve(table)], roots: Annotated[ListRootsResult, Resolve(roots)]) -> str:
    """Asks the user for a table and the client for its roots."""
    return f"table {table.number}, {len(roots.roots)} roots"


@server.tool()
async def work(steps: int, ctx: Context) -> str:
    """Works in steps and tells of each."""
    for step in range(1, steps + 1):
        await ctx.report_progress(step, steps, f"step {step}")
        await ctx.log("warning", {"step": step}, logger_name="work")
    return f"{steps} steps done"


@server.tool()
async def touch(ctx: Context) -> str:
    """Tells whoever listens that a resource changed."""
    await ctx.notify_resource_updated("peer://count")
    return "told"


@server.resource("peer://count")
def count() -> str:
    """A resource to listen to."""
    return "1"


server.run(transport="stdio")

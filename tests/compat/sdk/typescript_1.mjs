// A server on the TypeScript SDK 1: stdio, or `http PORT`, with a session per client.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import * as z from 'zod';

const build = () => {
  const server = new McpServer({ name: 'compat-typescript-1', version: '1.0.0' });
  server.tool('add', 'Adds two numbers', { a: z.number(), b: z.number() }, ({ a, b }) => ({
    content: [{ type: 'text', text: String(a + b) }],
  }));
  server.resource('hello', 'compat://hello', (uri) => ({ contents: [{ uri: uri.href, text: 'hello' }] }));
  return server;
};

const sessions = new Map();

async function answer(request, response) {
  let transport = sessions.get(request.headers['mcp-session-id']);
  if (!transport) {
    transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => sessions.set(id, transport),
    });
    await build().connect(transport);
  }
  await transport.handleRequest(request, response);
}

const [how, port] = process.argv.slice(2);
if (how === 'http') createServer(answer).listen(Number(port), '127.0.0.1');
else await build().connect(new StdioServerTransport());

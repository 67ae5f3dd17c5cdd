// A server on the TypeScript SDK 2: stdio, or `http PORT`.
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import * as z from 'zod';

const build = () => {
  const server = new McpServer({ name: 'compat-typescript-2', version: '1.0.0' });
  const inputSchema = z.object({ a: z.number(), b: z.number() });
  server.registerTool('add', { description: 'Adds two numbers', inputSchema }, ({ a, b }) => ({
    content: [{ type: 'text', text: String(a + b) }],
  }));
  server.registerResource('hello', 'compat://hello', {}, (uri) => ({
    contents: [{ uri: uri.href, text: 'hello' }],
  }));
  return server;
};

const [how, port] = process.argv.slice(2);
if (how === 'http') createServer(toNodeHandler(createMcpHandler(build))).listen(Number(port), '127.0.0.1');
else serveStdio(build);

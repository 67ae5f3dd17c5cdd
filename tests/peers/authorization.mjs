// An MCP server on the port `PORT` of loopback, and the authorization server (npm oidc-provider) that protects it on another.
// At the MCP server `GET /expire` makes it refuse every token that it has seen, and `GET /log` tells what the authorization
// server was asked.
import { createServer } from "node:http";
import { createRemoteJWKSet, jwtVerify } from "jose";
import { errors, Provider } from "oidc-provider";

const listening = (server, port) =>
	new Promise((resolve) =>
		server.listen(port, "127.0.0.1", () => resolve(`http://127.0.0.1:${server.address().port}`)),
	);

// Both have to know both addresses, so they listen before they can answer.
let ask;
const issuer = await listening(createServer((...both) => ask(...both)), 0);
let serve;
const origin = await listening(createServer((...both) => serve(...both)), Number(process.env.PORT));
const resource = `${origin}/mcp`;

const provider = new Provider(issuer, {
	scopes: ["openid", "offline_access", "tools", "admin"],
	cookies: { keys: ["not a secret: all of this ends with the test"] },
	pkce: { required: () => true },
	rotateRefreshToken: true,
	issueRefreshToken: (_ctx, client) => client.grantTypeAllowed("refresh_token"),
	features: {
		registration: { enabled: true },
		revocation: { enabled: true },
		resourceIndicators: {
			enabled: true,
			useGrantedResource: () => true,
			getResourceServerInfo: (_ctx, asked) => {
				if (asked !== resource) throw new errors.InvalidTarget();
				return { scope: "tools admin", audience: resource, accessTokenFormat: "jwt", accessTokenTTL: 600 };
			},
		},
	},
});
const log = [];
provider.use(async (ctx, next) => {
	await next();
	const grant = ctx.oidc?.params?.grant_type;
	log.push(`${ctx.method} ${ctx.path}${grant ? ` ${grant}` : ""} ${ctx.status}`);
});
ask = provider.callback();

const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`));
const seen = new Set();
let refused = new Set();
const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;

/** The scopes of a request's token; none where it brings no good one. */
async function scopes(request) {
	const token = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1];
	if (!token || refused.has(token)) return null;
	try {
		const { payload } = await jwtVerify(token, keys, { issuer, audience: resource });
		seen.add(token);
		return (payload.scope ?? "").split(" ");
	} catch {
		return null;
	}
}

const tool = (name) => ({ name, description: `Says ${name}`, inputSchema: { type: "object" } });
const answers = {
	initialize: ({ protocolVersion }) => ({
		protocolVersion,
		capabilities: { tools: {} },
		serverInfo: { name: "protected", version: "1" },
	}),
	"tools/list": () => ({ tools: [tool("read"), tool("erase")] }),
	"tools/call": ({ name }) => ({ content: [{ type: "text", text: `${name}: done` }] }),
};

serve = async (request, response) => {
	const send = (status, body, headers = {}) => {
		response.writeHead(status, { "content-type": "application/json", ...headers });
		response.end(body === undefined ? undefined : JSON.stringify(body));
	};
	const refuse = (status, words) =>
		send(status, undefined, { "www-authenticate": `Bearer ${words}, resource_metadata="${metadata}"` });
	if (request.url === "/.well-known/oauth-protected-resource/mcp") {
		return send(200, { resource, authorization_servers: [issuer], scopes_supported: ["tools", "admin"] });
	}
	if (request.url === "/log") return send(200, log);
	if (request.url === "/expire") {
		refused = new Set(seen);
		return send(200, [...seen].length);
	}
	if (request.url !== "/mcp") return send(404);
	const text = (await request.toArray()).join("");
	const granted = await scopes(request);
	if (!granted) return refuse(401, 'error="invalid_token", scope="tools offline_access"');
	if (request.method !== "POST") return send(405);
	const { id, method, params } = JSON.parse(text);
	if (method === "tools/call" && params.name === "erase" && !granted.includes("admin")) {
		return refuse(403, 'error="insufficient_scope", scope="admin"');
	}
	if (id === undefined) return send(202);
	const answer = answers[method];
	send(200, { jsonrpc: "2.0", id, ...(answer ? { result: answer(params) } : { error: { code: -32601, message: "unknown method" } }) });
};

import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { type FakeMount, type FakeToken, keysIn, putSecret } from './fake-store.js'

/** An answer of the server; without one it never answers. */
export interface FakeAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | object
}

/** A request that arrived. */
export interface FakeRequest {
  readonly method: string
  /** As it came, encoded. */
  readonly path: string
  readonly headers: IncomingMessage['headers']
}

/** A server with the part of Vault's API that the connector uses, after its documentation. */
export interface FakeVault {
  readonly port: number
  readonly requests: FakeRequest[]
  readonly connections: number
  readonly tokens: Map<string, FakeToken>
  /** KV of version 2, by the path of the mount. */
  readonly mounts: Map<string, FakeMount>
  /** Other mounts: what `sys/internal/ui/mounts` says of them. */
  readonly otherMounts: Map<string, object>
  /** Answers a request in Vault's place; undefined leaves it to Vault, `silent` to nothing. */
  intercept: (request: FakeRequest) => FakeAnswer | 'silent' | undefined
  /** Stops listening, and closes every connection. */
  down(): Promise<void>
  /** Listens again, on the same port. */
  up(): Promise<void>
  /** Shows this certificate from now on. */
  present(identity: { readonly key: string; readonly cert: string }): void
}

/** Starts a server on loopback. */
export async function startFakeVault(identity: { readonly key: string; readonly cert: string }): Promise<FakeVault> {
  const server = createServer(identity, (request, response) => {
    take(request, response).catch((error: Error) => response.destroy(error))
  })
  let connections = 0
  server.on('connection', () => {
    connections += 1
  })
  // A client that does not trust the certificate hangs up; that is what some tests want.
  server.on('tlsClientError', () => undefined)
  let port = 0
  const vault: FakeVault = {
    get port() {
      return port
    },
    get connections() {
      return connections
    },
    requests: [],
    tokens: new Map(),
    mounts: new Map([['secret', new Map()]]),
    otherMounts: new Map(),
    intercept: () => undefined,
    async down() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
    async up() {
      if (server.listening) return
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
      port = (server.address() as AddressInfo).port
    },
    present(next) {
      server.setSecureContext(next)
      server.closeAllConnections()
    },
  }
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let sent = ''
    for await (const piece of request) sent += String(piece)
    const seen = { method: request.method ?? '', path: request.url ?? '', headers: request.headers }
    vault.requests.push(seen)
    const { status, headers = {}, body = '' } = answerOf(vault, seen, sent) ?? {}
    if (status === undefined) return
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
  await vault.up()
  return vault
}

const errors = (status: number, ...texts: readonly string[]): FakeAnswer => ({ status, body: { errors: texts } })

function answerOf(vault: FakeVault, request: FakeRequest, sent: string): FakeAnswer | undefined {
  const own = vault.intercept(request)
  if (own !== undefined) return own === 'silent' ? undefined : own
  const url = new URL(request.path, 'https://fake')
  const token = vault.tokens.get(String(request.headers['x-vault-token'] ?? ''))
  if (token === undefined) return errors(403, '2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n')
  const path = decodeURIComponent(url.pathname.replace(/^\/v1\//, ''))
  if (path.startsWith('auth/token/'))
    return answerAboutToken(path, token, (next) => vault.tokens.set(String(request.headers['x-vault-token']), next))
  if (path.startsWith('sys/internal/ui/mounts/')) return answerAboutMount(vault, path.slice('sys/internal/ui/mounts/'.length), token)
  const mount = [...vault.mounts.keys()].find((each) => path.startsWith(`${each}/`))
  if (mount === undefined) return errors(404, `no handler for route "${path}". route entry not found.`)
  const rest = path.slice(mount.length + 1)
  const below = rest.slice(rest.indexOf('/') + 1)
  const isForbidden = token.forbidden?.some((each) => below === each || below.startsWith(`${each}/`))
  if (!token.mounts.includes(mount) || isForbidden) return errors(403, '1 error occurred:\n\t* permission denied\n\n')
  const secrets = vault.mounts.get(mount) ?? new Map()
  if (rest.startsWith('metadata/')) return answerList(secrets, below)
  return request.method === 'POST' ? answerWrite(secrets, below, sent) : answerRead(secrets, below)
}

function answerAboutToken(path: string, token: FakeToken, keep: (token: FakeToken) => void): FakeAnswer {
  const { name, expires, renewable, mayLookUp = true } = token
  if (path.endsWith('renew-self')) {
    if (!renewable) return errors(400, 'lease is not renewable')
    keep({ ...token, expires: new Date(Date.now() + 3_600_000).toISOString() })
    return { status: 200, body: { auth: { lease_duration: 3_600, renewable: true, client_token: 'not repeated here' } } }
  }
  if (!mayLookUp) return errors(403, '1 error occurred:\n\t* permission denied\n\n')
  const data = { display_name: name, expire_time: expires ?? null, renewable: renewable ?? false, ttl: 0, policies: ['default'] }
  return { status: 200, body: { data } }
}

function answerAboutMount({ mounts, otherMounts }: FakeVault, path: string, token: FakeToken): FakeAnswer {
  const refused = errors(403, 'preflight capability check returned 403, please ensure client\'s policies grant access to path "x/"')
  const other = otherMounts.get(path)
  if (other !== undefined) return { status: 200, body: { data: other } }
  const mount = [...mounts.keys()].find((each) => path === each || path.startsWith(`${each}/`))
  if (mount === undefined || !token.mounts.includes(mount)) return refused
  return { status: 200, body: { data: { path: `${mount}/`, type: 'kv', options: { version: '2' } } } }
}

function answerList(secrets: FakeMount, folder: string): FakeAnswer {
  const keys = keysIn(secrets, folder)
  return keys.length === 0 ? errors(404) : { status: 200, body: { data: { keys } } }
}

function answerRead(secrets: FakeMount, path: string): FakeAnswer {
  const versions = secrets.get(path)
  const present = versions?.at(-1)
  if (versions === undefined || present === undefined) return errors(404)
  const metadata = {
    ...{ created_time: present.created, custom_metadata: null, version: versions.length },
    ...{ deletion_time: present.deleted ?? '', destroyed: present.destroyed ?? false },
  }
  const isGone = present.deleted !== undefined || present.destroyed === true
  return { status: isGone ? 404 : 200, body: { data: { data: isGone ? null : present.data, metadata } } }
}

function answerWrite(secrets: FakeMount, path: string, sent: string): FakeAnswer {
  const { options, data } = JSON.parse(sent) as { readonly options?: { readonly cas?: number }; readonly data: Record<string, unknown> }
  const version = secrets.get(path)?.length ?? 0
  if (options?.cas !== undefined && options.cas !== version) return errors(400, 'check-and-set parameter did not match the current version')
  putSecret(secrets, path, data)
  const metadata = { created_time: secrets.get(path)?.at(-1)?.created, deletion_time: '', destroyed: false, version: version + 1 }
  return { status: 200, body: { data: metadata } }
}

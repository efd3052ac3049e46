import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Server as NetServer } from 'node:net'
import { createSystemClock } from '@agent-service/kernel-core/clock'
import type { createControlledClock } from '@agent-service/kernel-core/clock/testing'
import type { PluginPermission } from '@agent-service/sdk'
import type { ResolvedAddress } from '../address-guard.js'
import type { Resolve } from '../connections.js'
import { createHttpClient, type OwnedHttpClient } from '../create-http-client.js'
import { readNetworkPermission } from '../network-permission.js'

/** Closes everything that the tests of one file opened. */
export interface Opened {
  add(undo: () => void | Promise<unknown>): void
  close(): Promise<void>
}

/** Collects undo functions, and runs them in reverse order. */
export function collectOpened(): Opened {
  const undoes: (() => void | Promise<unknown>)[] = []
  return {
    add: (undo) => void undoes.push(undo),
    async close() {
      for (const undo of undoes.splice(0).reverse()) await undo()
    },
  }
}

/** A server on loopback that records the requests. */
export interface TestServer {
  readonly port: number
  /** The requests, in the order of their arrival. */
  readonly seen: readonly {
    readonly method: string
    readonly path: string
    readonly headers: IncomingMessage['headers']
    readonly body: string
  }[]
  /** Connections so far. */
  readonly connections: number
}

/** Starts a server. `address` is any of 127.0.0.0/8, or `::1`. */
export async function startTestServer(
  opened: Opened,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
  options: {
    readonly address?: string
    readonly server?: (handler: (request: IncomingMessage, response: ServerResponse) => void) => Server
  } = {},
): Promise<TestServer> {
  const seen: TestServer['seen'][number][] = []
  let connections = 0
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = ''
    for await (const piece of request) body += String(piece)
    seen.push({ method: request.method ?? '', path: request.url ?? '', headers: request.headers, body })
    handle(request, response)
  }
  const handler = (request: IncomingMessage, response: ServerResponse): void => {
    take(request, response).catch((error: Error) => response.destroy(error))
  }
  const server = options.server?.(handler) ?? createServer(handler)
  server.on('connection', () => {
    connections += 1
  })
  const port = await listenOn(opened, server, options.address)
  return {
    port,
    seen,
    get connections() {
      return connections
    },
  }
}

/** Listens on a free port; {@link Opened.close} ends the server with all its connections. */
export async function listenOn(opened: Opened, server: NetServer, address = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, address, resolve))
  opened.add(async () => {
    if ('closeAllConnections' in server) (server as Server).closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  return (server.address() as AddressInfo).port
}

/** Options of {@link openTestClient}. */
export interface TestClientOptions {
  /** Default: every public host, and loopback. */
  readonly targets?: readonly string[]
  /** Addresses by name. Other names, also `localhost`, cannot be resolved. */
  readonly names?: Readonly<Record<string, readonly string[] | (() => readonly string[])>>
  readonly trusted?: readonly string[]
  readonly ownOrigins?: readonly string[]
  readonly clock?: ReturnType<typeof createControlledClock>
}

/** A client that resolves names by the test's table. */
export function openTestClient(
  opened: Opened,
  options: TestClientOptions = {},
): OwnedHttpClient['client'] & { readonly lookups: readonly string[] } {
  const { targets = ['*', '127.0.0.0/8', '::1'], names = {}, trusted, ownOrigins = [], clock } = options
  const lookups: string[] = []
  const permissions: readonly PluginPermission[] = [{ kind: 'network', targets, reason: 'A test.' }]
  const resolve: Resolve = async (host) => {
    lookups.push(host)
    const found = names[host]
    if (!found) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' })
    return (typeof found === 'function' ? found() : found).map(resolved)
  }
  const { client, close } = createHttpClient({
    permission: readNetworkPermission({ permissions }, {}),
    clock: clock ?? createSystemClock(),
    ownOrigins: () => ownOrigins,
    resolve,
    ...(trusted && { trusted }),
  })
  opened.add(close)
  return { ...client, lookups }
}

const resolved = (address: string): ResolvedAddress => ({ address, family: address.includes(':') ? 6 : 4 })

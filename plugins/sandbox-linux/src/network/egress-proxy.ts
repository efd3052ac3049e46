import { once } from 'node:events'
import { createServer, type Server as HttpServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import type { SandboxNetwork } from '@agent-service/sdk/contracts/sandbox-driver'
import { type Judgement, openDestination } from './destinations.js'
import { acceptSocks, answerSocks } from './socks.js'

const connectLimitMs = 30_000
const greetingLimitMs = 10_000

/** The proxy of one process: HTTP with CONNECT, and SOCKS5, on the same port. */
export interface EgressProxy {
  /** Takes a connection from inside. */
  take(socket: Socket): void
  close(): void
}

/** What the proxy is given beside the policy. */
export interface EgressOptions extends Judgement {
  /** Reports a refused destination. */
  readonly refused?: (host: string, port: number, reason: string) => void
}

export function createEgressProxy(network: Pick<SandboxNetwork, 'access' | 'destinations'>, options: EgressOptions = {}): EgressProxy {
  const sockets = new Set<Socket>()
  const reach = async (host: string, port: number): Promise<Socket | string> => {
    const found = await openDestination(network, host, port, options)
    if ('closed' in found) {
      options.refused?.(host, port, found.closed)
      return found.closed
    }
    const socket = connect({ host: found.address, port, timeout: connectLimitMs })
    socket.once('timeout', () => socket.destroy(new Error('It did not answer in time.')))
    try {
      await once(socket, 'connect')
      socket.setTimeout(0)
      return keep(socket)
    } catch {
      return 'not reachable'
    }
  }
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.once('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
  }
  const server = createHttpProxy(reach)
  return {
    take(socket) {
      keep(socket).setTimeout(greetingLimitMs, () => socket.destroy())
      void route(socket, server, reach)
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

type Reach = (host: string, port: number) => Promise<Socket | string>

/** The first byte tells the protocols apart: 5 is the version of SOCKS. */
async function route(socket: Socket, server: HttpServer, reach: Reach): Promise<void> {
  try {
    await once(socket, 'readable')
  } catch {
    return
  }
  const first = socket.read(1) as Buffer | null
  if (first === null) return void socket.destroy()
  socket.unshift(first)
  socket.setTimeout(0)
  if (first[0] !== 5) return void server.emit('connection', socket)
  try {
    const { host, port } = await acceptSocks(socket)
    const onward = await reach(host, port)
    answerSocks(socket, typeof onward !== 'string')
    if (typeof onward === 'string') socket.end()
    else await pipeline(socket, onward, socket)
  } catch {
    socket.destroy()
  }
}

function createHttpProxy(reach: Reach): HttpServer {
  const server = createServer((request, response) => void forward(request, response, reach))
  server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => void tunnel(request, socket, head, reach))
  server.on('clientError', (_, socket) => socket.destroy())
  return server
}

/** CONNECT: bytes in both directions; RFC 9110, 9.3.6. */
async function tunnel(request: IncomingMessage, socket: Socket, head: Buffer, reach: Reach): Promise<void> {
  const target = URL.canParse(`http://${request.url ?? ''}`) ? new URL(`http://${request.url ?? ''}`) : undefined
  const onward = target === undefined ? 'not a host and port' : await reach(target.hostname, Number(target.port || 443))
  if (typeof onward === 'string')
    return void socket.end(`HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${refusal(onward)}`)
  socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
  if (head.length > 0) onward.write(head)
  await pipeline(socket, onward, socket).catch(() => onward.destroy())
}

/** A request of a plain address, in absolute form; RFC 9112, 3.2.2. */
async function forward(request: IncomingMessage, response: ServerResponse, reach: Reach): Promise<void> {
  const target = URL.canParse(request.url ?? '') ? new URL(request.url ?? '') : undefined
  const onward = target?.protocol === 'http:' ? await reach(target.hostname, Number(target.port || 80)) : 'not an http address'
  if (typeof onward === 'string' || target === undefined)
    return void response.writeHead(403, { 'content-type': 'text/plain' }).end(refusal(String(onward)))
  const { 'proxy-authorization': _, 'proxy-connection': __, ...headers } = request.headers
  const outgoing = httpRequest({
    createConnection: () => onward,
    method: request.method,
    path: `${target.pathname}${target.search}`,
    headers: { ...headers, connection: 'close' },
  })
  outgoing.once('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
    pipeline(answer, response).catch(() => response.destroy())
  })
  outgoing.once('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
  await pipeline(request, outgoing).catch(() => outgoing.destroy())
}

const refusal = (reason: string): string => `The sandbox does not connect there: ${reason}.\n`

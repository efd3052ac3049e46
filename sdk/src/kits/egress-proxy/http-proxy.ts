import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { pipeline } from 'node:stream/promises'
import type { HeadDeadline } from './head-deadline.js'

/** Connects to a destination, or says why not. The signal is that of the connection inside. */
export type Reach = (host: string, port: number, signal: AbortSignal) => Promise<Socket | string>

/**
 * The part of the proxy that speaks HTTP. Each head has to come in time: the first one of a
 * connection, and each that follows an answer.
 */
export interface HttpProxy {
  take(socket: Socket): void
  close(): void
}

export function createHttpProxy(
  reach: Reach,
  { deadline, authorization }: { readonly deadline: HeadDeadline; readonly authorization: string | undefined },
): HttpProxy {
  const open = new WeakMap<Socket, number>()
  /** The time for the next head begins when nothing of the connection is still being answered. */
  const watch = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    deadline.met(socket)
    open.set(socket, (open.get(socket) ?? 0) + 1)
    response.once('close', () => {
      const left = (open.get(socket) ?? 1) - 1
      open.set(socket, left)
      if (left === 0) deadline.begin(socket)
    })
  }
  // What a client or a server sends must not end the service, whatever it is.
  const server = createServer((request, response) => {
    watch(request, response)
    if (!isAuthorized(request, authorization)) return void response.writeHead(407, challenge).end(noCredentials)
    forward(request, response, reach).catch(() => request.socket.destroy())
  })
  server.on('connect', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    deadline.met(socket)
    if (!isAuthorized(request, authorization)) return void socket.end(closedTunnel)
    tunnel(request, socket, head, reach).catch(() => socket.destroy())
  })
  server.on('clientError', (_, socket) => socket.destroy())
  return {
    take(socket) {
      server.emit('connection', socket)
    },
    close() {
      server.close()
    },
  }
}

const refusal = (reason: string): string => `The proxy does not connect there: ${reason}.\n`

/** RFC 9209. It tells a refusal of the proxy from an answer; that of a server is not passed on. */
const proxyStatus = 'egress; error=destination_unavailable'

const challenge = { 'proxy-authenticate': 'Basic realm="proxy"', 'content-type': 'text/plain' } as const
const noCredentials = 'The proxy wants credentials.\n'
const closedTunnel = `HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: ${challenge['proxy-authenticate']}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`

/** In the same time for every wrong value; RFC 9110, 11.7.2. */
function isAuthorized({ headers }: IncomingMessage, expected: string | undefined): boolean {
  if (expected === undefined) return true
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(headers['proxy-authorization'] ?? ''), digest(expected))
}

const urlOf = (text: string): URL | undefined => (URL.canParse(text) ? new URL(text) : undefined)

const endOfSockets = new WeakMap<Socket, AbortSignal>()

/** Aborted at the end of a connection; one signal for all requests that it carries. */
function signalOf(socket: Socket): AbortSignal {
  const known = endOfSockets.get(socket)
  if (known !== undefined) return known
  const ended = new AbortController()
  socket.once('close', () => ended.abort())
  endOfSockets.set(socket, ended.signal)
  return ended.signal
}

/** CONNECT: bytes in both directions; RFC 9110, 9.3.6. What follows a refusal is not read. */
async function tunnel(request: IncomingMessage, socket: Socket, head: Buffer, reach: Reach): Promise<void> {
  const target = urlOf(`http://${request.url ?? ''}`)
  const onward = target === undefined ? 'not a host and port' : await reach(target.hostname, portOf(target, request.url), signalOf(socket))
  if (typeof onward === 'string')
    return void socket.end(`HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\n${refusal(onward)}`)
  socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
  if (head.length > 0) onward.write(head)
  await pipeline(socket, onward, socket).catch(() => onward.destroy())
}

/** A URL leaves the port 80 of its scheme out. */
const portOf = ({ port }: URL, written: string | undefined): number =>
  port === '' ? (/:0*80$/.test(written ?? '') ? 80 : 443) : Number(port)

/** A request of a plain address, in absolute form; RFC 9112, 3.2.2. */
async function forward(request: IncomingMessage, response: ServerResponse, reach: Reach): Promise<void> {
  const target = urlOf(request.url ?? '')
  const onward =
    target?.protocol === 'http:' ? await reach(target.hostname, Number(target.port || 80), signalOf(request.socket)) : 'not an http address'
  if (typeof onward === 'string' || target === undefined)
    return void response.writeHead(403, { 'content-type': 'text/plain', 'proxy-status': proxyStatus }).end(refusal(String(onward)))
  const outgoing = httpRequest({
    createConnection: () => onward,
    method: request.method,
    path: `${target.pathname}${target.search}`,
    // The host that was judged, whatever the request says; RFC 9112, 3.2.2.
    headers: { ...endToEnd(request.headers), host: target.host, connection: 'close' },
  })
  response.once('close', () => outgoing.destroy())
  outgoing.once('response', (answer) => passOn(answer, response))
  outgoing.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(502).end()))
  await pipeline(request, outgoing).catch(() => outgoing.destroy())
}

/** A status outside of RFC 9110, 15, or that changes the protocol, is an answer of no use. */
function passOn(answer: IncomingMessage, response: ServerResponse): void {
  const { statusCode: status = 0 } = answer
  if (status < 200 || status > 599) {
    answer.destroy()
    if (!response.headersSent) response.writeHead(502).end()
    return
  }
  try {
    response.writeHead(status, endToEnd(answer.headers))
  } catch {
    // Headers that Node.js reads, and does not write.
    answer.destroy()
    return void response.destroy()
  }
  pipeline(answer, response).catch(() => response.destroy())
}

const hopByHop = new Set([
  'connection',
  'proxy-connection',
  'proxy-authorization',
  'proxy-authenticate',
  'keep-alive',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'proxy-status',
])

/** Without the headers that are for this connection alone; RFC 9110, 7.6.1. */
function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = new Set((headers.connection ?? '').toLowerCase().split(/\s*,\s*/))
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !hopByHop.has(name) && !named.has(name)))
}

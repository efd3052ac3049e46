import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** What came back over a socket, until it was closed. */
export interface RawAnswer {
  /** 0 when nothing came. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Everything, as it came. */
  readonly text: string
}

export interface RawOptions {
  /** Ends the writing side behind the bytes. */
  readonly endWrites?: boolean
  /** Another address of this machine, which counts as another client. */
  readonly from?: string
  /** How long the answer and the end of the connection may take, in milliseconds. Default: 10 s. */
  readonly limitMs?: number
}

/** Opens a connection; the caller destroys it. Its errors show in what is read. */
export async function openSocket(url: string, from?: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ port: Number(port), host: hostname, ...(from === undefined ? {} : { localAddress: from }) })
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  return socket
}

/**
 * Sends bytes as they are and reads until the connection is closed. Of an event stream only the
 * head is read. @throws when the connection is still open after the limit.
 */
export async function sendBytes(url: string, bytes: string | Uint8Array, options: RawOptions = {}): Promise<RawAnswer> {
  const socket = await openSocket(url, options.from)
  socket.write(bytes)
  if (options.endWrites) socket.end()
  return readToEnd(socket, options.limitMs)
}

/** Reads what is left of a connection, until it is closed. */
export function readToEnd(socket: Socket, limitMs = 30_000): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const timer = setTimeout(() => {
      socket.destroy()
      reject(
        new Error(`The connection was still open after ${limitMs} ms. So far: ${Buffer.concat(chunks).toString('utf8').slice(0, 500)}`),
      )
    }, limitMs)
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      if (chunks.length === 1 && /\r\ncontent-type: text\/event-stream/i.test(chunk.toString('latin1'))) socket.destroy()
    })
    socket.once('close', () => {
      clearTimeout(timer)
      resolve(parseAnswer(Buffer.concat(chunks).toString('utf8')))
    })
  })
}

/** Takes the first answer apart. */
export function parseAnswer(text: string): RawAnswer {
  const headEnd = text.indexOf('\r\n\r\n')
  const lines = text.slice(0, headEnd === -1 ? text.length : headEnd).split('\r\n')
  const headers = lines.slice(1).map((line): readonly [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0),
    headers: Object.fromEntries(headers),
    body: headEnd === -1 ? '' : text.slice(headEnd + 4),
    text,
  }
}

export interface RawRequest {
  readonly method?: string
  readonly token?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  /** Sent with its length, as JSON unless the headers say otherwise. */
  readonly body?: string | Uint8Array
}

/** The bytes of one request that closes its connection. */
export function requestBytes(target: string, request: RawRequest = {}): Buffer {
  const { method = 'GET', token, headers = {}, body } = request
  const content = body === undefined ? undefined : Buffer.from(body)
  const named = Object.keys(headers).map((name) => name.toLowerCase())
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: localhost',
    'Connection: close',
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...(content === undefined || named.includes('content-type') ? [] : ['Content-Type: application/json']),
    ...(content === undefined || named.includes('content-length') ? [] : [`Content-Length: ${content.length}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), content ?? Buffer.alloc(0)])
}

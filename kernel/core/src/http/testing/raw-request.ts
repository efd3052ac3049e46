import { connect, type Socket } from 'node:net'

/** A response read from a socket. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Everything as received. */
  readonly text: string
}

/** Opens a connection; the caller destroys it. Later errors of the connection are ignored. */
export function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => resolve(socket))
    socket.once('error', reject)
    socket.on('error', () => undefined)
  })
}

/** Sends raw bytes and reads until the server closes the connection. */
export async function rawRequest(
  port: number,
  bytes: string | Uint8Array,
  options: { readonly endWrites?: boolean } = {},
): Promise<RawAnswer> {
  const socket = await openSocket(port)
  const chunks: Buffer[] = []
  const closed = new Promise<void>((resolve) => {
    socket.on('close', () => resolve())
  })
  socket.on('data', (chunk) => chunks.push(chunk))
  socket.write(bytes)
  if (options.endWrites) socket.end()
  await closed
  return parseAnswer(Buffer.concat(chunks).toString('utf8'))
}

/** Parses a response. The status is 0 if nothing was received. */
export function parseAnswer(text: string): RawAnswer {
  const headEnd = text.indexOf('\r\n\r\n')
  const lines = text.slice(0, headEnd === -1 ? text.length : headEnd).split('\r\n')
  const headers = lines.slice(1).map((line): [string, string] => {
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

/** A request without a body, closing the connection. */
export const getRequest = (target: string, headers = ''): string =>
  `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`

/** A JSON post, closing the connection. */
export const postRequest = (target: string, body: string | Uint8Array, headers = 'Content-Type: application/json\r\n'): Buffer => {
  const bytes = Buffer.from(body)
  return Buffer.concat([
    Buffer.from(`POST ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}Content-Length: ${bytes.length}\r\n\r\n`),
    bytes,
  ])
}

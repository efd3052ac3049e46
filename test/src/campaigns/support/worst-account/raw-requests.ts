import { connect, type Socket } from 'node:net'
import type { Caller } from './caller.js'

/** How a raw request goes. */
export interface RawRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string | number>>
  /** What is sent of the body, which may be less than was announced. */
  readonly body?: Buffer
  /** Nothing more is read behind the head of the answer. */
  readonly deaf?: boolean
}

/** A connection that does as little as it can for its request. */
export interface RawConnection {
  readonly socket: Socket
  /**
   * The status of the answer; `closed` where the connection ended, or was never there, without one.
   */
  readonly status: Promise<string>
}

/** Sends a request over a connection of its own, and leaves the connection open. */
export function sendRaw({ url, headers }: Caller, request: RawRequest): RawConnection {
  const socket = connect(Number(url.port), url.hostname)
  socket.on('error', () => socket.destroy())
  const lines = Object.entries({ host: url.host, ...headers, ...request.headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`${request.method} ${request.path} HTTP/1.1\r\n${lines.join('')}\r\n`)
  if (request.body) socket.write(request.body)
  const status = new Promise<string>((resolve) => {
    socket.once('data', (head: Buffer) => {
      resolve(/^HTTP\/1\.1 (\d{3})/.exec(head.toString('latin1'))?.[1] ?? 'unreadable')
      if (request.deaf) socket.pause()
      else socket.resume()
    })
    socket.once('close', () => resolve('closed'))
  })
  return { socket, status }
}

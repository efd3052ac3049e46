import { once } from 'node:events'
import type { Socket } from 'node:net'

/** SOCKS 5 without authentication, CONNECT alone; RFC 1928. @throws for anything else. */
export async function acceptSocks(socket: Socket): Promise<{ readonly host: string; readonly port: number }> {
  const [version, methods = 0] = await read(socket, 2)
  const offered = await read(socket, methods)
  if (version !== 5 || !offered.includes(0)) throw new Error('Expected SOCKS 5 without authentication.')
  socket.write(Buffer.from([5, 0]))
  const [, command, , kind] = await read(socket, 4)
  if (command !== 1) throw new Error('Expected CONNECT.')
  const host = await readHost(socket, kind)
  const port = await read(socket, 2)
  return { host, port: port.readUInt16BE(0) }
}

/** Answers the request: connected, or not allowed. */
export const answerSocks = (socket: Socket, connected: boolean): boolean =>
  socket.write(Buffer.from([5, connected ? 0 : 2, 0, 1, 0, 0, 0, 0, 0, 0]))

async function readHost(socket: Socket, kind: number | undefined): Promise<string> {
  if (kind === 1) return [...(await read(socket, 4))].join('.')
  if (kind === 3) return (await read(socket, (await read(socket, 1))[0] ?? 0)).toString('latin1')
  if (kind !== 4) throw new Error('Expected an address or a name.')
  const bytes = await read(socket, 16)
  return Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(':')
}

/** Exactly so many bytes. @throws at the end of the connection. */
async function read(socket: Socket, count: number): Promise<Buffer> {
  if (count === 0) return Buffer.alloc(0)
  for (;;) {
    const bytes = socket.read(count) as Buffer | null
    if (bytes !== null && bytes.length === count) return bytes
    if (bytes !== null || socket.readableEnded || socket.destroyed) throw new Error('The connection ended early.')
    await Promise.race([once(socket, 'readable'), once(socket, 'end')])
  }
}

import type { Socket } from 'node:net'

/** SOCKS 5 without authentication, CONNECT alone; RFC 1928. @throws for anything else. */
export async function acceptSocks(socket: Socket): Promise<{ readonly host: string; readonly port: number }> {
  const reader = createReader(socket)
  try {
    return await readDestination(socket, reader.read)
  } finally {
    reader.stop()
  }
}

async function readDestination(socket: Socket, read: Read): Promise<{ readonly host: string; readonly port: number }> {
  const [version, methods = 0] = await read(2)
  const offered = await read(methods)
  if (version !== 5 || !offered.includes(0)) throw new Error('Expected SOCKS 5 without authentication.')
  socket.write(Buffer.from([5, 0]))
  const [, command, , kind] = await read(4)
  if (command !== 1) throw new Error('Expected CONNECT.')
  const host = await readHost(read, kind)
  const port = await read(2)
  return { host, port: port.readUInt16BE(0) }
}

/** Answers the request: connected, or not allowed. */
export const answerSocks = (socket: Socket, connected: boolean): boolean =>
  socket.write(Buffer.from([5, connected ? 0 : 2, 0, 1, 0, 0, 0, 0, 0, 0]))

async function readHost(read: Read, kind: number | undefined): Promise<string> {
  if (kind === 1) return [...(await read(4))].join('.')
  if (kind === 3) return (await read((await read(1))[0] ?? 0)).toString('latin1')
  if (kind !== 4) throw new Error('Expected an address or a name.')
  const bytes = await read(16)
  return Array.from({ length: 8 }, (_, index) => bytes.readUInt16BE(index * 2).toString(16)).join(':')
}

/** Exactly so many bytes. @throws at the end of the connection. */
type Read = (count: number) => Promise<Buffer>

/**
 * Reads a connection in pieces. Its one listener stays until `stop`: Node.js says “readable” to each
 * new one at once, while fewer bytes are there than are wanted, and a loop would never end.
 */
function createReader(socket: Socket): { readonly read: Read; stop(): void } {
  let wake = (): void => undefined
  const listener = (): void => wake()
  const events = ['readable', 'end', 'close'] as const
  for (const event of events) socket.on(event, listener)
  return {
    async read(count) {
      if (count === 0) return Buffer.alloc(0)
      for (;;) {
        const bytes = socket.read(count) as Buffer | null
        if (bytes !== null && bytes.length === count) return bytes
        if (bytes !== null || socket.readableEnded || socket.destroyed) throw new Error('The connection ended early.')
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    stop: () => {
      for (const event of events) socket.off(event, listener)
    },
  }
}

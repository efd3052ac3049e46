import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

const left: ReadonlySet<string> = new Set(['upgrade', 'http2-settings'])

/**
 * Gives a request that asked for an upgrade which there is not back to the server as an ordinary one, as RFC 9110, 7.8 has it: clients ask for h2c with
 * whatever they send. Its head is written again without the upgrade, before what followed it on the connection.
 */
export function passOnWithoutUpgrade(server: Server, request: IncomingMessage, socket: Duplex, rest: Buffer): void {
  const { method = 'GET', url = '/', httpVersion, rawHeaders } = request
  const lines = [`${method} ${url} HTTP/${httpVersion}`]
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = [rawHeaders[index], rawHeaders[index + 1]]
    if (left.has(name.toLowerCase())) continue
    lines.push(`${name}: ${name.toLowerCase() === 'connection' ? withoutUpgrade(value) : value}`)
  }
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  socket.unshift(Buffer.concat([head, rest]))
  server.emit('connection', socket)
}

/** The options of a connection without those of the upgrade; `keep-alive` where nothing is left, which HTTP/1.1 does anyway. */
function withoutUpgrade(value: string): string {
  const options = value.split(',').map((option) => option.trim())
  const kept = options.filter((option) => !left.has(option.toLowerCase()) && option !== '')
  return kept.length === 0 ? 'keep-alive' : kept.join(', ')
}

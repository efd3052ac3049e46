import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'

const left: ReadonlySet<string> = new Set(['upgrade', 'http2-settings'])

/**
 * Ignores an upgrade that is not available (RFC 9110, 7.8) and returns the request to the server as
 * an ordinary one: some clients ask for h2c with every request. The head is rewritten without the
 * upgrade and put back before the rest of the input.
 */
export function ignoreUpgrade(server: Server, request: IncomingMessage, socket: Duplex, rest: Buffer): void {
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

/**
 * The options of a `Connection` header without those of the upgrade; if none is left, `keep-alive`,
 * the default of HTTP/1.1.
 */
function withoutUpgrade(value: string): string {
  const options = value.split(',').map((option) => option.trim())
  const kept = options.filter((option) => !left.has(option.toLowerCase()) && option !== '')
  return kept.length === 0 ? 'keep-alive' : kept.join(', ')
}

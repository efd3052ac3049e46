import { execFile } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** Answers requests for pages: by host and path. */
export type SitePages = (request: IncomingMessage, response: ServerResponse, body: string) => void

/** A site on the loopback, which the guard of the tests lets pages reach under names. */
export interface TestSite {
  readonly port: number
  /** What was asked of it, in order: `GET site.test /path`. */
  readonly requests: readonly string[]
  close(): void
}

/** Starts a site; with a certificate it speaks TLS. */
export async function startSite(pages: SitePages, certificate?: { readonly key: string; readonly cert: string }): Promise<TestSite> {
  const requests: string[] = []
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      requests.push(`${request.method} ${(request.headers.host ?? '').split(':')[0]} ${request.url}`)
      pages(request, response, Buffer.concat(parts).toString())
    })
  }
  const server = certificate === undefined ? createServer(answer) : createTlsServer(certificate, answer)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    requests,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** Sockets on the loopback that no page may reach, and what reached them. */
export interface Traps {
  readonly tcpPort: number
  readonly udpPort: number
  /** One line for each connection and datagram. */
  readonly caught: readonly string[]
  close(): void
}

export async function setTraps(): Promise<Traps> {
  const caught: string[] = []
  const tcp = createTcpServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', (bytes) => {
      caught.push(`tcp: ${bytes.toString('latin1').slice(0, 80)}`)
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 6\r\nAccess-Control-Allow-Origin: *\r\nConnection: close\r\n\r\nsecret')
    })
    caught.push('tcp: a connection')
  })
  tcp.listen(0, '127.0.0.1')
  await once(tcp, 'listening')
  const udp = createSocket('udp4')
  udp.on('message', (bytes) => caught.push(`udp: ${bytes.length} bytes`))
  udp.bind(0, '127.0.0.1')
  await once(udp, 'listening')
  return {
    tcpPort: (tcp.address() as AddressInfo).port,
    udpPort: udp.address().port,
    caught,
    close() {
      tcp.close()
      udp.close()
    },
  }
}

/** A certificate of its own for `site.test`, which no browser trusts. */
export async function makeCertificate(): Promise<{ readonly key: string; readonly cert: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'browser-site-'))
  try {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    await promisify(execFile)('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
      ...['-subj', '/CN=site.test', '-addext', 'subjectAltName=DNS:site.test', '-keyout', key, '-out', cert],
    ])
    return { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

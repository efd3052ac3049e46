import { createServer, type IncomingMessage, request as requestHttp, type ServerResponse } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { AddressInfo } from 'node:net'

/** A server between an adapter and its upstream that keeps what it passes on. */
export interface RecordingProxy {
  /** In place of the upstream's. */
  readonly baseUrl: string
  /** The bodies of the requests so far that had one, as text. */
  bodies(): readonly string[]
  /** Ends what is open, and frees the port. */
  close(): Promise<void>
}

/**
 * Starts a proxy. It passes on method, path, headers and bytes as they came, in both directions, and
 * breaks a connection where its other side broke.
 */
export async function startRecordingProxy(upstreamUrl: string): Promise<RecordingProxy> {
  const upstream = new URL(upstreamUrl)
  const bodies: string[] = []
  const server = createServer((request, response) => {
    passOn(request, response, { upstream, bodies }).catch((error: unknown) => response.destroy(error as Error))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}${upstream.pathname.replace(/\/$/, '')}`,
    bodies: () => bodies,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

interface Passage {
  readonly upstream: URL
  readonly bodies: string[]
}

async function passOn(request: IncomingMessage, response: ServerResponse, { upstream, bodies }: Passage): Promise<void> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece as Buffer)
  const body = Buffer.concat(pieces)
  if (body.length > 0) bodies.push(body.toString('utf8'))
  const { protocol, hostname, port } = upstream
  const send = protocol === 'https:' ? requestHttps : requestHttp
  const passed = send({ protocol, hostname, port, method: request.method, path: request.url, headers: request.headers })
  passed.on('error', (error) => response.destroy(error))
  response.on('close', () => passed.destroy())
  passed.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
    answer.on('error', (error) => response.destroy(error))
    answer.pipe(response)
  })
  passed.end(body)
}

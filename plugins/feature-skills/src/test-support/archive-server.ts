import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { HttpClient } from '@agent-service/sdk/services/http-client'

/** What the server gives from now on. */
export interface ServedArchive {
  readonly status?: number
  readonly bytes?: Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

/** A server of one archive, and a client that reaches it under any https address. */
export interface ArchiveServer {
  readonly client: HttpClient
  /** The headers of every request so far, oldest first. */
  readonly requests: readonly IncomingHttpHeaders[]
  serve(archive: ServedArchive): void
  close(): Promise<void>
}

export async function startArchiveServer(): Promise<ArchiveServer> {
  const requests: IncomingHttpHeaders[] = []
  let served: ServedArchive = {}
  const server: Server = createServer(({ headers }, response) => {
    requests.push(headers)
    const { status = 200, bytes = new Uint8Array(), headers: sent = {} } = served
    const known = Object.entries(sent).some(
      ([name, value]) =>
        (name === 'etag' && headers['if-none-match'] === value) || (name === 'last-modified' && headers['if-modified-since'] === value),
    )
    if (known) response.writeHead(304, sent).end()
    else response.writeHead(status, sent).end(bytes)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const request: HttpClient['request'] = async ({ url, headers = {} }, { signal }) => {
    const { pathname, search } = new URL(url)
    const answer = await fetch(`http://127.0.0.1:${port}${pathname}${search}`, { headers, signal })
    return {
      ...{ status: answer.status, headers: Object.fromEntries(answer.headers), url, redirects: 0 },
      body: new Uint8Array(await answer.arrayBuffer()),
    }
  }
  return {
    requests,
    client: { request, stream: () => Promise.reject(new Error('The test serves no streams.')) },
    serve(archive) {
      served = archive
    },
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

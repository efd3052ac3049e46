import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A page that the engine of the suite finds. */
export interface EnginePage {
  /** As the engine writes it; may be no address at all. */
  readonly url: string
  /** As the engine writes it. */
  readonly title: string
  /** As the engine writes it. */
  readonly snippet: string
  /** As the engine writes it: a date, `2026-01-31`, or a text that is none. Absent: unknown. */
  readonly publishedOn?: string
}

/** A request as the engine got it. */
export interface EngineRequest {
  /** `GET` or `POST`. */
  readonly method: string
  /** Path and query. */
  readonly path: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** As UTF-8. */
  readonly body: string
}

/** What the engine answers. */
export interface EngineReply {
  /** Default 200. */
  readonly status?: number
  /** Default: `content-type: application/json`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Default: empty. */
  readonly body?: string
  /**
   * `headers`: nothing is sent at all; `reset`: the connection is closed instead; `body`: the answer stops
   * after `body`, but does not end; `endless`: it repeats `body` for ever. Default: it behaves.
   */
  readonly misbehaves?: 'headers' | 'body' | 'endless' | 'reset'
}

/** An engine on loopback with scripted answers. */
export interface SearchEngine {
  /** Without a slash at its end. */
  readonly baseUrl: string
  /** From old to new. */
  readonly requests: readonly EngineRequest[]
  /** Sets the answer from now on. */
  reply(next: (request: EngineRequest) => EngineReply): void
  /** Resolves once a request has come. */
  asked(): Promise<void>
  /** Resolves once no answer is open any more. */
  idle(): Promise<void>
  /** Ends every connection and frees the port. May be called more than once. */
  close(): Promise<void>
}

/** Starts an engine that finds nothing until it is told what to answer. */
export async function startSearchEngine(): Promise<SearchEngine> {
  const requests: EngineRequest[] = []
  const open = new Set<ServerResponse>()
  const waiting: { readonly until: () => boolean; readonly resolve: () => void }[] = []
  let answer: (request: EngineRequest) => EngineReply = () => ({ status: 500 })
  const settle = (): void => {
    for (const each of waiting.splice(0)) (each.until() ? each.resolve : () => waiting.push(each))()
  }
  const waitUntil = (until: () => boolean): Promise<void> =>
    until() ? Promise.resolve() : new Promise((resolve) => void waiting.push({ until, resolve }))

  const server = createServer((incoming, outgoing) => {
    const received: Buffer[] = []
    open.add(outgoing)
    outgoing.once('close', () => {
      open.delete(outgoing)
      settle()
    })
    incoming.on('data', (data: Buffer) => received.push(data))
    incoming.on('end', () => {
      const { method = '', url = '', headers } = incoming
      const request = { method, path: url, headers, body: Buffer.concat(received).toString() }
      requests.push(request)
      settle()
      write(outgoing, answer(request))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    reply(next) {
      answer = next
    },
    asked() {
      const before = requests.length
      return waitUntil(() => requests.length > before)
    },
    idle: () => waitUntil(() => open.size === 0),
    close: () =>
      new Promise((resolve) => {
        // Closing a second time is no error.
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function write(outgoing: ServerResponse, { status = 200, headers, body = '', misbehaves }: EngineReply): void {
  if (misbehaves === 'reset') outgoing.destroy()
  if (misbehaves === 'headers' || misbehaves === 'reset') return
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers })
  if (misbehaves === undefined) outgoing.end(body)
  else if (misbehaves === 'body') outgoing.write(body)
  else writeForEver(outgoing, body.repeat(1 + Math.floor(65_536 / Math.max(1, body.length))))
}

function writeForEver(outgoing: ServerResponse, piece: string): void {
  const more = (): void => {
    if (!outgoing.destroyed) outgoing.write(piece, () => setImmediate(more))
  }
  more()
}

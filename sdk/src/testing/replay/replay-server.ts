import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'

/** A request as the server received it. */
export interface SeenRequest {
  /** Path and query. */
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  /** As UTF-8. */
  readonly body: string
  /** Resolves when the connection of this request closes before the answer is complete. */
  readonly aborted: Promise<void>
  /** Resolves when the connection has finished this request, complete or not. */
  readonly ended: Promise<void>
}

/** How a request is answered. */
export interface Replay {
  /** Default 200. */
  readonly status?: number
  /** Default: `content-type: text/event-stream`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Written one after the other, each in its own turn of the event loop. */
  readonly pieces: readonly Uint8Array[]
  /**
   * No answer, not even headers: the connection stays open (`hold`) or is reset (`destroy`).
   * Default: the answer is sent.
   */
  readonly unanswered?: 'hold' | 'destroy'
  /** The pause between two pieces, in milliseconds. Default: one turn. */
  readonly pauseMs?: number
  /**
   * `destroy`: the connection is reset after the last piece. `hold`: it stays open without an end.
   * Default: the answer ends.
   */
  readonly end?: 'destroy' | 'hold'
}

/** A server on loopback with scripted answers. */
export interface ReplayServer {
  /** `http://127.0.0.1:<port>/v1`. */
  readonly baseUrl: string
  /** From old to new. */
  readonly seen: readonly SeenRequest[]
  /** Ends every open answer and frees the port. */
  close(): Promise<void>
}

/** The text in UTF-8. */
export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Starts a server that answers each request with the result of `answer`. */
export async function startReplayServer(answer: (request: SeenRequest) => Replay): Promise<ReplayServer> {
  const seen: SeenRequest[] = []
  const server = createServer((incoming, outgoing) => {
    const received: Buffer[] = []
    incoming.on('data', (data: Buffer) => received.push(data))
    incoming.on('end', () => {
      const aborted = new Promise<void>((resolve) => {
        outgoing.once('close', () => {
          if (!outgoing.writableFinished) resolve()
        })
      })
      const ended = new Promise<void>((resolve) => {
        outgoing.once('close', resolve)
      })
      const request = { url: incoming.url ?? '', headers: incoming.headers, body: Buffer.concat(received).toString(), aborted, ended }
      seen.push(request)
      void write(outgoing, answer(request))
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    seen,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
}

async function write(outgoing: ServerResponse, replay: Replay): Promise<void> {
  if (replay.unanswered === 'destroy') outgoing.destroy()
  if (replay.unanswered !== undefined) return
  outgoing.writeHead(replay.status ?? 200, { 'content-type': 'text/event-stream', ...replay.headers })
  outgoing.flushHeaders()
  for (const piece of replay.pieces) {
    if (outgoing.destroyed) return
    outgoing.write(piece)
    await (replay.pauseMs === undefined ? nextTurn() : pause(replay.pauseMs))
  }
  if (replay.end === 'destroy') {
    // The bytes must be sent before the connection closes.
    await new Promise<void>((resolve) => outgoing.write('', () => resolve()))
    outgoing.destroy()
  } else if (replay.end !== 'hold') outgoing.end()
}

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Exchange, refuseExchange, writeExchange } from './write-recording.js'

/** The largest request and the largest answer that are recorded, in bytes. */
const sizeLimit = 64 * 1024 * 1024
/** The limit for one call, in milliseconds. */
const callLimitMs = 15 * 60_000
/** A shorter text is not a key, and would match everywhere. */
const shortestSecret = 8

/** The options of {@link recordAnswers}. */
export interface RecordAnswersOptions {
  /** The live endpoint's address, as an adapter would be given it. */
  readonly upstream: string
  /**
   * The folder of the recordings. Created if missing; existing files of the same names are
   * replaced.
   */
  readonly folder: string
  /** The base of their names: `NAME.0`, `NAME.1`, … in the order in which the requests came. */
  readonly name: string
  /**
   * Headers that every forwarded request gets, above all the one with the key: `{ authorization:
   * 'Bearer …' }`. Never written.
   */
  readonly headers?: Readonly<Record<string, string>>
  /**
   * Further secrets that must not be in a file: keys in addresses, names of accounts and
   * organisations. At least 8 characters each.
   */
  readonly secrets?: readonly string[]
}

/** A recorder on loopback. */
export interface AnswerRecorder {
  /** The address for the adapter instead of the endpoint's; with the same path. */
  readonly baseUrl: string
  /** The names of the recordings so far, in the order of the requests. */
  readonly recorded: readonly string[]
  /**
   * Waits for the answers under way, and frees the port. @throws an `Error` that says why each
   * missing request was not recorded: the key remained in its files, its caller cancelled it, it
   * was too large, its answer is not JSON.
   */
  close(): Promise<void>
}

/**
 * A proxy between an adapter and a live endpoint that writes recordings for {@link openRecordings}:
 * `NAME.request.json`, `NAME.response.{json,sse,ndjson,bin}` and `NAME.meta.json`. Keys,
 * organisations, accounts, mail addresses and cookies are removed; a recording in which a key
 * remains is not written. Answers are forwarded as they arrive. @throws an `Error` for a secret
 * that is too short.
 */
export async function recordAnswers(options: RecordAnswersOptions): Promise<AnswerRecorder> {
  if (options.secrets?.some((secret) => secret.length < shortestSecret))
    throw new Error(`A secret has fewer than ${shortestSecret} characters. Pass longer ones: short texts match everywhere.`)
  const recorded: string[] = []
  const numbers: number[] = []
  const problems: string[] = []
  const underWay = new Set<Promise<void>>()
  let count = 0

  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const number = count++
    const name = `${options.name}.${number}`
    try {
      const exchange = await forward(incoming, outgoing, options)
      const secrets = secretsOf(incoming, options)
      const refusal = refuseExchange(exchange, secrets)
      if (refusal === undefined) {
        await writeExchange(options.folder, name, exchange, secrets)
        const later = numbers.findIndex((other) => other > number)
        const place = later < 0 ? numbers.length : later
        numbers.splice(place, 0, number)
        recorded.splice(place, 0, name)
      } else problems.push(`${name}: ${refusal}`)
    } catch (error) {
      const reason = error instanceof Error ? (error.cause instanceof Error ? error.cause : error).message : 'it failed'
      problems.push(`${name}: ${reason}`)
      if (!outgoing.headersSent) outgoing.writeHead(502)
      outgoing.destroy()
    }
  }
  const server = createServer((incoming, outgoing) => {
    const call = handle(incoming, outgoing).finally(() => underWay.delete(call))
    underWay.add(call)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}${new URL(options.upstream).pathname.replace(/\/+$/, '')}`,
    recorded,
    async close() {
      const closed = new Promise<void>((resolve) => void server.close(() => resolve()))
      await Promise.all(underWay)
      server.closeAllConnections()
      await closed
      if (problems.length > 0) throw new Error(`Not everything was recorded. ${problems.join('; ')}`)
    },
  }
}

/** Forwards a request and its answer, and resolves with both once the answer is complete. */
async function forward(incoming: IncomingMessage, outgoing: ServerResponse, options: RecordAnswersOptions): Promise<Exchange> {
  const controller = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) controller.abort(new Error('its caller cancelled it'))
  })
  const request = await collect(incoming)
  const url = new URL(`${new URL(options.upstream).origin}${incoming.url ?? '/'}`)
  const answer = await fetch(url, {
    method: incoming.method ?? 'POST',
    headers: headersOf(incoming, options),
    ...(request.length > 0 && { body: request }),
    redirect: 'manual',
    signal: AbortSignal.any([controller.signal, AbortSignal.timeout(callLimitMs)]),
  })
  const passed = [...answer.headers].filter(
    ([name]) => !/^(content-length|content-encoding|transfer-encoding|connection|set-cookie)$/.test(name),
  )
  outgoing.writeHead(answer.status, Object.fromEntries(passed))
  outgoing.flushHeaders()
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of answer.body ?? []) {
    size += piece.byteLength
    if (size > sizeLimit) throw new Error(`its answer is larger than ${sizeLimit} bytes`)
    pieces.push(piece)
    outgoing.write(piece)
  }
  outgoing.end()
  return {
    method: incoming.method ?? 'POST',
    url: url.href,
    status: answer.status,
    requestHeaders: { accept: incoming.headers.accept ?? '', 'content-type': incoming.headers['content-type'] ?? '' },
    responseHeaders: answer.headers,
    request,
    response: Buffer.concat(pieces),
  }
}

async function collect(incoming: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of incoming as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > sizeLimit) throw new Error(`its request is larger than ${sizeLimit} bytes`)
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function headersOf(incoming: IncomingMessage, { headers = {} }: RecordAnswersOptions): Headers {
  const forwarded = new Headers()
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value === undefined || /^(host|connection|content-length|transfer-encoding|keep-alive|accept-encoding)$/.test(name)) continue
    forwarded.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  forwarded.set('accept-encoding', 'identity')
  for (const [name, value] of Object.entries(headers)) forwarded.set(name, value)
  return forwarded
}

const credentialHeaders = /authorization|cookie|key|token|secret|organization|project|account/i

/**
 * All secrets: the author's, and the values of the headers, with and without a scheme before them.
 */
function secretsOf(incoming: IncomingMessage, { headers = {}, secrets = [] }: RecordAnswersOptions): readonly string[] {
  const carried = [
    ...Object.values(headers),
    ...Object.entries(incoming.headers).flatMap(([name, value]) => (credentialHeaders.test(name) ? [value ?? ''].flat() : [])),
  ]
  const bare = carried.flatMap((value) => [value, value.replace(/^[A-Za-z0-9-]+\s+/, '')])
  return [...new Set([...secrets, ...bare])].filter((secret) => secret.length >= shortestSecret)
}

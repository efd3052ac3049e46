import { createHash, type Hash } from 'node:crypto'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { Problem } from '@agent-service/sdk'
import type { HttpRoute } from '@agent-service/sdk/contracts/http-route'
import { unsupportedMediaTypeError } from '../errors.js'
import type { HttpLimits } from '../http-options.js'
import type { RequestLimits } from '../limits/request-limits.js'
import { bearerOf } from '../request/credentials.js'
import type { Exchange } from '../request/exchange.js'
import { type BodyLimit, type CollectedBody, checkAnnouncedLength, collectBody, joinBlocks, sendContinue } from './collect-body.js'
import { type JsonRules, type ReadJson, readJson } from './read-json.js'
import { streamBody } from './stream-body.js'

/** The body as the handler gets it, and its problems. */
export interface ReadBody {
  readonly body: unknown
  readonly bodyStream?: AsyncIterable<Uint8Array>
  readonly problems: readonly Problem[]
  /** What was given in place of what the first problem expects. */
  readonly given?: string | undefined
  /** SHA-256 of the bytes, in hexadecimal; only on request. */
  readonly digest?: string
  /** The turn of a large body: as long as it is held, other large bodies of its holder wait. */
  readonly turn?: { release(): void }
}

/** Parses and validates large bodies in threads. */
export interface JsonPool {
  /**
   * Never blocks the event loop for long, however large the body is. The blocks of bytes are moved
   * to the thread and must not be used afterwards.
   *
   * @throws `malformed_json`, `nesting_too_deep`, `too_many_values`; `body_too_complex` if the body
   * takes more memory than a thread has, which ends only that thread; `overloaded` if it takes too
   * long or the pool is closed; {@link ClientDisconnectedError} if the signal aborts.
   */
  read(blocks: readonly Uint8Array<ArrayBuffer>[], rules: JsonRules, signal: AbortSignal): Promise<ReadJson>
  /** Ends the threads; bodies that are being read fail. May be called again. */
  close(): Promise<void>
}

/** What the reader of bodies needs. */
export interface BodyReaderOptions {
  readonly limits: HttpLimits
  /** `server.max_body_size_bytes`. */
  readonly maxBytes: number
  readonly shares: Pick<RequestLimits, 'announced' | 'bodies' | 'parsing' | 'handling'>
  /** Absent: large bodies are parsed on the event loop, too. */
  readonly jsonPool: JsonPool | undefined
}

/** The limit of a route's body, with its name. */
export function maxBodyOf(route: HttpRoute, options: BodyReaderOptions): BodyLimit {
  const { limits, maxBytes } = options
  const own: BodyLimit =
    route.body?.limit !== undefined
      ? { maxBytes: route.body.limit, name: 'the limit of this route' }
      : route.path.startsWith('/api/auth/')
        ? { maxBytes: limits.maxAuthJsonBytes, name: 'the limit for account routes' }
        : { maxBytes: limits.maxJsonBytes, name: 'the limit for JSON bodies' }
  return own.maxBytes > maxBytes ? { maxBytes, name: 'server.max_body_size_bytes' } : own
}

/**
 * Reads the body as the route declares it: none, validated JSON with defaults filled in, or a
 * stream. The caller releases the turn of a large body.
 *
 * @throws `unsupported_media_type`, and the errors of {@link collectBody} and of parsing.
 */
export async function readBody(
  exchange: Exchange,
  route: HttpRoute,
  options: BodyReaderOptions,
  { holder, wantDigest }: { readonly holder: string; readonly wantDigest: boolean },
): Promise<ReadBody> {
  if (!route.body) return { body: undefined, problems: [] }
  const limit = maxBodyOf(route, options)
  const { limits } = options
  if (route.body.kind === 'stream') {
    if (!route.foreign) checkMediaType(exchange.request, route.body.contentTypes)
    return {
      body: undefined,
      bodyStream: streamBody(exchange, { limit, maxIdleMs: limits.maxBodyIdleMs, minBytesPerSecond: limits.minBodyBytesPerSecond }),
      problems: [],
    }
  }
  checkMediaType(exchange.request, ['application/json'], exchange.lenient)
  const hash = wantDigest ? createHash('sha256') : undefined
  const collected = await receive(exchange, limit, { ...options, holder, hash })
  try {
    const { schema, illFormedTexts } = route.body
    const rules = { schema, illFormedTexts, maxDepth: limits.maxJsonDepth, maxValues: limits.maxJsonValues }
    // Large bodies are parsed in a thread, so that they do not block the event loop.
    const read: ReadBody =
      options.jsonPool === undefined || collected.size <= limits.parseInThreadBytes
        ? readJson(joinBlocks(collected.blocks), rules)
        : await readInThread(exchange, collected, rules, { shares: options.shares, jsonPool: options.jsonPool, holder })
    return hash ? { ...read, digest: hash.digest('hex') } : read
  } finally {
    collected.release()
  }
}

/** Receives a body within its holder's share. */
async function receive(
  exchange: Exchange,
  limit: BodyLimit,
  { shares, limits, holder, hash }: BodyReaderOptions & { readonly holder: string; readonly hash: Hash | undefined },
): Promise<CollectedBody> {
  const announced = shares.announced.take(holder, checkAnnouncedLength(exchange, limit))
  try {
    sendContinue(exchange)
    return await collectBody(exchange, {
      limit,
      share: shares.bodies.take(holder, 0),
      maxIdleMs: limits.maxBodyIdleMs,
      maxMs: limits.maxJsonArrivalMs,
      hash,
    })
  } finally {
    announced.release()
  }
}

/**
 * Holders take turns, so that one with many large bodies does not make the others wait for all of
 * them; what is done with a large body takes long, too, so the next one of its holder is read after
 * it.
 */
async function readInThread(
  exchange: Exchange,
  collected: CollectedBody,
  rules: JsonRules,
  { shares, jsonPool, holder }: Pick<BodyReaderOptions, 'shares'> & { readonly jsonPool: JsonPool; readonly holder: string },
): Promise<ReadBody> {
  const { signal } = exchange.controller
  const turn = await shares.handling.acquire(holder, 1, { signal })
  try {
    const thread = await shares.parsing.acquire(holder, 1, { signal })
    try {
      return { ...(await jsonPool.read(collected.blocks, rules, signal)), turn }
    } finally {
      thread.release()
    }
  } catch (error) {
    turn.release()
    throw error
  }
}

const token = "[\\w!#$&'*+.^`|~-]+"
const mediaType = new RegExp(`^${token}/${token}$`)

/**
 * Checks the declared type of a body: one of the expected types (`image/*` covers all images), also
 * `application/*+json` where JSON is expected; JSON in UTF-8 only; no content encoding.
 *
 * Leniently, `text/json` is JSON, and so is a body without a type beside a bearer token, which no page of another
 * site sends without a preflight.
 *
 * @throws `unsupported_media_type`
 */
function checkMediaType(request: IncomingMessage, expected: readonly string[], lenient = false): void {
  const { headers } = request
  const isWithout = headers['content-type'] === undefined || headers['content-type'].trim() === ''
  const given = lenient && isWithout && bearerOf(request) !== undefined ? { ...headers, 'content-type': 'application/json' } : headers
  const actual = differenceFrom(given, lenient ? [...expected, 'text/json'] : expected)
  if (actual !== undefined) throw unsupportedMediaTypeError.create({ actual, expected })
}

/** The problem in words; repeats the header's own text only if it is a plain media type. */
function differenceFrom(headers: IncomingHttpHeaders, expected: readonly string[]): string | undefined {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') return 'encoded (Content-Encoding), which is not supported'
  if (headers['content-type'] === undefined) return 'sent without a Content-Type'
  const [type = '', ...parameters] = headers['content-type'].split(';').map((part) => part.trim().toLowerCase())
  if (!mediaType.test(type) || type.length > 100) return 'of a type that is not a valid media type'
  const takesJson = expected.includes('application/json')
  if (!expected.some((pattern) => covers(pattern, type)) && !(takesJson && /^application\/[^/]+\+json$/.test(type))) return type
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length)
  if (takesJson && charset !== undefined && !['utf-8', 'utf8', '"utf-8"'].includes(charset)) return 'in a character set other than UTF-8'
  return undefined
}

const covers = (pattern: string, type: string): boolean =>
  pattern === '*/*' || pattern === type || (pattern.endsWith('/*') && type.startsWith(pattern.slice(0, -1)))

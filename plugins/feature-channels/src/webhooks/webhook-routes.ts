import { timingSafeEqual } from 'node:crypto'
import { type TObject, Type } from '@agent-service/sdk'
import type { MissLimit } from '@agent-service/sdk/addresses'
import { readBytes, withTimeLimit } from '@agent-service/sdk/async'
import { channelErrorKindOf, channels, channelUnavailableError } from '@agent-service/sdk/contracts/channel'
import { defineRoute, type HttpRoute, notFoundError, type RouteRequest, type RouteResponse } from '@agent-service/sdk/contracts/http-route'
import { type Limit, networkOf } from '@agent-service/sdk/services/quotas'
import { tooManyTriesError } from '../common/errors.js'
import { hashOf } from '../common/ids.js'
import { webhookMs } from '../common/limits.js'
import type { ChannelParts } from '../parts/channel-parts.js'
import { webhookPath } from '../sessions/open-connection.js'
import type { OpenSession } from '../sessions/open-session.js'
import { shownError } from '../sessions/shown-error.js'
import { type Connection, connectionCollection } from '../store/connection.js'

const mebibyte = 1_048_576
/** The most that the contract lets a channel take. */
const maxBytes = 25 * mebibyte

/** The statuses with which a channel may answer. Any other becomes the plain one of its class. */
const statuses: readonly number[] = [200, 201, 202, 204, 400, 401, 403, 404, 409, 410, 422, 500, 503]
const declared = (status: number): number => (statuses.includes(status) ? status : status < 300 ? 200 : status < 500 ? 400 : 500)

export interface WebhookDependencies {
  readonly parts: ChannelParts
  readonly session: (connectionId: string) => OpenSession | undefined
  readonly misses: MissLimit
  /** Requests that are answered at the same time. */
  readonly limit: Limit
}

const id = (description: string) => Type.String({ minLength: 1, maxLength: 200, description })
const ofConnection = { connection_id: id('The connection.'), key: id('The secret part of the address.') }

/** Where vendors reach connections: without a sign-in, since what comes is verified by its channel. */
export function createWebhookRoutes(dependencies: WebhookDependencies): readonly HttpRoute[] {
  const answer = (request: RouteRequest<Params, unknown, unknown>): Promise<RouteResponse> => answerVendor(dependencies, request)
  const route = (method: 'GET' | 'POST', rest: boolean): HttpRoute =>
    defineRoute({
      method,
      path: `${webhookPath}/{connection_id}/{key}${rest ? '/{rest}' : ''}`,
      operationId: `${method === 'GET' ? 'getChannelWebhook' : 'postChannelWebhook'}${rest ? 'Part' : ''}`,
      summary: 'A request of a vendor to a connection',
      description:
        'Without a sign-in; the channel verifies it on its raw bytes, and decides about the answer. An address that is wrong and one whose connection is closed get the same 404, and at most 60 of them are answered at once from one network, then one a second. 503 while the connection is being made: deliver again.',
      tags: ['channels'],
      auth: 'public',
      params: Type.Object({ ...ofConnection, ...(rest && { rest: id('What follows the address.') }) }) as TObject,
      foreign: true,
      ...(method === 'POST' && { body: { kind: 'stream' as const, contentTypes: ['*/*'], limit: maxBytes, example: '{"update_id": 1}' } }),
      errors: [notFoundError, tooManyTriesError, channelUnavailableError],
      answers: Object.fromEntries(
        statuses.map((status) => [
          status,
          { description: 'What the channel answers.', ...(status !== 204 && { contentType: '*/*', example: 'ok' }) },
        ]),
      ),
      handle: (request) => answer(request as unknown as RouteRequest<Params, unknown, unknown>),
    })
  return [route('GET', false), route('POST', false), route('GET', true), route('POST', true)]
}

interface Params {
  readonly connection_id: string
  readonly key: string
  readonly rest?: string
}

async function answerVendor(dependencies: WebhookDependencies, request: RouteRequest<Params, unknown, unknown>): Promise<RouteResponse> {
  const { parts, session, misses, limit } = dependencies
  const { params, address, signal } = request
  // Looked up first: what is valid is not slowed down by others behind the same address.
  const connection = await findOpen(parts, params)
  if (!connection) {
    misses.check(address)
    misses.count(address)
    throw notFoundError.create({ what: 'address' })
  }
  const hold = limit.take(`connection:${connection.id}`)
  try {
    const open = session(connection.id)
    if (!open?.session.webhook) {
      const isReady = open !== undefined
      if (isReady) throw notFoundError.create({ what: 'address' })
      throw channelUnavailableError.create(
        { channel: connection.form.title, reason: 'the connection is being made' },
        { retryAfterSeconds: 5 },
      )
    }
    const max = open.channel.limits.maxWebhookBytes ?? mebibyte
    const body = request.bodyStream ? await readBytes(request.bodyStream, { maxBytes: max, signal, what: 'The request' }) : new Uint8Array()
    const given = {
      method: request.method === 'GET' ? ('GET' as const) : ('POST' as const),
      url: urlOf(open, request),
      headers: request.headers,
      body,
    }
    const webhook = open.session.webhook.bind(open.session)
    const answered = await withTimeLimit((within) => webhook(given, { signal: within }), {
      ...{ limitMs: webhookMs, clock: parts.clock, signal: AbortSignal.any([signal, open.signal]) },
      timedOut: () => channelUnavailableError.create({ channel: open.channel.title, reason: 'it did not answer in time' }),
    }).catch((error: unknown) => {
      if (channelErrorKindOf(error) !== 'auth') throw error
      // The vendor says that the connection is over: it has said so.
      open.fail(shownError(error, { hidden: open.hidden, channel: connection.channel, log: parts.log }))
      return { status: 200 }
    })
    parts.metrics.webhook(connection.channel, answered.status)
    return responseOf(answered)
  } catch (error) {
    signal.throwIfAborted()
    if (isExpected(error)) throw error
    parts.log.warn('A channel did not take a request of its vendor.', { connection: connection.id, network: networkOf(address), error })
    // The vendor delivers again.
    throw channelUnavailableError.create(
      { channel: connection.form.title, reason: 'it did not take the request' },
      { retryAfterSeconds: 5 },
    )
  } finally {
    hold.release()
  }
}

const isExpected = (error: unknown): boolean =>
  ['not_found', 'channel_unavailable', 'body_too_large', 'stream_too_large', 'limit_reached', 'overloaded'].includes(
    String((error as { readonly code?: unknown }).code),
  )

/** The connection whose address it is, unless it is closed. */
async function findOpen(
  { database, contributions }: ChannelParts,
  { connection_id: connectionId, key }: Params,
): Promise<Connection | undefined> {
  const hash = hashOf(key)
  const connection = await database.collection(connectionCollection).get(connectionId)
  const isRight = timingSafeEqual(Buffer.from(hash), Buffer.from(connection?.webhook_hash ?? hashOf('')))
  const isOpen = connection?.enabled === true && connection.state !== 'failed'
  const has = contributions.list(channels).some(({ key: id, value }) => id === connection?.channel && value.supports.webhook)
  return connection && isRight && isOpen && has ? connection : undefined
}

/** The address that was called: ours, and what came after it, as it was sent. */
function urlOf({ webhookUrl = '' }: OpenSession, { rawTarget = '' }: RouteRequest<Params, unknown, unknown>): string {
  const mark = rawTarget.indexOf('?')
  const path = mark === -1 ? rawTarget : rawTarget.slice(0, mark)
  const rest = path.split('/').slice(ownSegments)
  return `${webhookUrl}${rest.map((segment) => `/${segment}`).join('')}${mark === -1 ? '' : rawTarget.slice(mark)}`
}

/** The segments of the path up to the secret one. */
const ownSegments = `${webhookPath}/connection/key`.split('/').length

const ownHeaders: ReadonlySet<string> = new Set([
  'content-length',
  'connection',
  'transfer-encoding',
  'set-cookie',
  'keep-alive',
  'upgrade',
])

/** What a vendor's challenge is echoed with must never act as a page of the service. */
const confined: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; sandbox",
  'x-content-type-options': 'nosniff',
}

function responseOf({
  status,
  headers = {},
  body = '',
}: {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}): RouteResponse {
  if (!Number.isInteger(status) || status < 200 || status > 599)
    throw new TypeError(`A channel answered a webhook with the status ${status}.`)
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const shown = Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [name.toLowerCase(), value] as const)
      .filter(([name]) => !ownHeaders.has(name) && name !== 'content-type'),
  )
  const [, type = 'text/plain; charset=utf-8'] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? []
  if (declared(status) === 204) return { status: 204, kind: 'empty', headers: shown }
  return { status: declared(status), kind: 'bytes', contentType: type, bytes, headers: { ...shown, ...confined } }
}

import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { CommandEvent, CommandTransfer, CommandTransferOptions } from '@agent-service/sdk/contracts/cli-command'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import { serviceProblemError, serviceRedirectsError, serviceUnreachableError } from './errors.js'

/** Calls the service's HTTP API. */
export interface ApiClient {
  readonly url: string
  /** Every later call carries this bearer token. */
  setToken(token: string): void
  /**
   * Called when the service wants the session confirmed (`confirmation_required`); then the call is
   * repeated once. Without it the problem is thrown.
   */
  setConfirmation(confirm: () => Promise<void>): void
  /**
   * Returns the parsed response; null for an empty one. @throws `service_unreachable`,
   * `service_problem`.
   */
  request(method: string, path: string, body?: JsonValue, options?: { readonly signal?: AbortSignal }): Promise<JsonValue>
  /** Like `request`, for an answer that is text: returns it as it is. */
  requestText(method: string, path: string, body?: JsonValue, options?: { readonly signal?: AbortSignal }): Promise<string>
  /** Sends and receives bytes. @throws as `request`. */
  transfer(method: string, path: string, options: CommandTransferOptions & { readonly signal?: AbortSignal }): Promise<CommandTransfer>
  /**
   * Resolves with a stream of server-sent events once the service has accepted it. It ends with its
   * connection or the signal.
   */
  events(path: string, options: { readonly signal: AbortSignal; readonly lastEventId?: string }): Promise<AsyncIterable<CommandEvent>>
}

export function createApiClient(url: string): ApiClient {
  const base = url.replace(/\/+$/, '')
  let token: string | undefined
  let confirm: (() => Promise<void>) | undefined

  const call = async (path: string, init: RequestInit): Promise<Response> => {
    try {
      return await callOnce(path, init)
    } catch (error) {
      if (!confirm || !serviceProblemError.isInstance(error) || error.details['code'] !== 'confirmation_required') throw error
      await confirm()
      return callOnce(path, init)
    }
  }

  const callOnce = async (path: string, init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers)
    if (token) headers.set('authorization', `Bearer ${token}`)
    let response: Response
    try {
      response = await fetch(`${base}${path}`, { ...init, headers, redirect: 'manual' })
    } catch (error) {
      init.signal?.throwIfAborted()
      throw serviceUnreachableError.create({ url: base, reason: reasonOf(error) }, { cause: error })
    }
    if (response.ok) return response
    const location = response.headers.get('location')
    const asked = `${base}${path}`
    if (response.status < 400 && location !== null && URL.canParse(location, asked))
      throw serviceRedirectsError.create({ url: base, target: placeBehind(new URL(location, asked), path) })
    throw await problemOf(response)
  }

  const textOf = async (accept: string, ...[method, path, body, { signal } = {}]: Parameters<ApiClient['request']>): Promise<string> => {
    const response = await call(path, {
      method,
      headers: { accept, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    })
    return response.text()
  }

  return {
    url: base,
    setToken(value) {
      token = value
    },
    setConfirmation(value) {
      confirm = value
    },
    async request(...call) {
      const text = await textOf('application/json', ...call)
      return text === '' ? null : (JSON.parse(text) as JsonValue)
    },
    requestText: (...call) => textOf('*/*', ...call),
    async transfer(method, path, { headers = {}, body, signal }) {
      const response = await call(path, {
        ...{ method, headers: { accept: '*/*', ...headers } },
        // Its type excludes memory that is shared with threads.
        ...(body === undefined ? {} : { body: Uint8Array.from(body) }),
        ...(signal === undefined ? {} : { signal }),
      })
      return { status: response.status, headers: Object.fromEntries(response.headers), body: response.body ?? noBytes() }
    },
    async events(path, { signal, lastEventId }) {
      const response = await call(path, {
        headers: { accept: 'text/event-stream', ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) },
        signal,
      })
      return parseEvents(response.body ?? new ReadableStream())
    },
  }
}

/** Where a redirect of a path leads: the address below which that path would be, else where it leads itself. */
function placeBehind({ origin, pathname }: URL, path: string): string {
  const [asked, found] = [path.replace(/[?#].*$/s, ''), pathname.replace(/\/+$/, '')]
  return `${origin}${found.endsWith(asked) ? found.slice(0, -asked.length) : found}`
}

async function* noBytes(): AsyncGenerator<Uint8Array, void, undefined> {
  yield* []
}

async function* parseEvents(body: ReadableStream<Uint8Array>): AsyncIterable<CommandEvent> {
  for await (const { id, event = 'message', data } of body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()))
    if (data !== '') yield { ...(id === undefined ? {} : { id }), name: event, data: JSON.parse(data) as JsonObject }
}

async function problemOf(response: Response): Promise<Error> {
  const text = await response.text()
  let problem: {
    readonly detail?: string
    readonly title?: string
    readonly code?: string
    readonly errors?: readonly { path: string; message: string }[]
  } = {}
  try {
    problem = JSON.parse(text) as typeof problem
  } catch {
    problem = { detail: text.slice(0, 200) }
  }
  // `detail` names the first one.
  const errors = (problem.errors ?? [])
    .slice(1)
    .map(({ path, message }) => `${path}: ${message}`)
    .join('; ')
  const detail = [problem.detail ?? problem.title ?? response.statusText, errors].filter(Boolean).join(' ')
  return serviceProblemError.create({ status: response.status, code: problem.code ?? 'unknown', detail })
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  if (cause instanceof AggregateError) return reasonOf(cause.errors[0])
  if (cause instanceof Error) return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
  return String(cause)
}

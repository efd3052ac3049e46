import type { JsonObject } from '@agent-service/sdk'
import { readText, signalWithin } from '@agent-service/sdk/async'
import type { CredentialOwner, OAuthClient } from '@agent-service/sdk/services/credentials'
import { isObject, parseJson, textAt } from '../common/json.js'
import { problemWithUrl } from '../common/safe-url.js'

/** How long one answer may take, and how large it may be. */
const answerMs = 15_000
export const maxAnswerBytes = 64 * 1024

/**
 * What an authorization server said: an object; a refusal by its code (RFC 6749, 5.2); or nothing that means
 * yes or no, because it was not reached, is not well, or something between answered in its place.
 */
export type ServerAnswer =
  | { readonly kind: 'answer'; readonly body: JsonObject }
  | { readonly kind: 'refused'; readonly code: string; readonly body: JsonObject }
  | { readonly kind: 'unavailable'; readonly reason: string }

/** One question to an authorization server. */
export interface ServerQuestion {
  readonly url: string
  readonly form: Readonly<Record<string, string>>
  /** Who asks, and how it proves that. */
  readonly client: Pick<OAuthClient, 'clientId' | 'clientSecret' | 'authentication'>
  /** Who chose the address: decides where requests may go. */
  readonly owner: CredentialOwner
}

/** Asks an authorization server. @throws only the reason of the signal. */
export type AskServer = (question: ServerQuestion, options: { readonly signal: AbortSignal }) => Promise<ServerAnswer>

/** The one way out to the network: what of `fetch` is needed. */
export type FetchServer = (
  url: string,
  request: {
    readonly method: 'POST'
    readonly headers: Readonly<Record<string, string>>
    readonly body: string
    readonly redirect: 'manual'
    readonly signal: AbortSignal
  },
) => Promise<{ readonly status: number; readonly body: AsyncIterable<Uint8Array> | null }>

/** The ways out, by who chose the address. */
export interface ServerFetches {
  /** For credentials of users. */
  readonly user: FetchServer
  /** For those of the deployment, whose servers may stand in its own network. Default: the platform's own. */
  readonly deployment?: FetchServer
}

/**
 * Posts forms: to safe addresses, without following redirects, for at most 15 seconds and 64 KiB. Some servers
 * refuse with a 200.
 */
export function createAskServer({ user, deployment = fetchDirectly }: ServerFetches): AskServer {
  return async ({ url, form, client, owner }, { signal }) => {
    const problem = problemWithUrl(url, owner)
    if (problem !== undefined) return { kind: 'unavailable', reason: `its address ${problem}` }
    const within = signalWithin(answerMs, signal)
    try {
      const { headers, members } = authenticationOf(client)
      const fetchServer = owner === 'deployment' ? deployment : user
      const response = await fetchServer(url, {
        method: 'POST',
        headers: {
          accept: 'application/json',
          'content-type': 'application/x-www-form-urlencoded',
          'user-agent': 'agent-service',
          ...headers,
        },
        body: new URLSearchParams({ ...form, ...members }).toString(),
        redirect: 'manual',
        signal: within,
      })
      return readAnswer(response.status, response.body ? await readText(response.body, { maxBytes: maxAnswerBytes, tooLarge }) : '')
    } catch (error) {
      signal.throwIfAborted()
      const reason = within.aborted ? 'it did not answer in time' : error instanceof RangeError ? error.message : 'it was not reached'
      return { kind: 'unavailable', reason }
    }
  }
}

const tooLarge = (): Error => new RangeError(`it answered with more than ${maxAnswerBytes} bytes`)

const fetchDirectly: FetchServer = (url, request) => fetch(url, { ...request, headers: { ...request.headers } })

/** RFC 6749, 2.3.1: both parts are form-encoded before they are joined. */
function authenticationOf({ clientId, clientSecret, authentication = 'client_secret_basic' }: ServerQuestion['client']): {
  readonly headers?: Readonly<Record<string, string>>
  readonly members?: Readonly<Record<string, string>>
} {
  if (clientSecret === undefined) return { members: { client_id: clientId } }
  if (authentication === 'client_secret_post') return { members: { client_id: clientId, client_secret: clientSecret } }
  const joined = `${encoded(clientId)}:${encoded(clientSecret)}`
  return { headers: { authorization: `Basic ${Buffer.from(joined, 'utf8').toString('base64')}` } }
}

const encoded = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1)

/** RFC 6749 and 8628: the server may do it later. */
const passing: ReadonlySet<string> = new Set(['temporarily_unavailable', 'server_error'])

function readAnswer(status: number, text: string): ServerAnswer {
  const body = parseJson(text)
  if (isObject(body) && status < 500 && status !== 429) {
    const error = body['error']
    const code = textAt(body, 'error') ?? (isObject(error) ? (textAt(error, 'code') ?? textAt(error, 'type')) : undefined)
    if (code !== undefined && passing.has(code)) return { kind: 'unavailable', reason: `it said ${code}` }
    if (code !== undefined) return { kind: 'refused', code: shownCode(code), body }
    if (status === 200) return { kind: 'answer', body }
  }
  // RFC 7009: the answer to a revocation is empty.
  if (status === 200 && text === '') return { kind: 'answer', body: {} }
  return status === 401 && isObject(body)
    ? { kind: 'refused', code: 'unauthorized', body }
    : { kind: 'unavailable', reason: `it answered with ${status}` }
}

/** A code as it may stand in a message: what is no code is not repeated. */
const shownCode = (code: string): string => (/^[A-Za-z0-9_.-]{1,60}$/.test(code) ? code : 'an unknown code')

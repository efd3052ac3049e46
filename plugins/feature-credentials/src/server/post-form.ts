import type { JsonObject } from '@agent-service/sdk'
import { readText, signalWithin } from '@agent-service/sdk/async'
import {
  authenticateClient,
  type ClientAuthenticationMethod,
  clientAuthenticationMethods,
  isClientRefused,
} from '@agent-service/sdk/oauth-client'
import type { CredentialOwner, OAuthClient } from '@agent-service/sdk/services/credentials'
import { isObject, parseJson, textAt } from '../common/json.js'
import { problemWithUrl } from '../common/safe-url.js'

/** Of how many servers the method that they took is remembered. */
const maxRemembered = 1_000
/** How long one response may take, and how large it may be. */
const timeoutMs = 15_000
export const maxAnswerBytes = 64 * 1024

/**
 * The response of an authorization server: an object; a refusal with its code (RFC 6749, 5.2); or
 * neither, because it was not reached, failed, or a proxy responded in its place.
 */
export type ServerResponse =
  | { readonly kind: 'answer'; readonly body: JsonObject }
  | {
      readonly kind: 'refused'
      readonly code: string
      readonly body: JsonObject
      /** Whether it was the client that was refused, rather than what it asked for. */
      readonly isClient?: boolean
    }
  | {
      readonly kind: 'unavailable'
      readonly reason: string
      /** Whether it may be the client that was refused: 401 without an object, from the server or from a proxy. */
      readonly isClient?: boolean
    }

/** One request to an authorization server. */
export interface FormRequest {
  readonly url: string
  readonly form: Readonly<Record<string, string>>
  /** The client and how it authenticates. */
  readonly client: Pick<OAuthClient, 'clientId' | 'clientSecret' | 'authentication'>
  /** The owner who chose the address, which decides where requests may go. */
  readonly owner: CredentialOwner
}

/** Posts a form to an authorization server. @throws only the signal's reason. */
export type PostForm = (question: FormRequest, options: { readonly signal: AbortSignal }) => Promise<ServerResponse>

/** The part of `fetch` that is needed. */
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

/** The network clients, by who chose the address. */
export interface ServerFetches {
  /** For credentials of users. */
  readonly user: FetchServer
  /**
   * For credentials of the deployment, whose servers may be in its own network. Default: `fetch`.
   */
  readonly deployment?: FetchServer
}

/**
 * Posts forms to safe addresses only, without following redirects, with at most 15 seconds and 64
 * KiB. A refusal may come with status 200. A client with a secret that is refused is tried with the
 * server's other methods; the one that worked is used first from then on.
 */
export function createPostForm({ user, deployment = fetchDirectly }: ServerFetches): PostForm {
  const worked = new Map<string, ClientAuthenticationMethod>()
  const remember = (key: string, method: ClientAuthenticationMethod): void => {
    worked.delete(key)
    worked.set(key, method)
    const [oldest] = worked.keys()
    if (worked.size > maxRemembered && oldest !== undefined) worked.delete(oldest)
  }

  const postOnce = async (
    { url, form, owner }: FormRequest,
    { headers, members }: { readonly headers: Readonly<Record<string, string>>; readonly members: Readonly<Record<string, string>> },
    signal: AbortSignal,
  ): Promise<ServerResponse> => {
    const within = signalWithin(timeoutMs, signal)
    try {
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
      const reason = within.aborted ? 'it did not respond in time' : error instanceof RangeError ? error.message : 'it could not be reached'
      return { kind: 'unavailable', reason }
    }
  }

  return async (request, { signal }) => {
    const { url, client, owner } = request
    const problem = problemWithUrl(url, owner)
    if (problem !== undefined) return { kind: 'unavailable', reason: `its address ${problem}` }
    const { clientId, clientSecret, authentication: method } = client
    if (clientSecret === undefined) return postOnce(request, { headers: {}, members: { client_id: clientId } }, signal)
    const key = `${url} ${clientId}`
    let refusal: ServerResponse | undefined
    for (const each of clientAuthenticationMethods({ clientId, clientSecret }, { method, worked: worked.get(key) })) {
      const response = await postOnce(request, authenticateClient({ clientId, clientSecret }, each), signal)
      if (response.kind !== 'answer' && response.isClient === true) {
        if (refusal?.kind !== 'refused') refusal = response
        continue
      }
      // Also a refused grant shows that the client was accepted.
      if (response.kind !== 'unavailable') remember(key, each)
      return response
    }
    return refusal ?? { kind: 'unavailable', reason: 'it takes no method of authentication' }
  }
}

const tooLarge = (): Error => new RangeError(`its response has more than ${maxAnswerBytes} bytes`)

const fetchDirectly: FetchServer = (url, request) => fetch(url, { ...request, headers: { ...request.headers } })

/** RFC 6749 and 8628: temporary failures. */
const temporary: ReadonlySet<string> = new Set(['temporarily_unavailable', 'server_error'])

function readAnswer(status: number, text: string): ServerResponse {
  const body = parseJson(text)
  if (isObject(body) && status < 500 && status !== 429) {
    const error = body['error']
    const code = textAt(body, 'error') ?? (isObject(error) ? (textAt(error, 'code') ?? textAt(error, 'type')) : undefined)
    if (code !== undefined && temporary.has(code)) return { kind: 'unavailable', reason: `it responded with ${code}` }
    if (code !== undefined) return refusalOf(status, code, body)
    if (status === 200) return { kind: 'answer', body }
  }
  // RFC 7009: the response to a revocation is empty.
  if (status === 200 && text === '') return { kind: 'answer', body: {} }
  if (status === 401 && isObject(body)) return { kind: 'refused', code: 'unauthorized', body, isClient: true }
  return { kind: 'unavailable', reason: `it responded with ${status}`, ...(status === 401 && { isClient: true }) }
}

function refusalOf(status: number, code: string, body: JsonObject): ServerResponse {
  const refusal = { kind: 'refused', code: shownCode(code), body } as const
  return isClientRefused({ status, code }) ? { ...refusal, isClient: true } : refusal
}

/** A code for messages; a text that is not a code is not repeated. */
const shownCode = (code: string): string => (/^[A-Za-z0-9_.-]{1,60}$/.test(code) ? code : 'an unknown code')

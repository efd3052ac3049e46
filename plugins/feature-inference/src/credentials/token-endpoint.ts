import type { JsonObject } from '@agent-service/sdk'
import { isObject, numberAt, objectAt, parseJson, textAt } from '@agent-service/sdk/provider-kit'
import type { SignInSettings } from '../catalogue/catalogue-schema.js'
import type { AccountPayload } from './credential.js'

/** How long one answer may take. */
const answerMs = 15_000
const largestAnswer = 64 * 1024

/**
 * What an authorization server said: an object; a refusal by its code (RFC 6749, 5.2); or nothing that means yes or no, because it was not reached, is not
 * well, or something between answered in its place.
 */
export type ServerAnswer =
  | { readonly kind: 'answer'; readonly body: JsonObject }
  | { readonly kind: 'refused'; readonly code: string; readonly body: JsonObject }
  | { readonly kind: 'unavailable'; readonly reason: string }

/** Asks an authorization server. */
export type AskServer = (
  url: string,
  form: Readonly<Record<string, string>>,
  options: { readonly signal: AbortSignal },
) => Promise<ServerAnswer>

/**
 * Posts a form to an authorization server: over https, or http on this machine; without following redirects; for at most 15 seconds and 64 KiB. Some
 * servers refuse with a 200. @throws only the reason of the signal.
 */
export const askServer: AskServer = async (url, form, { signal }) => {
  if (!isSafe(new URL(url))) return { kind: 'unavailable', reason: 'its address in the catalogue is not https' }
  const limit = AbortSignal.timeout(answerMs)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'agent-service' },
      body: new URLSearchParams(form).toString(),
      redirect: 'manual',
      signal: AbortSignal.any([signal, limit]),
    })
    return readAnswer(response.status, parseJson(await textOf(response)))
  } catch (error) {
    signal.throwIfAborted()
    const reason = limit.aborted ? 'it did not answer in time' : error instanceof RangeError ? error.message : 'it was not reached'
    return { kind: 'unavailable', reason }
  }
}

/** RFC 6749 and 8628: the server may do it later. */
const passing: ReadonlySet<string> = new Set(['temporarily_unavailable', 'server_error'])

function readAnswer(status: number, body: unknown): ServerAnswer {
  if (isObject(body) && status < 500 && status !== 429) {
    const code = textAt(body, 'error') ?? textAt(objectAt(body, 'error'), 'code') ?? textAt(objectAt(body, 'error'), 'type')
    if (code !== undefined && passing.has(code)) return { kind: 'unavailable', reason: `it said ${code}` }
    if (code !== undefined) return { kind: 'refused', code: shownCode(code), body }
    if (status === 200) return { kind: 'answer', body }
  }
  return status === 401 && isObject(body)
    ? { kind: 'refused', code: 'unauthorized', body }
    : { kind: 'unavailable', reason: `it answered with ${status}` }
}

/** A code as it may stand in a message: what is no code is not repeated. */
const shownCode = (code: string): string => (/^[A-Za-z0-9_.-]{1,60}$/.test(code) ? code : 'an unknown code')

async function textOf(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    // Leaving the loop ends the connection.
    if (size > largestAnswer) throw new RangeError(`it answered with more than ${largestAnswer} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Where secrets may be sent, and people too. */
export const isSafe = ({ protocol, hostname }: URL): boolean =>
  protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname))

/** The tokens in an answer; a reason where it has none that can be used. What a refresh leaves out stays as it was. */
export function tokensOf(
  body: JsonObject,
  settings: Pick<SignInSettings, 'account_id_claim'>,
  options: { readonly now: number; readonly before?: AccountPayload },
): AccountPayload | { readonly unusable: string } {
  const { now, before } = options
  const accessToken = textAt(body, 'access_token')
  if (accessToken === undefined) return { unusable: 'the vendor gave no access token' }
  const type = textAt(body, 'token_type')
  if (type !== undefined && type.toLowerCase() !== 'bearer') return { unusable: 'the vendor gave a token of another type than bearer' }
  const idToken = textAt(body, 'id_token')
  const seconds = Number(body['expires_in'] ?? Number.NaN)
  const ends = numberAt(claimsOf(accessToken), 'exp')
  const expiresAt = seconds > 0 && seconds < 1e9 ? now + seconds * 1_000 : ends === undefined ? undefined : ends * 1_000
  const refreshToken = textAt(body, 'refresh_token') ?? before?.refresh_token
  const path = settings.account_id_claim
  const accountId = path === undefined ? undefined : (claimAt(idToken, path) ?? claimAt(accessToken, path) ?? before?.account_id)
  if (path !== undefined && accountId === undefined) return { unusable: 'the tokens name no account' }
  return {
    kind: 'account',
    access_token: accessToken,
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    ...(expiresAt !== undefined && { expires_at: expiresAt }),
    ...(accountId !== undefined && { account_id: accountId }),
  }
}

/** The claims of a token that came from its issuer itself, so that its signature proves nothing more. */
function claimsOf(token: string | undefined): JsonObject {
  const claims = parseJson(Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString('utf8'))
  return isObject(claims) ? claims : {}
}

function claimAt(token: string | undefined, path: readonly string[]): string | undefined {
  const last = path.at(-1) ?? ''
  const holder = path.slice(0, -1).reduce<JsonObject | undefined>((object, name) => objectAt(object, name), claimsOf(token))
  const value = textAt(holder, last)
  // It becomes a header.
  return value !== undefined && /^[\x21-\x7e]{1,200}$/.test(value) ? value : undefined
}

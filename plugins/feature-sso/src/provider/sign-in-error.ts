import type { ServiceError } from '@agent-service/sdk'
import { authenticateClient, type ClientAuthenticationMethod, type ClientRefusal } from '@agent-service/sdk/oauth-client'
import { misconfiguredError, providerUnavailableError, responseInvalidError, signInDeniedError } from '../common/errors.js'
import { ProviderSetUpError } from './issuer.js'
import type { OpenIdClient } from './provider-connection.js'

/** The provider takes this service as a client by none of its methods. */
export class ClientRefusedError extends Error {
  readonly tried: readonly ClientAuthenticationMethod[]
  readonly offered: readonly string[] | undefined

  constructor(
    { tried, offered }: { readonly tried: readonly ClientAuthenticationMethod[]; readonly offered: readonly string[] | undefined },
    options: ErrorOptions,
  ) {
    super('The identity provider refuses the client.', options)
    this.tried = tried
    this.offered = offered
  }
}

/** What the provider said when it refused. */
interface Refusal extends ClientRefusal {
  readonly description?: string
}

/** What a failure is explained with. */
export interface ErrorContext {
  readonly client: OpenIdClient
  readonly authority: string
  readonly clientId: string
  /** Never shown, though a provider may repeat it. */
  readonly clientSecret: string | undefined
}

/** A refusal by the token endpoint; undefined for every other error. */
export async function refusalIn(error: unknown, client: OpenIdClient): Promise<Refusal | undefined> {
  if (error instanceof client.ResponseBodyError)
    return {
      status: error.status,
      code: error.error,
      ...(error.error_description !== undefined && { description: error.error_description }),
    }
  if (error instanceof client.WWWAuthenticateChallengeError) return { status: error.status, ...(await errorIn(error.response)) }
  if (!(error instanceof client.ClientError)) return undefined
  if (error.cause instanceof Response) return error.cause.status === 401 ? { status: 401 } : undefined
  // Some providers refuse with 200; the library then misses the tokens, and keeps the body.
  const { body } = Object(error.cause instanceof Error ? error.cause.cause : undefined) as { readonly body?: unknown }
  const words = refusalInBody(body)
  return words.code === undefined ? undefined : { status: 200, ...words }
}

/** RFC 6749, 5.2; with a challenge, the library leaves the body unread. */
async function errorIn(response: Response): Promise<Omit<Refusal, 'status'>> {
  if (response.bodyUsed) return {}
  try {
    return refusalInBody(await response.clone().json())
  } catch {
    // A challenge without a body says enough.
    return {}
  }
}

function refusalInBody(body: unknown): Omit<Refusal, 'status'> {
  const { error, error_description: description } = Object(body) as { readonly error?: unknown; readonly error_description?: unknown }
  return {
    ...(typeof error === 'string' && { code: error }),
    ...(typeof description === 'string' && { description }),
  }
}

/** Failures of the connection, and responses that come from a proxy. */
const unreachable = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON'])

/** RFC 6749, 4.1.2.1: temporary failures. */
const temporary = new Set(['server_error', 'temporarily_unavailable'])

/**
 * Converts an error of the provider: the error for the person, and a reason for the log. Both have the provider's code and
 * description, on one line and without the client's secret.
 */
export async function toSignInError(
  error: unknown,
  context: ErrorContext,
): Promise<{ readonly problem: ServiceError; readonly reason: string }> {
  const { client } = context
  if (error instanceof ProviderSetUpError) return { problem: misconfiguredError.create({}, { cause: error }), reason: error.message }
  if (error instanceof ClientRefusedError) {
    const said = wordsOf(await refusalIn(error.cause, client), context)
    return { problem: misconfiguredError.create({}, { cause: error }), reason: reasonOfClient(error, said) }
  }
  if (error instanceof client.AuthorizationResponseError) {
    const said = wordsOf(
      { code: error.error, ...(error.error_description !== undefined && { description: error.error_description }) },
      context,
    )
    const definition = temporary.has(error.error) ? providerUnavailableError : signInDeniedError
    return {
      problem: definition.create({ said }, { cause: error, ...(temporary.has(error.error) && later) }),
      reason: `the provider refused${said}`,
    }
  }
  const refusal = await refusalIn(error, client)
  if (refusal !== undefined) {
    const said = wordsOf(refusal, context)
    const problem =
      refusal.status >= 500
        ? providerUnavailableError.create({ said }, { cause: error, ...later })
        : responseInvalidError.create({ said }, { cause: error })
    return { problem, reason: `the provider refused the request with ${refusal.status}${said}` }
  }
  const [isUnavailable, reason] = otherFailure(error, context)
  return {
    problem: isUnavailable
      ? providerUnavailableError.create({ said: '' }, { cause: error, ...later })
      : responseInvalidError.create({ said: '' }, { cause: error }),
    reason,
  }
}

const later = { retryAfterSeconds: 5 }

/** In brackets, on one line. A code that is none is not repeated. */
function wordsOf(refusal: Omit<Refusal, 'status'> | undefined, context: Pick<ErrorContext, 'clientId' | 'clientSecret'>): string {
  if (refusal?.code === undefined) return ''
  const code = /^[\w.-]{1,60}$/.test(refusal.code) ? refusal.code : 'an unknown code'
  const plain = (refusal.description ?? '').replaceAll(/[\s\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  const description = secretForms(context).reduce((text, secret) => text.replaceAll(secret, '…'), plain)
  return description === '' ? ` (${code})` : ` (${code}: “${description.slice(0, 200)}”)`
}

/** The client's secret in every form in which it is sent: a provider may repeat the header or the form. */
function secretForms({ clientId, clientSecret }: Pick<ErrorContext, 'clientId' | 'clientSecret'>): readonly string[] {
  if (clientSecret === undefined || clientSecret === '') return []
  const headers = (['client_secret_basic', 'client_secret_basic_plain'] as const).map(
    (method) => authenticateClient({ clientId, clientSecret }, method).headers['authorization'] ?? '',
  )
  const inForm = new URLSearchParams([['', clientSecret]]).toString().slice(1)
  return [
    ...headers.map((header) => header.replace(/^Basic /, '')),
    encodeURIComponent(Buffer.from(clientSecret).toString()),
    inForm,
    clientSecret,
  ]
}

function reasonOfClient({ tried, offered }: ClientRefusedError, said: string): string {
  const offer = offered === undefined ? 'does not say which it takes' : `offers ${offered.join(', ').slice(0, 200)}`
  return tried.length === 0
    ? `the provider refused this service as a client without a secret${said}: set sso.client_secret`
    : `the provider refused this service as a client${said}. Tried: ${tried.join(', ')}; the provider ${offer}. Check sso.client_id and sso.client_secret; if they are right, set sso.token_endpoint_auth_method to the method that the provider has for this client`
}

/** Whether the provider could not be reached, and why. */
function otherFailure(error: unknown, context: ErrorContext): readonly [isUnavailable: boolean, reason: string] {
  if (error instanceof context.client.ClientError) {
    const code = String(error.code)
    const status = error.cause instanceof Response ? ` (status ${error.cause.status})` : ''
    return [unreachable.has(code), `${claimReason(error.cause, context) ?? messageOf(error.cause) ?? error.message}${status} (${code})`]
  }
  // Thrown by fetch without a response or with an unwanted one.
  if (error instanceof TypeError) return [true, `the provider did not respond: ${reachReason(error)}`]
  return [false, 'the response could not be read']
}

const messageOf = (cause: unknown): string | undefined => (cause instanceof Error ? cause.message : undefined)

/** Why a request had no response: the message and the code of the system. */
export function reachReason(error: unknown): string {
  const { message, cause } = error instanceof Error ? error : new Error('unknown')
  const code = (Object(cause) as { readonly code?: unknown }).code
  if (typeof code !== 'string') return message
  const advice = /CERT|SELF_SIGNED|VERIFY/.test(code)
    ? '. If the certificate is of an authority of your own, start the service with NODE_EXTRA_CA_CERTS, the path of its certificate'
    : ''
  return `${message} (${code})${advice}`
}

/** A claim of the ID token that is not as it should be, with both values where they are public. */
function claimReason(cause: unknown, { authority, clientId }: ErrorContext): string | undefined {
  const { claim, claims, now } = Object(cause instanceof Error ? cause.cause : undefined) as {
    readonly claim?: unknown
    readonly claims?: Readonly<Record<string, unknown>>
    readonly now?: unknown
  }
  const value = claims?.[String(claim)]
  const shown = JSON.stringify(value)?.slice(0, 200) ?? 'nothing'
  if (claim === 'iss')
    return `the ID token is from the issuer ${shown}, and sso.authority is “${authority}”: set it to the issuer if that is the provider`
  if (claim === 'aud' && Array.isArray(value) && value.includes(clientId))
    return `the ID token is for ${shown}, and has no azp that says it is for sso.client_id, “${clientId}”: let the provider add azp, or name this client alone`
  if (claim === 'aud' || claim === 'azp') return `the ID token is for ${shown} (${claim}), and sso.client_id is “${clientId}”`
  if (typeof now === 'number' && typeof value === 'number')
    return `the time of the ID token (${String(claim)}) is ${Math.abs(now - value)} seconds ${value < now ? 'before' : 'after'} that of this machine: compare the clocks of both`
  return undefined
}

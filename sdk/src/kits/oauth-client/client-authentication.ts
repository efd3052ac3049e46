/**
 * How a client with a secret authenticates at a token endpoint (RFC 6749, 2.3.1).
 * `client_secret_basic_plain` is Basic for servers that compare id and secret without decoding them.
 */
export type ClientAuthenticationMethod = 'client_secret_basic' | 'client_secret_basic_plain' | 'client_secret_post'

/** A client with a secret. */
export interface ClientCredentials {
  /** As the server has it; public. */
  readonly clientId: string
  /** As the server has it, without any encoding; never logged. */
  readonly clientSecret: string
}

/** How a server refused a request to its token endpoint. */
export interface ClientRefusal {
  /** The HTTP status. */
  readonly status: number
  /** The member `error` of its answer; absent if it has none. */
  readonly code?: string
}

/**
 * The methods to try, in this order, each only after {@link isClientRefused} of the one before. `method` is what the operator
 * chose, if anything; `offered` is `token_endpoint_auth_methods_supported` of the server's metadata; `worked` is the method
 * that the server has taken before. The secret goes to the same endpoint with each of them.
 *
 * @example
 * clientAuthenticationMethods({ clientId: 'web', clientSecret: 'a+b' }, { offered: ['client_secret_basic', 'client_secret_post'] })
 * // ['client_secret_basic', 'client_secret_post', 'client_secret_basic_plain']
 */
export function clientAuthenticationMethods(
  client: ClientCredentials,
  options: {
    readonly method?: 'client_secret_basic' | 'client_secret_post' | undefined
    readonly offered?: readonly string[] | undefined
    readonly worked?: ClientAuthenticationMethod | undefined
  } = {},
): readonly ClientAuthenticationMethod[] {
  const { method, offered, worked } = options
  const order = orderOf(method, offered)
  const methods = order.includes('client_secret_basic') && hasPlainForm(client) ? [...order, 'client_secret_basic_plain' as const] : order
  return worked !== undefined && methods.includes(worked) ? [worked, ...methods.filter((each) => each !== worked)] : methods
}

/** The default of the metadata is Basic; what servers take without saying so is mostly either. */
function orderOf(
  method: 'client_secret_basic' | 'client_secret_post' | undefined,
  offered: readonly string[] = ['client_secret_basic', 'client_secret_post'],
): readonly ClientAuthenticationMethod[] {
  if (method !== undefined) return [method]
  if (!offered.includes('client_secret_basic')) return ['client_secret_post', 'client_secret_basic']
  return offered.includes('client_secret_post') ? ['client_secret_basic', 'client_secret_post'] : ['client_secret_basic']
}

/** Whether Basic without encoding differs, and can be read: a colon ends the id. */
const hasPlainForm = ({ clientId, clientSecret }: ClientCredentials): boolean =>
  !clientId.includes(':') && (encoded(clientId) !== clientId || encoded(clientSecret) !== clientSecret)

/**
 * The header and the members of the form with which a client authenticates. With Basic, only what has to be encoded is:
 * letters, digits, `-`, `.`, `_` and `~` stay, and a space is `%20`, which servers read alike whether they decode forms or URLs.
 */
export function authenticateClient(
  { clientId, clientSecret }: ClientCredentials,
  method: ClientAuthenticationMethod,
): { readonly headers: Readonly<Record<string, string>>; readonly members: Readonly<Record<string, string>> } {
  if (method === 'client_secret_post') return { headers: {}, members: { client_id: clientId, client_secret: clientSecret } }
  const parts = method === 'client_secret_basic' ? [encoded(clientId), encoded(clientSecret)] : [clientId, clientSecret]
  return { headers: { authorization: `Basic ${Buffer.from(parts.join(':'), 'utf8').toString('base64')}` }, members: {} }
}

/** Half a surrogate pair cannot be encoded; it becomes U+FFFD, as in UTF-8. */
const encoded = (text: string): string => encodeURIComponent(Buffer.from(text, 'utf8').toString('utf8'))

/** Codes of vendors that mean the client; with 401, what servers say who do not follow RFC 6749, 5.2. */
const ofClient: ReadonlySet<string> = new Set(['invalid_client', 'incorrect_client_credentials'])
const ofClientWith401: ReadonlySet<string> = new Set(['unauthorized_client', 'unauthorized', 'access_denied'])

/**
 * Whether a server refused the client rather than what it asked for: `invalid_client`, or 401 without a code that says
 * otherwise. The grant is mostly unused then, so that another method can be tried.
 */
export const isClientRefused = ({ status, code }: ClientRefusal): boolean =>
  code === undefined ? status === 401 : ofClient.has(code) || (status === 401 && ofClientWith401.has(code))

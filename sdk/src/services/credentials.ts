import type { Disposer } from '../core/disposer.js'
import { defineError } from '../core/errors.js'
import type { JsonObject } from '../core/json.js'
import { defineServiceReference } from '../core/service-reference.js'

/**
 * The owner of a credential: a user, with whose account it is exported and deleted; or the
 * deployment, for which administrators are responsible.
 */
export type CredentialOwner = { readonly userId: string } | 'deployment'

/**
 * Names a credential among those of the calling plugin. One of another owner is not found, so that
 * a mistaken id never opens another owner's.
 */
export interface CredentialReference {
  /** Its owner. */
  readonly owner: CredentialOwner
  /** Its id. */
  readonly id: string
}

/** Information about a credential without its values. */
export interface CredentialSummary extends CredentialReference {
  /** What it is for, in the plugin's words: `mcp-server`. */
  readonly purpose: string
  /** For people. */
  readonly label: string
  /** `secret`: named fields that stay until they are replaced. `oauth`: tokens that are renewed. */
  readonly kind: 'secret' | 'oauth'
  /** The names of the fields of a secret; empty for tokens. */
  readonly fields: readonly string[]
  /**
   * The last 4 characters of the first field, the account or the access token; empty for a short
   * one.
   */
  readonly hint: string
  /** The plugin's own data. */
  readonly details: JsonObject
  /**
   * `reauthentication_required`: the tokens cannot be renewed any more; the owner has to sign in
   * again, or to replace them.
   */
  readonly state: 'ready' | 'reauthentication_required'
  /**
   * Why that is: `expired` (they ended, and there is nothing to renew them with),
   * `refresh_interrupted` (a renewal had no answer, because the process ended or the connection
   * broke, and the server does not take the old refresh token any more), or the code of the
   * server's refusal, as a rule `invalid_grant`.
   */
  readonly reason?: string
  /** In milliseconds since 1970. */
  readonly createdAt: number
  /** When its values last changed, in milliseconds since 1970. */
  readonly changedAt: number
  /**
   * When the present access token ends, in milliseconds since 1970; absent where nothing says so.
   */
  readonly expiresAt?: number
}

/**
 * This service as a client of an authorization server, and the server's endpoints. Endpoints are
 * https, or http on this machine for the deployment's own.
 */
export interface OAuthClient {
  /** Public. */
  readonly clientId: string
  /** Absent for a public client. */
  readonly clientSecret?: string
  /**
   * How a client with a secret authenticates at the server (RFC 6749, 2.3.1). Default:
   * `client_secret_basic`, and where the server refuses the client, `client_secret_post`.
   */
  readonly authentication?: 'client_secret_basic' | 'client_secret_post'
  /** Issues and renews tokens. */
  readonly tokenUrl: string
  /** Where people grant access, for the flow `code`. */
  readonly authorizationUrl?: string
  /** Issues device codes, for the flow `device`. */
  readonly deviceUrl?: string
  /** Revokes tokens (RFC 7009). Default: they are left to expire. */
  readonly revocationUrl?: string
  /**
   * The server's name for itself. Where it is given, the `iss` of an answer (RFC 9207) and of an ID
   * token has to be this one; and with `openid` among the scopes a nonce is sent in the flow
   * `code`, and an ID token that has it must come back.
   */
  readonly issuer?: string
  /** The requested scopes. Default: none, which leaves it to the server. */
  readonly scopes?: readonly string[]
  /** What the tokens are for (RFC 8707), sent with every request. */
  readonly resource?: string
  /** Further parameters of the authorization address. Standard parameters win. */
  readonly parameters?: Readonly<Record<string, string>>
  /**
   * `client_credentials`: the client itself is the owner (RFC 6749, 4.4), and no person signs in.
   * Default `refresh_token`.
   */
  readonly renewal?: 'refresh_token' | 'client_credentials'
  /**
   * The path of the claim that names the account, in the ID token or else in the access token.
   * Tokens without it are refused. Default: not looked for.
   */
  readonly accountClaim?: readonly string[]
}

/** Tokens as a server gave them. */
export interface OAuthTokens {
  /** What calls are signed with. */
  readonly accessToken: string
  /** Absent where the server gave none. */
  readonly refreshToken?: string
  /** When the access token ends, in milliseconds since 1970; absent where nothing says so. */
  readonly expiresAt?: number
  /** The account, by `accountClaim`. */
  readonly account?: string
}

/** What a credential holds. Sealed in the database, masked in every log, never in an export. */
export type CredentialContent =
  /** Up to 32 named fields, 256 KiB together. */
  | { readonly kind: 'secret'; readonly fields: Readonly<Record<string, string>> }
  /**
   * Without a client the tokens are used until they end; without tokens the client asks for itself
   * (`client_credentials`).
   */
  | { readonly kind: 'oauth'; readonly client?: OAuthClient; readonly tokens?: OAuthTokens }

/**
 * The credentials of one call. Use them now and discard them: open again for the next call. Never
 * in an event, an error, a log or an argument of a process.
 */
export type UsableCredential =
  | { readonly kind: 'secret'; readonly fields: Readonly<Record<string, string>> }
  | { readonly kind: 'oauth'; readonly accessToken: string; readonly expiresAt?: number; readonly account?: string }

/** A new credential without its values. */
export interface NewCredential {
  /** Its owner. */
  readonly owner: CredentialOwner
  /**
   * Unique among those of the plugin: letters, digits, `.`, `_` and `-`, 100 at most. Default: one
   * is made.
   */
  readonly id?: string
  /** What it is for: a word of the plugin's, 64 characters at most. */
  readonly purpose: string
  /** For people, 200 characters at most. */
  readonly label: string
  /** No secret, 4 KiB of JSON at most. Default: nothing. */
  readonly details?: JsonObject
}

/** A sign-in that a person completes. */
export interface SignInRequest extends NewCredential {
  /** The person who begins it; only this person sees and completes it. */
  readonly userId: string
  /** Where to sign in. */
  readonly client: OAuthClient
  /**
   * `code`: a page to open in a browser, with PKCE (RFC 7636). `device`: a code to enter elsewhere
   * (RFC 8628).
   */
  readonly flow: 'code' | 'device'
  /**
   * The credential that gets the new tokens; label and details stay. Default: a new one is made
   * when the sign-in is completed.
   */
  readonly again?: string
  /**
   * Where the server sends people back, for `code`: a route of the plugin that calls
   * `completeSignIn`, or a loopback address whose query a person copies there. Default: the
   * callback of this service, which completes the sign-in and shows a page.
   */
  readonly redirectUrl?: string
}

/** A sign-in as shown to its person. */
export interface SignIn {
  /** Names it, until 15 minutes after its end. */
  readonly id: string
  /** Those of the request. */
  readonly details: JsonObject
  /** Its flow. */
  readonly flow: 'code' | 'device'
  /** Whether the person has to do something. */
  readonly state: 'pending' | 'completed' | 'failed' | 'cancelled'
  /**
   * Why it failed: the person refused, took too long, the server refused, or could not be reached.
   */
  readonly reason?: 'denied' | 'expired' | 'refused' | 'unavailable'
  /** The reason from the server, if useful: one phrase without any secret. */
  readonly detail?: string
  /** To be entered at `verificationUrl`. */
  readonly userCode?: string
  /** Where the code is entered. */
  readonly verificationUrl?: string
  /** To be opened in a browser. */
  readonly authorizationUrl?: string
  /** In milliseconds since 1970. */
  readonly expiresAt: number
  /** Once it is completed; from the start if it is done again. */
  readonly credentialId?: string
}

/** The parameters of a person's return, from the query of the address. */
export interface SignInRedirect {
  /** Names the sign-in. */
  readonly state?: string
  /** Is exchanged for tokens. */
  readonly code?: string
  /** Why the redirect has no code. */
  readonly error?: string
  /** The issuer (RFC 9207). */
  readonly iss?: string
}

/**
 * Keeps the credentials of one plugin: no other plugin finds, opens or lists them. Values are
 * sealed in the store and opened at each use; tokens are renewed once for all callers.
 *
 * @example
 * const credentials = context.use(credentialsService)
 * const { id } = await credentials.create({
 *   owner: { userId },
 *   purpose: 'weather',
 *   label: 'Weather service',
 *   content: { kind: 'secret', fields: { key: 'sk-…' } },
 * })
 * const opened = await credentials.open({ id, owner: { userId } }, { signal })
 * if (opened.kind === 'secret') context.log.debug('Opened.', { fields: Object.keys(opened.fields) })
 */
export interface Credentials {
  /** Stores a new one. No server is called. @throws `credential_exists`, `credential_invalid`. */
  create(
    credential: NewCredential & {
      readonly content: CredentialContent
      /**
       * Of one that was kept elsewhere until now: when it was made there, and why it needs a new
       * sign-in.
       */
      readonly moved?: { readonly createdAt: number; readonly reauthenticationReason?: string }
    },
  ): Promise<CredentialSummary>
  /**
   * Replaces its content; it is `ready` then. @throws `credential_not_found`, `credential_invalid`.
   */
  replace(reference: CredentialReference, content: CredentialContent): Promise<CredentialSummary>
  /**
   * Changes what is not secret; of `details` the members that are given. @throws
   * `credential_not_found`, `credential_invalid`.
   */
  change(reference: CredentialReference, members: { readonly label?: string; readonly details?: JsonObject }): Promise<CredentialSummary>
  /** Without its values; `undefined` when there is none. */
  get(reference: CredentialReference): Promise<CredentialSummary | undefined>
  /** One page, from old to new, without values. `limit` is 1 to 200, default 50. */
  list(query: {
    readonly owner: CredentialOwner
    readonly purpose?: string
    readonly limit?: number
    readonly cursor?: string
  }): Promise<{ readonly items: readonly CredentialSummary[]; readonly nextCursor?: string }>
  /**
   * The credentials of a call; open them for each call. An access token that ends within two
   * minutes (of one that lives shortly: within a quarter of its life) is renewed first: once for
   * all who ask at the same time, across all processes, and stored before any caller gets it.
   * `refused` is an access token that a server has just refused: another one is returned. @throws
   * `credential_not_found`, `reauthentication_required`, `credential_unavailable`,
   * `secret_unreadable`, or the reason of the signal.
   */
  open(reference: CredentialReference, options: { readonly signal: AbortSignal; readonly refused?: string }): Promise<UsableCredential>
  /**
   * Deletes it permanently, and revokes its tokens if the server has an endpoint for that: within 5
   * seconds, whatever it answers. Resolves to false if there was none. @throws `credential_in_use`
   * naming what {@link Credentials.onDelete} found.
   */
  delete(reference: CredentialReference, options?: { readonly signal?: AbortSignal }): Promise<boolean>
  /**
   * Called before each deletion, except that of an account: returns what uses the credential, in
   * words for people. An empty list permits the deletion. The result unsubscribes.
   */
  onDelete(usersOf: (credential: CredentialSummary) => Promise<readonly string[]>): Disposer
  /**
   * Begins a sign-in. It lives in this process and ends after 15 minutes (`code`), when its code
   * does (`device`), or when the service stops. `completed` is called once the credential is
   * stored, even if no caller polls. @throws `sign_in_unavailable`, `sign_ins_too_many`,
   * `credential_invalid`, `credential_not_found` for `again`.
   */
  beginSignIn(
    request: SignInRequest,
    options: { readonly signal: AbortSignal; readonly completed?: (credential: CredentialSummary) => Promise<void> },
  ): Promise<SignIn>
  /** Its state; `undefined` for one that this person did not begin. */
  getSignIn(id: string, userId: string): SignIn | undefined
  /**
   * Ends it; nothing happens to one that has ended. `undefined` for one that this person did not
   * begin.
   */
  cancelSignIn(id: string, userId: string): SignIn | undefined
  /**
   * Completes a sign-in after the person's return: by the state, once. With `id`, only that
   * sign-in. @throws `sign_in_state_invalid`.
   */
  completeSignIn(redirect: SignInRedirect, by: { readonly userId: string; readonly id?: string }): Promise<SignIn>
}

/**
 * Secrets and tokens per user and deployment, to each plugin its own. Provided by
 * `feature-credentials`.
 */
export const credentialsService = defineServiceReference<Credentials>()('credentials')

/** The plugin has no such credential of this owner. */
export const credentialNotFoundError = defineError<{ readonly id: string }>({
  code: 'credential_not_found',
  status: 404,
  title: 'No such credential',
  message: ({ id }) => `Credential ${id} does not exist. It may have been deleted. Choose another one, or store it again.`,
})

/** The plugin has a credential of this id. */
export const credentialExistsError = defineError<{ readonly id: string }>({
  code: 'credential_exists',
  status: 409,
  title: 'Credential exists',
  message: ({ id }) => `Credential ${id} already exists. Replace its content, or choose another id.`,
})

/**
 * The content is not a valid credential. `reason` names the member and what it must be,
 * never a value.
 */
export const credentialInvalidError = defineError<{ readonly reason: string }>({
  code: 'credential_invalid',
  status: 422,
  title: 'Credential invalid',
  message: ({ reason }) => `The credential cannot be stored: ${reason}.`,
})

/** Something uses the credential. */
export const credentialInUseError = defineError<{ readonly id: string; readonly users: readonly string[] }>({
  code: 'credential_in_use',
  status: 409,
  title: 'Credential in use',
  message: ({ users }) => `The credential is used by ${users.join(', ')}. Give ${users.length === 1 ? 'it' : 'them'} another one first.`,
})

/**
 * The tokens cannot be renewed any more; `reason` is that of {@link CredentialSummary}. A retry
 * does not help.
 */
export const reauthenticationRequiredError = defineError<{ readonly id: string; readonly reason: string }>({
  code: 'reauthentication_required',
  status: 409,
  title: 'New sign-in required',
  message: ({ id, reason }) => `The tokens of the credential ${id} cannot be renewed (${reason}). Sign in with it again.`,
})

/** The token has ended and could not be renewed now. It is tried again with the next call. */
export const credentialUnavailableError = defineError<{ readonly id: string; readonly reason: string }>({
  code: 'credential_unavailable',
  status: 503,
  title: 'Credential not available',
  message: ({ id, reason }) => `The token of the credential ${id} has expired and could not be renewed: ${reason}. Try again in a moment.`,
})

/** The authorization server did not begin a sign-in, or could not be asked. */
export const signInUnavailableError = defineError<{ readonly server: string; readonly reason: string }>({
  code: 'sign_in_unavailable',
  status: 503,
  title: 'Sign-in not available',
  message: ({ server, reason }) => `The sign-in at ${server} cannot begin: ${reason}. Try again later.`,
})

/** Too many sign-ins of this person or this plugin are under way. */
export const signInsTooManyError = defineError<{ readonly limit: number }>({
  code: 'sign_ins_too_many',
  status: 409,
  title: 'Too many sign-ins',
  message: ({ limit }) => `${limit} sign-ins are under way. Complete or cancel one of them.`,
})

/** The redirect of an authorization server does not belong to a pending sign-in of this person. */
export const signInStateError = defineError<Record<string, never>>({
  code: 'sign_in_state_invalid',
  status: 400,
  title: 'Sign-in unknown',
  message: () => 'No sign-in of yours waits for this redirect. Start the sign-in again.',
})

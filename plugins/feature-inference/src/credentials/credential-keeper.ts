import { ServiceError } from '@agent-service/sdk'
import type { Clock } from '@agent-service/sdk/services/clock'
import { credentialUnusableError } from '@agent-service/sdk/services/inference'
import type { Connection } from '../connections/connections.js'
import type { AccountRefresh, RefreshOutcome } from './account-refresh.js'
import type { AccountPayload } from './credential.js'
import type { CredentialStore, OpenCredential } from './credential-store.js'

/** How long before its end a token is replaced. */
const marginMs = 2 * 60_000

/** What signs the calls of a connection now. */
export interface CredentialAccess {
  readonly kind: 'api_key' | 'account'
  /** The key, or the access token. Never in an event, an error or a log. */
  readonly secret: string
  readonly accountId?: string
}

/** Gives connections what their managed credentials hold. */
export interface CredentialKeeper {
  /**
   * What a call is signed with; asked for at each attempt. A token that ends soon is replaced first.
   * @throws `credential_unusable` naming connection and credential, or the reason of the signal.
   */
  open(connection: Connection, options: { readonly signal: AbortSignal }): Promise<CredentialAccess>
  /** A vendor did not take this token: true when there is another one now, so that the call may be sent again. Never throws but the signal's reason. */
  renew(connection: Connection, refused: CredentialAccess, options: { readonly signal: AbortSignal }): Promise<boolean>
}

/** Makes it. */
export function createCredentialKeeper(dependencies: {
  readonly store: Pick<CredentialStore, 'open'>
  readonly refresh: AccountRefresh
  readonly clock: Pick<Clock, 'now'>
}): CredentialKeeper {
  const { store, refresh, clock } = dependencies

  /** Present tokens, or why there are none. */
  const freshTokens = async (id: string, payload: AccountPayload, signal: AbortSignal): Promise<AccountPayload | string> => {
    const left = (payload.expires_at ?? Number.POSITIVE_INFINITY) - clock.now()
    if (left > marginMs) return payload
    const outcome = await untilAborted(refresh.refresh(id, payload.access_token), signal)
    if (outcome.kind === 'fresh') return outcome.payload
    // It has not ended yet, and only a refusal means that it is worth nothing.
    if (left > 0 && outcome.kind !== 'refused' && outcome.kind !== 'gone') return payload
    return reasonOf(id, outcome)
  }

  return {
    async open(connection, { signal }) {
      const id = (connection.settings.credential_id ?? '').toLowerCase()
      const refuse = (reason: string, cause?: unknown): Error =>
        credentialUnusableError.create({ connection: connection.handle, reason }, cause === undefined ? {} : { cause })
      let entry: OpenCredential | undefined
      try {
        entry = await store.open(id)
      } catch (error) {
        if (!ServiceError.isInstance(error)) throw error
        throw refuse(`what the managed credential ${id} holds cannot be read. Delete it and enter it again.`, error)
      }
      signal.throwIfAborted()
      const mismatch = problemWith(connection, id, entry?.record)
      if (!entry || mismatch !== undefined) throw refuse(mismatch ?? reasonOf(id, { kind: 'gone' }))
      if (entry.payload.kind === 'api_key') return { kind: 'api_key', secret: entry.payload.api_key }
      const tokens = await freshTokens(id, entry.payload, signal)
      if (typeof tokens === 'string') throw refuse(tokens)
      return accessOf(tokens)
    },
    async renew({ settings }, refused, { signal }) {
      if (refused.kind !== 'account' || settings.credential_id === undefined) return false
      return (await untilAborted(refresh.refresh(settings.credential_id.toLowerCase(), refused.secret), signal)).kind === 'fresh'
    },
  }
}

/** Why a connection cannot use what is stored; `undefined` when it can. */
export function problemWith(
  connection: Connection,
  id: string,
  record: { readonly brand: string; readonly state: string } | undefined,
): string | undefined {
  if (!record) return reasonOf(id, { kind: 'gone' })
  if (record.brand !== connection.brandName)
    return `the managed credential ${id} belongs to “${record.brand}”, and the connection to “${connection.brandName}”. Choose one of its brand.`
  return record.state === 'sign_in_needed'
    ? `the vendor takes the account of the managed credential ${id} no longer. ${signInAgain}`
    : undefined
}

const signInAgain = 'An administrator has to sign in with it again.'

function reasonOf(id: string, outcome: Exclude<RefreshOutcome, { readonly kind: 'fresh' }>): string {
  switch (outcome.kind) {
    case 'gone':
      return `there is no managed credential ${id}. Choose another one for the connection, or give it an api_key.`
    case 'refused':
      return `the vendor refused to renew the account of the managed credential ${id} (${outcome.code}). ${signInAgain}`
    case 'impossible':
      return `the token of the managed credential ${id} has ended, and there is nothing to renew it with. ${signInAgain}`
    case 'unavailable':
      return `the token of the managed credential ${id} has ended and could not be renewed: ${outcome.reason}. It is tried again with the next call.`
  }
}

const accessOf = ({ access_token: secret, account_id: accountId }: AccountPayload): CredentialAccess => ({
  kind: 'account',
  secret,
  ...(accountId !== undefined && { accountId }),
})

/** The result, unless the signal is aborted first; what others wait for goes on. */
function untilAborted<Result>(result: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    result.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}

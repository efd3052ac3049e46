import { ServiceError } from '@agent-service/sdk'
import { providerError } from '@agent-service/sdk/contracts/provider-adapter'
import {
  type Credentials,
  credentialNotFoundError,
  credentialUnavailableError,
  reauthenticationRequiredError,
  type UsableCredential,
} from '@agent-service/sdk/services/credentials'
import { credentialUnusableError } from '@agent-service/sdk/services/inference'
import type { Connection } from '../connections/connections.js'
import { keyField, managedCredentialOf } from './managed-credential.js'
import { referenceOf } from './managed-credentials.js'

/** The key or token that authenticates the calls of a connection now. */
export interface CredentialAccess {
  readonly kind: 'api_key' | 'account'
  /** The key, or the access token. Never in an event, an error or a log. */
  readonly secret: string
  readonly accountId?: string
}

/** Opens the managed credentials of connections. */
export interface CredentialKeeper {
  /**
   * Called for each attempt. A token that expires soon is renewed first.
   * @throws `credential_unusable` naming connection and credential, or the signal's reason.
   */
  open(connection: Connection, options: { readonly signal: AbortSignal }): Promise<CredentialAccess>
  /** The vendor refused this token. True if there is a new one, so that the call can be retried. */
  renew(connection: Connection, refused: CredentialAccess, options: { readonly signal: AbortSignal }): Promise<boolean>
}

export function createCredentialKeeper(credentials: Pick<Credentials, 'get' | 'open'>): CredentialKeeper {
  return {
    async open(connection, { signal }) {
      const id = credentialIdOf(connection)
      const refuse = (reason: string, cause?: unknown): Error =>
        credentialUnusableError.create({ connection: connection.handle, reason }, cause === undefined ? {} : { cause })
      const summary = await credentials.get(referenceOf(id))
      const problem = problemWith(connection, id, summary && managedCredentialOf(summary))
      if (problem !== undefined) throw refuse(problem)
      try {
        return accessOf(await credentials.open(referenceOf(id), { signal }))
      } catch (error) {
        signal.throwIfAborted()
        throw ServiceError.isInstance(error) ? refuse(reasonOf(id, error), error) : error
      }
    },
    async renew({ settings }, refused, { signal }) {
      if (refused.kind !== 'account' || settings.credential_id === undefined) return false
      try {
        const opened = await credentials.open(referenceOf(settings.credential_id), { signal, refused: refused.secret })
        return accessOf(opened).secret !== refused.secret
      } catch (error) {
        signal.throwIfAborted()
        // The caller gets the vendor's refusal of the call; the next call reports the problem of
        // the credential.
        if (ServiceError.isInstance(error)) return false
        throw error
      }
    },
  }
}

/** Why a connection cannot use a stored credential; `undefined` if it can. */
export function problemWith(
  connection: Connection,
  id: string,
  record: { readonly brand: string; readonly state: string } | undefined,
): string | undefined {
  if (!record) return deletedReason(id)
  if (record.brand !== connection.brandName)
    return `the managed credential ${id} belongs to “${record.brand}”, but the connection to “${connection.brandName}”. Choose a credential of its brand.`
  return record.state === 'sign_in_needed'
    ? `the vendor no longer accepts the account of the managed credential ${id}. ${signInAgain}`
    : undefined
}

/** The id of the credential that a connection names, in the stored spelling. */
export const credentialIdOf = ({ settings }: Connection): string => (settings.credential_id ?? '').toLowerCase()

const signInAgain = 'An administrator has to sign in with it again.'

const deletedReason = (id: string): string =>
  `the managed credential ${id} does not exist. Choose another one for the connection, or set its api_key.`

function reasonOf(id: string, error: ServiceError): string {
  const reason = String(error.details['reason'] ?? '')
  if (credentialNotFoundError.isInstance(error)) return deletedReason(id)
  if (reauthenticationRequiredError.isInstance(error))
    return reason === 'expired'
      ? `the token of the managed credential ${id} has expired and cannot be renewed. ${signInAgain}`
      : `the vendor refused to renew the account of the managed credential ${id} (${reason}). ${signInAgain}`
  if (credentialUnavailableError.isInstance(error))
    return `the token of the managed credential ${id} has expired and could not be renewed: ${reason}. The next call tries again.`
  return `the content of the managed credential ${id} cannot be read. Delete it and enter it again.`
}

function accessOf(usable: UsableCredential): CredentialAccess {
  if (usable.kind === 'secret') return { kind: 'api_key', secret: usable.fields[keyField] ?? '' }
  const { accessToken: secret, account } = usable
  return { kind: 'account', secret, ...(account !== undefined && { accountId: account }) }
}

/** Whether a vendor refused the credential of a call. */
export const isAuthenticationFailure = (error: unknown): boolean =>
  providerError.isInstance(error) && error.details['failure'] === 'authentication'

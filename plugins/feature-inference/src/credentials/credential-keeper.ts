import { ServiceError } from '@agent-service/sdk'
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
  /** A vendor did not take this token: true when there is another one now, so that the call may be sent again. */
  renew(connection: Connection, refused: CredentialAccess, options: { readonly signal: AbortSignal }): Promise<boolean>
}

/** Makes it. */
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
        // The vendor's refusal of the call is what its caller gets to see; the next call says what is wrong with the credential.
        if (ServiceError.isInstance(error)) return false
        throw error
      }
    },
  }
}

/** Why a connection cannot use what is stored; `undefined` when it can. */
export function problemWith(
  connection: Connection,
  id: string,
  record: { readonly brand: string; readonly state: string } | undefined,
): string | undefined {
  if (!record) return deletedReason(id)
  if (record.brand !== connection.brandName)
    return `the managed credential ${id} belongs to “${record.brand}”, and the connection to “${connection.brandName}”. Choose one of its brand.`
  return record.state === 'sign_in_needed'
    ? `the vendor takes the account of the managed credential ${id} no longer. ${signInAgain}`
    : undefined
}

/** The credential that a connection names, as it is stored. */
export const credentialIdOf = ({ settings }: Connection): string => (settings.credential_id ?? '').toLowerCase()

const signInAgain = 'An administrator has to sign in with it again.'

const deletedReason = (id: string): string =>
  `there is no managed credential ${id}. Choose another one for the connection, or give it an api_key.`

function reasonOf(id: string, error: ServiceError): string {
  const reason = String(error.details['reason'] ?? '')
  if (credentialNotFoundError.isInstance(error)) return deletedReason(id)
  if (reauthenticationRequiredError.isInstance(error))
    return reason === 'expired'
      ? `the token of the managed credential ${id} has ended, and there is nothing to renew it with. ${signInAgain}`
      : `the vendor refused to renew the account of the managed credential ${id} (${reason}). ${signInAgain}`
  if (credentialUnavailableError.isInstance(error))
    return `the token of the managed credential ${id} has ended and could not be renewed: ${reason}. It is tried again with the next call.`
  return `what the managed credential ${id} holds cannot be read. Delete it and enter it again.`
}

function accessOf(usable: UsableCredential): CredentialAccess {
  if (usable.kind === 'secret') return { kind: 'api_key', secret: usable.fields[keyField] ?? '' }
  const { accessToken: secret, account } = usable
  return { kind: 'account', secret, ...(account !== undefined && { accountId: account }) }
}

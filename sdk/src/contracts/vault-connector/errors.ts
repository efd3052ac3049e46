import { defineError } from '../../core/errors.js'

/** Why a store did not take the credentials. */
export type VaultRefusal = 'wrong' | 'expired' | 'revoked' | 'second_factor' | 'unknown'

const refusals: Readonly<Record<VaultRefusal, string>> = {
  wrong: 'they are wrong',
  expired: 'they have expired',
  revoked: 'they were revoked',
  second_factor: 'the account asks for a second factor, which the service cannot give',
  unknown: 'it does not say why',
}

/** The store did not take the credentials of the connection. */
export const vaultUnauthorizedError = defineError<{ readonly vault: string; readonly reason: VaultRefusal }>({
  code: 'vault_unauthorized',
  status: 422,
  title: 'Vault refused the credentials',
  message: ({ vault, reason }) =>
    `${vault} refused the credentials of the connection: ${refusals[reason]}. Set the connection up with new ones.`,
})

/** The credentials are good, but may not do this. */
export const vaultForbiddenError = defineError<{ readonly vault: string; readonly what: string }>({
  code: 'vault_forbidden',
  status: 403,
  title: 'Vault permits no access',
  message: ({ vault, what }) => `${vault} does not permit the connection to ${what}. Its access is granted in the vault itself.`,
})

/** The store cannot be reached, is too slow or answers with a failure. A retry may help. */
export const vaultUnavailableError = defineError<{ readonly vault: string; readonly reason: string }>({
  code: 'vault_unavailable',
  status: 503,
  title: 'Vault not available',
  message: ({ vault, reason }) => `${vault} is not available: ${reason}. Try again later.`,
})

/** The store is there, and has to be unsealed by its administrator. */
export const vaultSealedError = defineError<{ readonly vault: string }>({
  code: 'vault_sealed',
  status: 503,
  title: 'Vault sealed',
  message: ({ vault }) => `${vault} is sealed. Its administrator has to unseal it.`,
})

/** The store asks for fewer requests. */
export const vaultRateLimitedError = defineError<{ readonly vault: string; readonly retryAfterMs?: number }>({
  code: 'vault_rate_limited',
  status: 503,
  title: 'Vault asks to wait',
  message: ({ vault, retryAfterMs }) =>
    `${vault} takes no more requests at the moment${retryAfterMs === undefined ? '' : ` for ${Math.ceil(retryAfterMs / 1_000)} s`}. Try again later.`,
})

/** The connection has no such item, or it was deleted. */
export const vaultItemNotFoundError = defineError<{ readonly id: string; readonly deleted: boolean }>({
  code: 'vault_item_not_found',
  status: 404,
  title: 'No such vault item',
  message: ({ id, deleted }) =>
    deleted ? `The item ${id} was deleted in the vault. It may be restored there.` : `The vault has no item ${id}. List its items again.`,
})

/** What is to be written was changed by someone else meanwhile. */
export const vaultConflictError = defineError<{ readonly what: string }>({
  code: 'vault_conflict',
  status: 409,
  title: 'Vault changed meanwhile',
  message: ({ what }) => `${what} was changed by someone else meanwhile. Nothing was written. Read it again, then repeat the change.`,
})

/** The store's file or answer is damaged, hostile, too costly, or in a format that is not known. */
export const vaultContentInvalidError = defineError<{ readonly vault: string; readonly reason: string }>({
  code: 'vault_content_invalid',
  status: 422,
  title: 'Vault cannot be read',
  message: ({ vault, reason }) => `${vault} cannot be read: ${reason}.`,
})

/**
 * The connection itself is not valid: an address of the wrong kind, a token in the wrong form. `reason`
 * follows the name of the member: `has to begin with https://`.
 */
export const vaultConnectionInvalidError = defineError<{ readonly member: string; readonly reason: string }>({
  code: 'vault_connection_invalid',
  status: 422,
  title: 'Vault connection invalid',
  message: ({ member, reason }) => `The connection cannot be used: “${member}” ${reason}.`,
})

/** A cursor of a list that this store has not given, or gives no more. */
export const vaultCursorInvalidError = defineError<{ readonly vault: string }>({
  code: 'vault_cursor_invalid',
  status: 422,
  title: 'Vault cursor invalid',
  message: ({ vault }) => `The list of ${vault} cannot go on from this cursor. List its items from the beginning.`,
})

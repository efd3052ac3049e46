import type { Connection } from '../connections/connections.js'
import type { CredentialAccess } from './credential-keeper.js'

/**
 * The protocols that serve an account; `undefined` for a key, or if the brand does not restrict
 * them.
 */
export const protocolsOfAccount = (
  { brand }: Connection,
  access: Pick<CredentialAccess, 'kind'> | undefined,
): readonly string[] | undefined => (access?.kind === 'account' ? brand?.sign_in?.protocols : undefined)

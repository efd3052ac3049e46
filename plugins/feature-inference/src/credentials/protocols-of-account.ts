import type { Connection } from '../connections/connections.js'
import type { CredentialAccess } from './credential-keeper.js'

/** The protocols that an account is served by; `undefined` for a key, and where the brand does not narrow them down. */
export const protocolsOfAccount = (
  { brand }: Connection,
  access: Pick<CredentialAccess, 'kind'> | undefined,
): readonly string[] | undefined => (access?.kind === 'account' ? brand?.sign_in?.protocols : undefined)

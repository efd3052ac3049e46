import { type Principal, requireConfirmedAdmin } from '@agent-service/sdk/contracts/http-route'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { Catalogue } from '../catalogue/catalogue.js'
import { type Connection, type Connections, connectionOf } from '../connections/connections.js'
import { connectionsUsing } from '../credential-routes/test-credential.js'
import { credentialIdOf } from '../credentials/credential-keeper.js'

/** A stored secret that a call would take along, and where it may go. */
export interface StoredSecret {
  /** The origins that it was stored for; empty if none is known. */
  readonly storedFor: readonly string[]
  /** The origin that would be called. */
  readonly to: string
}

/**
 * The stored secret that a connection sends: its managed credential, the key of the connection that
 * it was made from, or what this machine knows of a cloud platform. `undefined` if it sends none, or
 * only what the caller typed.
 */
export function storedSecretOf(
  connection: Connection,
  { before, typed }: { readonly before: Connection | undefined; readonly typed: boolean },
  { connections, catalogue }: { readonly connections: Connections; readonly catalogue: Catalogue },
): StoredSecret | undefined {
  const { settings } = connection
  const to = originOf(connection)
  /** A key is kept for one brand: another one is another place, although the host is the same. */
  const isSameBrand = before?.brandName === connection.brandName
  if (settings.credential_id !== undefined) {
    const users = connectionsUsing(credentialIdOf(connection), connections)
    return { storedFor: [...users.map(originOf), ...originOfBrand(connection, catalogue)], to }
  }
  if (typed) return undefined
  if (settings.api_key !== undefined) return { storedFor: before && isSameBrand ? [originOf(before)] : [], to }
  if (!usesMachine(connection, catalogue)) return undefined
  const usedBefore = before && isSameBrand && usesMachine(before, catalogue) && !hasOwnSecret(before) ? [originOf(before)] : []
  return { storedFor: [...usedBefore, ...originOfBrand(connection, catalogue)], to }
}

/**
 * Lets a stored secret go where it was stored for. Anywhere else it goes only for a person who has
 * confirmed who they are, and the audit log has both addresses first.
 * @throws `session_required`, `confirmation_required`.
 */
export async function permitDestination(
  { storedFor, to }: StoredSecret,
  {
    principal,
    connection,
    audit,
  }: { readonly principal: Principal | undefined; readonly connection: string; readonly audit: Pick<Audit, 'note'> },
): Promise<void> {
  if (storedFor.includes(to)) return
  requireConfirmedAdmin(principal)
  await audit.note({
    kind: 'connection.secret_redirected',
    subject: connection.slice(0, 200),
    before: { addresses: storedFor.slice(0, 20) },
    after: { addresses: [to.slice(0, 500)] },
  })
}

/** Where a connection is called: scheme, host and port. Without an address of its own its adapter decides. */
function originOf({ settings, brand, brandName, adapter = '' }: Connection): string {
  const address = settings.base_url ?? brand?.base_url
  if (address === undefined) return `the default address of ${brandName} (${adapter})`
  const whole = address.replaceAll('{region}', 'region')
  return URL.canParse(whole) ? new URL(whole).origin : address
}

/** The origin that the brand has in the catalogue. */
function originOfBrand({ brand, brandName }: Connection, catalogue: Catalogue): readonly string[] {
  if (brand?.base_url === undefined) return []
  return [originOf(connectionOf(brandName, { enabled: true }, catalogue, false))]
}

const hasOwnSecret = ({ settings }: Connection): boolean => settings.api_key !== undefined || settings.credential_id !== undefined

/** Whether it signs with what this machine has in variables and files of a cloud platform. */
const usesMachine = ({ brand, adapter }: Connection, catalogue: Catalogue): boolean =>
  (brand?.authentication ?? (adapter === undefined ? undefined : catalogue.family(adapter)?.authentication) ?? []).some(
    (way) => way === 'aws',
  )

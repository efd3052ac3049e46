import { type Static, Type } from '@agent-service/sdk'
import { invalidRequestError } from '@agent-service/sdk/contracts/http-route'
import type { Catalogue } from '../catalogue/catalogue.js'
import { awsRegionPattern, type ConnectionSettings } from '../configuration/providers-section.js'
import { type Connection, type Connections, connectionOf } from '../connections/connections.js'
import { apiKey, brandName } from '../credential-routes/credential-fields.js'
import { type StoredSecret, storedSecretOf } from './secret-destination.js'

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 500, description }))

/** A connection as it is, or as it may become: nothing of it is stored. */
export const draftProperties = {
  handle: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'A connection of the running configuration. Other members replace its own.' }),
  ),
  provider: Type.Optional(brandName),
  adapter: Type.Optional(Type.String({ pattern: '^[a-z][a-z0-9_-]{1,63}$', description: 'The adapter of a custom brand.' })),
  base_url: Type.Optional(Type.String({ pattern: '^https?://', maxLength: 2_000, description: 'Default: that of the brand.' })),
  api_key: Type.Optional({
    ...apiKey,
    description: 'The key itself: a `${NAME}` reference is resolved for a connection that runs, and only its own.',
  }),
  credential_id: text('A managed credential of the brand, in place of a key.'),
  azure_api_version: text('See `providers` of the configuration.'),
  aws_region: Type.Optional(
    Type.String({ pattern: awsRegionPattern, maxLength: 500, description: 'See `providers` of the configuration.' }),
  ),
  aws_profile: text('See `providers` of the configuration.'),
}

const draftSchema = Type.Object(draftProperties)
/** See {@link draftProperties}. */
export type ConnectionDraft = Static<typeof draftSchema>

/** What a draft describes. */
export interface DraftedConnection {
  readonly connection: Connection
  /** What its calls take along besides what was typed. */
  readonly secret: StoredSecret | undefined
}

/** The connection that a draft describes, and the stored secret that it sends. @throws `invalid_request`. */
export function connectionOfDraft(
  draft: ConnectionDraft,
  { connections, catalogue }: { readonly connections: Connections; readonly catalogue: Catalogue },
): DraftedConnection {
  const { handle, ...given } = draft
  const before = handle === undefined ? undefined : connections.find(handle)
  if (handle !== undefined && !before) throw refused('/handle', 'is not a connection of the running configuration')
  if (!before && given.provider === undefined) throw refused('/provider', 'is required for a connection that does not exist yet')
  if (given.api_key !== undefined && given.credential_id !== undefined)
    throw refused('/credential_id', 'and api_key exclude each other: name one of them')
  const isReference = given.api_key?.includes('${') === true
  if (isReference && given.api_key !== before?.settings.api_key) throw refused('/api_key', unresolved)
  const settings = settingsOf(before?.settings, given)
  const connection = connectionOf(before?.handle ?? given.provider ?? '', settings, catalogue, false)
  if (connection.refused !== undefined) throw refused('/provider', `cannot be used: ${connection.refused}`)
  if (connection.adapter === undefined) throw refused('/adapter', 'is required for a custom brand')
  if (settings.base_url === undefined && needsAddress(connection, catalogue)) throw refused('/base_url', 'is required for this brand')
  const typed = given.api_key !== undefined && !isReference
  return { connection, secret: storedSecretOf(connection, { before, typed }, { connections, catalogue }) }
}

/** Else a test would send any variable of the environment anywhere. */
const unresolved =
  'is a reference to a variable, which is resolved once the connection is saved and the service restarted; type the key itself to try it before'

/** A key and a managed credential exclude each other. */
function settingsOf(before: ConnectionSettings | undefined, given: Omit<ConnectionDraft, 'handle'>): ConnectionSettings {
  const { api_key: _, credential_id: __, ...others } = before ?? { enabled: true }
  const hasOwn = given.api_key !== undefined || given.credential_id !== undefined
  return { ...(hasOwn || !before ? others : before), ...given, enabled: true }
}

/** As the check of the configuration has it: the local runtime and adapters of third parties need none. */
const needsAddress = ({ brand, adapter = '' }: Connection, catalogue: Catalogue): boolean =>
  brand === undefined ? adapter !== 'adapter_zeta' && catalogue.family(adapter) !== undefined : brand.requires_base_url === true

const refused = (path: string, message: string): Error => invalidRequestError.create({ where: 'body' }, { problems: [{ path, message }] })

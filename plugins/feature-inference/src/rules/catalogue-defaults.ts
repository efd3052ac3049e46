import type { ConfigurationFinding, JsonValue } from '@agent-service/sdk'
import { defaultContextWindow } from '../catalogue/catalogue.js'
import { defaultAzureApiVersion } from '../configuration/providers-section.js'
import type { Connection } from '../connections/connections.js'
import { defaultProtocol } from '../connections/default-protocol.js'
import { type ConfiguredModels, pathKey, type Target, textIn } from './configured-models.js'

/** Defaults from the catalogue for connections and groups. Fallbacks have none. */
export function catalogueDefaults(configured: ConfiguredModels): readonly ConfigurationFinding[] {
  return [
    ...configured.connections.configured.flatMap((connection) => ofConnection(connection, configured)),
    ...configured.targets.filter(({ path }) => !path.endsWith(']')).flatMap((target) => ofGroup(target, configured)),
  ]
}

function ofConnection({ handle, brand }: Connection, { catalogue }: ConfiguredModels): readonly ConfigurationFinding[] {
  const path = `providers.${pathKey(handle)}`
  // Some addresses contain a region, so they cannot be set as they are.
  const baseUrl = brand?.base_url?.includes('{') ? undefined : brand?.base_url
  return [
    ...defaultAt(
      `${path}.provider`,
      catalogue.brand(handle)?.id ?? catalogue.compatibleBrand(handle)?.entry.id,
      'inferred from the handle',
    ),
    ...defaultAt(`${path}.adapter`, brand?.adapter, 'the adapter of the brand'),
    ...defaultAt(`${path}.base_url`, baseUrl, 'the endpoint of the brand'),
    ...defaultAt(`${path}.azure_api_version`, brand?.id === 'azure' ? defaultAzureApiVersion : undefined, 'the version of the brand'),
  ]
}

function ofGroup({ path, settings, connection }: Target, { catalogue }: ConfiguredModels): readonly ConfigurationFinding[] {
  if (!connection) return []
  const model = textIn(settings, 'model') ?? ''
  const known = catalogue.model(connection.brand?.id, model)
  return [
    ...defaultAt(`${path}.api`, defaultProtocol(connection, model, catalogue), 'the protocol of the connection'),
    ...defaultAt(`${path}.context_window`, known?.context_window ?? defaultContextWindow, 'the limit of the model'),
  ]
}

const defaultAt = (path: string, value: JsonValue | undefined, message: string): readonly ConfigurationFinding[] =>
  value === undefined ? [] : [{ path, message, catalogueDefault: { value } }]

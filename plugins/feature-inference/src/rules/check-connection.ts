import type { ConfigurationFinding } from '@agent-service/sdk'
import type { Connection } from '../connections/connections.js'
import { checkBrand } from './check-brand.js'
import { checkCredentials } from './check-credentials.js'
import { type ConfiguredModels, pathKey } from './configured-models.js'

const handlePattern = /^[a-z][a-z0-9_-]{1,31}$/

/** Checks one connection: its handle, its credential and its brand. */
export function checkConnection(connection: Connection, configured: ConfiguredModels): readonly ConfigurationFinding[] {
  const path = `providers.${pathKey(connection.handle)}`
  return [
    ...checkHandle(path, connection.handle),
    ...checkCredentials(path, connection.settings),
    ...checkFamilyMembers(path, connection),
    ...checkBrand(path, connection, configured),
  ]
}

function checkHandle(path: string, handle: string): readonly ConfigurationFinding[] {
  if (handlePattern.test(handle)) return []
  return [
    { path, message: 'is not a valid handle: use 2 to 32 lower-case letters, digits, hyphens or underscores, starting with a letter' },
  ]
}

/** Members that apply to one family or brand only. */
function checkFamilyMembers(path: string, { settings, adapter, brand }: Connection): readonly ConfigurationFinding[] {
  const aws = (['aws_region', 'aws_profile'] as const).filter((name) => settings[name] !== undefined && adapter !== 'adapter_delta')
  return [
    ...aws.map((name) => ({ path: `${path}.${name}`, message: 'applies only to the cloud-platform adapter (adapter_delta)' })),
    ...(settings.azure_api_version !== undefined && brand?.id !== 'azure'
      ? [{ path: `${path}.azure_api_version`, message: 'applies only to the cloud-tenant brand (azure)' }]
      : []),
  ]
}

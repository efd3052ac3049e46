import type { JsonObject } from '@agent-service/sdk'
import type { ModelConnection } from '@agent-service/sdk/contracts/provider-adapter'
import { credentialMissingError } from '@agent-service/sdk/services/inference'
import type { Secrets } from '@agent-service/sdk/services/secrets'
import { defaultAzureApiVersion } from '../configuration/providers-section.js'
import type { Connection } from './connections.js'

/**
 * Address, key and quirks of a connection for one call. `access` is the content of its managed
 * credential, if it names one.
 * @throws `credential_missing` naming the variable.
 */
export function resolveConnection(
  connection: Connection,
  secrets: Secrets,
  access?: { readonly secret: string; readonly accountId?: string },
): ModelConnection {
  const apiKey = access?.secret ?? keyOf(connection, secrets)
  return {
    handle: connection.handle,
    brand: connection.brandName,
    baseUrl: (connection.settings.base_url ?? connection.brand?.base_url ?? '').replace(/\/+$/, ''),
    ...(apiKey !== undefined && { apiKey }),
    quirks: quirksOf(connection),
    ...awsOf(connection),
    ...(access?.accountId !== undefined && { accountId: access.accountId }),
  }
}

/** Region and profile to sign with, for a brand without a key. */
const awsOf = ({ settings: { aws_region: region, aws_profile: profile } }: Connection): Pick<ModelConnection, 'aws'> =>
  region === undefined && profile === undefined
    ? {}
    : { aws: { ...(region !== undefined && { region }), ...(profile !== undefined && { profile }) } }

function keyOf({ handle, settings, brand }: Connection, secrets: Secrets): string | undefined {
  if (settings.api_key === undefined) {
    if (brand?.authentication.every((way) => way === 'api_key') !== true) return undefined
    throw credentialMissingError.create({ connection: handle })
  }
  const resolved = secrets.resolve(settings.api_key)
  if ('missing' in resolved) throw credentialMissingError.create({ connection: handle, variable: resolved.missing })
  const key = resolved.value.trim()
  if (key === '') throw credentialMissingError.create({ connection: handle })
  secrets.protect(key)
  return key
}

function quirksOf({ settings, brand }: Connection): JsonObject {
  const quirks = (brand?.quirks ?? {}) as JsonObject
  return brand?.id === 'azure' ? { ...quirks, query: { 'api-version': settings.azure_api_version ?? defaultAzureApiVersion } } : quirks
}

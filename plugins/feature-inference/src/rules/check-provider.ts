import type { ConfigurationFinding } from '@agent-service/sdk'
import { nearest } from '@agent-service/sdk/host'
import type { ConfiguredModels, Target } from './configured-models.js'

/** How many handles are listed at most. */
const maxListed = 12

/** A group names a connection that is configured, or that the environment offers. */
export function checkProvider({ path, provider, connection }: Target, configured: ConfiguredModels): readonly ConfigurationFinding[] {
  if (connection) return []
  return [
    { path: `${path}.provider`, message: `“${provider}” is no configured or discovered connection; ${mendProvider(provider, configured)}` },
  ]
}

function mendProvider(provider: string, { catalogue, connections: { handles } }: ConfiguredModels): string {
  const near = nearest(provider, handles)
  if (near !== undefined) return `did you mean “${near}”?`
  const { api_key: keys, base_url: addresses } = catalogue.brand(provider)?.discovery ?? {}
  const variables = keys ?? addresses
  if (variables) return `set ${variables.join(' or ')}, or add it under providers`
  if (handles.length === 0) return 'there is none; add it under providers'
  return `known are ${handles.slice(0, maxListed).join(', ')}${handles.length > maxListed ? ', …' : ''}`
}

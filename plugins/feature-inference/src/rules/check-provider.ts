import type { ConfigurationFinding } from '@agent-service/sdk'
import { nearest } from '@agent-service/sdk/host'
import type { ConfiguredModels, Target } from './configured-models.js'

/** How many handles a message lists. */
const maxListed = 12

/** A group must name a configured or discovered connection. */
export function checkProvider({ path, provider, connection }: Target, configured: ConfiguredModels): readonly ConfigurationFinding[] {
  if (connection) return []
  return [
    { path: `${path}.provider`, message: `“${provider}” is not a configured or discovered connection; ${hintFor(provider, configured)}` },
  ]
}

function hintFor(provider: string, { catalogue, connections: { handles } }: ConfiguredModels): string {
  const near = nearest(provider, handles)
  if (near !== undefined) return `did you mean “${near}”?`
  const { api_key: keys, base_url: addresses } = catalogue.brand(provider)?.discovery ?? {}
  const variables = keys ?? addresses
  if (variables) return `set ${variables.join(' or ')}, or add it under providers`
  if (handles.length === 0) return 'there are no connections; add it under providers'
  return `known connections: ${handles.slice(0, maxListed).join(', ')}${handles.length > maxListed ? ', …' : ''}`
}

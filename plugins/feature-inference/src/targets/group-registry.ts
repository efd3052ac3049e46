import type { ModelGroup } from '@agent-service/sdk/services/inference'
import type { RefusedTools } from '../calls/omissions/refused-tools.js'
import { type Catalogue, defaultContextWindow } from '../catalogue/catalogue.js'
import type { ModelGroupSettings, ModelsSection } from '../configuration/models-section.js'
import type { Connections } from '../connections/connections.js'
import { targetKey } from './target-key.js'

const primary = 'primary'

/** A group with its settings. */
export interface ConfiguredGroup {
  readonly name: string
  readonly settings: ModelGroupSettings
  /** Derived from the environment, not configured. */
  readonly implicit: boolean
}

/** The groups of a deployment. */
export interface GroupRegistry {
  /** As callers of the service see them. */
  list(): readonly ModelGroup[]
  find(name: string): ConfiguredGroup | undefined
  /** The substitute for a group that does not exist. */
  readonly primary: ConfiguredGroup | undefined
}

/**
 * The configured groups; with no connection and no group configured, `primary` on the first
 * discovered connection.
 */
export function createGroupRegistry(
  models: ModelsSection,
  options: {
    readonly connections: Connections
    readonly catalogue: Catalogue
    readonly refusedTools: Pick<RefusedTools, 'reasonOf'>
    readonly anyProviderConfigured: boolean
  },
): GroupRegistry {
  const { connections, catalogue, refusedTools, anyProviderConfigured } = options
  const implicit = anyProviderConfigured || Object.keys(models).length > 0 ? undefined : implicitPrimary(connections)
  const groups = new Map(
    Object.entries(implicit ? { [primary]: implicit } : models).map(([name, settings]) => [
      name,
      { name, settings, implicit: implicit !== undefined },
    ]),
  )

  const describe = ({ name, settings }: ConfiguredGroup): ModelGroup => {
    const known = catalogue.model(connections.find(settings.provider)?.brand?.id, settings.model)
    const hasNoTools = refusedTools.reasonOf(targetKey(settings), undefined) !== undefined || known?.abilities?.includes('tools') === false
    return {
      name,
      provider: settings.provider,
      model: settings.model,
      context_window: settings.context_window ?? known?.context_window ?? defaultContextWindow,
      ...(settings.max_tokens !== undefined && { max_tokens: settings.max_tokens }),
      ...(hasNoTools && { tools: false as const }),
    }
  }
  // Described on each call, because the catalogue may be refreshed.
  return { list: () => [...groups.values()].map(describe), find: (name) => groups.get(name), primary: groups.get(primary) }
}

function implicitPrimary(connections: Connections): ModelGroupSettings | undefined {
  const first = connections.discovered.find((connection) => connection.brand?.default_model !== undefined)
  const model = first?.brand?.default_model
  if (!first || model === undefined) return undefined
  return {
    provider: first.handle,
    model,
    extra_params: {},
    retry: { max_retries: 10, initial_backoff_ms: 1_000, backoff_multiplier: 2, max_backoff_ms: 60_000 },
  }
}

import type { ContributionDefinition } from '../../core/contribution-point.js'
import type { ProviderAdapter, ProviderAdapterSupport } from './adapter.js'

/** How an author writes an adapter: what `supports` leaves out is not supported. */
export interface ProviderAdapterDefinition extends Omit<ContributionDefinition<ProviderAdapter, 'name'>, 'supports'> {
  /** As {@link ProviderAdapter.name}. Default: the id. */
  readonly name?: string
  /** As {@link ProviderAdapter.supports}; what is absent is false. */
  readonly supports?: Partial<ProviderAdapterSupport>
}

/** Makes a provider adapter. */
export function defineProviderAdapter(definition: ProviderAdapterDefinition): ProviderAdapter {
  return Object.freeze({ name: definition.id, ...definition, specVersion: 1, supports: { ...nothing, ...definition.supports } })
}

const nothing: ProviderAdapterSupport = {
  streaming: false,
  tools: false,
  toolChoice: false,
  images: false,
  files: false,
  reasoning: false,
  opaqueParts: false,
  structuredOutput: false,
}

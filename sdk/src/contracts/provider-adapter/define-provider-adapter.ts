import type { ContributionDefinition } from '../../core/contribution-point.js'
import type { ProviderAdapter, ProviderAdapterSupport } from './adapter.js'

/** How an author writes an adapter: what `supports` leaves out is not supported. */
export interface ProviderAdapterDefinition extends Omit<ContributionDefinition<ProviderAdapter, 'name'>, 'supports'> {
  /** As {@link ProviderAdapter.name}. Default: the id. */
  readonly name?: string
  /** As {@link ProviderAdapter.supports}; what is absent is false. */
  readonly supports?: Partial<ProviderAdapterSupport>
}

/**
 * Makes a provider adapter.
 *
 * @example
 * defineProviderAdapter({
 *   id: 'adapter_echo',
 *   protocols: [
 *     { id: 'echo', aliases: [], settings: Type.Object({}), protectedPaths: [], protectedStructuredPaths: [] },
 *   ],
 *   supports: { streaming: true },
 *   async *call(request, { signal }) {
 *     signal.throwIfAborted()
 *     const text = `You sent ${request.messages.length} messages.`
 *     yield { type: 'response.started', model: request.model }
 *     yield { type: 'text.delta', part: 0, text }
 *     yield {
 *       type: 'response.finished',
 *       content: [{ type: 'text', text }],
 *       stop_reason: 'stop',
 *       usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 },
 *     }
 *   },
 * })
 */
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

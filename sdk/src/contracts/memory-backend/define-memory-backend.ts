import type { ContributionDefinition } from '../../core/contribution-point.js'
import type { MemoryBackend } from './memory-backend.js'

/**
 * Makes a memory back end. `supports` follows from its members; `supports.history` is false unless
 * it says otherwise.
 *
 * @example
 * const createTreeMemory = (methods: Omit<MemoryBackend, 'specVersion' | 'id' | 'title' | 'supports'>) =>
 *   defineMemoryBackend({ id: 'tree', title: 'Tree of facts', ...methods })
 */
export function defineMemoryBackend(definition: ContributionDefinition<MemoryBackend, 'supports'>): MemoryBackend {
  return Object.freeze<MemoryBackend>({
    supports: {
      history: false,
      sweep: definition.sweep !== undefined,
      passes: definition.passes !== undefined,
      revisions: definition.revisions !== undefined,
    },
    ...definition,
    specVersion: 1,
  })
}

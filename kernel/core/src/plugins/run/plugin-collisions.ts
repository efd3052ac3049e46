import { duplicateContributionError } from '@agent-service/sdk/host'
import { routeConflictError, schemaNameConflictError } from '../../http/errors.js'
import type { DiscoveredPlugin } from '../discover/discovered-plugin.js'
import type { PluginState } from './plugin-report.js'

/** A name that a plugin could not claim because another one has it. */
export interface Collision {
  /** The plugin that has it. */
  readonly owner: string
  readonly message: string
}

/** The collision that made a start fail; undefined if it failed for another reason. */
export function collisionOf(error: unknown): Collision | undefined {
  if (duplicateContributionError.isInstance(error)) return { owner: String(error.details['owner']), message: error.message }
  if (routeConflictError.isInstance(error)) return { owner: String(error.details['otherOwner']), message: error.message }
  if (schemaNameConflictError.isInstance(error)) return { owner: String(error.details['otherOwner']), message: error.message }
  return undefined
}

/** A third party that has a name claimed by a built-in plugin. */
export interface Eviction {
  readonly id: string
  /** The built-in plugin, which failed because of it. */
  readonly builtIn: string
  readonly reason: string
}

/** A plugin that may have a name, and its state. */
export interface Claimant {
  readonly plugin: DiscoveredPlugin
  state(): PluginState
}

/** The built-in plugins that failed because a third party that started earlier has their name. */
export interface Evictions {
  note(instance: Claimant, collision: Collision): void
  /** Those that still apply, each once. */
  take(instances: readonly Claimant[]): readonly Eviction[]
}

/** Makes an empty list. */
export function createEvictions(): Evictions {
  const noted = new Map<string, Collision>()
  return {
    note({ plugin }, collision) {
      if (plugin.builtIn) noted.set(plugin.id, collision)
    },
    take(instances) {
      const taken = [...noted]
      noted.clear()
      const find = (id: string) => instances.find(({ plugin }) => plugin.id === id && plugin.status === 'valid')
      return taken.flatMap(([builtIn, { owner, message }]) => {
        const rival = find(owner)
        if (rival === undefined || rival.plugin.builtIn || rival.state() !== 'active' || find(builtIn)?.state() !== 'failed') return []
        return [{ id: owner, builtIn, reason: `the built-in plugin “${builtIn}” claims a name that it has. ${message}` }]
      })
    },
  }
}

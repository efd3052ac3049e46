import { duplicateContributionError } from '@agent-service/sdk/host'
import { routeConflictError, schemaNameConflictError } from '../../http/errors.js'
import type { DiscoveredPlugin } from '../discover/discovered-plugin.js'
import type { PluginState } from './plugin-report.js'

/** A name that a plugin could not claim because another one has it. */
export interface Collision {
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

interface Claimant {
  readonly plugin: DiscoveredPlugin
  state(): PluginState
}

/** The built-in plugins that failed because a third party that started earlier has their name. */
export function createEvictions() {
  const noted = new Map<string, Collision>()
  return {
    note({ plugin }: Claimant, collision: Collision): void {
      if (plugin.builtIn) noted.set(plugin.id, collision)
    },
    /** The third parties to stop, each with the built-in plugin to start again; each once. */
    take(instances: readonly Claimant[]): readonly { readonly id: string; readonly builtIn: string; readonly reason: string }[] {
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

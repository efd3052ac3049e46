import { ServiceError } from '@agent-service/sdk'
import { duplicateContributionError } from '@agent-service/sdk/host'
import { routeConflictError, schemaNameConflictError } from '../../http/errors.js'
import { metricConflictError } from '../../metrics/index.js'
import { limitConflictError } from '../../quotas/index.js'
import { duplicateJobError } from '../../scheduler/scheduler.js'
import { comesBefore, type DiscoveredPlugin } from '../discover/discovered-plugin.js'
import { isUp, type PluginState } from './plugin-report.js'

/** A name that a plugin could not claim because another one has it. */
export interface Collision {
  readonly owner: string
  readonly message: string
}

/** The collision that made a start fail; undefined if it failed for another reason. */
export function collisionOf(error: unknown): Collision | undefined {
  if (!ServiceError.isInstance(error)) return undefined
  const owner = ownerIn(error)
  if (owner !== undefined) return { owner, message: error.message }
  // An error that escaped from setup is the cause of the host's error around it.
  return collisionOf(error.cause)
}

function ownerIn(error: ServiceError): string | undefined {
  const { details } = error
  if (duplicateContributionError.isInstance(error)) return String(details['owner'])
  if (routeConflictError.isInstance(error) || schemaNameConflictError.isInstance(error)) return String(details['otherOwner'])
  if (duplicateJobError.isInstance(error)) return String(details['other'])
  if (!metricConflictError.isInstance(error) && !limitConflictError.isInstance(error)) return undefined
  return typeof details['owner'] === 'string' ? details['owner'] : undefined
}

interface Claimant {
  readonly plugin: DiscoveredPlugin
  state(): PluginState
}

/** The third parties to stop, each with the plugin to start again. */
export interface Eviction {
  readonly id: string
  readonly claimant: string
  readonly reason: string
}

/** The plugins that failed because one that comes after them has started earlier and has their name. */
export function createEvictions() {
  const noted = new Map<string, Collision>()
  return {
    note({ plugin }: Claimant, collision: Collision): void {
      noted.set(plugin.id, collision)
    },
    /** What follows from the collisions; each once. */
    take(instances: readonly Claimant[]): readonly Eviction[] {
      const taken = [...noted]
      noted.clear()
      const find = (id: string) => instances.find(({ plugin }) => plugin.id === id && plugin.status === 'valid')
      return taken.flatMap(([claimant, { owner, message }]) => {
        const [rival, first] = [find(owner), find(claimant)]
        if (rival === undefined || first === undefined || !comesBefore(first.plugin, rival.plugin)) return []
        if (!isUp(rival.state()) || first.state() !== 'failed') return []
        const who = first.plugin.builtIn ? `the built-in plugin “${claimant}”` : `the plugin “${claimant}”, which was there first,`
        return [{ id: owner, claimant, reason: `${who} claims a name that it has. ${message}` }]
      })
    },
  }
}

import type { PluginManifest } from '@agent-service/sdk'
import type { DiscoveredPlugin } from '../discover/discovered-plugin.js'
import type { PluginInstance } from './plugin-instance.js'
import { isUp } from './plugin-report.js'

/** What a manifest says about other plugins; nothing if it is not valid. */
export const manifestOf = (plugin: DiscoveredPlugin): Pick<PluginManifest, 'contributes' | 'provides' | 'requires' | 'optional'> =>
  plugin.status === 'valid' ? plugin.manifest : {}

/** The plugins that run or are ready and provide what this one requires or may use. */
export function providersOf({ plugin }: PluginInstance, instances: readonly PluginInstance[]): readonly PluginInstance[] {
  const { requires = [], optional = [] } = manifestOf(plugin)
  return instances.filter((other) => {
    const { provides = [] } = manifestOf(other.plugin)
    const mayRun = isUp(other.state()) || other.starting() !== undefined
    return other.plugin !== plugin && mayRun && [...requires, ...optional].some((service) => provides.includes(service))
  })
}

/** The first service of another plugin that a plugin requires and that is not there. */
export const lackingService = ({ plugin }: PluginInstance, isThere: (service: string) => boolean): string | undefined =>
  manifestOf(plugin).requires?.find((service) => !service.startsWith('kernel.') && !isThere(service))

/** These plugins and all running ones that use their services, directly or through others. */
export function withUsers(ids: readonly string[], instances: readonly PluginInstance[]): ReadonlySet<string> {
  return grow(ids, instances, (instance, reached) => [...instance.links()].some((id) => reached.has(id)))
}

/** This plugin and all running ones that require it, directly or through others. */
export function withRequirers(id: string, instances: readonly PluginInstance[]): ReadonlySet<string> {
  const provides = new Map(instances.map(({ plugin }) => [plugin.id, manifestOf(plugin).provides ?? []]))
  return grow([id], instances, ({ plugin, links }, reached) => {
    const { requires = [] } = manifestOf(plugin)
    return [...links()].some((link) => reached.has(link) && provides.get(link)?.some((service) => requires.includes(service)) === true)
  })
}

/** These plugins and those that belong to what is reached, until nothing is added. */
export function grow(
  ids: readonly string[],
  instances: readonly PluginInstance[],
  belongs: (instance: PluginInstance, reached: ReadonlySet<string>) => boolean | undefined,
): ReadonlySet<string> {
  const reached = new Set(ids)
  for (let size = 0; size !== reached.size; ) {
    size = reached.size
    for (const instance of instances) if (!reached.has(instance.plugin.id) && belongs(instance, reached)) reached.add(instance.plugin.id)
  }
  return reached
}

/**
 * Announces the stop to plugins and then stops them. Each comes after all plugins that use it,
 * otherwise in parallel. Resolves to their ids in the order in which they stopped.
 */
export async function stopInOrder(
  ids: ReadonlySet<string>,
  instances: readonly PluginInstance[],
  endOf: (instance: PluginInstance) => {
    readonly state: 'stopped' | 'disabled' | 'failed'
    readonly reason: string | null
    /** How long calls under way may take. Default: as long as the host allows. */
    readonly drainMs?: number | undefined
  },
): Promise<readonly string[]> {
  const affected = instances.filter(({ plugin }) => ids.has(plugin.id))
  await usersFirst(affected, (instance) => instance.announceStop(endOf(instance).reason))
  return usersFirst(affected, (instance) => {
    const { state, reason, drainMs } = endOf(instance)
    return instance.stop(state, reason, drainMs)
  })
}

/**
 * Does the work for each plugin after all that use it. Resolves to their ids in the order of
 * completion.
 */
async function usersFirst(
  affected: readonly PluginInstance[],
  work: (instance: PluginInstance) => Promise<void>,
): Promise<readonly string[]> {
  const finished: string[] = []
  const works = new Map<string, Promise<void>>()
  const users = new Map(affected.map(({ plugin }) => [plugin.id, affected.filter((other) => other.links().has(plugin.id))]))
  const begin = (instance: PluginInstance): Promise<void> => {
    const { id } = instance.plugin
    const begun =
      works.get(id) ??
      Promise.all((users.get(id) ?? []).map(begin))
        .then(() => work(instance))
        .then(() => void finished.push(id))
    works.set(id, begun)
    return begun
  }
  await Promise.all(affected.map(begin))
  return finished
}

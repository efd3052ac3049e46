import type { Logger } from '@agent-service/sdk'
import { databaseDrivers } from '@agent-service/sdk/contracts/database-driver'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import type { PluginSlots, SlotChoice } from '../order/plugin-slots.js'
import { pluginRequiredFailedError } from '../plugin-errors.js'
import type { PluginInstance } from './plugin-instance.js'
import { grow, manifestOf, withRequirers } from './plugin-links.js'
import { isUp } from './plugin-report.js'

/** The plugin with this id; of several, the valid one. */
export function findInstance(instances: readonly PluginInstance[], id: string): PluginInstance | undefined {
  const named = instances.filter(({ plugin }) => plugin.id === id)
  return named.find(({ plugin }) => plugin.status === 'valid') ?? named[0]
}

export type NeededPlugins = ReturnType<typeof createNeededPlugins>

/**
 * The plugins that a deployment needs: `plugins.required`, those that fill a slot in use, and those
 * that these require.
 */
export function createNeededPlugins(dependencies: {
  readonly required: readonly string[]
  readonly choices: readonly SlotChoice[]
  readonly slots: PluginSlots
  readonly instances: readonly PluginInstance[]
  readonly contributions: Contributions
  readonly log: Logger
}) {
  const { required, choices, slots, instances, contributions, log } = dependencies
  const needed = withProviders([...required, ...choices.flatMap((choice) => slots.pick(choice)?.id ?? [])], instances)

  const requireFilled = (choice: SlotChoice): void => {
    const plugin = slots.pick(choice)
    const name = `${choice.point.split('.')[0] ?? ''}-${choice.key}`
    const neededFor = `${choice.setting} is “${choice.key}”`
    const instance =
      instances.find((candidate) => candidate.plugin === plugin) ?? instances.find((candidate) => candidate.plugin.id === name)
    if (instance === undefined || !isUp(instance.state())) throw requiredFailed(instance?.plugin.id ?? name, neededFor, instance)
    const keys = contributions.list({ ...databaseDrivers, id: choice.point }).filter(({ pluginId }) => pluginId === plugin?.id)
    if (keys.some(({ key }) => key === choice.key)) return
    const reason = `it contributes ${keys.map(({ key }) => `“${key}”`).join(', ') || 'nothing'} to ${choice.point}, not “${choice.key}”`
    throw pluginRequiredFailedError.create({ plugin: instance.plugin.id, neededFor, reason })
  }
  /** Logs an optional slot that stays empty only if a plugin for it is installed. */
  const reportUnfilled = (choice: SlotChoice): void => {
    if (slots.pick(choice) === undefined) return
    try {
      requireFilled(choice)
    } catch (error) {
      log.warn('A slot stays empty.', { slot: choice.point, setting: choice.setting, error })
    }
  }

  return {
    /** Whether the start waits for a plugin without a limit: it is needed, or built in. */
    isAwaited: ({ plugin }: PluginInstance): boolean => plugin.builtIn || needed.has(plugin.id),
    /** @throws `plugin_required_failed` for the first that is not active. */
    requireActive(): void {
      for (const id of required) {
        const instance = findInstance(instances, id)
        if (instance === undefined || !isUp(instance.state())) throw requiredFailed(id, 'plugins.required lists it', instance)
      }
      for (const choice of choices) {
        if (choice.optional === true) reportUnfilled(choice)
        else requireFilled(choice)
      }
    },
    /**
     * @throws `plugin_required_failed` if the plugin for this slot is not active, or contributes
     * something else.
     */
    requireFilled,
    /** The reasons why this plugin is needed. */
    neededBy(id: string): readonly string[] {
      const running = instances.filter((instance) => isUp(instance.state()))
      return [...withRequirers(id, running)].flatMap((other) => {
        const through = other === id ? '' : `, which requires “${id}”`
        const filled = slots.filledBy(other)
        // The service does without what a slot has that may stay empty, so it holds nothing else.
        const slot = filled?.optional === true && other !== id ? undefined : filled
        return [
          ...(slot === undefined ? [] : [`“${other}” fills the slot ${slot.point}${through}`]),
          ...(required.includes(other) ? [`plugins.required lists “${other}”${through}`] : []),
        ]
      })
    },
  }
}

/** These plugins and those that provide what they require, directly or through others. */
const withProviders = (ids: readonly string[], instances: readonly PluginInstance[]): ReadonlySet<string> =>
  grow(ids, instances, ({ plugin }, reached) =>
    manifestOf(plugin).provides?.some((service) =>
      instances.some((other) => reached.has(other.plugin.id) && manifestOf(other.plugin).requires?.includes(service)),
    ),
  )

/** The error for a plugin that is needed and not active, with its state. */
export function requiredFailed(id: string, neededFor: string, instance: PluginInstance | undefined): Error {
  const state = instance && `it is ${instance.state()}${instance.reason() === null ? '' : `: ${instance.reason()}`}`
  return pluginRequiredFailedError.create({ plugin: id, neededFor, reason: state ?? 'no such plugin is installed' })
}

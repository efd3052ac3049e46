import type { Logger } from '@agent-service/sdk'
import { type DatabaseDriver, databaseDrivers } from '@agent-service/sdk/contracts/database-driver'
import { policyEngines } from '@agent-service/sdk/contracts/policy-engine'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import type { Contributions } from '@agent-service/sdk/services/contributions'
import type { PluginSlots, SlotChoice } from '../order/plugin-slots.js'
import { type NeededPlugins, requiredFailed } from './needed-plugins.js'
import type { PluginExclusions } from './plugin-exclusions.js'
import type { PluginInstance, StartOutcome } from './plugin-instance.js'
import { manifestOf } from './plugin-links.js'

/** The slots that are filled before all other plugins start, each with the noun for messages. */
const bootSlots: ReadonlyMap<string, string> = new Map([
  [databaseDrivers.id, 'a driver'],
  [policyEngines.id, 'a policy engine'],
])

export type BootPlugins = ReturnType<typeof createBootPlugins>

/** The plugins that start before the database, and stop after it. */
export function createBootPlugins(dependencies: {
  readonly instances: readonly PluginInstance[]
  readonly choices: readonly SlotChoice[]
  readonly slots: PluginSlots
  readonly needed: NeededPlugins
  readonly exclusions: PluginExclusions
  readonly contributions: Contributions
  readonly log: Logger
  readonly onOutcome: (instance: PluginInstance, outcome: StartOutcome) => void
}) {
  const { instances, choices, slots, needed, exclusions, contributions, log, onOutcome } = dependencies

  const nounOf = ({ plugin }: PluginInstance): string | undefined => {
    const choice = choices.find((slot) => bootSlots.has(slot.point) && slots.pick(slot) === plugin)
    return bootSlots.get(choice?.point ?? '')
  }
  const start = async (instance: PluginInstance, noun: string): Promise<void> => {
    const { plugin } = instance
    if (instance.state() === 'active') return
    const locked = exclusions.lockOf(plugin.id)
    if (locked !== undefined) return instance.set('disabled', locked)
    const { requires = [], optional = [], contributes = [] } = manifestOf(plugin)
    const uses = [...requires, ...optional, ...contributes.filter((point) => point === schedulerJobs.id)]
    if (uses.length > 0) return instance.set('blocked', `${noun} starts before every other plugin, so it cannot use ${uses.join(', ')}`)
    onOutcome(instance, await instance.start(new Set()))
    log.debug('A plugin of the boot phase was started', { plugin: plugin.id, state: instance.state() })
  }

  return {
    has: (instance: PluginInstance): boolean => nounOf(instance) !== undefined,
    /**
     * With only log, clock and their configuration.
     * @throws `plugin_required_failed` with the reason, if no driver is active.
     */
    async start(): Promise<DatabaseDriver> {
      const choice = choices.find(({ point }) => point === databaseDrivers.id)
      if (choice === undefined) throw new TypeError('The settings of the plugin host do not pick a database driver.')
      const nouns = instances.map((instance) => [instance, nounOf(instance)] as const)
      await Promise.all(nouns.map(([instance, noun]) => noun && start(instance, noun)))
      needed.requireFilled(choice)
      const driver = contributions.list(databaseDrivers).find(({ key }) => key === choice.key)
      if (driver === undefined) throw requiredFailed(choice.key, choice.setting, undefined)
      return driver.value
    },
    async stop(): Promise<void> {
      for (const instance of instances)
        if (nounOf(instance) !== undefined && instance.state() === 'active') await instance.stop('stopped', null)
    },
  }
}

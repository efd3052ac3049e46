import type { Plugin } from '../plugin/define-plugin.js'
import { createPluginTest, type PluginTestOptions } from './create-test-context.js'
import { createRecordedSetup, type RecordedSetup } from './plugin-test/declared-setup.js'
import { standInService, watchedService } from './plugin-test/watched-service.js'

/** A setup under test that is judged only when it has ended. */
export interface PluginTrial {
  /** Runs the plugin's `setup`. @throws what it throws; everything is undone then. */
  setup(): Promise<void>
  /** What `setup` did. */
  readonly record: RecordedSetup['record']
  /** What it did that its manifest does not list. */
  readonly violations: RecordedSetup['violations']
  /** The value of `context.config`. */
  readonly settings: unknown
  /** What it called and read of services before it ended that may begin something, or differ: `calls kernel.clock.after`. */
  readonly uses: readonly string[]
  /** Stops the plugin. */
  dispose(): Promise<void>
}

/** Which services of other plugins a trial has. */
export type TrialServices =
  /** Those that the plugin requires, if they have a fake. */
  | 'fakes'
  /** All that it requires, and none that it may do without. */
  | 'required'
  /** All that it names. */
  | 'all'

/** The same as `createTestContext`, for checks that must find every fault. @throws as that. */
export function createPluginTrial(plugin: Plugin, options: PluginTestOptions, others: TrialServices = 'fakes'): PluginTrial {
  const recorded = createRecordedSetup(plugin.manifest)
  const uses: string[] = []
  let hasEnded = false
  const onUse = (use: string): void => {
    if (!hasEnded) uses.push(use)
  }
  const { requires = [], optional = [] } = plugin.manifest
  const named = others === 'fakes' ? [] : others === 'required' ? requires : [...requires, ...optional]
  const services = named.filter((id) => !id.startsWith('kernel.')).map((id) => [{ id }, standInService(id, onUse)] as const)
  const { context, setup, dispose } = createPluginTest(
    plugin,
    { ...options, services: [...services, ...(options.services ?? [])] },
    recorded,
    {
      given: (id, service) => watchedService(id, service, onUse),
      missing: (id) => (others === 'fakes' || !id.startsWith('kernel.') ? undefined : standInService(id, onUse)),
    },
  )
  return {
    setup: () =>
      setup().finally(() => {
        hasEnded = true
      }),
    ...{ dispose, uses, record: recorded.record, violations: recorded.violations, settings: context.config },
  }
}

import type { JsonValue } from '@agent-service/sdk'
import { isPlugin } from '@agent-service/sdk/host'
import type { CollectionDefinition } from '@agent-service/sdk/services/database'
import { kernelCollections } from '../composition/store-phase.js'
import type { MigrationStep } from '../database/index.js'
import { importFile } from '../modules/import-file.js'
import type { DiscoveredPlugin, ValidPlugin } from '../plugins/index.js'
import type { Policies } from '../policy/index.js'
import { exitStatus } from './exit-status.js'
import { withOfflineService } from './offline.js'
import type { Place } from './place.js'

/** Checks what can be checked without starting, and shows what a start would migrate. Changes no document. */
export async function doctorCommand(input: Place & { readonly options: { readonly json?: boolean } }): Promise<number> {
  const { terminal, options } = input
  return withOfflineService(input, async ({ prepared, database, services }) => {
    const { configuration, discovered } = prepared
    const runs = ({ id, notGranted }: ValidPlugin): boolean =>
      notGranted === undefined && !configuration.plugins.disabled.includes(id) && !prepared.isOff(id)
    const { collections, broken } = await readPlugins(discovered, runs)
    const definitions = [...kernelCollections, ...collections]
    const policies = await policyProblem(services.policies)
    const migrations = await database.planMigrations(definitions)
    if (options.json === true) {
      terminal.line(
        JSON.stringify(
          {
            configuration: configuration.file.path,
            warnings: configuration.warnings,
            invalid_plugins: broken.map(({ id }) => id),
            policies: policies ?? 'usable',
            migrations: migrations as unknown as JsonValue,
          },
          null,
          2,
        ),
      )
    } else {
      terminal.line(
        `Configuration  ${configuration.file.exists ? configuration.file.path : `all defaults (${configuration.file.path} is not there)`}`,
      )
      for (const warning of configuration.warnings) terminal.line(terminal.style('yellow', `  ${warning}`))
      terminal.line(`Plugins        ${discovered.length - broken.length} of ${discovered.length} can be used`)
      for (const { id, reason } of broken) terminal.line(terminal.style('red', `  ${id}: ${reason}`))
      terminal.line(
        `Database       ${configuration.database.driver} at ${configuration.database.path}: opens, ${database.health().writable ? 'can be written' : 'cannot be written'}`,
      )
      terminal.line(`Policies       ${policies === undefined ? 'can be used' : 'cannot be used: nothing is allowed'}`)
      if (policies !== undefined) terminal.line(terminal.style('red', `  ${policies}`))
      terminal.line(`Migrations     ${migrations.length === 0 ? 'none' : ''}`)
      for (const step of migrations) terminal.line(`  ${describeStep(step)}`)
    }
    return broken.length > 0 || policies !== undefined ? exitStatus.failed : exitStatus.done
  })
}

/** Why nothing can be decided, where that is so. */
const policyProblem = async (policies: Policies): Promise<string | undefined> =>
  policies.load().then(
    () => undefined,
    (error: unknown) => policies.failure() ?? String(error),
  )

interface PluginsRead {
  readonly collections: readonly CollectionDefinition[]
  readonly broken: readonly { readonly id: string; readonly reason: string }[]
}

/** The collections of the plugins that a start would run, from their code, and the plugins that cannot be used; nothing is set up. */
async function readPlugins(discovered: readonly DiscoveredPlugin[], runs: (plugin: ValidPlugin) => boolean): Promise<PluginsRead> {
  const collections: CollectionDefinition[] = []
  const broken: { readonly id: string; readonly reason: string }[] = []
  for (const plugin of discovered) {
    if (plugin.status === 'invalid') broken.push({ id: plugin.id, reason: plugin.reason })
    else if (plugin.entryPath !== undefined && (plugin.builtIn || runs(plugin))) {
      try {
        const module = (await importFile(plugin.entryPath)) as { readonly default?: unknown }
        if (isPlugin(module.default)) collections.push(...module.default.collections)
      } catch (error) {
        broken.push({
          id: plugin.id,
          reason: `importing ${plugin.entryPath} failed: ${error instanceof Error ? error.message : String(error)}`,
        })
      }
    }
  }
  return { collections, broken }
}

const describeStep = (step: MigrationStep): string =>
  `${step.collection} ${step.from} → ${step.to}: ${step.description} (${step.documents} documents)`

import type { Policies } from '@agent-service/kernel-accounts/policy'
import type { MigrationStep } from '@agent-service/kernel-core/database'
import { importFile } from '@agent-service/kernel-core/modules'
import type { DiscoveredPlugin, ValidPlugin } from '@agent-service/kernel-core/plugins'
import { isPlugin } from '@agent-service/sdk/host'
import type { CollectionDefinition } from '@agent-service/sdk/services/database'
import { kernelCollections } from '../composition/store-phase.js'
import type { Outcome } from './command-action.js'
import { exitStatus } from './exit-status.js'
import type { Invocation } from './invocation.js'
import { type ServiceData, withServiceData } from './service-data.js'

interface Findings extends Pick<ServiceData, 'prepared' | 'database'> {
  readonly broken: PluginsRead['broken']
  /** Why the policies cannot decide; `undefined` if they can. */
  readonly policies: string | undefined
  readonly migrations: readonly MigrationStep[]
}

/**
 * Checks what can be checked without starting, and shows what a start would migrate. Changes no
 * document.
 */
export async function examine(invocation: Invocation): Promise<Outcome> {
  return withServiceData(invocation, async ({ prepared, database, services }) => {
    const { configuration, discovered } = prepared
    const runs = ({ id, notGranted }: ValidPlugin): boolean =>
      notGranted === undefined && !configuration.plugins.disabled.includes(id) && !prepared.isOff(id)
    const { collections, broken } = await readPlugins(discovered, runs)
    const policies = await policyProblem(services.policies)
    const migrations = await database.planMigrations([...kernelCollections, ...collections])
    return {
      status: broken.length > 0 || policies !== undefined ? exitStatus.failed : exitStatus.done,
      json: {
        configuration: configuration.file.path,
        warnings: configuration.warnings,
        invalid_plugins: broken.map(({ id }) => id),
        policies: policies ?? 'usable',
        migrations,
      },
      lines: linesOf({ prepared, database, broken, policies, migrations }, invocation.terminal.style),
    }
  })
}

function linesOf(
  { prepared, database, broken, policies, migrations }: Findings,
  style: Invocation['terminal']['style'],
): readonly string[] {
  const { configuration, discovered } = prepared
  const { file, warnings } = configuration
  const { driver, path } = configuration.database
  return [
    `Configuration  ${file.exists ? file.path : `all defaults (${file.path} does not exist)`}`,
    ...warnings.map((warning) => style('yellow', `  ${warning}`)),
    `Plugins        ${discovered.length - broken.length} of ${discovered.length} are usable`,
    ...broken.map(({ id, reason }) => style('red', `  ${id}: ${reason}`)),
    `Database       ${driver} at ${path}: opens, ${database.health().writable ? 'is writable' : 'is not writable'}`,
    `Policies       ${policies === undefined ? 'are usable' : 'are not usable: everything is denied'}`,
    ...(policies === undefined ? [] : [style('red', `  ${policies}`)]),
    `Migrations     ${migrations.length === 0 ? 'none' : ''}`,
    ...migrations.map((step) => `  ${step.collection} ${step.from} → ${step.to}: ${step.description} (${step.documents} documents)`),
  ]
}

const policyProblem = async (policies: Policies): Promise<string | undefined> =>
  policies.load().then(
    () => undefined,
    (error: unknown) => policies.failure() ?? String(error),
  )

interface PluginsRead {
  readonly collections: readonly CollectionDefinition[]
  readonly broken: readonly { readonly id: string; readonly reason: string }[]
}

/**
 * The collections of the plugins that a start would run, from their code, and the plugins that are
 * not usable; nothing is set up.
 */
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

import { type Disposer, type Plugin, pluginNotReadyError } from '@agent-service/sdk'
import { withTimeLimit } from '@agent-service/sdk/async'
import { codeLines, messageOf, pluginOfModule, unknownPointLines } from '@agent-service/sdk/host'
import type { Database } from '@agent-service/sdk/services/database'
import { importFile, isBundled } from '../../modules/import-file.js'
import type { Admission } from '../contributions/contribution-registry.js'
import type { EndedSetup } from '../contributions/prepare-contributions.js'
import type { ValidPlugin } from '../discover/discovered-plugin.js'
import { pluginStartError, refusedPlugin, serviceUnavailableError } from '../plugin-errors.js'
import { kernelServicesFor } from './kernel-services.js'
import type { Offer } from './offer-plugin.js'
import type { PluginEnvironment, PluginSurroundings } from './plugin-environment.js'
import { type PublishedPlugin, prepare, publish } from './publish-contributions.js'
import type { ServiceRegistry } from './service-registry.js'
import { createSetupContext } from './setup-context.js'

/** A start. Its scope gets everything that is opened; the caller disposes it if the start throws. */
export interface PluginStart extends PublishedPlugin {
  readonly services: ServiceRegistry
  /**
   * Outside the service: the one point whose contributions count. Once setup has contributed to it,
   * setup may end at the first service that is not there, so that one plugin can have both a command
   * and what needs the service. Default: everything counts, and setup has to come to its end.
   */
  readonly onlyPoint?: string
}

/**
 * Imports a plugin, runs its setup and publishes its contributions and services, all at once at the
 * end.
 * @throws an error whose message is the reason in the report; `plugin_not_ready` as the plugin
 * threw it.
 */
export async function startPlugin(start: PluginStart): Promise<Admission> {
  const code = await importPlugin(start)
  return seal(start, code, await runSetup(start, code))
}

/**
 * Starts a plugin whose contributions are offered already: imports it, runs its setup, publishes its services
 * and puts its code behind the offer.
 * @throws as {@link startPlugin}, and `recorded_setup_differs`.
 */
export async function startOfferedPlugin(start: PluginStart, offer: Offer): Promise<void> {
  // The service runs: its import must not meet another one.
  const code = await importPlugin(start, 'in turn')
  fulfil(start, offer, code, await runSetup(start, code))
}

async function importPlugin(start: PluginStart, when?: 'in turn'): Promise<Plugin> {
  const { plugin, environment } = start
  const unknownPoints = unknownPointLines(plugin.manifest, environment.knownPoints)
  if (unknownPoints.length > 0) throw refusedPlugin(unknownPoints)
  const { entryPath } = plugin
  if (entryPath === undefined) throw pluginStartError.create({ reason: 'it has no code' })
  const module = await within(start, environment.limits.setupMs, {
    work: () => importModule(entryPath, plugin, environment, when),
    late: (seconds) => `importing ${entryPath} did not end within ${seconds} s; a module must not wait for anything at its top level`,
    what: `importing ${entryPath} failed`,
  })
  const exported = pluginOfModule(module, entryPath)
  if ('reason' in exported) throw pluginStartError.create(exported)
  const lines = isBundled(entryPath) ? [] : codeLines(plugin, exported.code, plugin.manifest)
  if (lines.length > 0) throw refusedPlugin(lines)
  return exported.code
}

async function runSetup(start: PluginStart, code: Plugin): Promise<EndedSetup> {
  const { plugin, environment, services, scope, stopping, surroundings, onlyPoint } = start
  const opened = surroundings && { ...surroundings, database: await openDatabase(start, surroundings, code) }
  const runAsPlugin = <Result>(work: () => Result): Result => environment.faults.run(plugin.id, work)
  const runHook = <Result>(hook: () => Result): Result => {
    const run = (): Result => runAsPlugin(hook)
    return plugin.builtIn || environment.intrinsics === undefined ? run() : environment.intrinsics.aroundHook(plugin.id, run)
  }
  const setup = createSetupContext({
    runHook,
    manifest: plugin.manifest,
    config: environment.configurationOf(plugin.manifest),
    log: environment.log.child({ plugin: plugin.id }),
    scope,
    stopping,
    kernelService: kernelServicesFor(environment, plugin.id, scope, opened),
    pluginService: (id) => services.get(id),
  })
  const work = async (): Promise<void> => {
    try {
      const undo: void | Disposer = await code.setup(setup.context)
      // In a scope that was disposed meanwhile, this runs the undo at once.
      if (typeof undo === 'function') scope.add('setup', () => runHook(undo))
    } catch (error) {
      const isEnough = onlyPoint !== undefined && serviceUnavailableError.isInstance(error) && setup.hasContributedTo(onlyPoint)
      if (!isEnough) throw error
    }
  }
  try {
    await within(start, environment.limits.setupMs, {
      work: () => (plugin.builtIn ? undefined : environment.intrinsics?.around(plugin.id, () => runAsPlugin(work))) ?? runAsPlugin(work),
      late: (seconds) => `setup did not end within ${seconds} s; open connections when they are first needed`,
      what: 'setup failed',
    })
    return setup.seal()
  } finally {
    setup.close()
  }
}

const openDatabase = (start: PluginStart, surroundings: PluginSurroundings, code: Plugin): Promise<Database> =>
  within(start, start.environment.limits.databaseMs, {
    work: () => surroundings.openDatabase(start.plugin, code.collections),
    late: (seconds) => `opening its collections did not end within ${seconds} s`,
    what: 'opening its collections failed',
  })

function seal(start: PluginStart, code: Plugin, setup: EndedSetup): Admission {
  const { plugin, environment, services, scope, onlyPoint } = start
  const isWhole = onlyPoint === undefined
  const prepared = prepare(start, isWhole ? setup : contributionsTo(onlyPoint, setup), {
    provides: (isWhole ? plugin.manifest.provides : undefined) ?? [],
    collections: isWhole ? code.collections : [],
  })
  if (environment.standbyOf(plugin.id) === undefined) scope.add('services', services.admit(plugin.id, setup.services))
  return publish(start, prepared)
}

/** What the plugin contributes is published already. */
function fulfil(start: PluginStart, offer: Offer, code: Plugin, setup: EndedSetup): void {
  const { plugin, services, scope } = start
  prepare(start, setup, { provides: plugin.manifest.provides ?? [], collections: code.collections })
  offer.fulfil(setup.contributions)
  scope.add('services', services.admit(plugin.id, setup.services))
}

const contributionsTo = (pointId: string, { contributions, violations }: EndedSetup): EndedSetup => ({
  contributions: contributions.filter(({ point }) => point.id === pointId),
  services: new Map(),
  violations,
})

/**
 * Does one step of a start within a limit. Errors of the host and `plugin_not_ready` pass unchanged;
 * any other gets the step where it happened.
 */
async function within<Result>(
  { environment, scope }: PluginStart,
  limitMs: number,
  step: { readonly work: () => Promise<Result>; readonly late: (seconds: number) => string; readonly what: string },
): Promise<Result> {
  const timedOut = (): Error => pluginStartError.create({ reason: step.late(limitMs / 1000) })
  try {
    return await withTimeLimit(step.work, { clock: environment.clock, limitMs, signal: scope.signal, timedOut })
  } catch (error) {
    if (pluginNotReadyError.isInstance(error) || pluginStartError.isInstance(error)) throw error
    throw pluginStartError.create({ reason: `${step.what}: ${messageOf(error)}` }, { cause: error })
  }
}

/** Imports a plugin's module, attributed to the plugin. Those from elsewhere are imported one after the other, and others where that is asked for. */
export function importModule(
  entryPath: string,
  plugin: Pick<ValidPlugin, 'id' | 'builtIn'>,
  { faults, imports, intrinsics, followsHandles = false }: Pick<PluginEnvironment, 'faults' | 'imports' | 'intrinsics' | 'followsHandles'>,
  when?: 'in turn',
): Promise<unknown> {
  if (followsHandles && !plugin.builtIn) faults.followHandles(plugin.id)
  const load = (): Promise<unknown> => importFile(entryPath)
  if (plugin.builtIn && when === undefined) return faults.run(plugin.id, () => imports?.atOnce(load) ?? load())
  const guarded = (): Promise<unknown> => (plugin.builtIn ? undefined : intrinsics?.aroundImport(plugin.id, entryPath, load)) ?? load()
  return faults.run(plugin.id, () => imports?.inTurn(entryPath, guarded) ?? guarded())
}

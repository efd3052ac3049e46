import { type Disposer, type Plugin, pluginNotReadyError } from '@agent-service/sdk'
import { withTimeLimit } from '@agent-service/sdk/async'
import { type SchedulerJob, schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { codeLines, type DisposableScope, messageOf, pluginOfModule, type StoppingHooks, unknownPointLines } from '@agent-service/sdk/host'
import type { Database } from '@agent-service/sdk/services/database'
import { importFile } from '../../modules/import-file.js'
import type { Admission } from '../contributions/contribution-registry.js'
import { type EndedSetup, prepareContributions } from '../contributions/prepare-contributions.js'
import type { ValidPlugin } from '../discover/discovered-plugin.js'
import { pluginStartError, refusedPlugin, serviceUnavailableError } from '../plugin-errors.js'
import { addRoutes, contributed } from './add-routes.js'
import { kernelServicesFor } from './kernel-services.js'
import type { PluginEnvironment, PluginSurroundings } from './plugin-environment.js'
import type { PluginFault } from './plugin-faults.js'
import type { ServiceRegistry } from './service-registry.js'
import { createSetupContext } from './setup-context.js'

export interface PluginStart {
  readonly plugin: ValidPlugin
  readonly environment: PluginEnvironment
  readonly services: ServiceRegistry
  /** Gets everything that is opened. The caller disposes it if the start throws. */
  readonly scope: DisposableScope
  /** Gets the hooks that run before the calls in flight are awaited. Of the same scope. */
  readonly stopping: StoppingHooks
  /** Absent before the database is open. */
  readonly surroundings: PluginSurroundings | undefined
  /**
   * Outside the service: the one point whose contributions count. Once setup has contributed to it,
   * setup may end at the first service that is not there, so that one plugin can have both a command
   * and what needs the service. Default: everything counts, and setup has to come to its end.
   */
  readonly onlyPoint?: string
  /** Called when a contribution breaks its contract and the service goes on. */
  readonly onFault: (fault: PluginFault) => void
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

async function importPlugin(start: PluginStart): Promise<Plugin> {
  const { plugin, environment } = start
  const unknownPoints = unknownPointLines(plugin.manifest, environment.knownPoints)
  if (unknownPoints.length > 0) throw refusedPlugin(unknownPoints)
  const { entryPath } = plugin
  if (entryPath === undefined) throw pluginStartError.create({ reason: 'it has no code' })
  const module = await within(start, environment.limits.setupMs, {
    work: () => importModule(entryPath, plugin, environment),
    late: (seconds) => `importing ${entryPath} did not end within ${seconds} s; a module must not wait for anything at its top level`,
    what: `importing ${entryPath} failed`,
  })
  const exported = pluginOfModule(module, entryPath)
  if ('reason' in exported) throw pluginStartError.create(exported)
  const lines = codeLines(plugin, exported.code, plugin.manifest)
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

function seal(
  { plugin, environment, services, scope, stopping, surroundings, onlyPoint, onFault }: PluginStart,
  code: Plugin,
  setup: EndedSetup,
): Admission {
  const isWhole = onlyPoint === undefined
  const all = prepareContributions(isWhole ? setup : contributionsTo(onlyPoint, setup), {
    plugin,
    manifest: isWhole ? plugin.manifest : {},
    collections: isWhole ? code.collections : [],
    knownPoints: environment.knownPoints,
    guard: {
      run: (work) => environment.faults.run(plugin.id, work),
      onFault: (place, error) => onFault({ pluginId: plugin.id, kind: 'broken contribution', error, place }),
    },
  })
  const standby = environment.standbyOf(plugin.id)
  const contributions = standby === undefined ? all : all.filter(({ point }) => point === standby || point === userData.id)
  let admission: Admission | undefined
  if (standby === undefined) scope.add('services', services.admit(plugin.id, setup.services))
  addRoutes({ plugin, environment, scope, stopping }, contributions, () => admission?.acquire())
  const admitted = environment.contributions.admit(plugin.id, contributions)
  admission = admitted
  scope.add('contributions', () => admitted.withdraw())
  if (surroundings === undefined) return admitted
  for (const job of contributed<SchedulerJob>(contributions, schedulerJobs.id))
    scope.add(`job ${job.id}`, surroundings.scheduler.add(leased(job, admitted), { pluginId: plugin.id }))
  return admitted
}

const contributionsTo = (pointId: string, { contributions, violations }: EndedSetup): EndedSetup => ({
  contributions: contributions.filter(({ point }) => point.id === pointId),
  services: new Map(),
  violations,
})

/**
 * A run is a call in flight like any other: disabling the plugin waits for it, and aborts it after
 * the time limit.
 */
function leased(job: SchedulerJob, admission: Admission): SchedulerJob {
  return {
    ...job,
    async run(run) {
      const lease = admission.acquire()
      if (lease === undefined) return
      try {
        await job.run({ ...run, signal: AbortSignal.any([run.signal, lease.signal]) })
      } finally {
        lease.release()
      }
    },
  }
}

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

/** Imports a plugin's module, attributed to the plugin. Those from elsewhere are imported one after the other. */
export function importModule(
  entryPath: string,
  plugin: Pick<ValidPlugin, 'id' | 'builtIn'>,
  { faults, imports, intrinsics, followsHandles = false }: Pick<PluginEnvironment, 'faults' | 'imports' | 'intrinsics' | 'followsHandles'>,
): Promise<unknown> {
  if (followsHandles && !plugin.builtIn) faults.followHandles(plugin.id)
  const load = (): Promise<unknown> => importFile(entryPath)
  if (plugin.builtIn) return faults.run(plugin.id, () => imports?.atOnce(load) ?? load())
  const guarded = (): Promise<unknown> => intrinsics?.aroundImport(plugin.id, entryPath, load) ?? load()
  return faults.run(plugin.id, () => imports?.inTurn(entryPath, guarded) ?? guarded())
}

import type { Disposer, Logger, PluginManifestFile } from '@agent-service/sdk'
import type { SchedulerJob } from '@agent-service/sdk/contracts/scheduler-job'
import type { DisposableScope, KnownPoints } from '@agent-service/sdk/host'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { CollectionDefinition, Database } from '@agent-service/sdk/services/database'
import type { RouteTable } from '../../http/route-table.js'
import type { Redactor } from '../../log/redactor.js'
import type { ImportTurns } from '../../modules/import-turns.js'
import type { ContributionRegistry } from '../contributions/contribution-registry.js'
import type { IntrinsicsGuard } from './intrinsics-guard.js'
import type { PluginFaults } from './plugin-faults.js'

/** Time limits for the phases of a plugin's life, in milliseconds. */
export interface PluginLimits {
  /** Importing the module, and running `setup`, each. Default 30,000. */
  readonly setupMs: number
  /** Opening the collections, including migrations. Default 3,600,000. */
  readonly databaseMs: number
  /**
   * Waiting for calls in flight when a plugin stops, before their signals are aborted. Default
   * 10,000.
   */
  readonly drainMs: number
  /** Each single undo. Default 10,000. */
  readonly disposerMs: number
  /**
   * All plugins together, when the service stops. It goes on without those that take longer, so that
   * the database is closed in time. Default 25,000.
   */
  readonly stopMs: number
  /**
   * How long the start waits for plugins that are neither built in nor needed, once all others have
   * settled. They go on starting in the background.
   * Default 2,000.
   */
  readonly graceMs: number
}

/** Schedules the recurring work of plugins. */
export interface JobScheduler {
  /**
   * @throws when the job is not valid; the plugin fails with the reason. The result removes the job
   * without waiting for a run under way.
   */
  add(job: SchedulerJob, owner: { readonly pluginId: string }): Disposer
}

/**
 * Makes a kernel service for one start of one plugin. `runAsPlugin` runs code of the plugin: errors
 * that escape from it are attributed to the plugin.
 */
export type KernelServiceFactory = (
  pluginId: string,
  scope: DisposableScope,
  runAsPlugin: <Result>(work: () => Promise<Result>) => Promise<Result>,
) => unknown

/** What every plugin of a host gets at its start. */
export interface PluginEnvironment {
  readonly clock: Clock
  readonly log: Logger
  readonly redactor: Redactor
  readonly faults: PluginFaults
  /** Whether what plugins from elsewhere open is followed, to be named if they leave it running. Default: it is not. */
  readonly followsHandles?: boolean
  /** Default: plugins start one after the other, so that nothing has to be kept apart. */
  readonly imports?: ImportTurns
  /** Default: what plugins change of the language and of Node is neither found nor put back. */
  readonly intrinsics?: IntrinsicsGuard
  readonly contributions: ContributionRegistry
  readonly routes: RouteTable
  readonly knownPoints: KnownPoints
  readonly limits: PluginLimits
  readonly configurationOf: (manifest: PluginManifestFile) => unknown
  /** Services beside the clock that need nothing open: for plugins that start without a database. Default: none. */
  readonly plainServices?: ReadonlyMap<string, unknown>
  /**
   * The point for which a plugin runs beside the one that fills its slot: of what it contributes only
   * that becomes visible, and its `user.data`. Undefined for every other plugin.
   */
  readonly standbyOf: (pluginId: string) => string | undefined
}

/** What is added once the database is open. A plugin that starts earlier has only the clock. */
export interface PluginSurroundings {
  readonly scheduler: JobScheduler
  readonly openDatabase: (
    plugin: { readonly id: string; readonly builtIn: boolean },
    definitions: readonly CollectionDefinition[],
  ) => Promise<Database>
  /**
   * Services of the kernel by id. Each is made for one start of one plugin; what it opens is added
   * to the scope.
   */
  readonly kernelServices: ReadonlyMap<string, KernelServiceFactory>
}

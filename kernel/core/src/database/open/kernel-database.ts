import type { Disposer } from '@agent-service/sdk'
import type { DatabaseHealth } from '@agent-service/sdk/contracts/database-driver'
import type { CollectionDefinition, Database, Transaction } from '@agent-service/sdk/services/database'
import type { InjectionToken } from 'tsyringe'
import type { Upkeep } from '../collections/upkeep.js'
import type { MigrationStep } from '../migrations/plan-migrations.js'
import type { KernelTransaction } from '../transactions/transaction-attempt.js'

/** The opened store. */
export interface KernelDatabase {
  /**
   * Creates, indexes and migrates an owner's collections, and returns the owner's view of the
   * database. Refuses another owner's collection, naming both; a stored version above the
   * definition's is `database_newer`. A collection's owner is stored: collections of a third party
   * or of the service stay theirs, also while the owner does not run. The service's own parts may
   * pass collections among themselves.
   */
  openFor(owner: string, definitions: readonly CollectionDefinition[], options?: { readonly thirdParty?: boolean }): Promise<Database>
  /** The migrations that {@link openFor} would run, without writing. */
  planMigrations(definitions: readonly CollectionDefinition[]): Promise<readonly MigrationStep[]>
  /** Access to stored documents for the kernel's work on them without their owner's code. */
  readonly upkeep: Upkeep
  /** The kernel's view of a transaction of any owner's view. */
  kernelView(transaction: Transaction): KernelTransaction
  /** The revision of the newest commit that this process knows of. */
  revision(): number
  health(): DatabaseHealth
  /** Registers a listener for changes of {@link health}. */
  onHealthChange(listener: (health: DatabaseHealth) => void): Disposer
  /** The id of the driver. */
  readonly driver: string
  /**
   * Copies a consistent state into an empty folder, while work goes on. Not durable. Absent if the
   * driver cannot.
   */
  readonly copy?: (
    folder: string,
    options: { readonly signal: AbortSignal; readonly progress: (done: number, total: number) => void },
  ) => Promise<{ readonly revision: number; readonly collections: readonly { readonly name: string; readonly version: number }[] }>
  /**
   * Makes everything that was deleted or replaced before unreadable in the files of the store. This
   * also happens automatically: seconds after a deletion, minutes after a replacement, and after
   * the start.
   */
  purge(options: { readonly signal: AbortSignal }): Promise<void>
  /**
   * Completes accepted work, closes the store and releases the folder's lock. May be called again.
   */
  close(): Promise<void>
}

export const databaseToken: InjectionToken<KernelDatabase> = Symbol('database')
/** The kernel's own view, with the collections of all its parts. */
export const ownDatabaseToken: InjectionToken<Database> = Symbol('own-database')

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
   * Creates, indexes and migrates an owner's collections, and gives the owner's view of the database. A collection that another owner has is
   * refused, naming both; a stored version above the definition's is `database_newer`. Whose a collection is, is stored with it: what a third party
   * or a part of the service kept stays its own, also while it does not run. The service's own parts may hand collections on among themselves.
   */
  openFor(owner: string, definitions: readonly CollectionDefinition[], options?: { readonly thirdParty?: boolean }): Promise<Database>
  /** What {@link openFor} would migrate, without writing. */
  planMigrations(definitions: readonly CollectionDefinition[]): Promise<readonly MigrationStep[]>
  /** Documents as they are stored, for what the kernel does to them without their owner's code. */
  readonly upkeep: Upkeep
  /** The kernel's view of a transaction that any owner's view made. */
  kernelView(transaction: Transaction): KernelTransaction
  /** The revision of the newest commit that this process knows of. */
  revision(): number
  health(): DatabaseHealth
  /** Calls back when {@link health} changes. */
  onHealthChange(listener: (health: DatabaseHealth) => void): Disposer
  /** A consistent copy into an empty folder, while work goes on. */
  backup(folder: string, options: { readonly signal: AbortSignal; readonly progress: (done: number, total: number) => void }): Promise<void>
  /**
   * Makes everything that was deleted or replaced before unreadable in the files of the store. It is done without being asked for too: seconds after a
   * deletion, minutes after a replacement, and after the start.
   */
  purge(options: { readonly signal: AbortSignal }): Promise<void>
  /** Finishes what was accepted, closes the store, gives the folder's lock back. May be called again. */
  close(): Promise<void>
}

export const databaseToken: InjectionToken<KernelDatabase> = Symbol('database')
/** The kernel's own view, with the collections of all its parts. */
export const ownDatabaseToken: InjectionToken<Database> = Symbol('own-database')

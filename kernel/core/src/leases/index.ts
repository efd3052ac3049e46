import { defineError } from '@agent-service/sdk'
import type { Transaction } from '@agent-service/sdk/services/database'
import type { InjectionToken } from 'tsyringe'

/** Another process has taken over a lease of this one, or may have. */
export const leaseLostError = defineError<{ readonly name: string }>({
  code: 'lease_lost',
  status: 500,
  title: 'Lease lost',
  message: ({ name }) => `This process no longer holds the lease “${name}”: another process of the deployment may have taken it over.`,
})

/** The right of this process to do what only one process may do. */
export interface Lease {
  readonly name: string
  /** Grows whenever another process takes over. */
  readonly epoch: number
  /**
   * Aborted if this process could not renew its leases in time: from then on, another may take
   * over.
   */
  readonly signal: AbortSignal
}

/**
 * Leases for work that only one process of a deployment may do. Each process writes a heartbeat to
 * the store every ten seconds, however many leases it holds. If another process sees no new
 * heartbeat for 35 seconds, it frees the leases. Clocks of different machines are never compared:
 * each process measures the elapsed time by its own. A process that cannot renew gives up after 30
 * seconds, before others take over.
 *
 * If the store belongs to one process, all leases are free and nothing is written.
 */
export interface ProcessLeases {
  /**
   * Takes a lease, or renews one of this process; `held` if another process holds it. With
   * `occurrence`, for scheduled work: `done` if that occurrence or a later one was already begun.
   */
  take(name: string, options?: { readonly occurrence?: number }): Promise<Lease | 'held' | 'done'>
  /**
   * Makes a transaction fail unless this process still holds the lease at its commit. @throws
   * `lease_lost`
   */
  confirm(transaction: Transaction, lease: Lease): Promise<void>
  /** Releases a lease if this process holds it: another process can take it at once. */
  release(name: string): Promise<void>
  /**
   * The versions of a plugin that other living processes have, by their heartbeats; empty if none has
   * it, or the store belongs to one process.
   */
  versionsElsewhere(pluginId: string): Promise<readonly string[]>
  /** Releases all leases and stops the heartbeat. May be called again. */
  close(): Promise<void>
}

export const leasesToken: InjectionToken<ProcessLeases> = Symbol('leases')

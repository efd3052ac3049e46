import { type CollectionDefinition, defineCollection } from '@agent-service/sdk/services/database'

/**
 * A running process: other processes watch whether `beat` grows. Deleted when the process ends, or
 * when another process finds that it has stopped.
 */
export interface ProcessRecord {
  readonly id: string
  readonly beat: number
  readonly began_at: string
  /** The versions of the plugins that it has and that are not switched off, by id; absent in records of earlier releases. */
  readonly plugins?: Readonly<Record<string, string>>
}

/** Which process holds a lease. */
export interface LeaseRecord {
  /** The name of the lease, for example `job:agents.prune-events`. */
  readonly id: string
  /**
   * The process that holds it. The lease is free if this is null or the process has no {@link
   * ProcessRecord}.
   */
  readonly holder: string | null
  /** Grows with each change of the holder. */
  readonly epoch: number
  /**
   * For scheduled work: the time of the latest occurrence that was begun, in milliseconds since
   * 1970.
   */
  readonly occurrence: number | null
}

export const processCollection = defineCollection<ProcessRecord>()({
  name: 'kernel.processes',
  version: 1,
  indexes: { by_begin: { fields: ['began_at'] } },
})

export const leaseCollection = defineCollection<LeaseRecord>()({ name: 'kernel.leases', version: 1, indexes: {} })

/** Every collection of leases, for the kernel's `openFor`. */
export const leaseCollections: readonly CollectionDefinition[] = [processCollection, leaseCollection]

import { type CollectionDefinition, defineCollection } from '@agent-service/sdk/services/database'

/** A process that is there: others watch whether `beat` goes on. Gone when it ended in order, or when another process saw that it stands still. */
export interface ProcessRecord {
  readonly id: string
  readonly beat: number
  readonly began_at: string
}

/** Who does what only one process may do. */
export interface LeaseRecord {
  /** What it is for: `job:agents.prune-events`. */
  readonly id: string
  /** The process that has it. Without a {@link ProcessRecord} of it, or null: free. */
  readonly holder: string | null
  /** Grows with each change of the holder. */
  readonly epoch: number
  /** Of work at certain times: the newest that was begun, in milliseconds since 1970. */
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

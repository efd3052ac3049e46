import type { MemoryBackend } from '../../contracts/memory-backend/memory-backend.js'

/** A back end with an empty store. */
export interface MemoryBench {
  /** The back end. */
  readonly backend: MemoryBackend
  /** Lets the back end's time pass; at least so many milliseconds. */
  advance(milliseconds: number): Promise<void>
  /** Opens the same store again, as after a restart of the service. Default: not tested. */
  reopen?(): Promise<MemoryBackend>
  /** Closes everything. */
  close(): Promise<void>
}

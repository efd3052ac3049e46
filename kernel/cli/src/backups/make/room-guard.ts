import type { roomOf } from '@agent-service/kernel-core/disk'
import { backupNoRoomError } from '../errors.js'

/** Ends a backup before it takes the reserve of the disk, on which the database may be, too. */
export interface RoomGuard {
  /** Aborted when the disk has become full meanwhile. */
  readonly signal: AbortSignal
  /** The room there is. @throws `backup_no_room` if it is less. */
  check(bytes: number): Promise<number>
  /** As {@link check}, for a caller that does not wait: what it finds aborts the signal. */
  watch(bytes: number): void
}

export function createRoomGuard(folder: string, measure: typeof roomOf): RoomGuard {
  const full = new AbortController()
  let isMeasuring = false
  const check = async (bytes: number, needed: number | null): Promise<number> => {
    const { usable } = await measure(folder)
    if (bytes > usable) throw backupNoRoomError.create({ folder, needed })
    return usable
  }
  return {
    signal: full.signal,
    // How much the whole backup needs is not known.
    check: (bytes) => check(bytes, null),
    watch(bytes) {
      if (isMeasuring) return
      isMeasuring = true
      check(bytes, bytes)
        .catch((error: unknown) => full.abort(error))
        .finally(() => {
          isMeasuring = false
        })
    },
  }
}

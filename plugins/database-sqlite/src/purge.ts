import { setTimeout } from 'node:timers/promises'
import { purgeDelayedError } from '@agent-service/sdk/contracts/database-driver'
import { firstPlace, type PurgePlace } from './purge-steps.js'
import { writerStoppedError } from './sqlite-errors.js'
import type { WriteQueue } from './write-queue.js'
import type { WriterReply } from './writer-protocol.js'

/** Dependencies of a purge. */
export interface PurgeOptions {
  readonly file: string
  readonly queue: WriteQueue
  readonly signal: AbortSignal
  /**
   * `rows`: only from what a copy of all rows would have, text indexes included. Default: from
   * every byte of the files.
   */
  readonly from?: 'rows'
}

/** How long readers are waited for, in milliseconds, and how often they are looked for. */
const maxWaitMs = 60_000
const waitMs = 50

/**
 * Makes what was deleted unreadable in the file, its log and its text indexes, step by step;
 * commits have their turn between two steps.
 * @throws `purge_delayed` when something reads one moment for longer than a minute; the signal's
 * reason.
 */
export async function purge({ file, queue, signal, from }: PurgeOptions): Promise<void> {
  let waited = 0
  for (let place: PurgePlace | undefined = firstPlace; place !== undefined && (from !== 'rows' || place.step !== 'pages'); ) {
    signal.throwIfAborted()
    const taken: PurgePlace = place
    const reply: WriterReply = await queue.exclusive((request) => request({ kind: 'purge', place: taken }))
    if (reply.kind !== 'purged') throw writerStoppedError.create({ reason: `it answered ${reply.kind}` })
    if (!reply.progress.busy) {
      place = reply.progress.next
      waited = 0
    } else {
      if (waited >= maxWaitMs) throw purgeDelayedError.create({ path: file })
      waited += waitMs
      await setTimeout(waitMs, undefined, { signal, ref: false }).catch(() => signal.throwIfAborted())
    }
  }
}

import type { Logger } from '@agent-service/sdk'
import type { StartThread } from './threads.js'
import { startWriter, type WriterClient } from './writer-client.js'
import type { WriterData } from './writer-protocol.js'

/** Keeps a writer running: if its thread dies, the next one who needs it gets a new one. */
export interface WriterKeeper {
  /**
   * The writer that runs now. @throws the errors of opening when it must be started again and
   * cannot.
   */
  readonly writer: () => Promise<WriterClient>
  /** Closes the file and waits for the thread to end. */
  close(): Promise<void>
}

/** Dependencies of a keeper. */
export interface WriterKeeperOptions {
  readonly data: WriterData
  readonly startThread: StartThread
  readonly signal: AbortSignal
  readonly log: Logger
}

/** Starts the first writer. */
export async function createWriterKeeper({ data, startThread, signal, log }: WriterKeeperOptions): Promise<WriterKeeper> {
  const ending = new AbortController()
  let current: Promise<WriterClient> | undefined

  const start = (startSignal: AbortSignal): Promise<WriterClient> => {
    const starting: Promise<WriterClient> = startWriter({
      data,
      startThread,
      signal: startSignal,
      onStop(reason) {
        log.error('The thread that writes to the database ended unexpectedly. It is restarted.', { reason })
        if (current === starting) current = undefined
      },
    })
    starting.catch(() => {
      if (current === starting) current = undefined
    })
    return starting
  }

  current = start(signal)
  await current

  return {
    writer() {
      current ??= start(ending.signal)
      return current
    },
    async close() {
      const client = await current?.catch(() => undefined)
      if (!client) return
      await client.request({ kind: 'close' }).catch((error: unknown) => log.warn('The database was not closed properly.', { error }))
      await client.ended()
      ending.abort()
    },
  }
}

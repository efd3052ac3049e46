/** How much may wait before a writer does. */
export const maxWaitingBytes = 262_144

/** What is written to a process, as it takes it. */
export interface ProcessInput {
  /** For the driver, read once. Leaving it drops what waits. */
  readonly chunks: AsyncIterable<Uint8Array>
  /** Resolves when at most 256 KiB wait; false if the input is closed. */
  write(bytes: Uint8Array): Promise<boolean>
  /** What waits is still read. A second time nothing happens. */
  close(): void
  /** The process has ended: what waits is dropped. */
  drop(): void
}

export function createProcessInput(): ProcessInput {
  const waiting: Uint8Array[] = []
  const writers: (() => void)[] = []
  let waitingBytes = 0
  let closed = false
  let left = false
  let wakeReader: () => void = () => undefined

  const settleWriters = (): void => {
    if (waitingBytes <= maxWaitingBytes || left) for (const each of writers.splice(0)) each()
  }
  const leave = (): void => {
    closed = true
    left = true
    waiting.length = 0
    waitingBytes = 0
    settleWriters()
  }
  async function* read(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const bytes = waiting.shift()
        if (bytes !== undefined) {
          waitingBytes -= bytes.length
          settleWriters()
          yield bytes
        } else if (closed) return
        else
          await new Promise<void>((resolve) => {
            wakeReader = resolve
          })
      }
    } finally {
      leave()
    }
  }
  return {
    chunks: read(),
    async write(bytes) {
      if (closed) return false
      if (bytes.length > 0) {
        waiting.push(bytes.slice())
        waitingBytes += bytes.length
        wakeReader()
      }
      if (waitingBytes > maxWaitingBytes) await new Promise<void>((resolve) => writers.push(resolve))
      return !left
    },
    close() {
      closed = true
      wakeReader()
    },
    drop() {
      leave()
      wakeReader()
    },
  }
}

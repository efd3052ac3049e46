/** The service takes 64 KiB in a message and 200 messages a second. */
const maxMessageBytes = 49_152
const pauseMs = 10

/** Joins keys that come at once: a paste of any size stays below the limits of the service. */
export interface KeyQueue {
  /** The first are sent at once. */
  add(bytes: Uint8Array): void
  close(): void
}

export function createKeyQueue(send: (bytes: Uint8Array<ArrayBuffer>) => void): KeyQueue {
  let waiting = new Uint8Array(0)
  let timer: ReturnType<typeof setTimeout> | undefined
  const flush = (): void => {
    timer = undefined
    if (waiting.length === 0) return
    const part = waiting.slice(0, maxMessageBytes)
    waiting = waiting.slice(part.length)
    send(part)
    timer = setTimeout(flush, pauseMs)
  }
  return {
    add(bytes) {
      const joined = new Uint8Array(waiting.length + bytes.length)
      joined.set(waiting)
      joined.set(bytes, waiting.length)
      waiting = joined
      if (timer === undefined) flush()
    },
    close() {
      clearTimeout(timer)
      waiting = new Uint8Array(0)
    },
  }
}

/** The number of waiting bytes above which the endpoint is paused. */
const fullAt = 256 * 1024

/** The body of an answer between its connection and its reader. */
export interface BodyQueue {
  /** Bytes came. */
  add(bytes: Uint8Array): void
  /** The body is whole. What came before is still read. */
  end(): void
  /** The body breaks off. What came before is still read. */
  fail(error: unknown): void
  /**
   * All bytes that have come, in one piece; those that come in one turn are read together.
   * `undefined` at the end. One call at a time. Rejects with the error of `fail`.
   */
  read(): Promise<Uint8Array | undefined>
}

/** Makes an empty queue. `pause` and `resume` stop the connection while the reader is slow. */
export function createBodyQueue(connection: { pause(): void; resume(): void }): BodyQueue {
  let waiting: Uint8Array[] = []
  let waitingBytes = 0
  let paused = false
  let outcome: { readonly error?: unknown } | undefined
  let reader: { readonly resolve: (bytes: Uint8Array | undefined) => void; readonly reject: (error: unknown) => void } | undefined
  let waking = false

  /** Passes the available bytes to the reader. */
  const wake = (): void => {
    waking = false
    if (!reader) return
    const { resolve, reject } = reader
    reader = undefined
    const [first, ...more] = waiting
    if (first) {
      resolve(more.length === 0 ? first : Buffer.concat(waiting, waitingBytes))
      waiting = []
      waitingBytes = 0
      if (paused) {
        paused = false
        connection.resume()
      }
    } else if (outcome && 'error' in outcome) reject(outcome.error)
    else resolve(undefined)
  }
  /** An HTTP client delivers every small chunk separately, many in one turn. */
  const wakeSoon = (): void => {
    if (waking || !reader) return
    waking = true
    queueMicrotask(wake)
  }
  const settle = (ended: { readonly error?: unknown }): void => {
    outcome ??= ended
    wakeSoon()
  }

  return {
    add(bytes) {
      if (outcome) return
      waiting.push(bytes)
      waitingBytes += bytes.byteLength
      wakeSoon()
      if (paused || waitingBytes < fullAt) return
      paused = true
      connection.pause()
    },
    end: () => settle({}),
    fail: (error) => settle({ error }),
    read: () =>
      new Promise((resolve, reject) => {
        reader = { resolve, reject }
        if (waiting.length > 0 || outcome) wake()
      }),
  }
}

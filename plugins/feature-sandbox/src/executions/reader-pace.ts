import { onAbort } from '@agent-service/sdk/async'

/** How far a process may be ahead of its reader. */
const maxAheadBytes = 262_144

/** Holds a process back that is too far ahead of a reader. */
export interface ReaderPace {
  /** The position of the reader; `undefined`: the process waits for none. */
  readTo(position: number | undefined): void
  /** Resolves when the process, which has written so much, may go on; at once after an abort. */
  goOn(total: number, signal: AbortSignal): Promise<void>
  /** Nothing is held back any more. */
  release(): void
}

export function createReaderPace(): ReaderPace {
  let reader: number | undefined
  let isReleased = false
  let wake: () => void = () => undefined
  const isAhead = (total: number): boolean => !isReleased && reader !== undefined && total - reader > maxAheadBytes
  return {
    readTo(position) {
      reader = position
      wake()
    },
    async goOn(total, signal) {
      while (isAhead(total) && !signal.aborted) {
        let forget: () => void = () => undefined
        await new Promise<void>((resolve) => {
          wake = resolve
          forget = onAbort(signal, () => resolve())
        })
        forget()
      }
    },
    release() {
      isReleased = true
      wake()
    },
  }
}

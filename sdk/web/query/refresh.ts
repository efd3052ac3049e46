/** Changes often come in groups. */
const pauseMs = 100

/** Reads again after changes. */
export interface Refresh {
  /** Something has changed: reads at once, or once more after what is being read, and after a tenth of a second. */
  later(): void
  /** Gives up what was to come. */
  stop(): void
}

/** Makes a {@link Refresh} of a reading that never rejects. However many changes come, it is not read twice at a time. */
export function createRefresh(read: () => Promise<void>, isReading: () => boolean): Refresh {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWanted = false
  const rest = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined
      if (!isWanted) return
      if (isReading()) rest()
      else start()
    }, pauseMs)
  }
  const start = (): void => {
    isWanted = false
    void read()
    rest()
  }
  return {
    later() {
      if (timer === undefined && !isReading()) return start()
      isWanted = true
      rest()
    },
    stop() {
      clearTimeout(timer)
      isWanted = false
    },
  }
}

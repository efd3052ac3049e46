/** The signals that tell the service to stop, for the whole life of the command. */
export interface StopSignals {
  /** Resolves with the first SIGTERM or SIGINT. */
  readonly first: Promise<void>
  received(): boolean
  /** Leaves the signals to the process again. */
  stop(): void
}

/** Watches SIGTERM and SIGINT. `atSecond` is called when another one follows the first. */
export function watchStopSignals(atSecond: () => void): StopSignals {
  let count = 0
  let resolveFirst: () => void = () => undefined
  const first = new Promise<void>((resolve) => {
    resolveFirst = resolve
  })
  const onSignal = (): void => {
    count += 1
    if (count > 1) atSecond()
    resolveFirst()
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
  return {
    first,
    received: () => count > 0,
    stop() {
      process.off('SIGTERM', onSignal)
      process.off('SIGINT', onSignal)
    },
  }
}

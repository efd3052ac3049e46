import { keepListener } from '@agent-service/kernel-core/plugins/start'

/** The signals that stop the service, watched while the command runs. */
export interface StopSignals {
  /** Resolves with the first SIGTERM or SIGINT. */
  readonly first: Promise<void>
  received(): boolean
  /** Stops watching. */
  stop(): void
}

/** Watches SIGTERM and SIGINT. Calls `onFirst` before any other listener that was added later, `onSecond` for each further one. */
export function watchStopSignals({ onFirst, onSecond }: { readonly onFirst: () => void; readonly onSecond: () => void }): StopSignals {
  let count = 0
  let resolveFirst: () => void = () => undefined
  const first = new Promise<void>((resolve) => {
    resolveFirst = resolve
  })
  const onSignal = (): void => {
    count += 1
    if (count > 1) onSecond()
    else onFirst()
    resolveFirst()
  }
  const offs = [keepListener('SIGTERM', onSignal), keepListener('SIGINT', onSignal)]
  return {
    first,
    received: () => count > 0,
    stop() {
      for (const off of offs) off()
    },
  }
}

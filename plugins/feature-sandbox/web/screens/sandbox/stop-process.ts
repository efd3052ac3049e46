import { createSignal } from 'solid-js'

/** Ends processes: each is `stopping` until the service has confirmed it. */
export interface Stopper {
  isStopping(id: string): boolean
  failure(id: string): unknown
  stop(id: string): Promise<void>
}

/** `request` resolves when nothing of the process runs any more. */
export function createStopper(request: (id: string) => Promise<void>): Stopper {
  const [stopping, setStopping] = createSignal<ReadonlySet<string>>(new Set())
  const [failures, setFailures] = createSignal<ReadonlyMap<string, unknown>>(new Map())
  return {
    isStopping: (id) => stopping().has(id),
    failure: (id) => failures().get(id),
    async stop(id) {
      setStopping((before) => new Set([...before, id]))
      setFailures((before) => new Map([...before].filter(([other]) => other !== id)))
      try {
        await request(id)
      } catch (error) {
        setFailures((before) => new Map([...before, [id, error]]))
      } finally {
        setStopping((before) => new Set([...before].filter((other) => other !== id)))
      }
    },
  }
}

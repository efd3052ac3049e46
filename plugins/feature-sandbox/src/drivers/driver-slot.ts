import { type Disposer, defineError, type Logger } from '@agent-service/sdk'
import {
  type SandboxDriver,
  type SandboxHealth,
  sandboxDrivers,
  sandboxUnavailableError,
} from '@agent-service/sdk/contracts/sandbox-driver'
import type { Contributed, ContributionLease, Contributions } from '@agent-service/sdk/services/contributions'

/** A driver that is ready: what a crash left is removed, and it has said what it confines. */
export interface ReadyDriver {
  readonly key: string
  readonly health: SandboxHealth
}

/** The driver of this machine. */
export interface DriverSlot {
  /** Resolves once the driver is ready. @throws `sandbox_unavailable` with what is missing. */
  ready(): Promise<ReadyDriver>
  /** The driver for one call or process. @throws `sandbox_unavailable`. */
  acquire(): Promise<ContributionLease<SandboxDriver>>
  /** Calls back when the driver that was ready is gone. */
  onGone(listener: () => void): void
  /** Ends the watching. */
  readonly close: Disposer
}

const sweepFailedError = defineError<{ readonly driver: string }>({
  code: 'sandbox_sweep_failed',
  status: 503,
  title: 'Sandbox not ready',
  message: ({ driver }) => `The sandbox driver “${driver}” could not remove what an earlier process of the service left behind.`,
})

/** Watches the point for the driver of this operating system. Begins at once, and waits for nothing. */
export function openDriverSlot(dependencies: {
  readonly contributions: Contributions
  readonly log: Logger
  readonly platform: string
  readonly signal: AbortSignal
  /** Called with each driver that is ready. */
  readonly onReady: (ready: ReadyDriver) => void
}): DriverSlot {
  const { contributions, log, platform, signal, onReady } = dependencies
  const goneListeners: (() => void)[] = []
  let current: { readonly key: string; readonly pluginId: string; readonly ready: Promise<ReadyDriver> } | undefined

  const prepare = async (key: string): Promise<ReadyDriver> => {
    const lease = contributions.acquire(sandboxDrivers, key)
    if (lease === undefined) throw unavailable(`the sandbox driver “${key}” is stopping`)
    try {
      const call = { signal: AbortSignal.any([signal, lease.signal]) }
      const { processes } = await lease.value.sweep(call).catch((error: unknown) => {
        throw sweepFailedError.create({ driver: key }, { cause: error })
      })
      if (processes > 0) log.warn('Processes of an earlier run of the service were ended.', { processes })
      const ready = { key, health: await lease.value.health(call) }
      onReady(ready)
      return ready
    } finally {
      lease.release()
    }
  }
  const look = (): void => {
    const fitting = contributions.list(sandboxDrivers).filter(({ value }) => value.platforms.includes(platform))
    const [only] = fitting
    const picked = fitting.length === 1 ? only : undefined
    if (picked?.key === current?.key && picked?.pluginId === current?.pluginId) return
    const before = current
    current = picked && { key: picked.key, pluginId: picked.pluginId, ready: prepare(picked.key) }
    current?.ready.catch((error: unknown) => log.error('The sandbox driver cannot be used.', { error }))
    if (before !== undefined) for (const listener of goneListeners) listener()
  }
  const present = async () => {
    if (current === undefined) await contributions.settled(sandboxDrivers)
    if (current === undefined) throw unavailable(reasonOf(contributions.list(sandboxDrivers), platform))
    return current
  }
  const close = contributions.onChange(sandboxDrivers, look)
  look()
  void contributions.settled(sandboxDrivers).then(() => {
    if (current === undefined && !signal.aborted)
      log.warn(`No code of agents can run: ${reasonOf(contributions.list(sandboxDrivers), platform)}.`)
  })
  return {
    ready: async () => (await present()).ready,
    async acquire() {
      const { key, ready } = await present()
      await ready
      const lease = contributions.acquire(sandboxDrivers, key)
      if (lease === undefined) throw unavailable(`the sandbox driver “${key}” is stopping`)
      return lease
    },
    onGone: (listener) => void goneListeners.push(listener),
    close,
  }
}

const unavailable = (reason: string): Error => sandboxUnavailableError.create({ reason })

function reasonOf(drivers: readonly Contributed<SandboxDriver>[], platform: string): string {
  const fitting = drivers.filter(({ value }) => value.platforms.includes(platform))
  if (fitting.length === 0) return `no plugin with a sandbox driver for ${platform} runs`
  const names = fitting.map(({ pluginId }) => `“${pluginId}”`).join(' and ')
  return `the plugins ${names} have sandbox drivers for ${platform}. Disable all of them but one (plugins.disabled)`
}

import type { Contribution, ContributionPoint, Disposer, Logger } from '@agent-service/sdk'
import { duplicateContributionError } from '@agent-service/sdk/host'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Contributed, ContributionLease, Contributions } from '@agent-service/sdk/services/contributions'
import { type InjectionToken, inject, injectable } from 'tsyringe'
import { clockToken, loggerToken } from '../../process/tokens.js'

/** A contribution ready to be published: checked, and lifted to the contract's newest version. */
export interface PreparedContribution {
  readonly point: string
  readonly key: string
  readonly value: Contribution
}

/** A lease on a whole plugin, for calls into it that belong to no single contribution. */
export interface PluginLease {
  readonly signal: AbortSignal
  /** May be called more than once. */
  release(): void
}

/** What one plugin has in the registry, from the end of its setup until it stops. */
export interface Admission {
  /** `undefined` once the plugin is stopping. */
  acquire(): PluginLease | undefined
  /** Withdraws the contributions: none is listed or leased any more. May be called again. */
  withdraw(): void
  /**
   * Withdraws, waits at most `limitMs` until every lease is released, then aborts the signals of
   * the others. Resolves to the number of aborted leases.
   */
  drain(limitMs: number, reason: unknown): Promise<number>
  openLeases(): number
}

/** Everything that plugins contribute. */
export interface ContributionRegistry extends Contributions {
  /**
   * Makes a plugin's contributions visible, all at once. Listeners are called for each changed
   * point.
   * @throws `duplicate_contribution` naming both owners; then nothing becomes visible.
   */
  admit(pluginId: string, contributions: readonly PreparedContribution[]): Admission
  /**
   * Announces plugins that start and contribute to these points, before the first has started.
   * `started` never rejects.
   */
  expect(points: readonly string[], started: Promise<void>): void
  /** The first round of starting has ended, except for late third parties. May be called again. */
  settle(): void
}

interface Entry extends Contributed<Contribution> {
  readonly leases: Leases
}

export const contributionsToken: InjectionToken<ContributionRegistry> = Symbol('contributions')

/** The registry of one kernel, empty at first. */
@injectable()
export class ContributionRegister implements ContributionRegistry {
  readonly #points = new Map<string, Map<string, Entry>>()
  readonly #listeners = new Map<string, Set<() => void>>()
  /** The lists that were requested since the last change of their points. */
  readonly #lists = new Map<string, readonly Contributed<Contribution>[]>()
  /** By point: resolves when the expected contributors have started. */
  readonly #expected = new Map<string, Promise<void>>()
  /** Called when it is known which plugins start. */
  #planned = false
  #settle: () => void = () => undefined
  readonly #settled = new Promise<void>((resolve) => {
    this.#settle = resolve
  })

  constructor(
    @inject(clockToken) private readonly clock: Clock,
    @inject(loggerToken) private readonly log: Logger,
  ) {}

  list<T extends Contribution>(point: ContributionPoint<T>): readonly Contributed<T>[] {
    const list = this.#lists.get(point.id) ?? listOf(this.#points.get(point.id)?.values() ?? [])
    this.#lists.set(point.id, list)
    return list as readonly Contributed<T>[]
  }

  acquire<T extends Contribution>(point: ContributionPoint<T>, key: string): ContributionLease<T> | undefined {
    const entry = this.#points.get(point.id)?.get(key)
    const lease = entry?.leases.acquire()
    return entry === undefined || lease === undefined ? undefined : { key, pluginId: entry.pluginId, value: entry.value as T, ...lease }
  }

  settled(point?: ContributionPoint<Contribution>): Promise<void> {
    if (point === undefined || !this.#planned) return this.#settled
    return Promise.race([this.#settled, this.#expected.get(point.id) ?? Promise.resolve()])
  }

  expect(points: readonly string[], started: Promise<void>): void {
    this.#planned = true
    for (const point of points) {
      const all = Promise.all([this.#expected.get(point), started])
      this.#expected.set(
        point,
        all.then(() => undefined),
      )
    }
  }

  settle(): void {
    this.#settle()
  }

  onChange(point: ContributionPoint<Contribution>, listener: () => void): Disposer {
    // A function that is registered twice has two registrations.
    const call = (): void => listener()
    const called = this.#listeners.get(point.id) ?? new Set()
    this.#listeners.set(point.id, called.add(call))
    return () => {
      called.delete(call)
      if (called.size === 0 && this.#listeners.get(point.id) === called) this.#listeners.delete(point.id)
    }
  }

  admit(pluginId: string, contributions: readonly PreparedContribution[]): Admission {
    const points = this.#points
    refuseDuplicates(pluginId, contributions, (point, key) => points.get(point)?.get(key)?.pluginId)
    const leases = createLeases(this.clock)
    for (const { point, key, value } of contributions) {
      const entries = points.get(point) ?? new Map<string, Entry>()
      points.set(point, entries.set(key, { key, pluginId, value, leases }))
    }
    const changed = new Set(contributions.map(({ point }) => point))
    this.#announce(changed)
    const withdraw = (): void => {
      if (leases.closed()) return
      leases.close()
      for (const { point, key } of contributions) points.get(point)?.delete(key)
      for (const point of changed) if (points.get(point)?.size === 0) points.delete(point)
      this.#announce(changed)
    }
    return {
      acquire: () => leases.acquire(),
      withdraw,
      drain(limitMs, reason) {
        withdraw()
        return leases.drain(limitMs, reason)
      },
      openLeases: () => leases.open(),
    }
  }

  #announce(changed: ReadonlySet<string>): void {
    for (const point of changed) this.#lists.delete(point)
    for (const point of changed) {
      for (const listener of [...(this.#listeners.get(point) ?? [])]) {
        try {
          listener()
        } catch (error) {
          this.log.error('A listener for changed contributions failed', { point, error })
        }
      }
    }
  }
}

const listOf = (entries: Iterable<Entry>): readonly Contributed<Contribution>[] =>
  Object.freeze(
    [...entries]
      .map(({ key, pluginId, value }) => Object.freeze({ key, pluginId, value }))
      .sort((one, other) => (one.key < other.key ? -1 : 1)),
  )

function refuseDuplicates(
  pluginId: string,
  contributions: readonly PreparedContribution[],
  ownerOf: (point: string, key: string) => string | undefined,
): void {
  const own = new Set<string>()
  for (const { point, key } of contributions) {
    const name = JSON.stringify([point, key])
    const owner = own.has(name) ? pluginId : ownerOf(point, key)
    if (owner !== undefined) throw duplicateContributionError.create({ point, key, plugin: pluginId, owner })
    own.add(name)
  }
}

interface Leases {
  acquire(): PluginLease | undefined
  open(): number
  close(): void
  closed(): boolean
  drain(limitMs: number, reason: unknown): Promise<number>
}

function createLeases(clock: Clock): Leases {
  const held = new Set<AbortController>()
  let closed = false
  let emptied: () => void = () => undefined
  return {
    open: () => held.size,
    close: () => {
      closed = true
    },
    closed: () => closed,
    acquire() {
      if (closed) return undefined
      const controller = new AbortController()
      held.add(controller)
      return {
        signal: controller.signal,
        release: () => {
          if (held.delete(controller) && held.size === 0) emptied()
        },
      }
    },
    async drain(limitMs, reason) {
      if (held.size > 0) {
        let cancel: Disposer = () => undefined
        await new Promise<void>((resolve) => {
          emptied = resolve
          cancel = clock.after(limitMs, resolve)
        })
        await cancel()
      }
      const late = [...held]
      for (const controller of late) controller.abort(reason)
      return late.length
    },
  }
}

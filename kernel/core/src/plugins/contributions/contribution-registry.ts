import type { Contribution, ContributionPoint, Disposer, Logger } from '@agent-service/sdk'
import { claimedWordOf, duplicateContributionError } from '@agent-service/sdk/host'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Contributed, ContributionLease, Contributions } from '@agent-service/sdk/services/contributions'
import { type InjectionToken, inject, injectable } from 'tsyringe'
import { clockToken, loggerToken } from '../../process/tokens.js'

/** A contribution ready to be published: checked, and lifted to the contract's newest version. */
export interface PreparedContribution {
  readonly point: string
  readonly key: string
  /** Further names that it has for itself among those of its point. Default: none. */
  readonly claims?: readonly string[]
  readonly value: Contribution
  /** Starts its plugin, which waits for the first use; whether it runs then. Never rejects. Absent for one that runs. */
  readonly start?: () => Promise<boolean>
}

/** A lease on a whole plugin, for calls into it that belong to no single contribution. */
export interface PluginLease {
  readonly signal: AbortSignal
  /** May be called more than once. */
  release(): void
}

interface Entry extends Contributed<Contribution> {
  readonly claims: readonly string[]
  readonly admission: Admission
  readonly start: (() => Promise<boolean>) | undefined
}

export const contributionsToken: InjectionToken<ContributionRegistry> = Symbol('contributions')

/** Everything that plugins contribute. Empty at first. */
@injectable()
export class ContributionRegistry implements Contributions {
  readonly #points = new Map<string, Map<string, Entry>>()
  readonly #listeners = new Map<string, Set<() => void>>()
  /** The lists that were requested since the last change of their points. */
  readonly #lists = new Map<string, readonly Contributed<Contribution>[]>()
  /** By point: resolves when the expected contributors have started. */
  readonly #expected = new Map<string, Promise<unknown>>()
  /** Whether it is known which plugins start. */
  #isPlanned = false
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
    const lease = entry?.admission.acquire()
    return entry && lease && { key, pluginId: entry.pluginId, value: entry.value as T, ...lease }
  }

  prepare(point: ContributionPoint<Contribution>, key: string): void {
    void this.#points.get(point.id)?.get(key)?.start?.()
  }

  async settled(point?: ContributionPoint<Contribution>): Promise<void> {
    const isPlanned = point !== undefined && this.#isPlanned
    await (isPlanned ? Promise.race([this.#settled, this.#expected.get(point.id)]) : this.#settled)
  }

  /**
   * Announces plugins that start and contribute to these points, before the first has started.
   * `started` never rejects.
   */
  expect(points: readonly string[], started: Promise<void>): void {
    this.#isPlanned = true
    for (const point of points) this.#expected.set(point, Promise.all([this.#expected.get(point), started]))
  }

  /** The first round of starting has ended, except for late third parties. May be called again. */
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

  /**
   * Makes a plugin's contributions visible, all at once. Listeners are called for each changed
   * point.
   * @throws `duplicate_contribution` naming both owners; then nothing becomes visible.
   */
  admit(pluginId: string, contributions: readonly PreparedContribution[]): Admission {
    const points = this.#points
    const own = new Set<string>()
    for (const { point, key, claims = [] } of contributions) {
      const name = JSON.stringify([point, key])
      const owner = own.has(name) ? pluginId : points.get(point)?.get(key)?.pluginId
      if (owner !== undefined) throw duplicateContributionError.create({ point, key, plugin: pluginId, owner })
      own.add(name)
      this.#refuseWordOfAnother(pluginId, point, key)
      for (const claim of claims) this.#refuseClaimOfAnother({ plugin: pluginId, point, key, claim })
    }
    const changed = new Set(contributions.map(({ point }) => point))
    const admission = new Admission(this.clock, () => {
      for (const { point, key } of contributions) points.get(point)?.delete(key)
      for (const point of changed) if (points.get(point)?.size === 0) points.delete(point)
      this.#announce(changed)
    })
    for (const { point, key, claims = [], value, start } of contributions) {
      const entries = points.get(point) ?? new Map<string, Entry>()
      points.set(point, entries.set(key, { key, pluginId, claims, value, admission, start }))
    }
    this.#announce(changed)
    return admission
  }

  #refuseWordOfAnother(plugin: string, point: string, key: string): void {
    const word = claimedWordOf(point, key)
    if (word === undefined) return
    for (const [other, { pluginId: owner }] of this.#points.get(point) ?? [])
      if (owner !== plugin && claimedWordOf(point, other) === word)
        throw duplicateContributionError.create({ point, key, plugin, owner, word })
  }

  /** Claims of one plugin among each other were compared when its setup was checked. */
  #refuseClaimOfAnother(claimed: { readonly plugin: string; readonly point: string; readonly key: string; readonly claim: string }): void {
    for (const { pluginId: owner, claims } of this.#points.get(claimed.point)?.values() ?? [])
      if (owner !== claimed.plugin && claims.includes(claimed.claim)) throw duplicateContributionError.create({ ...claimed, owner })
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

/** What one plugin has in the registry, from the end of its setup until it stops. */
export class Admission {
  readonly #held = new Set<AbortController>()
  #isWithdrawn = false
  #emptied: () => void = () => undefined

  constructor(
    private readonly clock: Clock,
    private readonly remove: () => void,
  ) {}

  /** `undefined` once the plugin is stopping. */
  acquire(): PluginLease | undefined {
    if (this.#isWithdrawn) return undefined
    const controller = new AbortController()
    this.#held.add(controller)
    return {
      signal: controller.signal,
      release: () => {
        if (this.#held.delete(controller) && this.#held.size === 0) this.#emptied()
      },
    }
  }

  openLeases(): number {
    return this.#held.size
  }

  /** Withdraws the contributions: none is listed or leased any more. May be called again. */
  withdraw(): void {
    if (this.#isWithdrawn) return
    this.#isWithdrawn = true
    this.remove()
  }

  /**
   * Withdraws, waits at most `limitMs` until every lease is released, then aborts the signals of
   * the others. Resolves to the number of aborted leases.
   */
  async drain(limitMs: number, reason: unknown): Promise<number> {
    this.withdraw()
    if (this.#held.size > 0) {
      let cancel: Disposer = () => undefined
      await new Promise<void>((resolve) => {
        this.#emptied = resolve
        cancel = this.clock.after(limitMs, resolve)
      })
      await cancel()
    }
    const late = [...this.#held]
    for (const controller of late) controller.abort(reason)
    return late.length
  }
}

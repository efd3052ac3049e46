import type { Contribution, ContributionPoint } from '../../core/contribution-point.js'
import type { Contributed, Contributions } from '../../services/contributions.js'

/** Contributions of other plugins, set by a test. */
export interface FakeContributions extends Contributions {
  /** Adds a contribution of another plugin, and calls the listeners of the point. */
  add<T extends Contribution>(point: ContributionPoint<T>, contribution: T, pluginId?: string): void
}

/** Empty until the test adds contributions; they are never withdrawn. */
export function createFakeContributions(): FakeContributions {
  const added: { readonly point: string; readonly entry: Contributed<Contribution> }[] = []
  const listeners = new Set<{ readonly point: string; readonly call: () => void }>()
  const list = <T extends Contribution>(point: ContributionPoint<T>): readonly Contributed<T>[] =>
    added
      .filter((each) => each.point === point.id)
      .map(({ entry }) => entry as Contributed<T>)
      .sort((left, right) => (left.key < right.key ? -1 : 1))
  return {
    list,
    add(point, contribution, pluginId = 'another-plugin') {
      added.push({ point: point.id, entry: { key: point.keyOf(contribution), pluginId, value: contribution } })
      for (const listener of [...listeners]) if (listener.point === point.id) listener.call()
    },
    acquire(point, key) {
      const found = list(point).find((each) => each.key === key)
      return found && { ...found, signal: new AbortController().signal, release: () => undefined }
    },
    prepare: () => undefined,
    onChange(point, call) {
      if (typeof call !== 'function') throw new TypeError(`contributions.onChange() takes a function to call, and got ${typeof call}.`)
      const listener = { point: point.id, call }
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    settled: () => Promise.resolve(),
  }
}

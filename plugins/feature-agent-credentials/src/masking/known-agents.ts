import type { Matcher } from './matcher/compile-matcher.js'

/** What is known of the secrets of one agent. */
export interface KnownSecrets {
  readonly values: ReadonlySet<string>
  readonly matcher: Matcher
}

/** An agent as this process knows it. Masks in use hold it, so that they find what is remembered later. */
export interface KnownAgent extends KnownSecrets {
  /** Of the stored document; 0: there is none. */
  readonly revision: number
}

/** How large the matchers of agents without masks in use may be together: some 30 MB. */
const maxWeight = 2_000_000
const maxAgents = 2_000

/** The agents whose secrets were needed lately. */
export function createKnownAgents() {
  /** The longest unused first. */
  const recent = new Map<string, KnownAgent>()
  const all = new Map<string, WeakRef<KnownAgent>>()
  const loading = new Map<string, { readonly revision: number; readonly loaded: Promise<KnownAgent> }>()

  const use = (key: string, agent: KnownAgent): KnownAgent => {
    recent.delete(key)
    recent.set(key, agent)
    all.set(key, new WeakRef(agent))
    let weight = 0
    for (const { matcher } of recent.values()) weight += matcher.weight
    for (const [oldest, { matcher }] of recent) {
      if (oldest === key || (weight <= maxWeight && recent.size <= maxAgents)) break
      recent.delete(oldest)
      weight -= matcher.weight
    }
    if (all.size > 2 * maxAgents) for (const [other, reference] of all) if (reference.deref() === undefined) all.delete(other)
    return agent
  }
  const load = async (key: string, revision: number, make: () => Promise<KnownSecrets>): Promise<KnownAgent> => {
    const made = { ...(await make()), revision }
    const before = all.get(key)?.deref()
    // A later state is not replaced by one that took longer.
    if (before !== undefined && before.revision > revision && revision !== 0) return use(key, before)
    return use(key, before === undefined ? made : Object.assign(before, made))
  }

  return {
    find: (key: string): KnownAgent | undefined => all.get(key)?.deref(),
    /** The agent at this revision; made once for all callers. */
    async at(key: string, revision: number, make: () => Promise<KnownSecrets>): Promise<KnownAgent> {
      const agent = all.get(key)?.deref()
      if (agent?.revision === revision) return use(key, agent)
      const other = loading.get(key)
      if (other?.revision === revision) return other.loaded
      const loaded = load(key, revision, make).finally(() => {
        if (loading.get(key)?.loaded === loaded) loading.delete(key)
      })
      loading.set(key, { revision, loaded })
      return loaded
    },
    forget(key: string): void {
      recent.delete(key)
      all.delete(key)
    },
  }
}

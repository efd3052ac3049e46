import type { EndReason } from '@agent-service/sdk/contracts/sandbox-driver'

/** What a running tree uses. */
export interface TreeUsage {
  readonly id: string
  readonly principal: string
  /** Of all processors, on average: 0 to 1. */
  readonly cpu: number
  readonly memoryBytes: number
}

/** The limits: shares of all processors, and bytes. */
export interface UsageLimits {
  readonly cpu: number
  readonly memoryBytes: number
  readonly totalCpu: number
  readonly totalMemoryBytes: number
}

/** A tree that is to end. */
export interface TreeEnd {
  readonly id: string
  readonly reason: EndReason
}

/**
 * Which trees end now. Of a principal that is over a limit: its heaviest. If what is left is over a
 * limit of all: the heaviest of the principal that takes most. Of equals the last one listed. A
 * tree ends once, and at most one of a principal, and one of all, for each limit: another reading
 * shows whether that was enough.
 */
export function decideEnds(trees: readonly TreeUsage[], limits: UsageLimits): readonly TreeEnd[] {
  const ends: TreeEnd[] = []
  const left = (): readonly TreeUsage[] => trees.filter(({ id }) => !ends.some((end) => end.id === id))
  for (const own of byPrincipal(trees).values()) {
    const endIfOver = (measure: Measure, limit: number, reason: EndReason): void => {
      const running = own.filter((tree) => left().includes(tree))
      const tree = sumOf(running, measure) > limit ? heaviest(running, measure) : undefined
      if (tree !== undefined) ends.push({ id: tree.id, reason })
    }
    endIfOver(memoryOf, limits.memoryBytes, 'memory_limit')
    endIfOver(cpuOf, limits.cpu, 'cpu_limit')
  }
  const endIfAllOver = (measure: Measure, limit: number, reason: EndReason): void => {
    if (sumOf(left(), measure) <= limit) return
    const groups = [...byPrincipal(left()).values()]
    const most = groups.reduce((one, other) => (sumOf(other, measure) >= sumOf(one, measure) ? other : one), groups[0] ?? [])
    const tree = heaviest(most, measure)
    if (tree !== undefined) ends.push({ id: tree.id, reason })
  }
  endIfAllOver(memoryOf, limits.totalMemoryBytes, 'total_memory_limit')
  endIfAllOver(cpuOf, limits.totalCpu, 'total_cpu_limit')
  return ends
}

type Measure = (tree: TreeUsage) => number

const cpuOf: Measure = ({ cpu }) => cpu
const memoryOf: Measure = ({ memoryBytes }) => memoryBytes

const sumOf = (trees: readonly TreeUsage[], measure: Measure): number => trees.reduce((sum, tree) => sum + measure(tree), 0)

const heaviest = (trees: readonly TreeUsage[], measure: Measure): TreeUsage | undefined =>
  trees.reduce<TreeUsage | undefined>((one, other) => (one === undefined || measure(other) >= measure(one) ? other : one), undefined)

function byPrincipal(trees: readonly TreeUsage[]): ReadonlyMap<string, readonly TreeUsage[]> {
  const groups = new Map<string, TreeUsage[]>()
  for (const tree of trees) {
    const own = groups.get(tree.principal) ?? []
    own.push(tree)
    groups.set(tree.principal, own)
  }
  return groups
}

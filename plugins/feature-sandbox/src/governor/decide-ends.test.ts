import { expect } from 'chai'
import { decideEnds, type TreeEnd, type TreeUsage, type UsageLimits } from './decide-ends.js'

const limits: UsageLimits = { cpu: 0.5, memoryBytes: 100, totalCpu: 0.8, totalMemoryBytes: 150 }
const tree = (id: string, principal: string, cpu: number, memoryBytes: number): TreeUsage => ({ id, principal, cpu, memoryBytes })

/** Numbers from 0 to 1 that depend on the seed alone. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/**
 * Another way to the same answer: round by round over tables of sums. What it shares with the code
 * under test is the order of the four limits.
 */
function model(trees: readonly TreeUsage[], { cpu, memoryBytes, totalCpu, totalMemoryBytes }: UsageLimits): readonly TreeEnd[] {
  const alive = [...trees]
  const ends: TreeEnd[] = []
  const sums = (field: 'cpu' | 'memoryBytes'): Record<string, number> => {
    const table: Record<string, number> = {}
    for (const each of alive) table[each.principal] = (table[each.principal] ?? 0) + each[field]
    return table
  }
  const endLargest = (principal: string, field: 'cpu' | 'memoryBytes', reason: TreeEnd['reason']): void => {
    let at = -1
    alive.forEach((each, index) => {
      if (each.principal === principal && (at < 0 || each[field] >= (alive[at]?.[field] ?? 0))) at = index
    })
    const [gone] = alive.splice(at, 1)
    if (gone !== undefined) ends.push({ id: gone.id, reason })
  }
  for (const principal of new Set(trees.map((each) => each.principal))) {
    if ((sums('memoryBytes')[principal] ?? 0) > memoryBytes) endLargest(principal, 'memoryBytes', 'memory_limit')
    if ((sums('cpu')[principal] ?? 0) > cpu) endLargest(principal, 'cpu', 'cpu_limit')
  }
  for (const [field, limit, reason] of [
    ['memoryBytes', totalMemoryBytes, 'total_memory_limit'],
    ['cpu', totalCpu, 'total_cpu_limit'],
  ] as const) {
    const table = sums(field)
    if (alive.reduce((sum, each) => sum + each[field], 0) <= limit) continue
    const [largest] =
      Object.entries(table)
        .sort(([, one], [, other]) => one - other)
        .at(-1) ?? []
    if (largest !== undefined) endLargest(largest, field, reason)
  }
  return ends
}

describe('the decision about limits', () => {
  it('leaves what keeps to them, up to the limit itself', () => {
    expect(decideEnds([], limits)).to.deep.equal([])
    expect(decideEnds([tree('a', 'ada', 0.25, 50), tree('b', 'ada', 0.25, 50), tree('c', 'bob', 0.25, 50)], limits)).to.deep.equal([])
  })

  it('ends the heaviest tree of a principal that is over, and nothing of others', () => {
    const trees = [tree('a', 'ada', 0.4, 10), tree('b', 'ada', 0.2, 10), tree('c', 'bob', 0.1, 60)]
    expect(decideEnds(trees, limits)).to.deep.equal([{ id: 'a', reason: 'cpu_limit' }])
    const memory = [tree('a', 'ada', 0.1, 30), tree('b', 'ada', 0, 80), tree('c', 'bob', 0.1, 10)]
    expect(decideEnds(memory, limits)).to.deep.equal([{ id: 'b', reason: 'memory_limit' }])
  })

  it('ends the greedy principal’s when all together are over', () => {
    const trees = [tree('a', 'ada', 0.3, 40), tree('b', 'bob', 0.25, 50), tree('c', 'bob', 0.2, 45), tree('d', 'cid', 0.1, 35)]
    expect(decideEnds(trees, limits)).to.deep.equal([{ id: 'b', reason: 'total_memory_limit' }])
    const busy = [tree('a', 'ada', 0.45, 1), tree('b', 'bob', 0.3, 1), tree('c', 'bob', 0.19, 1)]
    expect(decideEnds(busy, limits)).to.deep.equal([{ id: 'b', reason: 'total_cpu_limit' }])
  })

  it('does not end a second principal’s for what the end of the first one solves', () => {
    const trees = [tree('a', 'ada', 0.1, 140), tree('b', 'bob', 0.1, 60)]
    expect(decideEnds(trees, limits)).to.deep.equal([{ id: 'a', reason: 'memory_limit' }])
  })

  it('agrees with another way of deciding, for any usage', () => {
    const seed = Number(process.env['SEED'] ?? 20261123)
    const random = randomNumbers(seed)
    const below = (count: number): number => Math.floor(random() * count)
    for (let turn = 0; turn < 3_000; turn += 1) {
      // Eighths and whole bytes, so that sums are exact and equals are common; each principal's sum differs from the others'.
      const trees = Array.from({ length: below(9) }, (_, index) => tree(`t${index}`, `p${below(4)}`, below(5) / 8, below(60)))
      const drawn: UsageLimits = { cpu: below(9) / 8, memoryBytes: below(120), totalCpu: below(12) / 8, totalMemoryBytes: below(200) }
      const decided = decideEnds(trees, drawn)
      expect(decided.map(({ id }) => id).length, `SEED=${seed}, turn ${turn}`).to.equal(new Set(decided.map(({ id }) => id)).size)
      if (hasEqualPrincipals(trees, decided)) continue
      expect(decided, `SEED=${seed}, turn ${turn}`).to.deep.equal(model(trees, drawn))
    }
  })

  it('comes to rest under every limit when it is repeated', () => {
    const random = randomNumbers(7)
    for (let turn = 0; turn < 500; turn += 1) {
      let trees = Array.from({ length: 12 }, (_, index) => tree(`t${index}`, `p${index % 5}`, random() / 3, Math.floor(random() * 60)))
      for (let round = 0; round < 12; round += 1) {
        const ended = new Set(decideEnds(trees, limits).map(({ id }) => id))
        trees = trees.filter(({ id }) => !ended.has(id))
      }
      expect(trees.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0)).to.be.at.most(limits.totalMemoryBytes)
      expect(trees.reduce((sum, { cpu }) => sum + cpu, 0)).to.be.at.most(limits.totalCpu)
    }
  })
})

/** Whether two principals take the same at the moment of a decision about all: then either may be meant. */
function hasEqualPrincipals(trees: readonly TreeUsage[], ends: readonly TreeEnd[]): boolean {
  return (['cpu', 'memoryBytes'] as const).some((field) =>
    [0, 1].some((late) => {
      const before = ends.filter(({ reason }) => !reason.startsWith('total_') || (late === 1 && reason === 'total_memory_limit'))
      const sums = new Map<string, number>()
      for (const each of trees)
        if (!before.some(({ id }) => id === each.id)) sums.set(each.principal, (sums.get(each.principal) ?? 0) + each[field])
      return new Set(sums.values()).size < sums.size
    }),
  )
}

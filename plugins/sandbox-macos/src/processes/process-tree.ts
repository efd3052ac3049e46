import type { ProcessEntry, ProcessTable } from './process-table.js'

/** What a tree uses. */
export interface TreeUsage {
  /** Of all processes that were ever seen, in milliseconds of one processor. */
  readonly cpuMs: number
  readonly memoryBytes: number
  readonly processes: number
}

/** The processes of a tree, from one reading of the machine to the next. */
export interface ProcessTree {
  /**
   * Who belongs to it by this reading: the root's group, what was seen in the tree before, and
   * everything below these. A process that has left the group and lost its parent between two
   * readings is not found.
   */
  follow(table: ProcessTable): readonly ProcessEntry[]
  /** By the last reading. */
  usage(): TreeUsage
  peakMemoryBytes(): number
}

/** ps rounds the start of a process. */
const sameStartMs = 2_000

/** The tree of a process that leads a group of its own. */
export function createProcessTree(root: number): ProcessTree {
  let known: ReadonlyMap<number, ProcessEntry> = new Map()
  /** Of processes that have ended. */
  let endedCpuMs = 0
  let peak = 0
  const isKnown = ({ pid, startedAt }: ProcessEntry): boolean => {
    const before = known.get(pid)
    return before !== undefined && Math.abs(before.startedAt - startedAt) <= sameStartMs
  }
  return {
    follow(table) {
      const found = new Map(
        table.filter((each) => each.pid === root || each.group === root || isKnown(each)).map((each) => [each.pid, each]),
      )
      const byParent = new Map<number, ProcessEntry[]>()
      for (const each of table) byParent.set(each.parent, [...(byParent.get(each.parent) ?? []), each])
      // A map goes on with what is added on the way.
      for (const { pid } of found.values())
        for (const child of byParent.get(pid) ?? []) if (!found.has(child.pid)) found.set(child.pid, child)
      for (const [pid, before] of known) if (!found.has(pid)) endedCpuMs += before.cpuMs
      known = found
      peak = Math.max(peak, memoryOf(found))
      return [...found.values()]
    },
    usage: () => ({
      cpuMs: endedCpuMs + [...known.values()].reduce((sum, { cpuMs }) => sum + cpuMs, 0),
      memoryBytes: memoryOf(known),
      processes: known.size,
    }),
    peakMemoryBytes: () => peak,
  }
}

const memoryOf = (entries: ReadonlyMap<number, ProcessEntry>): number =>
  [...entries.values()].reduce((sum, { memoryBytes }) => sum + memoryBytes, 0)

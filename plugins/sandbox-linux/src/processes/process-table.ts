import { readProc } from './read-proc.js'

/** A process of the machine, by one reading of `/proc/<pid>/stat`; see proc(5). */
export interface ProcessEntry {
  readonly pid: number
  readonly parent: number
  /** Its own, and that of children that it has waited for. */
  readonly cpuMs: number
  readonly memoryBytes: number
}

export type ProcessTable = ReadonlyMap<number, ProcessEntry>

/** `sysconf(_SC_CLK_TCK)` and the size of a page are these on x86-64 and, with 4 KiB pages, on arm64. */
const msOfTick = 10
const pageBytes = 4_096

/** All processes that this one can see. */
export async function readProcessTable(): Promise<ProcessTable> {
  const table = new Map<number, ProcessEntry>()
  for (const [pid, stat] of await readProc('stat')) {
    const entry = entryOf(pid, stat)
    if (entry !== undefined) table.set(pid, entry)
  }
  return table
}

function entryOf(pid: number, stat: string): ProcessEntry | undefined {
  // The second field is the program's name in parentheses, which may contain any character.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  if (fields.length < 22 || fields[0] === 'Z') return undefined
  const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0)
  return { pid, parent: Number(fields[1]), cpuMs: ticks * msOfTick, memoryBytes: Number(fields[21]) * pageBytes }
}

/** A process and everything below it, with their distance from it. */
export function treeOf(table: ProcessTable, root: number): readonly (ProcessEntry & { readonly depth: number })[] {
  const children = new Map<number, ProcessEntry[]>()
  for (const entry of table.values()) {
    const siblings = children.get(entry.parent)
    if (siblings === undefined) children.set(entry.parent, [entry])
    else siblings.push(entry)
  }
  const first = table.get(root)
  const found = first === undefined ? [] : [{ ...first, depth: 0 }]
  for (const { pid, depth } of found) for (const child of children.get(pid) ?? []) found.push({ ...child, depth: depth + 1 })
  return found
}

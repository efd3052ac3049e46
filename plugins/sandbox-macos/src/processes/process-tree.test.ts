import { expect } from 'chai'
import { type ProcessEntry, parseProcessTable, readProcessTable } from './process-table.js'
import { createProcessTree } from './process-tree.js'

describe('the list of processes', () => {
  it('is read as ps of macOS prints it', () => {
    const table = parseProcessTable(`
    1     0     1 Ss    12345   4:05.67 Mon Nov  2 08:00:00 2026
  501     1   501 S+     2048   0:00.01 Mon Nov 23 11:45:47 2026
  502   501   501 Z         0   0:00.00 Mon Nov 23 11:45:48 2026
  503   501   501 R      1024 100:00.50 Mon Nov 23 11:45:49 2026
`)
    expect(table).to.deep.equal([
      { pid: 1, parent: 0, group: 1, memoryBytes: 12_345 * 1_024, cpuMs: 245_670, startedAt: Date.parse('2026-11-02T08:00:00') },
      { pid: 501, parent: 1, group: 501, memoryBytes: 2_097_152, cpuMs: 10, startedAt: Date.parse('2026-11-23T11:45:47') },
      { pid: 503, parent: 501, group: 501, memoryBytes: 1_048_576, cpuMs: 6_000_500, startedAt: Date.parse('2026-11-23T11:45:49') },
    ])
  })

  it('is read with days, and has this process', async () => {
    expect(parseProcessTable('7 1 7 S 1 1-02:03:04 Mon Nov 23 11:45:47 2026')[0]?.cpuMs).to.equal(93_784_000)
    const own = (await readProcessTable()).find(({ pid }) => pid === process.pid)
    expect(own?.parent).to.equal(process.ppid)
    expect(own?.memoryBytes).to.be.greaterThan(10_000_000)
  })
})

describe('the tree of a process', () => {
  const entry = (pid: number, parent: number, group: number, change: Partial<ProcessEntry> = {}): ProcessEntry => ({
    ...{ pid, parent, group, memoryBytes: 10, cpuMs: 100, startedAt: 1_000_000 },
    ...change,
  })
  const pidsOf = (entries: readonly ProcessEntry[]): readonly number[] => entries.map(({ pid }) => pid).sort((a, b) => a - b)

  it('is its group and everything below', () => {
    const tree = createProcessTree(10)
    const found = tree.follow([entry(1, 0, 1), entry(10, 1, 10), entry(11, 10, 10), entry(12, 11, 12), entry(13, 12, 13), entry(20, 1, 20)])
    expect(pidsOf(found)).to.deep.equal([10, 11, 12, 13])
    expect(tree.usage()).to.deep.equal({ cpuMs: 400, memoryBytes: 40, processes: 4 })
  })

  it('keeps who was in it, though parent and group are lost, with what they start', () => {
    const tree = createProcessTree(10)
    tree.follow([entry(10, 1, 10), entry(12, 10, 12)])
    expect(pidsOf(tree.follow([entry(12, 1, 12, { startedAt: 1_001_000 }), entry(14, 12, 14), entry(20, 1, 20)]))).to.deep.equal([12, 14])
  })

  it('does not take another process that has got the number of one', () => {
    const tree = createProcessTree(10)
    tree.follow([entry(10, 1, 10), entry(12, 10, 12)])
    expect(pidsOf(tree.follow([entry(12, 1, 12, { startedAt: 1_060_000 })]))).to.deep.equal([])
  })

  it('counts the time of those that have ended, and the most memory', () => {
    const tree = createProcessTree(10)
    tree.follow([entry(10, 1, 10), entry(11, 10, 10, { cpuMs: 700, memoryBytes: 500 })])
    tree.follow([entry(10, 1, 10, { cpuMs: 150 })])
    expect(tree.usage()).to.deep.equal({ cpuMs: 850, memoryBytes: 10, processes: 1 })
    expect(tree.peakMemoryBytes()).to.equal(510)
  })
})

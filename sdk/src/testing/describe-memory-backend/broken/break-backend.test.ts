import { expect } from 'chai'
import type { MemoryBackend } from '../../../contracts/memory-backend/memory-backend.js'
import type { MemoryItem, MemoryRecord } from '../../../contracts/memory-backend/memory-record.js'
import { createCollectingRunner } from '../../collecting-runner.js'
import { describeMemoryBackend } from '../index.js'
import { createPlainBench, plainSuite } from '../plain-backend.test.js'

export type Change = (backend: MemoryBackend) => Partial<MemoryBackend>

/** What a twin has, how it differs, and the titles of the tests that have to fail for it. */
export type Twin = readonly [what: string, change: Change, failed: readonly string[]]

/** Shows that the suite detects each twin. */
export function describeTwins(what: string, twins: readonly Twin[]): void {
  describe(`the suite of memory back ends, ${what}`, () => {
    for (const [fault, change, failed] of twins)
      it(`detects ${fault}`, async () => {
        expect([...(await failing(change, failed))].sort()).to.deep.equal([...failed].sort())
      })
  })
}

/** Runs these tests of the suite against a changed back end, or all. Returns the titles of the failed ones. */
export async function failing(
  change: Change,
  titles?: readonly string[],
  supports: Partial<MemoryBackend['supports']> = {},
): Promise<readonly string[]> {
  const runner = createCollectingRunner()
  describeMemoryBackend({
    ...plainSuite,
    supports: { ...plainSuite.supports, ...supports },
    abortLimitMs: 60,
    create: () => createPlainBench(change),
    runner: {
      ...runner,
      it(title, test) {
        if (titles?.includes(title) !== false) runner.it(title, test)
      },
    },
  })
  const results = await runner.run()
  return results.flatMap(({ title, error }) => (error === undefined ? [] : [title.split(' › ').at(-1) ?? title]))
}

/** Changes every record on its way out. */
export const exporting =
  (change: (record: MemoryRecord) => MemoryRecord | undefined): Change =>
  (backend) => ({
    async *export(...call) {
      for await (const record of backend.export(...call)) {
        const changed = change(record)
        if (changed) yield changed
      }
    },
  })

/** Changes every record on its way in. */
export const importing =
  (change: (record: MemoryRecord) => MemoryRecord | undefined): Change =>
  (backend) => ({
    async import(userId, records, options) {
      let count = 0
      async function* changed() {
        for await (const record of records) {
          count += 1
          const one = change(record)
          if (one) yield one
        }
      }
      await backend.import(userId, changed(), options)
      return { records: count }
    },
  })

/** Changes every listed item. */
export const listing =
  (change: (item: MemoryItem) => MemoryItem): Change =>
  (backend) => ({
    list: async (...call) => {
      const page = await backend.list(...call)
      return { ...page, items: page.items.map(change) }
    },
  })

export const never: AbortSignal = new AbortController().signal

export const nothing: MemoryItem = {
  ...{ id: 'nothing', scope: { kind: 'user' }, kind: 'note', text: '', pinned: false, fadesAt: null, evidence: [] },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' },
}

import type { MemoryBackend } from '../../../contracts/memory-backend/memory-backend.js'
import type { MemoryRecord } from '../../../contracts/memory-backend/memory-record.js'
import { describeTwins, exporting, importing, never } from './break-backend.test.js'
import { abortedImport, cut, details, digests, exports, exportsMeanwhile, foreign, newer, thousands, twice } from './suite-titles.test.js'

function addingImports(backend: MemoryBackend): Partial<MemoryBackend> {
  let count = 0
  return importing((record) => {
    count += 1
    return { ...record, id: `${record.id}-${count}` }
  })(backend)
}

function swallowedCut({ import: take }: MemoryBackend): Partial<MemoryBackend> {
  return { import: (...call) => take(...call).catch(() => ({ records: 0 })) }
}

function thousandAtMost(): (record: MemoryRecord) => MemoryRecord | undefined {
  let count = 0
  return (record) => {
    count += 1
    return count > 1_000 ? undefined : record
  }
}

/** Counts what it has given, and skips so many of those that are there now. */
function offsetExport({ export: read }: MemoryBackend): Partial<MemoryBackend> {
  return {
    async *export(...call) {
      for (let given = 0; ; given += 1) {
        const records: MemoryRecord[] = []
        for await (const record of read(...call)) if (record.forgotten !== true) records.push(record)
        const next = records[given]
        if (next === undefined) return
        yield next
      }
    },
  }
}

describeTwins('exports and imports', [
  [
    'an import that does not notice an abort',
    ({ import: take }) => ({ import: (userId, records) => take(userId, records, { signal: never }) }),
    [abortedImport],
  ],
  ['an export that counts what it has given', offsetExport, [exportsMeanwhile]],
  ['exports without digests', exporting(({ digests: _, ...record }) => record), [foreign, digests]],
  ['exports that do not tell what is corrected', exporting(({ corrected: _, ...record }) => record), [foreign, digests]],
  ['imports without origins', importing(({ origin: _, ...record }) => record), [foreign]],
  ['imports without details', importing(({ details: _, ...record }) => record), [foreign, details]],
  ['imports of notes alone', importing((record) => ({ ...record, kind: 'note' })), [foreign]],
  ['imports without pins', importing((record) => ({ ...record, pinned: false })), [exports, foreign]],
  ['imports without forgotten ones', importing((record) => (record.forgotten ? undefined : record)), [exports, foreign, newer]],
  ['imports that add each time', addingImports, [exports, twice, newer, cut]],
  ['imports that always win', importing((record) => ({ ...record, updatedAt: '2099-01-01T00:00:00.000Z' })), [foreign, newer]],
  ['a cut import that seems whole', swallowedCut, [cut]],
  ['room for a thousand', importing(thousandAtMost()), [thousands]],
])

import { setImmediate } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import {
  type CollectionLayout,
  type DocumentRecord,
  type IndexKey,
  type SearchText,
  uniqueViolationError,
} from '@agent-service/sdk/contracts/database-driver'
import type { Catalogue } from './catalogue.js'
import { type Reader, sliceMs } from './reader.js'
import { toWireKey, type WireFill, type WriterReply, type WriterRequest } from './writer-protocol.js'

/** Dependencies of a layout change. No commit runs meanwhile. */
export interface EnsureCollectionOptions {
  readonly layout: CollectionLayout
  readonly keysOf: (record: DocumentRecord) => readonly IndexKey[]
  readonly searchOf: ((record: DocumentRecord) => SearchText | null) | undefined
  readonly catalogue: Catalogue
  readonly reader: Reader
  readonly request: (request: WriterRequest) => Promise<WriterReply>
}

/** The number of documents whose keys go to the writer in one message; fewer with texts. */
const fillPage = 500
const textFillPage = 50

/**
 * `ensureCollection` of the contract. The keys are made here, where the function lives, from the
 * documents as they were before.
 */
export async function ensureCollection({ layout, keysOf, searchOf, catalogue, reader, request }: EnsureCollectionOptions): Promise<void> {
  const before = catalogue.find(layout.name)
  if (before && isDeepStrictEqual(before.layout, layout)) return
  const begun = await request({ kind: 'begin-layout', layout })
  try {
    const { positions, text } = begun.kind === 'fill' ? begun : { positions: [], text: false }
    let afterId: string | undefined
    while (before && (text || positions.length > 0)) {
      const page = reader.scan(before, afterId, text ? textFillPage : fillPage)
      const last = page.at(-1)
      if (!last) break
      afterId = last.id
      const rows: WireFill[] = []
      let end = performance.now() + sliceMs
      for (const record of page) {
        const keys = keysOf(record)
        rows.push([record.id, (text && searchOf?.(record)) || null, ...positions.map((position) => wireKeyAt(keys, position, layout))])
        if (performance.now() < end) continue
        await setImmediate()
        end = performance.now() + sliceMs
      }
      await request({ kind: 'fill', rows })
      await setImmediate()
    }
    const finished = await request({ kind: 'finish-layout' })
    if (finished.kind === 'unique-violation') throw uniqueViolationError.create({ collection: layout.name, index: finished.index })
  } catch (error) {
    await request({ kind: 'abandon-layout' })
    throw error
  }
  catalogue.reload()
  reader.forget()
}

function wireKeyAt(keys: readonly IndexKey[], position: number, layout: CollectionLayout): string | null {
  const key = keys[position]
  if (key === undefined || keys.length !== layout.indexes.length) {
    throw new Error(`Collection ${layout.name} has ${layout.indexes.length} index(es), ${keys.length} key(s) were given.`)
  }
  return key && toWireKey(key)
}

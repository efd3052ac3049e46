import type { CommitBatch, CommitCheck, CommitResult, CommitWrite } from '@agent-service/sdk/contracts/database-driver'
import { type Catalogue, columnOfIndex } from './catalogue.js'
import { toWireKey, type WireBatch, type WireCheck, type WireResult, type WireWrite } from './writer-protocol.js'

/**
 * A batch on its way to the writer. @throws when it names a collection or an index that is not
 * there, or has too few or too many keys.
 */
export function toWireBatch(batch: CommitBatch, catalogue: Catalogue): WireBatch {
  return [batch.checks.map((check) => toWireCheck(check, catalogue)), batch.writes.map((write) => toWireWrite(write, catalogue))]
}

function toWireCheck(check: CommitCheck, catalogue: Catalogue): WireCheck {
  const collection = catalogue.collection(check.collection)
  if (check.kind === 'revision') return ['revision', collection.number, check.id, check.revision]
  return ['key', collection.number, columnOfIndex(collection, check.index), toWireKey(check.key)]
}

function toWireWrite(write: CommitWrite, catalogue: Catalogue): WireWrite {
  const { number, layout } = catalogue.collection(write.collection)
  if (write.kind === 'delete') return [number, write.id, null, null]
  if (write.keys.length !== layout.indexes.length) {
    throw new Error(`Collection ${write.collection} has ${layout.indexes.length} index(es), the write has ${write.keys.length} key(s).`)
  }
  return [number, write.id, write.body, (layout.search && write.search) ?? null, ...write.keys.map((key) => key && toWireKey(key))]
}

/** The result of a batch, in the caller's own words. */
export function toCommitResult(batch: CommitBatch, result: Exclude<WireResult, { readonly error: unknown }>): CommitResult {
  if ('revision' in result) return { outcome: 'committed', revision: result.revision }
  if ('check' in result) {
    const check = batch.checks[result.check]
    if (!check) throw new Error(`The writer names check ${result.check} of ${batch.checks.length}.`)
    return { outcome: 'conflict', check }
  }
  const write = batch.writes[result.write]
  if (!write) throw new Error(`The writer names write ${result.write} of ${batch.writes.length}.`)
  return { outcome: 'unique-violation', collection: write.collection, index: result.index, id: write.id }
}

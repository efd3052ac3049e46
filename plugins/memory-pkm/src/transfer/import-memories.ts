import { setImmediate } from 'node:timers/promises'
import { canonicalJson } from '@agent-service/sdk'
import type { MemoryImport, MemoryRecord } from '@agent-service/sdk/contracts/memory-backend'
import { documentId } from '../common/ids.js'
import { oneLine } from '../common/text.js'
import type { StoredMemory } from '../store/records.js'
import { buriedWith, bury, textDigest } from '../store/tombstones.js'
import type { UserMemories } from '../store/user-memories.js'
import { emptied } from '../write/emptied.js'
import { backendId } from './export-memories.js'
import { readDetails, readDigests } from './memory-details.js'

/** How many records one transaction takes in. */
const batchSize = 50

/**
 * Takes in records of the neutral format. A newer record takes the place of an older one, never the
 * other way, and what was forgotten here stays forgotten.
 *
 * @throws `memory_full`.
 */
export async function importMemories(
  memories: UserMemories,
  userId: string,
  records: AsyncIterable<MemoryRecord>,
  { signal }: { readonly signal: AbortSignal },
): Promise<MemoryImport> {
  signal.throwIfAborted()
  let count = 0
  let batch: StoredMemory[] = []
  const store = async (): Promise<void> => {
    const taken = batch
    batch = []
    if (taken.length === 0) return
    await putAll(memories, userId, taken, signal)
    // Others have their turn, however fast the database is.
    await setImmediate()
  }
  for await (const record of records) {
    signal.throwIfAborted()
    batch.push(memoryOf(userId, record))
    count += 1
    if (batch.length === batchSize) await store()
  }
  await store()
  return { records: count }
}

const putAll = (memories: UserMemories, userId: string, taken: readonly StoredMemory[], signal: AbortSignal): Promise<void> =>
  memories.change(
    userId,
    async ({ transaction, get, put }) => {
      for (const memory of taken) {
        const known = get(memory.memory_id)
        if (known?.forgotten === true && !memory.forgotten) continue
        if (known !== undefined && known.updated_at > memory.updated_at) continue
        if (known !== undefined && canonicalJson(known) === canonicalJson(memory)) continue
        bury(transaction, userId, memory.buried)
        put(memory)
      }
    },
    { signal },
  )

/** A record as this back end stores it. What only another back end can express is kept beside it. */
function memoryOf(userId: string, record: MemoryRecord): StoredMemory {
  const { id, scope, text, pinned, createdAt, updatedAt, evidence, details = {}, origin } = record
  const { [backendId]: own, ...foreign } = details
  const base = {
    ...{ id: documentId(userId, id), user_id: userId, memory_id: id, scope, text, pinned, created_at: createdAt, updated_at: updatedAt },
    ...{ evidence, forgotten: false, foreign: Object.keys(foreign).length === 0 ? null : foreign },
  }
  const known = readDetails(own)
  const memory: StoredMemory =
    known === undefined
      ? { ...base, ...plainDetails(record), sources: record.digests ?? [], ...(origin !== undefined && { origin }) }
      : { ...base, ...known }
  const digests = readDigests(own)
  const all = [...digests.all, ...(record.digests ?? [])]
  if (record.forgotten === true)
    return { ...emptied(memory, updatedAt), foreign: memory.foreign, evidence, buried: buriedWith(memory, all) }
  const [said] = digests.own
  // The body of a page follows from its statements: another back end may have written it again.
  const isChanged = memory.type !== 'page' && said !== undefined && said !== textDigest(text)
  if (isChanged || (record.corrected === true && memory.origin !== 'person')) {
    const ownDigests = new Set([textDigest(text)])
    return {
      ...(isChanged ? corrected(memory) : { ...memory, sources: [], origin: 'person' }),
      buried: buriedWith(
        memory,
        all.filter((digest) => !ownDigests.has(digest)),
      ),
    }
  }
  return memory
}

/** A memory whose text a person has changed in another back end. */
function corrected(memory: StoredMemory): StoredMemory {
  const changed = { ...memory, sources: [], origin: 'person' as const }
  return changed.type === 'statement' ? { ...changed, value: memory.text, confidence: 1, disputes: null } : changed
}

/** What follows from a record that this back end has not exported. */
function plainDetails({ kind, title, whenToUse = '', text, pageId, updatedAt, validFrom, validTo, fadesAt, pinned }: MemoryRecord) {
  const common = { origin: 'chat' as const, sources: [], buried: [] }
  if (kind === 'playbook') {
    const [first = ''] = text.split('\n')
    const use = { title: title ?? oneLine(first, 120), when_to_use: whenToUse, successes: 0, failures: 0, last_used_at: null }
    return { ...common, type: 'playbook' as const, ...use }
  }
  return {
    ...{ ...common, type: 'short' as const, kind: 'fact' as const, shown_kind: kind, title: title ?? null, page_id: pageId ?? null },
    ...{ last_seen_at: updatedAt, reinforcements: 0, weight: 1, lasting: fadesAt === null && !pinned },
    ...{ valid_from: validFrom ?? null, valid_to: validTo ?? null, superseded_by: null, statement_id: null, keys: [] },
  }
}

import { strict as assert } from 'node:assert'
import type { UserData, UserDataRecord } from '../../contracts/user-data/index.js'
import type { JsonValue } from '../../core/json.js'
import type { UserDataSubject } from './suite-options.js'

/** A signal that nothing aborts. */
export const still: { readonly signal: AbortSignal } = { signal: new AbortController().signal }

/** All records of an export, by their paths: they come in any order. */
export async function exported(data: UserData, userId: string, options: typeof still = still): Promise<readonly UserDataRecord[]> {
  const records: UserDataRecord[] = []
  for await (const record of data.export(userId, options)) records.push(record)
  return records.sort((one, other) => (one.path < other.path ? -1 : 1))
}

/** What is stored of a user, read without the contribution; empty if the suite cannot see it. */
export async function storedOf({ data, database, stored }: UserDataSubject, userId: string): Promise<readonly JsonValue[]> {
  const documents = data.collections.flatMap(
    (collection) => database?.documents(collection) ?? [],
  ) as readonly unknown[] as readonly JsonValue[]
  const own = documents.filter((document) => Object.values(document as object).includes(userId))
  return structuredClone([...own, ...(typeof stored === 'function' ? await stored(userId) : [])])
}

/** Texts shorter than this are in too many places to tell a record by. */
const minMarkLength = 3
/** What people do not read: digests, keys, sealed values. An export may leave them out. */
const unreadable = /^\S{32,}$/

/** For each stored value the texts, and the ids, by which it is told from all others. */
export function marksOf(values: readonly JsonValue[], others: readonly JsonValue[] = []): readonly Marks[] {
  const all = values.map(textsIn)
  const foreign = JSON.stringify(others)
  const plain = values.map((value) => JSON.stringify(value))
  const isOf = (text: string, index: number): boolean => plain.some((other, at) => at !== index && other.includes(asPart(text)))
  return all.map(({ texts, ids }, index) => {
    const telling = (text: string): boolean => text.length >= minMarkLength && !foreign.includes(asPart(text)) && !isOf(text, index)
    return { texts: new Set([...texts].filter((text) => telling(text) && !unreadable.test(text))), ids: new Set([...ids].filter(telling)) }
  })
}

/** The texts in a value, and its ids, which an export may replace. */
interface Marks {
  readonly texts: ReadonlySet<string>
  readonly ids: ReadonlySet<string>
}

function textsIn(value: JsonValue): Marks {
  if (typeof value === 'string') return { texts: new Set([value]), ids: new Set() }
  if (typeof value !== 'object' || value === null) return { texts: new Set(), ids: new Set() }
  const isId = (name: string): boolean => name === 'id' || name.endsWith('_id')
  const members = Object.entries(value).map(([name, member]) => ({ isOfId: isId(name), ...textsIn(member as JsonValue) }))
  return {
    texts: new Set(members.flatMap(({ isOfId, texts }) => (isOfId ? [] : [...texts]))),
    ids: new Set(members.flatMap(({ isOfId, texts, ids }) => [...ids, ...(isOfId ? texts : [])])),
  }
}

/** How JSON has a text inside another one. */
const asPart = (text: string): string => JSON.stringify(text).slice(1, -1)

/** Whether records contain a text, in a path or as a part of a value. */
const contains = (records: readonly UserDataRecord[], text: string): boolean => JSON.stringify(records).includes(asPart(text))

/** Fails unless each stored value with a text of its own is in the records, by that text or an id. */
export function assertComplete(records: readonly UserDataRecord[], values: readonly JsonValue[], what: string): void {
  for (const [index, { texts, ids }] of marksOf(values).entries())
    assert.ok(
      texts.size === 0 || [...texts, ...ids].some((mark) => contains(records, mark)),
      `nothing of this record is in ${what}: ${JSON.stringify(values[index]).slice(0, 300)}`,
    )
}

/** Fails if the records have a text that only the other user's values have. */
export function assertOwn(
  records: readonly UserDataRecord[],
  own: readonly JsonValue[],
  foreign: readonly JsonValue[],
  what: string,
): void {
  for (const { texts, ids } of marksOf(foreign, own))
    for (const mark of [...texts, ...ids]) assert.ok(!contains(records, mark), `${what} has “${mark}”, which is of another user`)
}

/** Fails unless a record is plain JSON under a relative path. */
export function assertRecord({ path, json }: UserDataRecord): void {
  assert.ok(isRelative(path), `the path “${path}” is not relative, or leaves the folder`)
  assert.deepEqual(JSON.parse(JSON.stringify(json)), json, `${path} is not plain JSON`)
}

const isRelative = (path: string): boolean =>
  path !== '' && !path.startsWith('/') && path.split('/').every((name) => name !== '' && name !== '.' && name !== '..')

/** One step of building a value again elsewhere. A key is absent in a list and at the root. */
export type JsonPiece =
  | { readonly kind: 'value'; readonly key?: string; readonly value: unknown }
  /** Several items of the open list, or members of the open object. */
  | { readonly kind: 'items'; readonly items: readonly unknown[] }
  | { readonly kind: 'members'; readonly members: Readonly<Record<string, unknown>> }
  | { readonly kind: 'open'; readonly key?: string; readonly list: boolean }
  | { readonly kind: 'close' }

/** About how much one batch may weigh: a node counts 32, a character 1. A batch of this weight crosses to another thread within a few milliseconds. */
const batchWeight = 128 * 1024
/** What weighs no more is not taken apart. */
const wholeWeight = batchWeight / 4

/**
 * Cuts a JSON value into batches that can cross to another thread one by one, so that the receiver never has to take in a large value at
 * once. A single long string is the one thing that is not cut.
 */
export function* cutIntoBatches(value: unknown): Generator<readonly JsonPiece[]> {
  let batch: JsonPiece[] = []
  let weight = 0
  for (const { piece, weight: more } of cut(value, undefined)) {
    if (weight + more > batchWeight && batch.length > 0) {
      yield batch
      batch = []
      weight = 0
    }
    batch.push(piece)
    weight += more
  }
  yield batch
}

interface Weighed {
  readonly piece: JsonPiece
  readonly weight: number
}

function* cut(value: unknown, key: string | undefined): Generator<Weighed> {
  const named = key === undefined ? {} : { key }
  const weight = weigh(value, wholeWeight)
  if (typeof value !== 'object' || value === null || weight <= wholeWeight) {
    yield { piece: { kind: 'value', ...named, value }, weight: weight + 64 }
    return
  }
  const list = Array.isArray(value)
  yield { piece: { kind: 'open', ...named, list }, weight: 64 }
  yield* list ? cutItems(value) : cutMembers(value as Readonly<Record<string, unknown>>)
  yield { piece: { kind: 'close' }, weight: 64 }
}

/** Neighbours that are light travel together. */
function* cutItems(list: readonly unknown[]): Generator<Weighed> {
  let items: unknown[] = []
  let weight = 0
  for (const item of list) {
    const more = weigh(item, wholeWeight)
    if (items.length > 0 && weight + more > wholeWeight) {
      yield { piece: { kind: 'items', items }, weight }
      items = []
      weight = 0
    }
    if (more > wholeWeight) {
      yield* cut(item, undefined)
    } else {
      items.push(item)
      weight += more
    }
  }
  if (items.length > 0) yield { piece: { kind: 'items', items }, weight }
}

function* cutMembers(object: Readonly<Record<string, unknown>>): Generator<Weighed> {
  let members: [string, unknown][] = []
  let weight = 0
  const group = (): Weighed => ({ piece: { kind: 'members', members: Object.fromEntries(members) }, weight })
  for (const [name, member] of Object.entries(object)) {
    const more = name.length + weigh(member, wholeWeight)
    if (members.length > 0 && weight + more > wholeWeight) {
      yield group()
      members = []
      weight = 0
    }
    if (more > wholeWeight) {
      yield* cut(member, name)
    } else {
      members.push([name, member])
      weight += more
    }
  }
  if (members.length > 0) yield group()
}

/** The weight of a value; more than the limit as soon as that is certain. */
function weigh(value: unknown, limit: number): number {
  if (typeof value === 'string') return 32 + value.length
  if (typeof value !== 'object' || value === null) return 32
  let weight = 32
  if (Array.isArray(value)) {
    for (const item of value) {
      weight += weigh(item, limit - weight)
      if (weight > limit) return weight
    }
    return weight
  }
  for (const name of Object.keys(value)) {
    weight += name.length + weigh((value as Readonly<Record<string, unknown>>)[name], limit - weight)
    if (weight > limit) return weight
  }
  return weight
}

/** Builds a value from batches in their order. */
export function createJsonBuilder(): { add(batch: readonly JsonPiece[]): void; value(): unknown } {
  const open: (unknown[] | Record<string, unknown>)[] = []
  let root: unknown
  const place = (key: string | undefined, value: unknown) => {
    const parent = open.at(-1)
    if (parent === undefined) root = value
    else if (Array.isArray(parent)) parent.push(value)
    else parent[key ?? ''] = value
  }
  return {
    add(batch) {
      for (const piece of batch) {
        if (piece.kind === 'close') {
          open.pop()
          continue
        }
        if (piece.kind === 'items') {
          for (const item of piece.items) place(undefined, item)
          continue
        }
        if (piece.kind === 'members') {
          for (const [name, member] of Object.entries(piece.members)) place(name, member)
          continue
        }
        const value = piece.kind === 'value' ? piece.value : piece.list ? [] : {}
        place(piece.key, value)
        if (piece.kind === 'open') open.push(value as unknown[] | Record<string, unknown>)
      }
    },
    value: () => root,
  }
}

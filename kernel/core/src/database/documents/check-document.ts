import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { documentInvalidError } from '../errors.js'

/** The largest document, in bytes of its JSON. */
export const maxDocumentBytes = 8 * 1024 * 1024
/** The maximum nesting of objects and arrays; the document itself is the first level. */
export const maxDocumentDepth = 100
/** The longest id, in bytes of UTF-8. */
export const maxIdBytes = 200

/** A valid document: a deeply frozen copy, and its JSON. */
export interface CheckedDocument {
  readonly id: string
  readonly document: JsonObject
  readonly body: string
  readonly bytes: number
}

/** Whether a string is well-formed UTF-16, without lone surrogates, so that its UTF-8 form is exact. */
export const isWellFormed = (text: string): boolean => (text as string & { isWellFormed(): boolean }).isWellFormed()

/** Whether this is a valid document id: 1 to 200 bytes of well-formed UTF-8. */
export const isDocumentId = (id: unknown): id is string =>
  typeof id === 'string' && id.length > 0 && id.length <= maxIdBytes && Buffer.byteLength(id) <= maxIdBytes && isWellFormed(id)

/**
 * Copies a document. Refuses everything that JSON would drop or change, so that the store returns
 * exactly what it was given, except that -0 becomes 0. Later changes of the object do not affect
 * the copy.
 * @throws `document_invalid` with path and reason.
 */
export function checkDocument(collection: string, document: unknown): CheckedDocument {
  const refuse = (path: Path, reason: string): never => {
    throw documentInvalidError.create({ collection, path: formatPath(path), reason })
  }
  const copy = copyValue(document, { path: [], ancestors: [], budget: { bytes: maxDocumentBytes }, refuse })
  if (copy === null || typeof copy !== 'object' || Array.isArray(copy)) return refuse([], 'must be a JSON object')
  const object = copy as JsonObject
  const id = object['id']
  if (!isDocumentId(id)) return refuse(['id'], `must be a string of 1 to ${maxIdBytes} bytes of well-formed UTF-8`)
  const body = JSON.stringify(object)
  const bytes = Buffer.byteLength(body)
  if (bytes > maxDocumentBytes) return refuse([], `has ${bytes} bytes as JSON, more than ${maxDocumentBytes}`)
  return { id, document: object, body, bytes }
}

type Path = readonly (string | number)[]

interface Walk {
  /** The current position; changed in place. */
  readonly path: (string | number)[]
  readonly ancestors: object[]
  /**
   * The rest of the size limit, by a lower bound of the JSON's size: otherwise objects that share
   * parts could be walked for ever.
   */
  readonly budget: { bytes: number }
  readonly refuse: (path: Path, reason: string) => never
}

function copyValue(value: unknown, walk: Walk): JsonValue {
  switch (typeof value) {
    case 'string':
      if (!isWellFormed(value)) return walk.refuse(walk.path, 'has a lone surrogate, which is not Unicode text')
      spend(walk, value.length + 2)
      return value
    case 'number':
      if (!Number.isFinite(value)) return walk.refuse(walk.path, `is ${value}, which JSON cannot hold`)
      spend(walk, 1)
      return value === 0 ? 0 : value
    case 'boolean':
      spend(walk, 4)
      return value
    case 'object':
      if (value === null) {
        spend(walk, 4)
        return null
      }
      return copyObject(value, walk)
    default:
      return walk.refuse(walk.path, `is ${value === undefined ? 'undefined' : `a ${typeof value}`}, which JSON cannot hold`)
  }
}

function copyObject(value: object, walk: Walk): JsonValue {
  const { ancestors } = walk
  if (ancestors.length >= maxDocumentDepth) {
    return walk.refuse(walk.path, ancestors.includes(value) ? 'refers to itself' : `is deeper than ${maxDocumentDepth} levels`)
  }
  ancestors.push(value)
  spend(walk, 2)
  const copy = Array.isArray(value) ? copyArray(value, walk) : copyMembers(value, walk)
  ancestors.pop()
  return Object.freeze(copy)
}

function copyArray(value: readonly unknown[], walk: Walk): JsonValue[] {
  const copy: JsonValue[] = []
  for (let index = 0; index < value.length; index++) {
    walk.path.push(index)
    if (!Object.hasOwn(value, index)) return walk.refuse(walk.path, 'is a hole in a sparse array')
    copy.push(copyValue(value[index], walk))
    walk.path.pop()
  }
  if (Reflect.ownKeys(value).length !== value.length + 1) return walk.refuse(walk.path, 'is an array with members beside its items')
  return copy
}

function copyMembers(value: object, walk: Walk): Record<string, JsonValue> {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null && Object.getPrototypeOf(prototype) !== null)
    return walk.refuse(walk.path, `is ${describeClass(value)}, not a plain object`)
  if (Object.getOwnPropertySymbols(value).length > 0) return walk.refuse(walk.path, 'has a member whose name is a symbol')
  const copy: Record<string, JsonValue> = {}
  for (const name of Object.keys(value)) {
    walk.path.push(name)
    if (name === '__proto__') return walk.refuse(walk.path, 'is a name that is not allowed')
    if (!isWellFormed(name)) return walk.refuse(walk.path, 'is a name with a lone surrogate, which is not Unicode text')
    spend(walk, name.length + 3)
    copy[name] = copyValue((value as Readonly<Record<string, unknown>>)[name], walk)
    walk.path.pop()
  }
  return copy
}

function spend(walk: Walk, bytes: number): void {
  walk.budget.bytes -= bytes
  if (walk.budget.bytes < 0) walk.refuse([], `has more than ${maxDocumentBytes} bytes as JSON`)
}

function describeClass(value: object): string {
  const name: unknown = (value as { readonly constructor?: { readonly name?: unknown } }).constructor?.name
  return typeof name === 'string' && name !== '' ? `a ${name}` : 'an object of a class'
}

const formatPath = (path: Path): string =>
  path.reduce<string>((text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`), '')

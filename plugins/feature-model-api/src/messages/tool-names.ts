import { createHash } from 'node:crypto'
import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { maxTools } from './request-bounds.js'

/** A function as its client names it. Those of a server of tools stand in a namespace. */
export interface ClientName {
  readonly name: string
  readonly namespace?: string
}

/** The names of functions for a model, which knows no namespaces. */
export interface ToolNames {
  /** The name for the model. No other function of the request has it, and every provider takes it. */
  join(called: ClientName): string
  /** The function that the model calls by this name. */
  split(joined: string): ClientName
}

/** The longest name that providers take. */
const maxLength = 64

/**
 * Names for the functions of a request. Equal tools get equal names in each turn of a conversation: functions without a
 * namespace keep theirs, and the others are named in their order.
 */
export function createToolNames(tools: readonly JsonObject[]): ToolNames {
  const known = new Map<string, ClientName>()
  const joinedNames = new Map<string, string>()
  const join = ({ name, namespace }: ClientName): string => {
    if (namespace === undefined) return name
    const key = JSON.stringify([namespace, name])
    const joined = joinedNames.get(key) ?? freeName(namespace.endsWith('__') ? namespace + name : `${namespace}__${name}`, key, known)
    joinedNames.set(key, joined)
    known.set(joined, { name, namespace })
    return joined
  }
  const functions = functionsOf(tools)
  for (const { name, namespace } of functions) if (namespace === undefined) known.set(name, { name })
  for (const called of functions) join(called)
  return { join, split: (joined) => known.get(joined) ?? { name: joined } }
}

/** The wanted name if it is short, valid and free, otherwise a shorter one with a digest of the key. */
function freeName(wanted: string, key: string, known: ReadonlyMap<string, unknown>): string {
  const valid = wanted.replaceAll(/[^A-Za-z0-9_-]/g, '_')
  if (valid === wanted && valid.length <= maxLength && !known.has(valid)) return valid
  for (let attempt = 0; ; attempt += 1) {
    const digest = createHash('sha256').update(`${attempt}${key}`).digest('hex').slice(0, 8)
    const shortened = `${valid.slice(0, maxLength - digest.length - 1)}_${digest}`
    if (!known.has(shortened)) return shortened
  }
}

/** The names in a list of tools that is not checked yet, and no more of them than a request may have. */
function functionsOf(tools: readonly JsonObject[]): readonly ClientName[] {
  const found: ClientName[] = []
  for (const tool of tools) {
    const { type, name, tools: inner, function: wrapped } = tool
    if (type !== 'namespace') addName(found, wrapped ?? tool)
    else if (typeof name === 'string' && Array.isArray(inner)) for (const each of inner.slice(0, maxTools)) addName(found, each, name)
    if (found.length > maxTools) break
  }
  return found
}

function addName(found: ClientName[], given: JsonValue, namespace?: string): void {
  const { function: wrapped, name: own } = asObject(given)
  const name = asObject(wrapped)['name'] ?? own
  if (typeof name === 'string') found.push({ name, ...(namespace !== undefined && { namespace }) })
}

const asObject = (value: JsonValue | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}

import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ModelTool } from '@agent-service/sdk/contracts/provider-adapter'
import { checkedObject, type FieldRules, hint, only } from '../fields/field-rules.js'
import type { IgnoredFields } from '../fields/ignored-fields.js'
import { unsupportedParameterError } from '../openai-error.js'
import { maxTools } from './request-bounds.js'
import type { ToolNames } from './tool-names.js'

/** Hints of vendors for caches and lists, and marks that clients keep in tools. They have no effect. */
const marks: FieldRules = Object.fromEntries(
  ['cache_control', 'custom_fields', 'eager_input_streaming', 'metadata'].map((name) => [name, 'ignored']),
)

/** The members of a function, in `function` or beside `type`. */
const functionFields: FieldRules = {
  ...marks,
  ...{ name: 'carried', description: 'carried', parameters: 'carried', strict: 'carried' },
  ...{ annotations: 'ignored', title: 'ignored', output_schema: 'ignored' },
  type: only(['function'], 'must be function.'),
}

/** The members of a tool that has its function inside, and of one that is the function. */
const wrappedFields: FieldRules = { ...marks, type: 'carried', function: 'carried' }
const flatFields: FieldRules = {
  ...functionFields,
  type: 'carried',
  // Every tool is offered at once.
  defer_loading: hint(false),
  allowed_callers: only([['direct']], 'must be ["direct"]: only the model calls tools.'),
}

/** The members of a namespace, which has the functions of one server of tools. */
const namespaceFields: FieldRules = { ...marks, type: 'carried', name: 'carried', tools: 'carried', description: 'ignored' }

/** A tool, where it stands, and in which namespace. */
interface OfferedTool {
  readonly tool: JsonObject
  readonly at: string
  readonly namespace?: string
}

/**
 * The tools of either protocol. Those of a vendor, such as `web_search`, are left out and noted if there are functions
 * beside them, since clients offer them to every model. With `names`, the functions of namespaces are tools as well.
 * @throws for vendors' tools alone.
 */
export function readTools(tools: readonly JsonObject[], at: string, ignored: IgnoredFields, names?: ToolNames): readonly ModelTool[] {
  const isForeign = ({ tool: { type } }: OfferedTool): boolean => typeof type === 'string' && type !== '' && type !== 'function'
  const offered = tools.flatMap((tool, index) =>
    names ? openNamespace(tool, `${at}[${index}]`, ignored) : [{ tool, at: `${at}[${index}]` }],
  )
  if (offered.length > maxTools)
    throw unsupportedParameterError.create({
      param: at,
      reason: `has ${offered.length} tools in total, but at most ${maxTools} are allowed.`,
    })
  const isServed = offered.some((each) => !isForeign(each))
  return offered.flatMap((each) => {
    if (isServed && isForeign(each)) {
      ignored.add(`${each.at}.${String(each.tool['type'])}`)
      return []
    }
    const read = readTool(each.tool, each.at, ignored)
    return [names && each.namespace !== undefined ? { ...read, name: names.join({ name: read.name, namespace: each.namespace }) } : read]
  })
}

/** The tools of a namespace; any other tool is itself. */
function openNamespace(tool: JsonObject, at: string, ignored: IgnoredFields): readonly OfferedTool[] {
  if (tool['type'] !== 'namespace') return [{ tool, at }]
  const { name: namespace, tools } = checkedObject(tool, namespaceFields, at, ignored) ?? {}
  if (typeof namespace !== 'string' || namespace === '') throw unsupportedParameterError.create({ param: at, reason: 'has no name.' })
  const inner: JsonValue = tools ?? []
  if (!Array.isArray(inner)) throw unsupportedParameterError.create({ param: `${at}.tools`, reason: 'must be a list of functions.' })
  if (inner.length === 0) ignored.add(`${at}.namespace`)
  return inner.map((each: JsonValue, index) => {
    const place = `${at}.tools[${index}]`
    if (typeof each !== 'object' || each === null) throw unsupportedParameterError.create({ param: place, reason: 'must be a function.' })
    return { tool: each as JsonObject, at: place, namespace }
  })
}

/**
 * A tool of either protocol: `{type, function: {…}}`, where some clients omit the type, or the same without
 * `function`. @throws for other types of tools.
 */
export function readTool(tool: JsonObject, at: string, ignored: IgnoredFields): ModelTool {
  const isWrapped = typeof tool['function'] === 'object' && tool['function'] !== null
  if (tool['type'] !== 'function' && !(isWrapped && (tool['type'] ?? null) === null))
    throw unsupportedParameterError.create({
      param: at,
      reason: `is of the type “${String(tool['type'])}”; only functions are supported.`,
    })
  checkedObject(tool, isWrapped ? wrappedFields : flatFields, at, ignored)
  return isWrapped ? readFunction(tool['function'], `${at}.function`, ignored) : functionOf(tool, at)
}

/** A function by itself. @throws for one without a name. */
export const readFunction = (given: unknown, at: string, ignored: IgnoredFields): ModelTool =>
  functionOf(checkedObject(given, functionFields, at, ignored) ?? {}, at)

function functionOf({ name, description, parameters, strict }: JsonObject, at: string): ModelTool {
  if (typeof name !== 'string' || name === '') throw unsupportedParameterError.create({ param: at, reason: 'has no name.' })
  return {
    name,
    description: typeof description === 'string' ? description : '',
    parameters: typeof parameters === 'object' && parameters !== null ? (parameters as JsonObject) : { type: 'object', properties: {} },
    ...readStrict(strict, at),
  }
}

export function readStrict(strict: JsonValue | undefined, at: string): { readonly strict?: boolean } {
  if (strict === undefined || strict === null) return {}
  if (typeof strict !== 'boolean') throw unsupportedParameterError.create({ param: `${at}.strict`, reason: 'must be true or false.' })
  return { strict }
}

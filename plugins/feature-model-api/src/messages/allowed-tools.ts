import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ModelTool } from '@agent-service/sdk/contracts/provider-adapter'
import { checkedObject } from '../fields/field-rules.js'
import type { IgnoredFields } from '../fields/ignored-fields.js'
import { unsupportedParameterError } from '../openai-error.js'
import { type Offer, readChosen } from './tool-choice.js'

/** The tools that a choice leaves, and whether one of them must be called. */
export interface AllowedTools {
  readonly tools: readonly ModelTool[]
  readonly toolChoice: 'auto' | 'required'
}

/**
 * The choice of the type `allowed_tools`, whose members stand in an object of that name, or beside the type; nothing for
 * another choice. Only the tools that it names are offered. @throws naming the path.
 */
export function readAllowedTools(choice: JsonValue | undefined, offer: Offer, ignored: IgnoredFields): AllowedTools | undefined {
  const given = asObject(choice)
  if (given?.['type'] !== 'allowed_tools') return undefined
  const isWrapped = asObject(given['allowed_tools']) !== undefined
  const at = isWrapped ? 'tool_choice.allowed_tools' : 'tool_choice'
  if (isWrapped) checkedObject(given, { type: 'carried', allowed_tools: 'carried' }, 'tool_choice', ignored)
  const members = isWrapped ? given['allowed_tools'] : given
  const { mode, tools } = checkedObject(members, { type: 'carried', mode: 'carried', tools: 'carried' }, at, ignored) ?? {}
  if (mode !== undefined && mode !== null && mode !== 'auto' && mode !== 'required')
    throw unsupportedParameterError.create({ param: `${at}.mode`, reason: 'must be auto or required.' })
  const entries: readonly JsonValue[] = Array.isArray(tools) ? tools : []
  const names = new Set(entries.flatMap((entry, index) => namesOf(entry, offer, `${at}.tools[${index}]`, ignored)))
  if (names.size === 0) throw unsupportedParameterError.create({ param: `${at}.tools`, reason: 'must name at least one of the functions.' })
  return { tools: offer.tools.filter(({ name }) => names.has(name)), toolChoice: mode === 'required' ? 'required' : 'auto' }
}

/** The functions for the model that an entry allows. A vendor’s tool is none of them, and noted as where it is offered. */
function namesOf(entry: JsonValue, offer: Offer, at: string, ignored: IgnoredFields): readonly string[] {
  const given = asObject(entry)
  if (given === undefined) throw unsupportedParameterError.create({ param: at, reason: 'must be an object with a type and a name.' })
  const type = given['type'] ?? 'function'
  if (type !== 'function' && type !== 'namespace') {
    ignored.add(`${at}.${String(type)}`)
    return []
  }
  const names = type === 'namespace' ? namesIn(given['name'], offer) : [readChosen(given, offer, at, ignored)]
  const offered = names.filter((name) => offer.tools.some((tool) => tool.name === name))
  if (offered.length === 0) throw unsupportedParameterError.create({ param: at, reason: 'is not among the tools.' })
  return offered
}

const namesIn = (namespace: JsonValue | undefined, { tools, names }: Offer): readonly string[] =>
  tools.map(({ name }) => name).filter((name) => namespace !== undefined && names?.split(name).namespace === namespace)

const asObject = (value: JsonValue | undefined): JsonObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined

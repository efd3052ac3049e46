import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { FilePart, ImagePart, TextPart } from '@agent-service/sdk/contracts/provider-adapter'
import { type FieldRules, otherContent } from '../fields/field-rules.js'
import { type Place, readParts } from '../messages/content-parts.js'
import type { ToolNames } from '../messages/tool-names.js'
import { unsupportedParameterError } from '../openai-error.js'

/** Calls of tools that are no functions, by type: the member of the item that says what was asked. No model is offered such a tool here. */
const askedMembers: Readonly<Record<string, string>> = {
  custom_tool_call: 'input',
  local_shell_call: 'action',
  shell_call: 'action',
  apply_patch_call: 'operation',
}

const callFields: FieldRules = { type: 'carried', call_id: 'carried', id: 'carried', name: 'carried', namespace: 'carried', '*': 'ignored' }
const outputFields: FieldRules = { ...otherContent, type: 'carried', call_id: 'carried', id: 'carried', output: 'carried', '*': 'ignored' }

/** The members of the items of such calls and of their results. */
export const textCallFields: Readonly<Record<string, FieldRules>> = Object.fromEntries(
  Object.entries(askedMembers).flatMap(([type, asked]) => [
    [type, { ...callFields, [asked]: 'carried' }],
    [`${type}_output`, type === 'apply_patch_call' ? { ...outputFields, status: 'carried' } : outputFields],
  ]),
)

/** Whether an item is a call of a tool that is not a function. */
export const isTextCall = (type: JsonValue): boolean => typeof type === 'string' && Object.hasOwn(askedMembers, type)

/** Whether an item is the result of such a call. */
export const isTextOutput = (type: JsonValue): boolean =>
  typeof type === 'string' && type.endsWith('_output') && isTextCall(type.slice(0, -7))

/** The id by which a result is found; older shells have no other than that of the item. */
export const textCallId = ({ call_id: callId, id }: JsonObject): JsonValue | undefined => callId ?? id

/** A call of such a tool, as the assistant would tell it. @throws for one without an id or a name. */
export function readTextCall(
  item: JsonObject,
  at: string,
  names: ToolNames,
): { readonly id: string; readonly name: string; readonly part: TextPart } {
  const type = String(item['type'])
  const id = textCallId(item)
  const name = type === 'custom_tool_call' ? customName(item, names) : type.slice(0, -'_call'.length)
  if (typeof id !== 'string' || name === undefined)
    throw unsupportedParameterError.create({ param: at, reason: 'must have a call_id and a name.' })
  const asked = item[String(askedMembers[type])] ?? ''
  return { id, name, part: { type: 'text', text: `(called ${name} with ${textOf(asked)})` } }
}

function customName({ name, namespace }: JsonObject, names: ToolNames): string | undefined {
  if (typeof name !== 'string') return undefined
  return names.join(typeof namespace === 'string' && namespace !== '' ? { name, namespace } : { name })
}

/** The result of such a call, as the user would tell it, with its pictures and files. */
export function readTextOutput(item: JsonObject, name: string, { at, ignored }: Place): readonly (TextPart | ImagePart | FilePart)[] {
  const output = item['output'] ?? item['status'] ?? ''
  const parts = isContent(output) ? readParts(output, { at: `${at}.output`, ignored }) : [{ type: 'text', text: textOf(output) } as const]
  const said = parts.map((part) => (part.type === 'text' ? part.text : '')).filter((text) => text !== '')
  return [{ type: 'text', text: `(${name} answered: ${said.join('\n')})` }, ...parts.filter(({ type }) => type !== 'text')]
}

/** Whether an output is a list of parts of content; a shell gives a list of objects of its own. */
const isContent = (output: JsonValue): boolean =>
  Array.isArray(output) &&
  output.every((part: JsonValue) => typeof part === 'object' && part !== null && typeof (part as JsonObject)['type'] === 'string')

const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value))

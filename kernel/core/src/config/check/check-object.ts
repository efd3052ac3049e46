import { type JsonObject, type JsonValue, type Problem, validate } from '@agent-service/sdk'
import { suggestion } from '@agent-service/sdk/host'
import type { ValuePath } from '../schema/dotted-path.js'
import type { Finding } from '../schema/problem.js'
import { choicesOf, declaredMember, extensionMember, memberNames, own, type SchemaNode, variantOf } from '../schema/schema-node.js'

/** Options for checking a value against its schema. */
export interface CheckOptions {
  /**
   * Whether required members are checked: true for the whole with its defaults; false for the file
   * alone, which may be partial.
   */
  readonly complete: boolean
  /**
   * Whether the value at a path may be shown: it stands in the file itself and does not come from a
   * variable.
   */
  showable(path: ValuePath): boolean
}

type CheckMember = (node: SchemaNode, value: JsonValue, options: CheckOptions, path: ValuePath) => readonly Finding[]

/** Up to this many unknown members of one object get a suggestion, since finding one takes time. */
const maxSuggestions = 20

/** The problems of an object: its size, missing members, and each member by its schema. */
export function checkObject(
  node: SchemaNode,
  value: JsonObject,
  options: CheckOptions,
  path: ValuePath,
  checkMember: CheckMember,
): readonly Finding[] {
  let refused = 0
  return [
    ...Object.entries(value).flatMap(([name, member]) => {
      const found = findMember(node, name, value, { suggests: refused < maxSuggestions })
      const at = [...path, name]
      if ('schema' in found) return checkMember(found.schema, member, options, at)
      refused += 1
      return [{ path: at, message: found.message, atKey: true }]
    }),
    ...sizeFaults(node, value).map(({ message }) => ({ path, message })),
    ...(options.complete ? missingMembers(node, value, path) : []),
  ]
}

/** Checks the number of members. */
const sizeFaults = ({ minProperties = 0, maxProperties }: SchemaNode, value: JsonObject): readonly Problem[] =>
  minProperties === 0 && maxProperties === undefined
    ? []
    : validate({ minProperties, ...(maxProperties === undefined ? {} : { maxProperties }) }, value)

function missingMembers(node: SchemaNode, value: JsonObject, path: ValuePath): readonly Finding[] {
  const variant = variantOf(node, value)
  const extension = variant === undefined ? undefined : own(node['x-extensions'], variant)
  return [...(node.required ?? []), ...(extension?.required ?? [])].flatMap((name) => {
    if (Object.hasOwn(value, name)) return []
    return [{ path: [...path, name], message: 'is required and has no default' }]
  })
}

/** The schema of a member, or why the member is not allowed. */
export function findMember(
  node: SchemaNode,
  name: string,
  value: JsonObject,
  { suggests = true }: { readonly suggests?: boolean } = {},
): { readonly schema: SchemaNode } | { readonly message: string } {
  const declared = declaredMember(node, name)
  const extended = own(node.properties, name) ? undefined : extensionMember(node, name, value)
  if (declared?.['x-removed'] !== undefined) return { message: `is no longer a field. ${declared['x-removed']}` }
  if (!extended) return declared ? { schema: declared } : { message: suggests ? unknownMember(node, name) : 'is not known here' }
  const variant = variantOf(node, value)
  const chosen = variant === undefined ? undefined : own(node['x-extensions'], variant)
  if (variant === undefined || own(chosen?.properties, name) || (!chosen && !isChoice(node))) return { schema: extended }
  const supported = Object.keys(chosen?.properties ?? {}).join(', ') || 'no settings of its own'
  return { message: `is not supported with ${node['x-variant-member']} “${variant}”, which supports ${supported}` }
}

/**
 * True if the variant member is a choice: then every variant is known, and one without an extension
 * has no settings of its own.
 */
const isChoice = (node: SchemaNode): boolean => {
  const member = own(node.properties, node['x-variant-member'] ?? '')
  return member !== undefined && choicesOf(member) !== undefined
}

function unknownMember(node: SchemaNode, name: string): string {
  const patterns = Object.keys(node.patternProperties ?? {})
  const names = memberNames(node).filter((known) => own(node.properties, known)?.['x-removed'] === undefined)
  if (patterns.length > 0 && names.length === 0) return `is not an allowed name here; names match ${patterns.join(' or ')}`
  const near = suggestion(name, names)
  return `is not known here${near || (names.length > 0 && names.length <= 12 ? `; known: ${names.join(', ')}` : '')}`
}

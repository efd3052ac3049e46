import {
  begins,
  type Examination,
  formatPath,
  isMap,
  isObject,
  isSecret,
  memberSchema,
  objectVariant,
  own,
  type SchemaNode,
  shownReferences,
  sourceIn,
  takesAnything,
  type ValuePath,
  type ValueSource,
  valueAt,
  variableFor,
  variantOf,
} from '@agent-service/kernel-core/config'
import type { JsonValue } from '@agent-service/sdk'
import type { FieldExplanation } from './field-explanation.js'
import { typeOf } from './field-table.js'
import { createOwners, type Owners } from './owners.js'
import { shownValue } from './shown-values.js'

/**
 * Every field at or below `at`, in the order of the schema, and every present entry of a map, with
 * the source of its value. In an invalid configuration, a wrong value reads as its default, with
 * the problem. `undefined` if the schema has no such path. A missing entry of a map is explained
 * too if `at` leads into it.
 */
export function explainFields(examination: Examination, at: ValuePath = []): readonly FieldExplanation[] | undefined {
  const owners = createOwners(examination.manifests)
  let found: Field | undefined = wholeOf(examination)
  for (const part of at) found = found && typeof part === 'string' ? memberOf(found, part, owners) : undefined
  return found && fieldsBelow(found, owners).map((field) => explain(field, examination, owners))
}

/** The source of each value, by dotted path: the fields of {@link explainFields}. */
export function fieldSources(examination: Examination): Readonly<Record<string, ValueSource>> {
  const fields = fieldsBelow(wholeOf(examination), createOwners(examination.manifests))
  return Object.fromEntries(fields.map(({ path }) => [formatPath(path), sourceIn(examination.evaluation, path)]))
}

/**
 * The references of the effective value of each field, by dotted path, for fields that the file
 * sets by references.
 */
export function fieldReferences(examination: Examination): Readonly<Record<string, string>> {
  const fields = fieldsBelow(wholeOf(examination), createOwners(examination.manifests))
  return Object.fromEntries(
    fields.flatMap(({ path }): readonly [string, string][] => {
      const reference = referenceAt(examination, path)
      return reference === undefined ? [] : [[formatPath(path), reference]]
    }),
  )
}

/** The line of each value that the file sets, by dotted path: the fields of {@link explainFields}. */
export function fieldLines(examination: Examination): Readonly<Record<string, number>> {
  const { file } = examination
  const fields = fieldsBelow(wholeOf(examination), createOwners(examination.manifests))
  return Object.fromEntries(
    fields.flatMap(({ path }): readonly [string, number][] => {
      if (valueAt(file.value, path) === undefined) return []
      const line = Number.parseInt(file.positionOf(path, 'value') ?? '', 10)
      return Number.isNaN(line) ? [] : [[formatPath(path), line]]
    }),
  )
}

/**
 * The references of a field in the file; `undefined` without any, or if the environment overrides
 * it.
 */
function referenceAt({ evaluation }: Examination, path: ValuePath): string | undefined {
  if (evaluation.references.size === 0 || sourceIn(evaluation, path) !== 'file') return undefined
  const names = [...evaluation.references].flatMap(([key, used]) => {
    const place = JSON.parse(key) as ValuePath
    return begins(path, place) ? used : []
  })
  return names.length === 0 ? undefined : shownReferences([...new Set(names)])
}

const wholeOf = ({ schema, evaluation }: Examination): Field => ({
  node: schema,
  value: evaluation.sound,
  path: [],
  owner: 'kernel',
  noEffect: undefined,
})

interface Field {
  readonly node: SchemaNode
  readonly value: JsonValue | undefined
  readonly path: readonly string[]
  readonly owner: string
  /** Why it has no effect; absent if it has one. */
  readonly noEffect: string | undefined
}

function fieldsBelow(field: Field, owners: Owners): readonly Field[] {
  if (field.node['x-removed'] !== undefined) return []
  const names = isSecret(field.node) ? undefined : memberNamesAt(objectVariant(field.node), field.value)
  if (names === undefined) return [field]
  return names.flatMap((name) => {
    const member = memberOf(field, name, owners)
    return member === undefined ? [] : fieldsBelow(member, owners)
  })
}

/** A member of an object; `undefined` if the schema has none of that name. */
function memberOf({ node, value, path, owner, noEffect }: Field, name: string, owners: Owners): Field | undefined {
  const target = objectVariant(node)
  const members = isObject(value) ? value : undefined
  // A node that takes anything has the members that are present.
  const anything: SchemaNode | undefined = takesAnything(target) && members !== undefined && Object.hasOwn(members, name) ? {} : undefined
  const member = target.type === 'object' ? memberSchema(target, name, members) : anything
  if (member === undefined) return undefined
  const section = path[0] ?? ''
  const variant = variantOf(target, members)
  return {
    node: member,
    value: members && own(members, name),
    path: [...path, name],
    owner: ownerOf(target, name, path, variant, owners) ?? owner,
    noEffect: member['x-no-effect'] ?? (isOfVariant(target, name) ? owners.withoutEffect(section, variant) : undefined) ?? noEffect,
  }
}

/** True for a typed setting, and for the member that picks the variant. */
const isOfVariant = (node: SchemaNode, name: string): boolean =>
  node['x-extensions'] !== undefined && (name === node['x-variant-member'] || own(node.properties, name) === undefined)

/** The members that are listed separately; `undefined` if the whole is one field. */
function memberNamesAt(node: SchemaNode, value: JsonValue | undefined): readonly string[] | undefined {
  if (node.type !== 'object') return undefined
  const present = isObject(value) ? Object.keys(value) : []
  if (node.properties !== undefined) {
    const variant = variantOf(node, value)
    const typed = variant === undefined ? undefined : own(node['x-extensions'], variant)
    return [...new Set([...Object.keys(node.properties), ...Object.keys(typed?.properties ?? {}), ...present])]
  }
  const entries = [...Object.values(node.patternProperties ?? {}), node.additionalProperties].filter((entry) => typeof entry === 'object')
  return present.length > 0 && entries.some((entry) => objectVariant(entry).properties !== undefined) ? present : undefined
}

/** The owner of a member if it differs from the owner of the object. */
function ownerOf(node: SchemaNode, name: string, path: readonly string[], variant: string | undefined, owners: Owners): string | undefined {
  if (path.length === 0) return owners.ofSection(name)
  if (path.join('.') === 'plugins.settings') return name
  return isOfVariant(node, name) && name !== node['x-variant-member'] ? owners.ofExtension(path[0] ?? '', name, variant) : undefined
}

function explain(field: Field, examination: Examination, owners: Owners): FieldExplanation {
  const { node, value } = field
  const { evaluation, file } = examination
  const path = formatPath(field.path)
  const source = sourceIn(evaluation, field.path)
  const place =
    source === 'default' ? undefined : source === 'file' ? file.positionOf(field.path, 'value') : variableOf(examination, field.path)
  const written = valueAt(file.value, field.path)
  const shown = value === undefined && !isSecret(node) ? undefined : shownValue(node, value, field.path, examination, 'effective')
  const saved = written === undefined ? undefined : shownValue(node, written, field.path, examination, 'saved')
  const locked = variableOf(examination, field.path)
  const reference = referenceAt(examination, field.path)
  return {
    path,
    variable: variableFor(field.path, { isMap: isMap(objectVariant(own(examination.schema.properties, field.path[0] ?? '') ?? {})) }),
    owner: field.owner,
    type: typeOf(node),
    unit: node['x-unit'] ?? '',
    description: node.description ?? '',
    secret: isSecret(node),
    ...(shown === undefined ? {} : { value: shown }),
    source,
    ...(place === undefined ? {} : { place }),
    ...(reference === undefined ? {} : { reference }),
    ...(saved === undefined || JSON.stringify(saved) === JSON.stringify(shown) ? {} : { saved }),
    ...(locked === undefined ? {} : { lockedBy: locked }),
    ...(node.default === undefined || isSecret(node) ? {} : { default: node.default }),
    ...defaultTextOf(node),
    notes: notesOf(field, examination, owners),
    problems: examination.problems.filter((problem) => problem.path === path).map(({ message }) => message),
  }
}

/** The variable that sets a value, an object around it, or a part of it. */
function variableOf({ evaluation }: Examination, path: ValuePath): string | undefined {
  return evaluation.environmentValues.findLast((entry) => begins(entry.path, path) || begins(path, entry.path))?.variable
}

function defaultTextOf(node: SchemaNode): { readonly defaultText?: string } {
  const text =
    node['x-default-path'] ??
    node['x-default-text'] ??
    (isSecret(node) && node.default !== undefined ? 'a built-in development value' : undefined)
  return text === undefined ? {} : { defaultText: text }
}

function notesOf({ owner, noEffect }: Field, { evaluation, manifests }: Examination, owners: Owners): readonly string[] {
  const disabled = valueAt(evaluation.sound, ['plugins', 'disabled'])
  const notes: string[] = []
  if (noEffect !== undefined) notes.push(`No effect: ${noEffect}`)
  else if (owners.isDeclared(owner)) notes.push(`No effect: ${owner}, which reads it, is not part of this version.`)
  if (Array.isArray(disabled) && disabled.includes(owner)) notes.push(`${owner}, which reads it, is disabled (plugins.disabled).`)
  if (owner !== 'kernel' && !manifests.some(({ id }) => id === owner)) notes.push(`No effect: no source has a plugin “${owner}”.`)
  return notes
}

import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { nearest, suggestion } from '@agent-service/sdk/host'
import { pathKey, type ValuePath } from '../schema/dotted-path.js'
import type { Finding } from '../schema/problem.js'
import { isObject, isOpen, memberNames, memberSchema, objectVariant, own, type SchemaNode } from '../schema/schema-node.js'
import { type Converted, convertText } from './convert-text.js'
import { type Environment, variableValue } from './expand-references.js'
import { describeServiceLinks, findServiceLinks, type ServiceLink } from './service-links.js'

export const environmentPrefix = 'SERVICE_'

/** Variables with the prefix that are not fields. */
export const reservedVariables = Object.freeze({ configuration: 'SERVICE_CONFIG', serverDataDir: 'SERVICE_SERVER_DATA_DIR' })

export interface EnvironmentValue {
  readonly path: ValuePath
  readonly variable: string
  readonly value: JsonValue
}

export interface EnvironmentValues {
  /** Shallow paths first, so that deeper names apply to a whole value that was set. */
  readonly values: readonly EnvironmentValue[]
  readonly findings: readonly (Finding & { readonly variable: string })[]
  readonly warnings: readonly string[]
}

/**
 * Reads every variable of the prefix by the schema. `file` has the existing keys of maps. What Kubernetes or Docker says
 * about neighbours is ignored with a warning, unless it sets a field.
 */
export function readEnvironmentValues(schema: SchemaNode, environment: Environment, file: JsonObject): EnvironmentValues {
  const byPath = new Map<string, EnvironmentValue & { readonly text: string }>()
  const findings: (Finding & { readonly variable: string })[] = []
  const warnings: string[] = []
  const links = findServiceLinks(environment, environmentPrefix)
  const ignored = new Map<string, ServiceLink>()
  for (const variable of Object.keys(environment).sort()) {
    const text = variableValue(environment, variable)
    if (!variable.startsWith(environmentPrefix) || text === undefined || isReserved(variable)) continue
    const [section = '', ...segments] = segmentsOf(variable)
    const sectionSchema = own(schema.properties, section)
    const found = sectionSchema && locate(sectionSchema, segments, own(file, section))
    const converted = found && convertText(found.schema, text)
    const link = links.get(variable)
    if (link && (link.certain ? !setsField(found, converted) : !found && nearestName(variable, schema, section) === '')) {
      ignored.set(variable, link)
      continue
    }
    if (!sectionSchema) {
      const near = nearest(section, Object.keys(schema.properties ?? {}))
      warnings.push(
        `${variable} does not name a section and is ignored${near === undefined ? '' : `; did you mean ${environmentPrefix}${near.toUpperCase()}_…?`}`,
      )
      continue
    }
    if (!found || !converted) {
      findings.push({ path: [section], variable, message: `${variable} does not name a field${nearestName(variable, schema, section)}` })
      continue
    }
    const path = [section, ...found.path]
    const known = byPath.get(pathKey(path))
    if (known && known.text !== text) {
      findings.push({
        path,
        variable,
        message: `${known.variable} and ${variable} are two spellings of one name with different values; unset one`,
      })
      continue
    }
    if ('value' in converted) byPath.set(pathKey(path), { path, variable, value: converted.value, text })
    else findings.push({ path, variable, message: `must be ${converted.expected}; the text in ${variable} is not` })
  }
  const linked = describeServiceLinks(ignored)
  if (linked !== undefined) warnings.push(linked)
  const values = [...byPath.values()].sort((left, right) => left.path.length - right.path.length)
  return { values: values.map(({ path, variable, value }) => ({ path, variable, value })), findings, warnings }
}

/**
 * `SERVICE_<SECTION>_<FIELD>` or `SERVICE_<SECTION>__<FIELD>`, `__` before each deeper level; in
 * lower case.
 */
function segmentsOf(variable: string): readonly string[] {
  const rest = variable.slice(environmentPrefix.length).toLowerCase()
  const split = /^([^_]+)(?:__?(.*))?$/.exec(rest)
  if (!split) return [rest]
  const [, section = '', fields] = split
  return fields === undefined ? [section] : [section, ...fields.split('__')]
}

const sameReserved: ReadonlySet<string> = new Set([...Object.values(reservedVariables), 'SERVICE_SERVER__DATA_DIR'])
const isReserved = (variable: string): boolean => sameReserved.has(variable)

interface Located {
  readonly path: readonly string[]
  readonly schema: SchemaNode
  /** The name makes a new key of a map. */
  readonly isNew: boolean
}

/**
 * Whether a variable with the form of a link sets a field all the same. A new key right below a section, such as `port`
 * of `models`, is nothing that a person spells so: the documented spelling of a map has `__`.
 */
const setsField = (found: Located | undefined, converted: Converted | undefined): boolean =>
  found !== undefined && converted !== undefined && 'value' in converted && !(found.isNew && found.path.length === 1)

function locate(node: SchemaNode, segments: readonly string[], file: JsonValue | undefined): Located | undefined {
  const [segment, ...rest] = segments
  if (segment === undefined) return { path: [], schema: node, isNew: false }
  if (segment === '') return undefined
  const target = objectVariant(node)
  if (target.type !== undefined && target.type !== 'object') return undefined
  const key = keyFor(target, segment, file)
  const member = key === undefined ? undefined : memberSchema(target, key, file)
  if (key === undefined || !member) return undefined
  const deeper = locate(member, rest, isObject(file) ? own(file, key) : undefined)
  const isNew = deeper?.isNew === true || !(memberNames(target).includes(key) || (isObject(file) && Object.hasOwn(file, key)))
  return deeper && { path: [key, ...deeper.path], schema: deeper.schema, isNew }
}

/**
 * The key that a name stands for: a member, an existing or known key (where `_` also matches `-`),
 * else a new key of a map.
 */
function keyFor(node: SchemaNode, segment: string, file: JsonValue | undefined): string | undefined {
  const plain = (key: string): string => key.toLowerCase().replaceAll('-', '_')
  const known = [...memberNames(node), ...(isObject(file) ? Object.keys(file) : []), ...(node['x-known-keys'] ?? [])]
  const same = known.find((key) => key.toLowerCase() === segment) ?? known.find((key) => plain(key) === plain(segment))
  if (same !== undefined) return same
  return node.patternProperties !== undefined || isOpen(node) ? segment : undefined
}

/**
 * The variable of a field, as the documentation spells it. A section that is a map (`providers`) is
 * a level like any below it.
 */
export function variableFor(path: readonly string[], section: { readonly isMap: boolean } = { isMap: false }): string {
  const name = path.map((part) => part.replaceAll('-', '_').toUpperCase()).join('__')
  return environmentPrefix + (section.isMap ? name : name.replace('__', '_'))
}

/** True for the schema of an object whose keys are the operator's own. */
export const isMap = (node: SchemaNode): boolean => node.type === 'object' && node.properties === undefined

function nearestName(variable: string, schema: SchemaNode, section: string): string {
  const names = [...variablesBelow(own(schema.properties, section) ?? {}, [section])]
  const lookup = names.find((name) => name.replaceAll('__', '_') === variable.replaceAll('__', '_'))
  return lookup === undefined ? suggestion(variable, names) : `; did you mean “${lookup}”?`
}

function* variablesBelow(node: SchemaNode, path: readonly string[]): Generator<string> {
  for (const [name, member] of Object.entries(node.properties ?? {})) {
    if (member['x-removed'] !== undefined) continue
    yield variableFor([...path, name])
    yield* variablesBelow(member, [...path, name])
  }
}

import type { JsonObject, JsonValue, Problem } from '@agent-service/sdk'
import { checkValue } from '../check/check-value.js'
import type { ConfigurationFile } from '../read/configuration-file.js'
import { encryptionVariables, reservedReferences } from '../read/encryption-variables.js'
import { type EnvironmentValue, readEnvironmentValues, reservedVariables } from '../read/environment-names.js'
import { type Environment, expandReferences } from '../read/expand-references.js'
import { shownReferences } from '../read/references.js'
import { begins, formatPath, pathKey, type ValuePath } from '../schema/dotted-path.js'
import { type Finding, problemAt } from '../schema/problem.js'
import { cloneJson, declaredMember, isObject, memberSchema, objectVariant, own, type SchemaNode } from '../schema/schema-node.js'
import { type PathBases, resolvePaths, valueAt } from './resolve-paths.js'

/** The configuration by one schema: environment over file over defaults. */
export interface Evaluation {
  readonly values: JsonObject
  /**
   * The values with defaults in place of those that are not valid, so that the rest can still be
   * checked.
   */
  readonly sound: JsonObject
  readonly problems: readonly Problem[]
  readonly faults: readonly ValuePath[]
  readonly warnings: readonly string[]
  /** Those of the warnings that are about variables which set nothing. */
  readonly variableWarnings: readonly string[]
  readonly fileValues: JsonObject
  readonly environmentValues: readonly EnvironmentValue[]
  /**
   * The variables that each text of the file refers to, by {@link pathKey}; also if the environment
   * overrides it.
   */
  readonly references: ReadonlyMap<string, readonly string[]>
  /** Where a path was written: `12:3`, or the name of a variable; `undefined` for a default. */
  placeOf(path: ValuePath, which?: 'key' | 'value'): string | undefined
}

/**
 * Reads, merges, fills in and checks. Never throws for an operator's mistake: `problems` lists all.
 */
export function evaluate(schema: SchemaNode, file: ConfigurationFile, environment: Environment, bases: PathBases): Evaluation {
  const { value: written, misplaced } = withoutDataDir(file.value)
  const expanded = expandReferences(schema, written, environment)
  const variables = readEnvironmentValues(schema, environment, expanded.value)
  const merged = applyEnvironment(expanded.value, variables.values)

  const variableOf = (path: ValuePath): string | undefined => variables.values.findLast((entry) => begins(entry.path, path))?.variable
  const variableBelow = (path: ValuePath): string | undefined => variables.values.find((entry) => begins(path, entry.path))?.variable
  const placeOf = (path: ValuePath, which: 'key' | 'value' = 'value'): string | undefined =>
    variableOf(path) ?? file.positionOf(path, which) ?? variableBelow(path)
  const isLiteral = (path: ValuePath): boolean => !expanded.references.has(pathKey(path))

  const inFile = checkValue(schema, expanded.value, { complete: false, showable: isLiteral })
  const values = resolvePaths(schema, asObject(fillDefaults(schema, merged)), bases)
  const inWhole = checkValue(schema, values, { complete: true, showable: (path) => variableOf(path) === undefined && isLiteral(path) })

  const isReserved = encryptionVariables(file.value)
  const refusedVariables = variables.values.flatMap(({ path, value }) => reservedReferences(value, path, isReserved))
  const fromFile = [...misplaced, ...expanded.findings, ...inFile]
  const fromVariables = [...variables.findings, ...refusedVariables]
  // A problem of the file that is not overridden is found in the whole too; it is reported once.
  const reported = new Set([...fromFile, ...fromVariables].map(({ path }) => pathKey(path)))
  const onlyInWhole = inWhole.filter(({ path }) => !reported.has(pathKey(path)))
  const problemOf = (finding: Finding, place: string | undefined): Problem =>
    problemAt(finding, noted(place, expanded.references.get(pathKey(finding.path))))
  const faults = [...fromFile, ...fromVariables, ...inWhole].map(({ path }) => path)
  return {
    values,
    sound: faults.length === 0 ? values : resolvePaths(schema, asObject(fillDefaults(schema, withoutFaults(merged, faults))), bases),
    faults,
    problems: unique([
      ...fromFile.map((finding) => problemOf(finding, file.positionOf(finding.path, finding.atKey ? 'key' : 'value'))),
      ...fromVariables.map((finding) => problemAt(finding, undefined)),
      ...onlyInWhole.map((finding) => problemOf(finding, placeOf(finding.path))),
    ]),
    warnings: [...new Set([...expanded.warnings, ...variables.warnings, ...withoutEffect(schema, merged, [], placeOf)])],
    variableWarnings: variables.warnings,
    fileValues: expanded.value,
    environmentValues: variables.values,
    references: expanded.references,
    placeOf,
  }
}

/** `server.data_dir` is not a field: the file itself lies in that folder. */
function withoutDataDir(file: JsonObject): { readonly value: JsonObject; readonly misplaced: readonly Finding[] } {
  const server = own(file, 'server')
  if (!isObject(server) || !Object.hasOwn(server, 'data_dir')) return { value: file, misplaced: [] }
  const { data_dir: _misplaced, ...rest } = server
  const { serverDataDir, configuration } = reservedVariables
  const message = `cannot be set in the file, because it locates the file. Set ${serverDataDir}; to move only the file, set ${configuration}`
  return { value: { ...file, server: rest }, misplaced: [{ path: ['server', 'data_dir'], message, atKey: true }] }
}

function applyEnvironment(file: JsonObject, values: readonly EnvironmentValue[]): JsonObject {
  if (values.length === 0) return file
  const merged: Record<string, JsonValue> = cloneJson(file)
  for (const { path, value } of values) {
    let holder = merged
    for (const part of path.slice(0, -1)) {
      const key = String(part)
      const inner = own(holder, key)
      const next: JsonObject = isObject(inner) ? inner : {}
      holder[key] = next
      holder = next as Record<string, JsonValue>
    }
    holder[String(path.at(-1))] = value
  }
  return merged
}

/** The values without those at the faults. A fault in a list removes the list. */
function withoutFaults(values: JsonObject, faults: readonly ValuePath[]): JsonObject {
  const kept = cloneJson(values) as Record<string, JsonValue>
  for (const fault of faults) {
    const inList = fault.findIndex((part) => typeof part === 'number')
    const path = inList < 0 ? fault : fault.slice(0, inList)
    const holder = valueAt(kept, path.slice(0, -1))
    // A variable with an unknown name is reported at its section, which itself is valid.
    if (path.length > 1 && isObject(holder)) delete (holder as Record<string, JsonValue>)[String(path.at(-1))]
    else if (path.length === 1 && !isObject(kept[String(path[0])])) delete kept[String(path[0])]
  }
  return kept
}

/** One warning for each setting without effect in this version. */
function withoutEffect(
  node: SchemaNode,
  value: JsonObject,
  path: ValuePath,
  placeOf: (path: ValuePath, which?: 'key' | 'value') => string | undefined,
): readonly string[] {
  return Object.entries(value).flatMap(([name, member]) => {
    const at = [...path, name]
    const known = memberSchema(node, name, value)
    // An empty section sets nothing.
    if (isObject(member) && Object.keys(member).length === 0) return []
    if (known?.['x-no-effect'] !== undefined) {
      const place = placeOf(at, 'key')
      return [`${formatPath(at)}: has no effect: ${known['x-no-effect']}${place === undefined ? '' : ` (${place})`}`]
    }
    if (known && isObject(member)) return withoutEffect(known, member, at, placeOf)
    if (!known?.items || !Array.isArray(member)) return []
    const items = known.items
    return member.flatMap((item: JsonValue, index) => (isObject(item) ? withoutEffect(items, item, [...at, index], placeOf) : []))
  })
}

const noted = (place: string | undefined, references: readonly string[] | undefined): string | undefined =>
  references === undefined ? place : [shownReferences(references), place].filter((part) => part !== undefined).join(', ')

const asObject = (value: JsonValue): JsonObject => (isObject(value) ? value : {})

const unique = (problems: readonly Problem[]): readonly Problem[] => [
  ...new Map(problems.map((problem) => [`${problem.path}\n${problem.message}`, problem])).values(),
]

/**
 * The source of the effective value at a path; for an object, the strongest source of its members.
 */
export function sourceIn(evaluation: Evaluation, path: ValuePath): 'environment' | 'file' | 'default' {
  const related = (other: ValuePath): boolean => begins(other, path) || begins(path, other)
  if (evaluation.environmentValues.some((entry) => related(entry.path))) return 'environment'
  return valueAt(evaluation.fileValues, path) === undefined ? 'default' : 'file'
}

/**
 * Fills in absent members that have a default, at every depth, also in entries of maps and lists.
 * Required objects are made from the defaults of their members. {@link resolvePaths} fills in path
 * defaults that depend on the deployment. The value is not changed.
 */
export function fillDefaults(node: SchemaNode, value: JsonValue): JsonValue {
  if (Array.isArray(value)) return node.items ? value.map((item: JsonValue) => fillDefaults(node.items ?? {}, item)) : value
  if (!isObject(value)) return value
  const target = objectVariant(node)
  const members = Object.entries(value).map(([name, member]): [string, JsonValue] => {
    const known = declaredMember(target, name)
    return [name, known ? fillDefaults(known, member) : member]
  })
  const present = new Set(Object.keys(value))
  for (const [name, member] of Object.entries(target.properties ?? {})) {
    if (present.has(name)) continue
    const filled = defaultOf(member, (target.required ?? []).includes(name))
    if (filled !== undefined) members.push([name, filled])
  }
  return Object.fromEntries(members)
}

/** The default of an absent member; `undefined` if it stays absent. */
function defaultOf(member: SchemaNode, required: boolean): JsonValue | undefined {
  if (member.default !== undefined) return fillDefaults(member, cloneJson(member.default))
  return required && member.type === 'object' ? fillDefaults(member, {}) : undefined
}

import { nearest } from '../core/nearest.js'

const collectionName = /^[a-z][a-z0-9_]{0,63}\.[a-z][a-z0-9_]{0,59}$/
const memberName = /^[a-zA-Z][a-zA-Z0-9_]{0,59}$/
const maxIndexes = 16
const maxFields = 8
const members: readonly string[] = ['name', 'version', 'indexes', 'search', 'userField', 'sealed', 'migrations', 'document']

type Members = Readonly<Record<string, unknown>>

/**
 * Why the definition of a collection is not valid: its names, version, indexes and the chain of its
 * migrations. `undefined` if it is valid. It comes from a plugin, so it may be anything.
 */
export function collectionProblem(definition: unknown): string | undefined {
  if (!isObject(definition)) return 'it must be an object, as defineCollection makes it'
  const { name, version } = definition
  if (typeof name !== 'string' || !collectionName.test(name)) return 'its name must be <owner>.<plural> in snake_case, such as agents.chats'
  if (!isVersion(version)) return 'its version must be a whole number from 1'
  return (
    unknownMember(definition) ??
    indexesProblem(definition['indexes']) ??
    userFieldProblem(definition['userField']) ??
    sealedProblem(definition) ??
    searchProblem(definition) ??
    migrationsProblem(definition['migrations'], version)
  )
}

function unknownMember(definition: Members): string | undefined {
  const unknown = Object.keys(definition).find((key) => !members.includes(key))
  if (unknown === undefined) return undefined
  const meant = nearest(unknown, members)
  return `its member “${unknown}” is not known here${meant === undefined ? '' : `; did you mean “${meant}”?`}`
}

function indexesProblem(indexes: unknown): string | undefined {
  if (!isObject(indexes)) return 'it has no “indexes”; write indexes: {} if it needs none'
  const entries = Object.entries(indexes)
  if (entries.length > maxIndexes) return `it has ${entries.length} indexes, more than ${maxIndexes}`
  for (const [index, value] of entries) {
    if (!memberName.test(index)) return `the index name “${index}” must be letters, digits and _, and start with a letter`
    const fields = isObject(value) ? value['fields'] : undefined
    if (!isList(fields)) return `the index “${index}” has no list of “fields”; write { fields: ['user_id'] }`
    if (fields.length < 1 || fields.length > maxFields) return `the index “${index}” must have 1 to ${maxFields} fields`
    if (new Set(fields).size !== fields.length) return `the index “${index}” names a field twice`
    if (!fields.every(isDottedPath)) return `a field of the index “${index}” is not a dotted path`
  }
  return undefined
}

const userFieldProblem = (userField: unknown): string | undefined =>
  userField === undefined || typeof userField === 'string' ? undefined : 'its “userField” must be the name of a member'

function sealedProblem({ indexes, sealed = [] }: Members): string | undefined {
  if (!isList(sealed)) return 'its “sealed” must be a list of names'
  const wrongMember = sealed.find((field) => typeof field !== 'string' || !memberName.test(field) || field === 'id')
  if (wrongMember !== undefined) return `“${String(wrongMember)}” cannot be sealed: it is not the name of a member at the top level`
  const all = Object.values(indexes as Members) as readonly { readonly fields: readonly unknown[] }[]
  const indexed = sealed.find((field) => all.some(({ fields }) => fields.includes(field)))
  return indexed === undefined ? undefined : `the sealed member “${String(indexed)}” is in an index, which cannot use a sealed text`
}

function searchProblem({ search, sealed = [] }: Members): string | undefined {
  if (search === undefined) return undefined
  if (!isObject(search) || !isList(search['fields'])) return 'its “search” must have “fields”, “scope” and “order”'
  const { fields, scope, order } = search
  if (fields.length < 1 || fields.length > maxFields) return `its text index must have 1 to ${maxFields} fields`
  if (new Set(fields).size !== fields.length) return 'its text index names a field twice'
  const paths: readonly unknown[] = [...fields, scope, order]
  if (!paths.every(isDottedPath)) return 'a path of its text index is not a dotted path'
  const secret = paths.find((path) => (sealed as readonly unknown[]).includes(path.split('.')[0] ?? ''))
  return secret === undefined ? undefined : `the sealed member “${secret}” is in the text index, which cannot use a sealed text`
}

function migrationsProblem(migrations: unknown, version: number): string | undefined {
  if (migrations === undefined) return undefined
  if (!isList(migrations)) return 'its “migrations” must be a list; write [{ to: 2, description: …, migrate: (document) => … }]'
  const first = version - migrations.length + 1
  const isStep = (migration: unknown, position: number): boolean => isObject(migration) && migration['to'] === first + position
  if (first < 2 || !migrations.every(isStep))
    return `its migrations must lead step by step up to version ${version}, from version 2 at the earliest`
  const idle = migrations.findIndex((migration) => typeof (migration as Members)['migrate'] !== 'function')
  return idle < 0 ? undefined : `its migration to version ${first + idle} has no function “migrate”`
}

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null && !Array.isArray(value)
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)
const isVersion = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 1
const isDottedPath = (value: unknown): value is string => typeof value === 'string' && !value.split('.').includes('')

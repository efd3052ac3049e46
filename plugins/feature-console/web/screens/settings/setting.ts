import type { AnswerOf } from '../../api/types.js'
import { labelOf } from '../../ui/json-schema.js'

export type Configuration = AnswerOf<'get', '/api/admin/config'>

interface Node {
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Node[]
  readonly properties?: Readonly<Record<string, Node>>
  readonly additionalProperties?: Node | boolean
  readonly items?: Node
  readonly writeOnly?: boolean
  readonly $ref?: string
}

/** One setting of the schema: where it is, how it is edited, and what applies. */
export interface Setting {
  /** Dotted, as the API takes it. */
  readonly path: string
  readonly label: string
  readonly help: string | undefined
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'secret' | 'list' | 'json'
  readonly choices: readonly string[]
  /** What the next start will use; `undefined` if it is not set. Of a secret: its state. */
  readonly value: unknown
  readonly source: 'default' | 'file' | 'environment'
  /** The variable that sets it. */
  readonly lockedBy: string | undefined
}

export const sectionsOf = (configuration: Configuration): readonly { readonly value: string; readonly label: string }[] =>
  Object.entries((configuration.schema as Node).properties ?? {}).map(([value, node]) => ({
    value,
    label: labelOf(value, { title: node.title ?? value }),
  }))

/** The settings of a section, groups and entries of maps flattened. */
export function settingsOf(configuration: Configuration, section: string): readonly Setting[] {
  const node = (configuration.schema as Node).properties?.[section]
  return node ? collect(configuration, node, [section], []) : []
}

function collect(configuration: Configuration, given: Node, path: readonly string[], titles: readonly string[]): readonly Setting[] {
  const node = resolve(configuration, given)
  const entry = typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined
  const isGroup =
    typesOf(node).includes('object') &&
    (node.properties !== undefined || (entry && typesOf(resolve(configuration, entry)).includes('object')))
  if (!isGroup) return [settingOf(configuration, node, path, titles)]
  const names = entry ? Object.keys({ ...recordOf(at(configuration.values, path)), ...recordOf(at(configuration.saved, path)) }) : []
  const children = { ...Object.fromEntries(names.map((name) => [name, { ...entry, title: name }])), ...node.properties }
  return Object.entries(children).flatMap(([name, child]) => {
    const title = resolve(configuration, child).title ?? name
    return collect(configuration, child, [...path, name], [...titles, title])
  })
}

function settingOf(configuration: Configuration, node: Node, path: readonly string[], titles: readonly string[]): Setting {
  const text = path.map((part) => (/[."]/.test(part) ? JSON.stringify(part) : part)).join('.')
  const choices = (node.enum ?? node.anyOf?.find((each) => each.enum)?.enum ?? []).map(String)
  const lockedBy = configuration.locked.find((each) => text === each.path || text.startsWith(`${each.path}.`))?.variable
  const effective = at(configuration.values, path)
  const saved = at(configuration.saved, path)
  const next = saved ?? (configuration.pending.includes(text) ? node.default : effective)
  return {
    path: text,
    label: titles.join(' › '),
    help: node.description,
    kind: node.writeOnly ? 'secret' : choices.length > 0 ? 'choice' : kindOf(node),
    choices,
    value: lockedBy === undefined ? next : effective,
    source: lockedBy === undefined ? (saved === undefined ? 'default' : 'file') : 'environment',
    lockedBy,
  }
}

function kindOf(node: Node): Setting['kind'] {
  const types = typesOf(node)
  if (types.includes('boolean')) return 'boolean'
  if (types.includes('integer') || types.includes('number')) return 'number'
  if (types.includes('array')) return node.items && typesOf(node.items).join() === 'string' ? 'list' : 'json'
  return types.join() === 'string' ? 'text' : 'json'
}

function resolve(configuration: Configuration, node: Node): Node {
  if (node.$ref === undefined) return node
  const target = node.$ref.replace('#/', '').split('/')
  return { ...(at(configuration.schema, target) as Node | undefined), ...(node.title !== undefined && { title: node.title }) }
}

const typesOf = ({ type = [] }: Node): readonly string[] => (typeof type === 'string' ? [type] : type.filter((each) => each !== 'null'))

const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

export const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (Object.hasOwn(recordOf(inner), name) ? recordOf(inner)[name] : undefined), value)

/** Whether a value has states of secrets in it: then it cannot be written back as it is. */
export const hidesSecrets = (value: unknown): boolean =>
  Object.hasOwn(recordOf(value), 'is_set') || Object.values(recordOf(value)).some(hidesSecrets)

import type { Configuration } from '@agent-service/sdk/web/configuration'

/** A node of the schema of the configuration file. */
export interface Node {
  readonly type?: string | readonly string[]
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Node[]
  readonly allOf?: readonly Condition[]
  readonly properties?: Readonly<Record<string, Node | boolean>>
  readonly patternProperties?: Readonly<Record<string, Node>>
  readonly additionalProperties?: Node | boolean
  readonly items?: Node
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly pattern?: string
  readonly writeOnly?: boolean
  readonly $ref?: string
  readonly 'x-unit'?: string
  readonly 'x-format'?: string
  readonly 'x-default-path'?: string
  readonly 'x-no-effect'?: string
}

/** Which typed settings a variant of an open place has. */
interface Condition extends Node {
  readonly if?: { readonly properties?: Readonly<Record<string, { readonly enum?: readonly unknown[] }>> }
  readonly then?: { readonly properties?: Readonly<Record<string, Node | boolean>> }
}

export const recordOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Readonly<Record<string, unknown>>) : {}

/** The value at a path; `undefined` if there is none. */
export const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (Object.hasOwn(recordOf(inner), name) ? recordOf(inner)[name] : undefined), value)

/** A path as the API takes it: `models.primary.retry`, a key with a dot in double quotes. */
export const pathText = (path: readonly string[]): string =>
  path.map((part) => (part === '' || /[."'[\]]/.test(part) ? JSON.stringify(part) : part)).join('.')

/** Whether a path is inside another one, or equal to it; both as text. */
export const isWithin = (path: string, around: string): boolean =>
  path === around || path.startsWith(`${around}.`) || path.startsWith(`${around}[`)

/** Follows a reference to a definition; a title beside the reference stays. */
export function resolve(configuration: Configuration, node: Node): Node {
  if (node.$ref === undefined) return node
  const target = node.$ref.replace('#/', '').split('/')
  return { ...(at(configuration.schema, target) as Node | undefined), ...(node.title !== undefined && { title: node.title }) }
}

/** The types of a node, besides null and text that is a reference. */
export function typesOf({ type = [] }: Node): readonly string[] {
  const types = typeof type === 'string' ? [type] : type.filter((each) => each !== 'null')
  return types.length > 1 ? types.filter((each) => each !== 'string') : types
}

/** The schemas of the entries of a map, if they are objects with members of their own. */
export function entrySchemaOf(configuration: Configuration, node: Node, name: string): Node | undefined {
  const known = node.properties?.[name]
  const pattern = Object.entries(node.patternProperties ?? {}).find(([each]) => new RegExp(each).test(name))?.[1]
  const other = typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined
  const found = (typeof known === 'object' ? known : undefined) ?? pattern ?? other
  return found && resolve(configuration, found)
}

/** Whether its members are entries that people name. */
export function isMap(configuration: Configuration, node: Node): boolean {
  const entries = [...Object.values(node.patternProperties ?? {}), node.additionalProperties].filter((each) => typeof each === 'object')
  return entries.some((entry) => resolve(configuration, entry).properties !== undefined)
}

/** The members of an object, those of its variant alone if that is known. */
export function membersOf(configuration: Configuration, node: Node, value: unknown): readonly (readonly [string, Node])[] {
  const conditions = (node.allOf ?? []).flatMap((each) => resolve(configuration, each).allOf ?? [])
  const fits = conditions.find(({ if: test }) =>
    Object.entries(test?.properties ?? {}).every(([name, { enum: values = [] }]) => values.includes(recordOf(value)[name])),
  )
  const ofVariant = fits?.then?.properties ?? {}
  return Object.entries(node.properties ?? {}).flatMap(([name, member]): readonly (readonly [string, Node])[] => {
    const chosen = ofVariant[name] ?? member
    return typeof chosen === 'object' ? [[name, resolve(configuration, chosen)]] : []
  })
}

/** Whether a value has states of secrets in it: then it cannot be written back as it is. */
export const hidesSecrets = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some(hidesSecrets)
    : Object.hasOwn(recordOf(value), 'is_set') || Object.values(recordOf(value)).some(hidesSecrets)

/** Whether two values are equal as JSON; the order of members does not matter. */
export const isSame = (one: unknown, other: unknown): boolean => sorted(one) === sorted(other)

const sorted = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  )

/** The name of the file, without its folder. */
export const fileName = ({ file }: Configuration): string => file.split(/[\\/]/).at(-1) ?? file

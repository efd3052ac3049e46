import { resolve } from 'node:path'
import type { JsonObject, JsonValue } from '@agent-service/sdk'
import { parsePath, type ValuePath } from '../schema/dotted-path.js'
import { cloneJson, isObject, memberSchema, type SchemaNode } from '../schema/schema-node.js'

/** All absolute. */
export interface PathBases {
  readonly workingDirectory: string
  readonly serverDataDir: string
  readonly installedResources: string
}

/**
 * Makes every path absolute and fills in the path defaults that depend on the deployment. The value
 * is not changed.
 */
export function resolvePaths(schema: SchemaNode, values: JsonObject, bases: PathBases): JsonObject {
  const root: Mutable = cloneJson(values)
  const pending: { readonly holder: Mutable; readonly name: string; readonly template: string }[] = []
  collect(schema, root, bases, pending)
  const place = (text: string, depth: number): string => {
    const filled = text.replace(/\{([a-z_.]+)\}/g, (_whole, name: string) => {
      if (name === 'server_data_dir') return bases.serverDataDir
      if (name === 'installed_resources') return bases.installedResources
      const path = parsePath(name) ?? []
      const given = valueAt(root, path)
      if (typeof given === 'string') return given
      const template = templateAt(schema, path)
      // A template that refers to itself never ends; the depth limit stops it.
      return template === undefined || depth > 8 ? '' : place(template, depth + 1)
    })
    return resolve(bases.workingDirectory, filled)
  }
  for (const { holder, name, template } of pending) holder[name] = place(template, 0)
  return root
}

type Mutable = Record<string, JsonValue>

function collect(
  node: SchemaNode,
  value: JsonValue,
  bases: PathBases,
  pending: { readonly holder: Mutable; readonly name: string; readonly template: string }[],
): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(node.items ?? {}, item, bases, pending)
    return
  }
  if (!isObject(value)) return
  const holder = value as Mutable
  for (const [name, member] of Object.entries(holder)) {
    const known = memberSchema(node, name, holder)
    if (!known) continue
    if (typeof member === 'string' && (known['x-path'] || known['x-default-path'] !== undefined)) {
      if (member !== '') holder[name] = resolve(bases.workingDirectory, member)
    } else collect(known, member, bases, pending)
  }
  for (const [name, member] of Object.entries(node.properties ?? {})) {
    const template = member['x-default-path']
    if (template !== undefined && !Object.hasOwn(holder, name)) pending.push({ holder, name, template })
  }
}

/** The value at a path; `undefined` if there is none. */
export function valueAt(value: JsonValue | undefined, path: ValuePath): JsonValue | undefined {
  let current = value
  for (const part of path) {
    if (Array.isArray(current) && typeof part === 'number') current = current[part]
    else if (isObject(current) && typeof part === 'string' && Object.hasOwn(current, part)) current = current[part]
    else return undefined
  }
  return current
}

function templateAt(schema: SchemaNode, path: ValuePath): string | undefined {
  let node: SchemaNode | undefined = schema
  for (const part of path) node = node && typeof part === 'string' ? memberSchema(node, part, undefined) : undefined
  return node?.['x-default-path']
}

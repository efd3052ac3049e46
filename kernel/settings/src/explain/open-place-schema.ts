import { own, type SchemaNode } from '@agent-service/kernel-core/config'
import type { JsonObject, JsonValue } from '@agent-service/sdk'

/** What plugins add to an object at an open place. */
export interface OpenPlace {
  /** Every typed setting, of all variants. */
  readonly names: readonly string[]
  /**
   * `properties` with each setting, and `allOf` with a condition for each variant: settings that
   * differ, and settings that it lacks.
   */
  readonly definition: JsonObject
}

/** Describes an open place; `undefined` if the object opens none, or no plugin adds to it. */
export function openPlace(
  node: SchemaNode,
  describe: (name: string, setting: SchemaNode, parent: SchemaNode) => JsonObject,
): OpenPlace | undefined {
  const member = node['x-variant-member']
  const variants = Object.entries(node['x-extensions'] ?? {})
  const settings = new Map<string, { readonly described: JsonObject; readonly variants: string[] }>()
  for (const [variant, extension] of variants) {
    for (const [name, setting] of Object.entries(extension.properties ?? {})) {
      if (own(node.properties, name) !== undefined) continue
      const known = settings.get(name)
      if (known) known.variants.push(variant)
      else settings.set(name, { described: describe(name, setting, extension), variants: [variant] })
    }
  }
  if (member === undefined || settings.size === 0) return undefined

  const conditionOf = ([variant, extension]: readonly [string, SchemaNode]): JsonObject => {
    const aliases = Object.entries(node['x-variant-aliases'] ?? {}).flatMap(([alias, of]) => (of === variant ? [alias] : []))
    const different = [...settings].flatMap(([name, { described }]): readonly [string, JsonValue][] => {
      const setting = own(extension.properties, name)
      if (setting === undefined) return [[name, false]]
      const here = describe(name, setting, extension)
      return JSON.stringify(here) === JSON.stringify(described) ? [] : [[name, here]]
    })
    return {
      if: { properties: { [member]: { enum: [variant, ...aliases] } }, required: [member] },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { properties: Object.fromEntries(different) },
    }
  }
  const properties = [...settings].map(([name, { described, variants: knowing }]): [string, JsonValue] => [
    name,
    { ...described, description: `${described['description'] ?? ''} With ${member}: ${knowing.join(', ')}.`.trim() },
  ])
  return {
    names: [...settings.keys()],
    definition: { properties: Object.fromEntries(properties), allOf: variants.map(conditionOf) },
  }
}

/**
 * The member that picks the variant: an editor offers every known spelling. Others are accepted if
 * its own schema allows them.
 */
export function offerVariants(described: JsonObject, node: SchemaNode): JsonObject {
  const known = [...Object.keys(node['x-extensions'] ?? {}), ...Object.keys(node['x-variant-aliases'] ?? {})]
  if (known.length === 0 || described['enum'] !== undefined || described['anyOf'] !== undefined) return described
  const { type = 'string', pattern, minLength, maxLength, ...annotations } = described
  const text = { type, ...(pattern === undefined ? {} : { pattern }), ...(minLength === undefined ? {} : { minLength }) }
  return { ...annotations, anyOf: [{ enum: known }, { ...text, ...(maxLength === undefined ? {} : { maxLength }) }] }
}

import type { PluginManifest } from '@agent-service/sdk'
import { kernelSections } from '../sections/index.js'
import type { Finding } from './problem.js'
import { choicesOf, own, plainSchema, type SchemaNode } from './schema-node.js'

/** The schema of the whole configuration, and the findings about parts that were left out. */
export interface ComposedSchema {
  readonly schema: SchemaNode
  readonly findings: readonly Finding[]
  readonly warnings: readonly string[]
}

const ownedByKernel = new Map(Object.entries(kernelSections).map(([name, section]) => [name, plainSchema(section)]))

export const kernelSchema: SchemaNode = closed(Object.fromEntries(ownedByKernel))

/** Why the sections of a declared plugin have no effect. */
const declaredOnly = 'The code that reads it is not part of this version.'

/**
 * Joins the kernel's sections, those of plugins, their extensions and their settings. `disabled`:
 * ids in `plugins.disabled`.
 */
export function composeSchema(manifests: readonly PluginManifest[], disabled: readonly string[]): ComposedSchema {
  const findings: Finding[] = []
  const warnings: string[] = []
  const sections = new Map<string, SchemaNode>(ownedByKernel)
  const owners = new Map<string, string>([...ownedByKernel.keys()].map((name) => [name, 'the kernel']))
  for (const { id, stage, sections: contributed = {} } of manifests) {
    for (const [name, schema] of Object.entries(contributed)) {
      const owner = owners.get(name)
      if (owner !== undefined) {
        findings.push({ path: [name], message: `the section belongs to ${owner}, but plugin “${id}” claims it too; remove one of them` })
        continue
      }
      owners.set(name, `plugin “${id}”`)
      sections.set(name, stage === 'declared' ? { ...plainSchema(schema), 'x-no-effect': declaredOnly } : plainSchema(schema))
    }
  }
  for (const [section, schema] of sections) sections.set(section, withExtensions(section, schema, manifests, findings))
  for (const { id, extends: extensions = [] } of manifests) {
    for (const { section, place } of extensions) {
      const target = sections.get(section)
      if (!target || !hasPlace(target, place))
        warnings.push(`plugin “${id}” extends the place “${place}” of section “${section}”, which no plugin opens`)
    }
  }
  sections.set('plugins', withSettings(sections.get('plugins') ?? {}, manifests, disabled))
  return { schema: closed(Object.fromEntries(sections)), findings, warnings }
}

function closed(properties: Readonly<Record<string, SchemaNode>>): SchemaNode {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => properties[name]?.properties !== undefined),
    additionalProperties: false,
  }
}

/** Puts the extensions of a section at every object that opens their place. */
function withExtensions(section: string, node: SchemaNode, manifests: readonly PluginManifest[], findings: Finding[]): SchemaNode {
  const place = node['x-extension-place']
  const deeper = mapSchemas(node, (child) => withExtensions(section, child, manifests, findings))
  if (place === undefined) return deeper
  const variants = new Map<string, SchemaNode>()
  for (const { id, extends: extensions = [] } of manifests) {
    for (const extension of extensions) {
      if (extension.section !== section || extension.place !== place) continue
      const added = plainSchema(extension.schema)
      const before = variants.get(extension.variant)
      for (const [name, member] of Object.entries(added.properties ?? {})) {
        const clash = own(node.properties, name) ?? own(before?.properties, name)
        if (
          clash !== undefined &&
          JSON.stringify(clash) !== JSON.stringify(member) &&
          !findings.some(({ message }) => message.includes(`“${id}”`))
        )
          findings.push({
            path: [section],
            message: `plugin “${id}” adds “${name}” for “${extension.variant}”, which already exists with another schema`,
          })
      }
      variants.set(extension.variant, {
        type: 'object',
        properties: { ...added.properties, ...before?.properties },
        required: [...new Set([...(before?.required ?? []), ...(added.required ?? [])])],
      })
    }
  }
  return { ...withChoices(deeper, [...variants.keys()]), 'x-extensions': Object.fromEntries(variants) }
}

/**
 * If the variant member is a choice among constants, the variants that plugins add become choices
 * too.
 */
function withChoices(node: SchemaNode, variants: readonly string[]): SchemaNode {
  const name = node['x-variant-member'] ?? ''
  const member = own(node.properties, name)
  const choices = member?.anyOf && choicesOf(member)
  if (!choices) return node
  const added = variants.filter((variant) => !choices.includes(variant)).map((variant): SchemaNode => ({ type: 'string', const: variant }))
  return { ...node, properties: { ...node.properties, [name]: { ...member, anyOf: [...(member.anyOf ?? []), ...added] } } }
}

const hasPlace = (node: SchemaNode, place: string): boolean =>
  node['x-extension-place'] === place || childSchemas(node).some((child) => hasPlace(child, place))

const childSchemas = (node: SchemaNode): readonly SchemaNode[] => [
  ...Object.values(node.properties ?? {}),
  ...Object.values(node.patternProperties ?? {}),
  ...(typeof node.additionalProperties === 'object' ? [node.additionalProperties] : []),
  ...(node.items ? [node.items] : []),
  ...(node.anyOf ?? []),
]

function mapSchemas(node: SchemaNode, map: (child: SchemaNode) => SchemaNode): SchemaNode {
  const named = (schemas: Readonly<Record<string, SchemaNode>>): Record<string, SchemaNode> =>
    Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, map(schema)]))
  return {
    ...node,
    ...(node.properties ? { properties: named(node.properties) } : {}),
    ...(node.patternProperties ? { patternProperties: named(node.patternProperties) } : {}),
    ...(typeof node.additionalProperties === 'object' ? { additionalProperties: map(node.additionalProperties) } : {}),
    ...(node.items ? { items: map(node.items) } : {}),
    ...(node.anyOf ? { anyOf: node.anyOf.map(map) } : {}),
  }
}

/**
 * `plugins.settings.<id>` by each plugin's own schema. A plugin without a schema takes no settings;
 * an unknown id takes any. A disabled plugin needs none.
 */
function withSettings(section: SchemaNode, manifests: readonly PluginManifest[], disabled: readonly string[]): SchemaNode {
  const settings = manifests.map(({ id, config }): [string, SchemaNode] => [
    id,
    config ? plainSchema(config) : { type: 'object', properties: {}, additionalProperties: false },
  ])
  const node: SchemaNode = {
    ...section.properties?.['settings'],
    type: 'object',
    properties: Object.fromEntries(settings),
    required: manifests.filter(({ id, config }) => config !== undefined && !disabled.includes(id)).map(({ id }) => id),
  }
  return { ...section, properties: { ...section.properties, settings: node } }
}

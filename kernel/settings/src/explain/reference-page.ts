import { isHarmlessAt, own, parsePath, type SchemaNode } from '@agent-service/kernel-core/config'
import type { PluginManifestFile } from '@agent-service/sdk'
import { type FieldRow, fieldRows } from './field-table.js'
import { createOwners, type Owners } from './owners.js'

/** The sources of the reference. */
export interface ReferenceSources {
  readonly schema: SchemaNode
  readonly manifests: readonly PluginManifestFile[]
  /** Dotted paths that this project adds to its specification. */
  readonly added: readonly string[]
}

/**
 * Every field with its variable, type, default and owner, section by section, as Markdown below a
 * heading of the second level.
 */
export function referencePage({ schema, manifests, added }: ReferenceSources): string {
  const owners = createOwners(manifests)
  const sections = Object.entries(schema.properties ?? {}).flatMap(([name, node]) => section(name, node, owners, manifests))
  const rows = Object.entries(schema.properties ?? {}).flatMap(([name, node]) => fieldRows(node, [name]))
  return [...sections, ...harmlessFields(rows, schema), ...additions(rows, added)].join('\n')
}

function section(name: string, node: SchemaNode, owners: Owners, manifests: readonly PluginManifestFile[]): readonly string[] {
  const owner = owners.ofSection(name)
  const stage = owners.isDeclared(owner)
    ? `, which is declared: its fields are checked and have no effect in this version`
    : node['x-no-effect'] === undefined
      ? ''
      : `. Its fields are checked and have no effect in this version`
  return [
    `### ${name}`,
    '',
    ...paragraph(node.description ?? node.title),
    ...paragraph(`Owner: ${owner === 'kernel' ? 'the kernel' : `\`${owner}\``}${stage}.`),
    ...table(fieldRows(node, [name]).filter((row) => row.path !== 'plugins.settings')),
    ...typedSettings(name, node, owners),
    ...(name === 'plugins' ? pluginSettings(manifests, own(node.properties, 'settings')) : []),
  ]
}

const table = (rows: readonly FieldRow[]): readonly string[] => [
  '| Field | Variable | Type | Default | Meaning |',
  '|---|---|---|---|---|',
  ...rows.map((row) =>
    line([
      `\`${row.path}\``,
      `\`${row.variable}\``,
      typeWords(row),
      row.required ? '**required**' : row.default === '' ? row.absent || '—' : `\`${row.default}\``,
      row.description,
    ]),
  ),
  '',
]

const typeWords = ({ type, unit, secret }: Pick<FieldRow, 'type' | 'unit' | 'secret'>): string =>
  [type, ...(unit === '' ? [] : [unit]), ...(secret ? ['**secret**'] : [])].join(', ')

/** The settings that plugins add to the objects of a section, by variant. */
function typedSettings(name: string, node: SchemaNode, owners: Owners): readonly string[] {
  const place = openPlaceIn(node, [name])
  const member = place?.node['x-variant-member']
  if (place === undefined || member === undefined) return []
  const variants = Object.entries(place.node['x-extensions'] ?? {}).filter(
    ([, extension]) => Object.keys(extension.properties ?? {}).length > 0,
  )
  const rows = variants.flatMap(([variant, extension]) =>
    fieldRows({ ...extension, type: 'object' }, [...place.path]).map((row) => ({
      row,
      variant,
      own: row.path.slice(place.path.join('.').length + 1),
    })),
  )
  const names = [...new Set(rows.map((entry) => entry.own))]
  return [
    `Settings that \`${place.path.join('.')}\` takes beside these, by \`${member}\`:`,
    '',
    `| Field | Type | With \`${member}\` | Owner | Meaning |`,
    '|---|---|---|---|---|',
    ...names.map((field) => {
      const known = rows.filter((entry) => entry.own === field)
      const ids = new Set(known.map(({ variant }) => owners.ofExtension(name, field.split('.')[0] ?? '', variant)))
      const [first] = known
      return line([
        `\`${field}\``,
        first === undefined ? '' : typeWords(first.row),
        known.map(({ variant }) => `\`${variant}\``).join(', '),
        [...ids].map((id) => `\`${id}\`${owners.isDeclared(id) ? ' (declared)' : ''}`).join(', '),
        first?.row.description ?? '',
      ])
    }),
    '',
  ]
}

/** The first object below a section that opens a place, with its path; list items have none. */
function openPlaceIn(
  node: SchemaNode,
  path: readonly string[],
): { readonly node: SchemaNode; readonly path: readonly string[] } | undefined {
  if (node['x-extensions'] !== undefined) return { node, path }
  for (const [name, member] of Object.entries(node.properties ?? {})) {
    const found = openPlaceIn(member, [...path, name])
    if (found) return found
  }
  for (const entry of Object.values(node.patternProperties ?? {})) {
    const found = openPlaceIn(entry, [...path, '<name>'])
    if (found) return found
  }
  return undefined
}

function pluginSettings(manifests: readonly PluginManifestFile[], settings: SchemaNode | undefined): readonly string[] {
  const rows = manifests
    .filter(({ config }) => config !== undefined)
    .flatMap(({ id }) => fieldRows(own(settings?.properties, id) ?? {}, ['plugins', 'settings', id]))
  return rows.length === 0
    ? paragraph('`plugins.settings.<id>` takes what the plugin’s own README says; no built-in plugin has settings there.')
    : [...paragraph('Settings of built-in plugins:'), ...table(rows)]
}

function harmlessFields(rows: readonly FieldRow[], schema: SchemaNode): readonly string[] {
  const harmless = rows.filter(({ path }) => isHarmlessAt(schema, parsePath(path) ?? []))
  return [
    '### Changed without a confirmation',
    '',
    ...paragraph(
      'Over HTTP these fields can be changed by an administrator’s token and in a session that is not [confirmed](accounts.md#confirming-that-it-is-you); no other can.',
    ),
    ...harmless.map(({ path }) => `- \`${path}\``),
    '',
  ]
}

function additions(rows: readonly FieldRow[], added: readonly string[]): readonly string[] {
  return [
    '### Added by this project',
    '',
    ...paragraph('These fields are not in the specification that the sections above follow. They change nothing that it says.'),
    '| Field | Type | Default |',
    '|---|---|---|',
    ...added.map((path) => {
      const row = rows.find((candidate) => candidate.path === path)
      return line([
        `\`${path}\``,
        row === undefined ? '' : typeWords(row),
        row === undefined || row.default === '' ? '—' : `\`${row.default}\``,
      ])
    }),
    '',
  ]
}

const paragraph = (text: string | undefined): readonly string[] => (text === undefined ? [] : [text, ''])

const line = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

import type { Configuration } from '@agent-service/sdk/web/configuration'
import { descriptionOf, reasonOf, type Words } from '../words/descriptions.js'
import { type Title, titleOf } from '../words/titles.js'
import { at, entrySchemaOf, isMap, membersOf, type Node, pathText, recordOf, resolve, typesOf } from './schema.js'
import { type Setting, settingOf } from './setting.js'

/** A line of the page. The id stays the same when the configuration is read again. */
export type Row =
  | { readonly kind: 'setting'; readonly id: string; readonly setting: Setting }
  /** The heading of an object. */
  | { readonly kind: 'group'; readonly id: string; readonly title: Title; readonly depth: number }
  /** The heading of an entry of a map. */
  | { readonly kind: 'entry'; readonly id: string; readonly path: string; readonly parts: readonly string[]; readonly isSaved: boolean }
  /** Where an entry is added to a map. */
  | { readonly kind: 'add'; readonly id: string; readonly parts: readonly string[]; readonly known: readonly string[] }

export interface Section {
  readonly name: string
  readonly title: Title
  readonly help: Words
  readonly noEffect: Words
}

/** Values that people entered and that decide about the page: added entries, and chosen variants. */
export type Entered = (path: string) => unknown

const propertiesOf = (configuration: Configuration): readonly (readonly [string, Node])[] =>
  Object.entries(recordOf(configuration.schema['properties']) as Readonly<Record<string, Node>>)

export const sectionsOf = (configuration: Configuration): readonly Section[] =>
  propertiesOf(configuration).map(([name, node]) => {
    const [help = '', noEffect = ''] = (node.description ?? '').split(/\s*No effect: /)
    return { name, title: titleOf(name, node.title, true), help: descriptionOf([name], help), noEffect: reasonOf(noEffect) }
  })

/** The lines of a section, in the order of the schema. */
export function rowsOf(
  configuration: Configuration,
  section: string,
  added: readonly (readonly string[])[],
  entered: Entered,
): readonly Row[] {
  const node = propertiesOf(configuration).find(([name]) => name === section)?.[1]
  if (!node) return []
  const walk: Walk = { configuration, added, entered }
  const title = titleOf(section, node.title, true)
  return membersBelow(walk, resolve(configuration, node), { parts: [section], around: [title], depth: 0 })
}

/** All settings of all sections. */
export const allSettings = (
  configuration: Configuration,
  added: readonly (readonly string[])[] = [],
  entered: Entered = () => undefined,
): readonly Setting[] =>
  sectionsOf(configuration)
    .flatMap(({ name }) => rowsOf(configuration, name, added, entered))
    .flatMap((row) => (row.kind === 'setting' ? [row.setting] : []))

interface Walk {
  readonly configuration: Configuration
  readonly added: readonly (readonly string[])[]
  readonly entered: Entered
}

interface Place {
  readonly parts: readonly string[]
  readonly around: readonly Title[]
  readonly depth: number
}

function membersBelow(walk: Walk, node: Node, place: Place): readonly Row[] {
  const { configuration } = walk
  const { parts } = place
  if (isMap(configuration, node)) return entriesBelow(walk, node, place)
  const value = valueWith(walk, parts)
  const members = membersOf(configuration, node, value)
  const unknown = Object.keys(recordOf(at(configuration.saved, parts))).filter((name) => node.properties?.[name] === undefined)
  return [
    ...members.flatMap(([name, member]) => rowsAt(walk, member, { ...place, parts: [...parts, name] })),
    ...unknown.flatMap((name) => rowsAt(walk, entrySchemaOf(configuration, node, name) ?? {}, { ...place, parts: [...parts, name] })),
  ]
}

/** The value of an object with a member that was just chosen, such as its variant. */
function valueWith({ configuration, entered }: Walk, parts: readonly string[]): unknown {
  const value = { ...recordOf(at(configuration.values, parts)), ...recordOf(at(configuration.saved, parts)) }
  const api = entered(pathText([...parts, 'api']))
  return api === undefined ? value : { ...value, api }
}

function rowsAt(walk: Walk, node: Node, place: Place): readonly Row[] {
  const { parts, around, depth } = place
  const isObject = typesOf(node).includes('object')
  if (isObject && node.properties === undefined && node.additionalProperties === false && !node.patternProperties) return []
  if (!isObject || (node.properties === undefined && !isMap(walk.configuration, node)))
    return [{ kind: 'setting', id: `s:${pathText(parts)}`, setting: settingOf(walk.configuration, node, parts, around) }]
  const title = titleOf(parts.at(-1) ?? '', node.title)
  const below = membersBelow(walk, node, { parts, around: [...around, title], depth: depth + 1 })
  return below.length === 0 ? [] : [{ kind: 'group', id: `g:${pathText(parts)}`, title, depth }, ...below]
}

function entriesBelow(walk: Walk, node: Node, place: Place): readonly Row[] {
  const { configuration, added } = walk
  const { parts, around, depth } = place
  const saved = Object.keys(recordOf(at(configuration.saved, parts)))
  const fresh = added.filter((each) => each.length === parts.length + 1 && parts.every((part, index) => part === each[index]))
  const present = [...Object.keys(recordOf(at(configuration.values, parts))), ...saved, ...fresh.map((each) => each.at(-1) ?? '')]
  const names = [...new Set(present)].sort()
  const rows = names.flatMap((name): readonly Row[] => {
    const inside = [...parts, name]
    const entry = entrySchemaOf(configuration, node, name)
    const below = entry
      ? membersBelow(walk, entry, { parts: inside, around: [...around, { text: name, isTranslated: true }], depth: depth + 1 })
      : []
    return [{ kind: 'entry', id: `e:${pathText(inside)}`, path: pathText(inside), parts: inside, isSaved: saved.includes(name) }, ...below]
  })
  const known = Object.keys(node.properties ?? {}).filter((name) => !names.includes(name))
  return [...rows, { kind: 'add', id: `a:${pathText(parts)}`, parts, known }]
}

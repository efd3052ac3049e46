import type { Archive } from './archive.js'
import { attributeOf, readXml } from './read-xml.js'

/** Where a part of an Office document points: the target's path, by the id of the relationship. */
export interface Relationship {
  readonly type: string
  readonly target: string
}

/** The relationships of a part, by their ids. None if it has no file of them. */
export async function relationshipsOf(archive: Archive, part: string): Promise<ReadonlyMap<string, Relationship>> {
  const at = part.lastIndexOf('/')
  const folder = part.slice(0, at + 1)
  const found = new Map<string, Relationship>()
  const content = await archive.open(`${folder}_rels/${part.slice(at + 1)}.rels`)
  if (!content) return found
  await readXml(content, {
    open(name, attributes) {
      const id = attributeOf(attributes, 'Id')
      const target = attributeOf(attributes, 'Target')
      if (name !== 'Relationship' || id === undefined || target === undefined || attributeOf(attributes, 'TargetMode') === 'External')
        return
      found.set(id, { type: attributeOf(attributes, 'Type') ?? '', target: resolvePart(folder, target) })
    },
  })
  return found
}

/** The path of a target that is relative to a folder, or to the root of the package. */
function resolvePart(folder: string, target: string): string {
  const segments: string[] = []
  for (const segment of (target.startsWith('/') ? target : `${folder}${target}`).split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return segments.join('/')
}

/** The first part of a type, by the end of the type's name: `/slide`. */
export const partOfType = (relationships: ReadonlyMap<string, Relationship>, ending: string): string | undefined =>
  [...relationships.values()].find(({ type }) => type.endsWith(ending))?.target

/** The texts of a file of properties, by the names of its elements without a prefix. */
export async function propertiesIn(archive: Archive, part: string): Promise<Readonly<Record<string, string>>> {
  const content = await archive.open(part)
  const found = new Map<string, string>()
  if (!content) return {}
  let text = ''
  await readXml(content, {
    open: () => {
      text = ''
    },
    text: (piece) => {
      text += piece
    },
    close: (name) => {
      if (text.trim() !== '' && !found.has(name)) found.set(name, text.trim())
      text = ''
    },
  })
  return Object.fromEntries(found)
}

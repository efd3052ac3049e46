import { createHmac } from 'node:crypto'
import type { VaultField, VaultItem } from '@agent-service/sdk/contracts/vault-connector'
import type { KdbxEntry, KdbxGroup, KdbxUuid } from 'kdbxweb'
import { fieldKeys, isSecret, plainFields, textOf, titleKey } from './entry-fields.js'
import type { OpenDatabase } from './open-database.js'
import { itemNotFound } from './problem.js'
import { createReferences } from './references.js'

const maxTitleLength = 300

/** An entry with its place. */
export interface PlacedEntry {
  readonly id: string
  readonly entry: KdbxEntry
  /** Names of its groups from below the root, joined by `/`. */
  readonly group: string
}

/** The entries of a database. */
export interface Entries {
  /** Those outside the recycle bin, by title, then id. */
  readonly all: readonly PlacedEntry[]
  /** @throws `vault_item_not_found`, with `deleted` for one in the recycle bin. */
  get(id: string): PlacedEntry
  item(placed: PlacedEntry): VaultItem
  /** The same with the revision. */
  itemWithRevision(placed: PlacedEntry): VaultItem
  /** The fields with what they refer to, and the keys they have in the file. */
  fields(placed: PlacedEntry): readonly (VaultField & { readonly key: string })[]
}

/** Ids are those of KeePass in hexadecimal digits, as its references have them. */
export const hexOf = (uuid: KdbxUuid): string => Buffer.from(uuid.id, 'base64').toString('hex')

/** Reads the groups of a database as they are now. */
export function readEntries({ kdbx, credentialsHash }: Pick<OpenDatabase, 'kdbx' | 'credentialsHash'>): Entries {
  const placed = new Map<string, PlacedEntry>()
  const deleted = new Map<string, PlacedEntry>()
  const { recycleBinUuid } = kdbx.meta
  const visit = (group: KdbxGroup, path: readonly string[], into: Map<string, PlacedEntry>): void => {
    for (const entry of group.entries) into.set(hexOf(entry.uuid), { id: hexOf(entry.uuid), entry, group: path.join('/') })
    for (const child of group.groups) {
      const isBin = recycleBinUuid?.empty === false && child.uuid.equals(recycleBinUuid)
      visit(child, [...path, child.name ?? ''], isBin ? deleted : into)
    }
  }
  for (const root of kdbx.groups) visit(root, [], placed)

  const item = ({ id, entry, group }: PlacedEntry): VaultItem => ({
    id,
    title: cut(textOf(entry.fields.get(titleKey))) || '(no title)',
    ...(group === '' ? {} : { group: cut(group) }),
    fields: [...fieldKeys(entry).keys()],
    ...(entry.lastModTime > 0 ? { changedAt: entry.lastModTime } : {}),
  })

  return {
    all: [...placed.values()].sort(byTitle),
    get(id) {
      const found = placed.get(id)
      if (found === undefined) throw itemNotFound(id, deleted.has(id))
      return found
    },
    item,
    itemWithRevision: (entry) => ({ ...item(entry), revision: revisionOf(entry.entry, credentialsHash) }),
    fields({ entry }) {
      const references = createReferences((id) => placed.get(id)?.entry)
      return plainFields(entry).map((field) => references.resolve(field))
    },
  }
}

const cut = (text: string): string => (text.length <= maxTitleLength ? text : `${text.slice(0, maxTitleLength - 1)}…`)

/** By the same order on every machine. */
const byTitle = (left: PlacedEntry, right: PlacedEntry): number => compareMarks(markOf(left), markOf(right))

/** What the order of a list goes by: the title as it is shown, then the id. */
export type Mark = readonly [title: string, id: string]

export const markOf = ({ id, entry }: PlacedEntry): Mark => [cut(textOf(entry.fields.get(titleKey))).toLowerCase(), id]

export const compareMarks = ([title, id]: Mark, [otherTitle, otherId]: Mark): number =>
  title === otherTitle ? (id < otherId ? -1 : id > otherId ? 1 : 0) : title < otherTitle ? -1 : 1

/**
 * The time of the last change and a hash of the content. Its key is the credentials' hash, so
 * the revision gives no way to try values of a field without them.
 */
function revisionOf(entry: KdbxEntry, key: Uint8Array): string {
  const content = [...entry.fields].map(([name, value]) => [name, textOf(value), isSecret(name, value)])
  const hash = createHmac('sha256', key).update('revision').update(JSON.stringify(content)).digest('hex')
  return `${entry.lastModTime}-${hash.slice(0, 32)}`
}

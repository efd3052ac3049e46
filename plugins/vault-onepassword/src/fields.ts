import type { Item, ItemField, ItemFieldType } from '@1password/sdk'
import type { VaultField } from '@agent-service/sdk/contracts/vault-connector'

/** Types of fields that people may see. Everything else is a secret, also what a later SDK adds. */
const plainTypes: ReadonlySet<string> = new Set([
  'Text',
  'Email',
  'Url',
  'Phone',
  'Menu',
  'Date',
  'MonthYear',
  'CreditCardType',
  'Reference',
])

/** The field under which the notes of an item are read and written. */
const notesName = 'notes'
/** The section that 1Password's own programs put further fields into. */
const moreSection = { id: 'add more', title: '' }
const maxNameLength = 200

/** A field of an item with the name that it is read under. */
interface NamedField {
  readonly name: string
  readonly field: ItemField
}

/** The fields of an item. Where titles are the same, the section's title or a number tells them apart. */
export function fieldsOf(item: Item): readonly VaultField[] {
  const fields = namedFields(item).map(({ name, field }) => ({ name, value: field.value, secret: isSecret(field) }))
  return item.notes === '' ? fields : [...fields, { name: notesName, value: item.notes, secret: true }]
}

const isSecret = ({ fieldType }: ItemField): boolean => !plainTypes.has(fieldType)

function namedFields({ fields, sections }: Pick<Item, 'fields' | 'sections'>): readonly NamedField[] {
  const taken = new Set([notesName])
  const titles = new Map(sections.map(({ id, title }) => [id, title]))
  return fields.map((field) => {
    const title = (field.title || field.id || 'field').slice(0, maxNameLength - 20)
    const section = titles.get(field.sectionId ?? '') ?? ''
    const candidates = section === '' ? [title] : [title, `${section} ${title}`.slice(0, maxNameLength - 20)]
    const name = candidates.find((each) => !taken.has(each)) ?? numbered(title, taken)
    taken.add(name)
    return { name, field }
  })
}

function numbered(title: string, taken: ReadonlySet<string>): string {
  for (let number = 2; ; number += 1) if (!taken.has(`${title} (${number})`)) return `${title} (${number})`
}

/** The item with exactly these fields. What it has beside fields, such as websites, stays. */
export function withFields(item: Item, fields: readonly VaultField[]): Item {
  const present = new Map(namedFields(item).map(({ name, field }) => [name, field]))
  const ids = new Set(item.fields.map(({ id }) => id))
  const own = fields.filter(({ name }) => name !== notesName)
  const changed = own.map((field) => {
    const before = present.get(field.name)
    if (before === undefined) return newField(field, ids)
    const fieldType = field.secret && !isSecret(before) ? concealed : before.fieldType
    return { ...before, fieldType, value: field.value }
  })
  return { ...item, fields: changed, sections: sectionsFor(changed, item.sections), notes: notesOf(fields) }
}

/** What a new login is made of. */
export function newContent(fields: readonly VaultField[]): Pick<Item, 'fields' | 'sections' | 'notes'> {
  const ids = new Set<string>()
  const made = fields.filter(({ name }) => name !== notesName).map((field) => newField(field, ids))
  return { fields: made, sections: sectionsFor(made, []), notes: notesOf(fields) }
}

const concealed = 'Concealed' as ItemFieldType.Concealed
const text = 'Text' as ItemFieldType.Text
const notesOf = (fields: readonly VaultField[]): string => fields.find(({ name }) => name === notesName)?.value ?? ''

/** The user name and the password of a login have a place of their own. */
function newField({ name, value, secret }: VaultField, ids: Set<string>): ItemField {
  const isBuiltIn = (name === 'username' || name === 'password') && !ids.has(name)
  let id = isBuiltIn ? name : `field ${ids.size + 1}`
  while (ids.has(id)) id = `${id} more`
  ids.add(id)
  return { id, title: name, fieldType: secret ? concealed : text, value, ...(isBuiltIn ? {} : { sectionId: moreSection.id }) }
}

function sectionsFor(fields: readonly ItemField[], present: Item['sections']): Item['sections'] {
  const isNeeded = fields.some(({ sectionId }) => sectionId === moreSection.id) && !present.some(({ id }) => id === moreSection.id)
  return isNeeded ? [...present, moreSection] : [...present]
}

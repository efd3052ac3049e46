import type { Configuration } from '@agent-service/sdk/web/configuration'
import { descriptionOf, type Words } from '../words/descriptions.js'
import { type Title, titleOf } from '../words/titles.js'
import { membersOf, type Node, recordOf, resolve, typesOf } from './schema.js'

/** A member of an object in a list, edited in a field of its own. */
export interface ItemField {
  readonly name: string
  readonly title: Title
  readonly help: Words
  readonly kind: 'text' | 'number' | 'boolean' | 'choice' | 'lines'
  readonly choices: readonly string[]
  readonly placeholder: string
  /** Always shown, whether it is set or not. */
  readonly isMain: boolean
}

export type Item = Readonly<Record<string, unknown>>
export type FieldsOf = (item: Item) => readonly ItemField[]

/** So few members are all shown. */
const fewFields = 6

/** How objects of a list are edited; undefined for lists of something else. */
export function fieldsOfItems(configuration: Configuration, node: Node, parts: readonly string[]): FieldsOf | undefined {
  if (!typesOf(node).includes('array') || !node.items) return undefined
  const items = resolve(configuration, node.items)
  if (items.properties === undefined) return undefined
  return (item) => {
    const members = membersOf(configuration, items, item).flatMap(([name, member]) => {
      const kind = fieldKind(member)
      return kind === undefined || member.writeOnly ? [] : [{ name, member, kind }]
    })
    return members.map(({ name, member, kind }) => ({
      ...{ name, kind, choices: choicesOf(member).map(String) },
      title: titleOf(name, member.title),
      help: descriptionOf([...parts, '0', name], firstSentences(member)),
      placeholder: member.default === undefined || member.default === null ? '' : String(member.default),
      isMain: members.length <= fewFields || /Must be set/.test(member.description ?? ''),
    }))
  }
}

const choicesOf = ({ enum: values, anyOf = [] }: Node): readonly unknown[] => values ?? anyOf.find((each) => each.enum)?.enum ?? []

const firstSentences = ({ description = '' }: Node): string =>
  description
    .split(/\s*(?:No effect: |Unit: |Must be set)/)[0]
    ?.replaceAll('`', '')
    .trim() ?? ''

function fieldKind(node: Node): ItemField['kind'] | undefined {
  if (choicesOf(node).length > 0) return node.anyOf ? 'text' : 'choice'
  const types = typesOf(node)
  if (types.includes('boolean')) return 'boolean'
  if (types.includes('integer') || types.includes('number')) return 'number'
  if (types.join() === 'array') return node.items && typesOf(node.items).join() === 'string' ? 'lines' : undefined
  return types.join() === 'string' ? 'text' : undefined
}

/** The objects of a list; undefined if it has something else. */
export const itemsIn = (value: unknown): readonly Item[] | undefined => {
  if (value === undefined || value === null) return []
  const isObjects = Array.isArray(value) && value.every((each) => typeof each === 'object' && each !== null && !Array.isArray(each))
  return isObjects ? value.map(recordOf) : undefined
}

/** What was typed, as the file has it; undefined removes the member. A text that is no number is left to the check. */
export function valueTyped({ kind }: ItemField, text: string): unknown {
  if (text.trim() === '') return undefined
  if (kind === 'boolean') return text === 'true'
  if (kind === 'lines')
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  const number = kind === 'number' ? Number(text) : Number.NaN
  return Number.isFinite(number) ? number : text
}

/** The value of a member as it is typed. */
export const textTyped = (value: unknown): string =>
  value === undefined || value === null ? '' : Array.isArray(value) ? value.join('\n') : String(value)

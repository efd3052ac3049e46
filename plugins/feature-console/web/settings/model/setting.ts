import type { Configuration } from '@agent-service/sdk/web/configuration'
import { descriptionOf, reasonOf, type Words } from '../words/descriptions.js'
import { type Title, titleOf } from '../words/titles.js'
import { type FieldsOf, fieldsOfItems } from './items.js'
import { at, hidesSecrets, isWithin, type Node, pathText, recordOf, typesOf } from './schema.js'

export type Kind = 'text' | 'number' | 'boolean' | 'choice' | 'secret' | 'list' | 'json'

/** One setting: where it is, how it is edited, and what applies. */
export interface Setting {
  /** Dotted, as the API takes it. */
  readonly path: string
  readonly parts: readonly string[]
  readonly title: Title
  /** The titles of what is around it, the section first. */
  readonly around: readonly Title[]
  readonly help: Words
  /** Why it has no effect in this version; empty if it has one. */
  readonly noEffect: Words
  readonly kind: Kind
  /** The only values, or those that are suggested for a text. */
  readonly choices: readonly string[]
  readonly unit: string | undefined
  readonly node: Node
  /** How the objects of a list are edited. */
  readonly fieldsOf: FieldsOf | undefined
  /** The variable that would set it. */
  readonly variable: string
  /** The variable that sets it. */
  readonly lockedBy: string | undefined
  /** Where {@link value} comes from. */
  readonly source: 'default' | 'file' | 'environment'
  /** The line in the file. */
  readonly line: number | undefined
  /** As it is written in the file; `undefined` if it is not there. */
  readonly saved: unknown
  /** What the running service uses. Of a secret: its state. */
  readonly effective: unknown
  /** The reference that the effective value was made from. */
  readonly reference: string | undefined
  /** What the next start will use, as it is written. */
  readonly value: unknown
  /** A restart would change the effective value. */
  readonly isPending: boolean
}

/** The state of a secret, as the service shows it. */
export interface SecretState {
  readonly is_set: boolean
  readonly reference?: string
}

export const secretStateOf = (value: unknown): SecretState =>
  Object.hasOwn(recordOf(value), 'is_set') ? (value as SecretState) : { is_set: false }

export function settingOf(configuration: Configuration, node: Node, parts: readonly string[], around: readonly Title[]): Setting {
  const path = pathText(parts)
  const { help, noEffect } = wordsOf(node, parts)
  const { choices, isOpen } = choicesOf(node)
  const lockedBy = configuration.locked.find((each) => isWithin(path, each.path) || isWithin(each.path, path))?.variable
  const effective = at(configuration.values, parts)
  const saved = at(configuration.saved, parts)
  const fieldsOf = fieldsOfItems(configuration, node, parts)
  const isPending = configuration.pending.some((each) => isWithin(path, each) || isWithin(each, path))
  const kind = node.writeOnly ? 'secret' : choices.length > 0 && !isOpen ? 'choice' : kindOf(node)
  return {
    ...{ path, parts, around, help, noEffect, kind, choices, node, fieldsOf, lockedBy, saved, effective, isPending },
    title: titleOf(parts.at(-1) ?? '', node.title),
    unit: node['x-unit'],
    variable: variableOf(configuration, parts),
    source: lockedBy !== undefined ? 'environment' : saved !== undefined ? 'file' : 'default',
    line: configuration.lines[path],
    reference: configuration.references[path],
    value: lockedBy !== undefined ? effective : (saved ?? (isPending ? node.default : effective)),
  }
}

/** The words of the description without those that the editor says itself. */
function wordsOf({ description = '' }: Node, parts: readonly string[]): { readonly help: Words; readonly noEffect: Words } {
  const [words = '', noEffect = ''] = description.split(/\s*No effect: /)
  const help = words
    .replace(/ ?Unit: [^.]*\./, '')
    .replace(/ ?Secret: better a \$\{VARIABLE\} than the value itself\./, '')
    .replace(/ ?Must be set, here or in the environment\./, '')
    .replaceAll('`', '')
    .trim()
  return { help: descriptionOf(parts, help), noEffect: reasonOf(noEffect) }
}

/** The values of an enumeration; open if other texts are accepted too. */
function choicesOf(node: Node): { readonly choices: readonly string[]; readonly isOpen: boolean } {
  const choices = (node.enum ?? node.anyOf?.find((each) => each.enum)?.enum ?? []).map(String)
  const others = node.anyOf?.filter((each) => !each.enum) ?? []
  return { choices, isOpen: others.some(({ pattern = '' }) => !pattern.startsWith('\\$\\{')) }
}

function kindOf(node: Node): Kind {
  const types = typesOf(node)
  if (types.includes('boolean')) return 'boolean'
  if (types.includes('integer') || types.includes('number')) return 'number'
  if (types.includes('array')) return node.items && typesOf(node.items).join() === 'string' ? 'list' : 'json'
  return types.join() === 'string' || (node.anyOf?.length ?? 0) > 0 ? 'text' : 'json'
}

function variableOf(configuration: Configuration, [section = '', ...rest]: readonly string[]): string {
  const node = recordOf(at(configuration.schema, ['properties', section]))
  const separator = node['patternProperties'] === undefined ? '_' : '__'
  return `SERVICE_${section}${separator}${rest.join('__')}`.replaceAll('-', '_').toUpperCase()
}

/** Whether it can only be read here: the file has secrets inside a value that is edited as a whole. */
export const isOpaque = ({ kind, value }: Setting): boolean => kind === 'json' && hidesSecrets(value)

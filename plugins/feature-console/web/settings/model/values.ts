import { t } from '../words/texts.js'
import type { Edit } from './edits.js'
import { easierText } from './quantity.js'
import type { Setting } from './setting.js'
import { secretStateOf } from './setting.js'

/** A text that the service replaces by a variable. */
export const isReference = (value: unknown): boolean => typeof value === 'string' && /\$\{[A-Za-z_]\w*\}/.test(value)

/** A value for reading; of secrets only whether they are set. */
export function shownValue({ kind, unit }: Pick<Setting, 'kind' | 'unit'>, value: unknown): string {
  if (kind === 'secret') {
    const { is_set: isSet, reference } = secretStateOf(value)
    if (reference !== undefined) return reference
    return isSet ? t('secret_is_set') : t('not_set')
  }
  if (value === undefined || value === null || value === '') return t('not_set')
  if (typeof value === 'boolean') return value ? t('yes') : t('no')
  if (typeof value === 'number') return [String(value), unitText(unit)].filter(Boolean).join(' ') + inBrackets(easierText(value, unit))
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.length === 0 ? t('empty_list') : value.join('\n')
  return typeof value === 'object' ? JSON.stringify(value, null, 2) : String(value)
}

const inBrackets = (text: string | undefined): string => (text === undefined ? '' : ` (${text})`)

/** What an edit makes of a setting. */
export function shownEdit(setting: Pick<Setting, 'kind' | 'unit' | 'node'>, { kind, value }: Edit): string {
  if (setting.kind === 'secret') return kind === 'reset' ? t('secret_removed') : t('secret_new')
  if (kind === 'set') return shownValue(setting, value)
  return setting.node.default === undefined ? t('fallback_default') : t('default_is', { value: shownValue(setting, setting.node.default) })
}

const units = {
  seconds: 'unit_seconds',
  milliseconds: 'unit_milliseconds',
  days: 'unit_days',
  bytes: 'unit_bytes',
  tokens: 'unit_tokens',
  percent: 'unit_percent',
  layers: 'unit_layers',
  threads: 'unit_threads',
  'US dollars per million tokens': 'unit_price',
} as const

/** The unit in the language of the page; units of plugins stay as they are. */
export function unitText(unit: string | undefined): string {
  if (unit === undefined) return ''
  return Object.hasOwn(units, unit) ? t(units[unit as keyof typeof units]) : unit
}

/** What is wrong with a number, as far as the schema alone says. */
export function numberProblem({ node }: Setting, value: number): string | undefined {
  const types = typeof node.type === 'string' ? [node.type] : (node.type ?? [])
  if (types.includes('integer') && !Number.isInteger(value)) return t('not_whole')
  if (node.minimum !== undefined && value < node.minimum) return t('too_small', { limit: node.minimum })
  if (node.exclusiveMinimum !== undefined && value <= node.exclusiveMinimum) return t('not_above', { limit: node.exclusiveMinimum })
  if (node.maximum !== undefined && value > node.maximum) return t('too_large', { limit: node.maximum })
  return undefined
}

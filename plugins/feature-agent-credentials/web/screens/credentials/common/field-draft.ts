import type { FieldProblems } from '@agent-service/sdk/web/forms'
import type { Credential } from '../../../credentials/source.js'
import { t as shared } from '../../../credentials/texts.js'
import { t } from './texts.js'

/** A field as it is being entered. */
export interface FieldDraft {
  readonly name: string
  readonly value: string
  readonly secret: boolean
  readonly variable: string
  readonly as: 'value' | 'file'
  /** Whether the value is entered in several lines. */
  readonly lines: boolean
}

export const emptyField: FieldDraft = { name: '', value: '', secret: true, variable: '', as: 'value', lines: false }

/** The fields of a credential whose values are entered again; those that are no secrets are known. */
export const draftsOf = ({ fields }: Pick<Credential, 'fields'>): readonly FieldDraft[] =>
  fields.map(({ name, value, secret, variable, as }) => ({
    ...{ name, value: value ?? '', secret, variable: variable ?? '', as, lines: value?.includes('\n') ?? as === 'file' },
  }))

export const bodyOf = (drafts: readonly FieldDraft[]) =>
  drafts.map(({ name, value, secret, variable, as }) => ({
    ...{ name: name.trim(), value, secret, as },
    variable: variable.trim() === '' ? null : variable.trim(),
  }))

const fieldPattern = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/
/** What a copy from a page or a chat brings along at the ends of a secret, and inside of it. */
const unseen = /^\s|\s$|[\u00a0\u00ad\u200b-\u200f\u2060\ufeff]/
/** Shorter secrets are refused by the service. */
const minSecretLength = 6

export function fieldProblems(drafts: readonly FieldDraft[]): FieldProblems {
  const found: Record<string, string> = {}
  for (const [index, { name, value, secret, lines }] of drafts.entries()) {
    const isTwice = drafts.some((other, at) => at < index && other.name.trim() === name.trim())
    if (name.trim() === '') found[`/fields/${index}/name`] = shared('required')
    else if (!fieldPattern.test(name.trim())) found[`/fields/${index}/name`] = t('field_name_wrong')
    else if (isTwice) found[`/fields/${index}/name`] = t('field_name_twice')
    if (value === '') found[`/fields/${index}/value`] = shared('required')
    else if (secret && value.length < minSecretLength) found[`/fields/${index}/value`] = t('too_short')
    else if (secret && !lines && unseen.test(value)) found[`/fields/${index}/value`] = t('unseen')
  }
  return found
}

import type { FieldProblems } from '@agent-service/sdk/web/forms'
import { t } from './texts.js'

const namePattern = /^[a-z][a-z0-9_-]{0,63}$/

/** What is wrong with the name that agents call a credential by. */
export function nameProblem(name: string): FieldProblems {
  if (namePattern.test(name.trim())) return {}
  return { '/name': name.trim() === '' ? t('required') : t('name_wrong') }
}

export const titleProblem = (title: string): FieldProblems => (title.trim() === '' ? { '/title': t('required') } : {})

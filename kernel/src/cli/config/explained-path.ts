import { explainFields, type FieldExplanation } from '../../config/explain/index.js'
import { type Examination, parsePath } from '../../config/index.js'
import type { Terminal } from '../terminal.js'
import { unknownPath } from './read-assignments.js'

/** What is known at a path; `undefined` when it names nothing, which has then been told. */
export function explainedAt(examination: Examination, path: string, terminal: Terminal): readonly FieldExplanation[] | undefined {
  const at = parsePath(path) ?? []
  const fields = at.length === 0 ? undefined : explainFields(examination, at)
  if (fields !== undefined && fields.length > 0) return fields
  terminal.problem(unknownPath(path, examination))
  return undefined
}

/** A value in one line for people; a secret as whether there is one. */
export function valueText(value: FieldExplanation['value'], secret: boolean): string {
  if (value === undefined) return '—'
  if (secret && typeof value === 'object' && value !== null && 'is_set' in value) return value['is_set'] === true ? 'set' : 'not set'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

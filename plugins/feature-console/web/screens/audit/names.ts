import type { Entry } from './read-entries.js'
import { t } from './texts.js'

/** Who did it: a username, what is left of a deleted account, or the service. */
export function actorText({ actor_id, actor_name, source }: Entry): string {
  if (actor_name !== null) return actor_name
  if (actor_id !== null) return actor_id
  if (source === 'command_line') return t('command_line')
  return source === 'service' ? t('service') : t('no_account')
}

/** What it is about: a username, or the id of a thing; of other operations their name. */
export function subjectText({ subject_id, subject_name, kind, details, operation }: Entry): string {
  if (subject_name !== null) return subject_name
  if (subject_id !== null) return String(details['username'] ?? subject_id)
  return kind === 'admin.operation' ? String(details['operation'] ?? operation ?? '') : ''
}

/** The same for a line in a list: an id that says nothing to people is left to the details. */
export function subjectName(entry: Entry): string {
  const text = subjectText(entry)
  return text === entry.subject_id && madeId.test(text) ? '' : text
}

const madeId = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

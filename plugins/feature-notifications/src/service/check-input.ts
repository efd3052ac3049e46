import type { NotificationInput } from '@agent-service/sdk/services/notifications'
import { notificationInvalidError } from '../common/errors.js'

/** What is sent, checked and cut. */
export interface CheckedInput {
  readonly kind: string
  readonly key: string
  readonly title: string
  readonly text: string
  readonly link: string | null
  readonly about: Readonly<Record<string, string>>
  /** Absent: the title. */
  readonly subject?: string
  /** False: no e-mail. Absent: as the person wants it. */
  readonly mail?: false
  /** True: not for one who looks at the console. */
  readonly unseen?: true
}

const maxTitle = 200
const maxText = 4_000
const maxAbout = 10
/** A path of our own pages: one slash first, no backslash, no white space, no control character. */
const linkPattern = /^\/(?![/\\])[^\s\\\p{Cc}]{0,499}$/u

/** @throws `notification_invalid`. */
export function checkInput({ kind, key, title, text, link, about = {}, subject, mail, unseen }: NotificationInput): CheckedInput {
  if (kind === '' || kind.length > 100) throw invalid('kind', 'the id of a kind, of at most 100 characters')
  if (key === '' || key.length > 200) throw invalid('key', '1 to 200 characters')
  if (link !== undefined && !linkPattern.test(link))
    throw invalid('link', 'a path of the console such as /tasks/1, of at most 500 characters')
  const ids = Object.entries(about)
  if (ids.length > maxAbout || ids.some(([name, id]) => !/^[a-z][a-z0-9_]{0,49}$/.test(name) || id === '' || id.length > 200))
    throw invalid('about', `at most ${maxAbout} ids by snake_case names, each of 1 to 200 characters`)
  const line = lineOf(title)
  const inMail = lineOf(subject ?? '')
  return {
    kind,
    key,
    title: line === '' ? kind : line,
    text: cut(text, maxText),
    link: link ?? null,
    about: { ...about },
    ...(inMail !== '' && { subject: inMail }),
    ...(mail === false && { mail }),
    ...(unseen === true && { unseen }),
  }
}

const lineOf = (text: string): string => cut(text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim(), maxTitle)

/** At most so many UTF-16 code units, never half a character. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text
  const end = text.slice(0, max - 1)
  return `${/[\uD800-\uDBFF]$/.test(end) ? end.slice(0, -1) : end}…`
}

const invalid = (member: string, expected: string): Error => notificationInvalidError.create({ member, expected })

import type { Disposer } from '@agent-service/sdk'
import type { NotificationKind, NotificationText } from '@agent-service/sdk/services/notifications'
import { kindConflictError, notificationInvalidError } from '../common/errors.js'

const idPattern = /^(?=.{3,100}$)[a-z][a-z0-9_-]*\.[a-z][a-z0-9_.-]*$/
const languagePattern = /^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/

/** As many as are looked back at. */
const maxMailsPerHour = 100

/** A kind with its defaults. */
export type DeclaredKind = NotificationKind & { readonly push: boolean }

/** The kinds that plugins have declared. */
export interface KindRegistry {
  /** @throws `notification_invalid`, `notification_kind_conflict`. */
  declare(kind: NotificationKind): Disposer
  get(id: string): DeclaredKind | undefined
  /** Those that a person of this role can get, by id. */
  list(role: 'admin' | 'user'): readonly DeclaredKind[]
}

export function createKindRegistry(): KindRegistry {
  const kinds = new Map<string, DeclaredKind>()
  return {
    declare(given) {
      const kind = checkedKind(given)
      if (kinds.has(kind.id)) throw kindConflictError.create({ id: kind.id })
      kinds.set(kind.id, kind)
      return () => void (kinds.get(kind.id) === kind && kinds.delete(kind.id))
    },
    get: (id) => kinds.get(id),
    list: (role) =>
      [...kinds.values()]
        .filter(({ audience }) => audience === 'everyone' || role === 'admin')
        .sort((first, second) => (first.id < second.id ? -1 : 1)),
  }
}

function checkedKind({ id, title, description, app, mail, push = app, audience, mailsPerHour }: NotificationKind): DeclaredKind {
  if (!idPattern.test(id)) throw invalid('id', 'words in lower case with a dot between them, such as task.failed')
  checkText('title', title, 60)
  checkText('description', description, 200)
  if (typeof app !== 'boolean' || typeof mail !== 'boolean') throw invalid('app', 'true or false, as “mail”')
  if (typeof push !== 'boolean') throw invalid('push', 'true, false or absent')
  if (audience !== 'everyone' && audience !== 'admins') throw invalid('audience', 'everyone or admins')
  if (mailsPerHour !== undefined && !(Number.isInteger(mailsPerHour) && mailsPerHour > 0 && mailsPerHour <= maxMailsPerHour))
    throw invalid('mailsPerHour', `a whole number from 1 to ${maxMailsPerHour}`)
  const limit = mailsPerHour === undefined ? {} : { mailsPerHour }
  return Object.freeze({ id, title: { ...title }, description: { ...description }, app, mail, push, audience, ...limit })
}

function checkText(member: string, text: NotificationText, max: number): void {
  const languages = Object.entries(text)
  const isSound = languages.every(
    ([language, words]) => languagePattern.test(language) && typeof words === 'string' && words !== '' && words.length <= max,
  )
  if (typeof text.en !== 'string' || !isSound) throw invalid(member, `a text in English and others, each of 1 to ${max} characters`)
}

const invalid = (member: string, expected: string): Error => notificationInvalidError.create({ member, expected })

import { type JsonObject, namedObject, Type } from '@agent-service/sdk'
import type { DeclaredKind } from '../kinds/kind-registry.js'
import type { Delivery } from '../kinds/preferences.js'
import type { StoredNotification } from '../store/notification.js'

const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

/** A notification as the API has it. */
export const notificationSchema = namedObject('Notification', {
  id: Type.String({ examples: ['0198a3c2-6f1e-7bd4-9c55-3f0f7d0a51c2'] }),
  kind: Type.String({ description: 'Of those that the preferences list.', examples: ['task.completed'] }),
  title: Type.String({ examples: ['Summarise the news'] }),
  text: Type.String({ description: 'Plain text; may be empty.', examples: ['There are three.'] }),
  link: nullable('The page of the web console that shows more: a path.'),
  about: Type.Record(Type.String(), Type.String(), { description: 'Ids of what it is about.', examples: [{ task_id: '1' }] }),
  read: Type.Boolean(),
  read_at: nullable('When it was read.'),
  created_at: Type.String({ examples: ['2026-01-31T09:00:00.000Z'] }),
})

export const viewOf = ({ id, kind, title, text, link, about, unread, read_at, created_at }: StoredNotification): JsonObject => ({
  ...{ id, kind, title, text, link, about: { ...about }, read: unread === null, read_at, created_at },
})

const localText = Type.Record(Type.String(), Type.String(), { description: 'By language; `en` is always there.' })

/** A kind with what the person wants of it. */
export const kindSchema = namedObject('NotificationKind', {
  kind: Type.String({ examples: ['task.failed'] }),
  title: localText,
  description: localText,
  app: Type.Boolean({ description: 'Whether it is in the list.' }),
  mail: Type.Boolean({ description: 'Whether it goes by e-mail, where that is possible.' }),
  push: Type.Boolean({ description: 'Whether it goes to the devices of the person.' }),
  default: namedObject('NotificationDefault', { app: Type.Boolean(), mail: Type.Boolean(), push: Type.Boolean() }),
})

export const viewOfKind = ({ id, title, description, app, mail, push }: DeclaredKind, delivery: Delivery): JsonObject => ({
  ...{ kind: id, title: { ...title }, description: { ...description } },
  ...delivery,
  default: { app, mail, push },
})

export const preferencesSchema = namedObject('NotificationPreferences', {
  kinds: Type.Array(kindSchema, { description: 'Every kind that the person can get.' }),
  mail: namedObject('NotificationMail', {
    available: Type.Boolean({ description: 'Whether e-mail can be sent to this person.' }),
    reason: Type.Union(
      [
        Type.Literal('not_configured'),
        Type.Literal('password_missing'),
        Type.Literal('no_plugin'),
        Type.Literal('no_address'),
        Type.Literal('unconfirmed_address'),
        Type.Null(),
      ],
      { description: 'Why not.' },
    ),
    address: nullable('The confirmed address of the account.'),
  }),
})

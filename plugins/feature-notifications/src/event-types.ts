import { type EventTypeDeclaration, Type } from '@agent-service/sdk'

const id = Type.String({ minLength: 1 })
const about = Type.Record(Type.String(), Type.String(), { description: 'Ids of what it is about.' })
const link = Type.Union([Type.String(), Type.Null()], { description: 'The page of the console that shows more.' })
const of = { chat_id: Type.Optional(id), run_id: Type.Optional(id) }
const unread = Type.Integer({ minimum: 0, description: 'How many are unread now.' })

/** Every type of event that this plugin publishes. */
export const eventTypes: Readonly<Record<string, EventTypeDeclaration>> = {
  'notification.requested': {
    description: 'Something has to be said to its owner. For the service itself: clients wait for `notification.created`.',
    schema: Type.Object(
      { kind: id, key: id, title: Type.String(), text: Type.String(), link, about, ...of },
      { additionalProperties: true },
    ),
  },
  'notification.created': {
    description: 'A notification is in its owner’s list: a reminder, the end of a task, a failed backup.',
    schema: Type.Object(
      { notification_id: id, kind: id, title: Type.String(), text: Type.String(), link, about, created_at: Type.String(), unread, ...of },
      { additionalProperties: true },
    ),
  },
  'notification.updated': {
    description: 'A notification was read, marked as unread or deleted, or all of them were read.',
    schema: Type.Object(
      {
        notification_id: Type.Union([id, Type.Null()], { description: 'Null: more than one.' }),
        state: Type.Union([Type.Literal('read'), Type.Literal('unread'), Type.Literal('deleted')]),
        unread,
      },
      { additionalProperties: true },
    ),
  },
}

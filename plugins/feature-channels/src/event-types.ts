import { type EventTypeDeclaration, Type } from '@agent-service/sdk'
import { connectionStates } from './store/connection.js'

const id = Type.String({ minLength: 1 })
const words = (all: readonly string[]) => Type.Union(all.map((word) => Type.Literal(word)))

/** Every type of event that channels publish. None has a secret, or what was said. */
export const eventTypes: Readonly<Record<string, EventTypeDeclaration>> = {
  'channel.updated': {
    description:
      'A connection to a channel was created, changed or deleted, has another state, someone asks to be let in, or a message was sent or could not be.',
    schema: Type.Object(
      {
        connection_id: id,
        change: words(['created', 'changed', 'deleted', 'state', 'pairing', 'delivery']),
        state: Type.Optional(words(connectionStates)),
        next_attempt_at: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      },
      { additionalProperties: true },
    ),
  },
}

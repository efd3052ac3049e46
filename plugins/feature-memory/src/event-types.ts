import { type EventTypeDeclaration, Type } from '@agent-service/sdk'
import { changeKinds } from './common/changes.js'

const id = Type.String({ minLength: 1 })

/** Every type of event that memory publishes. */
export const eventTypes: Readonly<Record<string, EventTypeDeclaration>> = {
  'memory.updated': {
    description:
      'A memory of the person was remembered, changed or forgotten, several were imported or restored, a pass is tried again, or a chat is remembered or not from here on. What background work learns is not reported.',
    schema: Type.Object(
      {
        change: Type.Union(changeKinds.map((kind) => Type.Literal(kind))),
        memory_id: Type.Optional(id),
        chat_id: Type.Optional(id),
        run_id: Type.Optional(id),
      },
      { additionalProperties: true },
    ),
  },
}

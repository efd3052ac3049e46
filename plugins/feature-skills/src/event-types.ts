import { type EventTypeDeclaration, Type } from '@agent-service/sdk'

/** Every type of event that skills publish. */
export const eventTypes: Readonly<Record<string, EventTypeDeclaration>> = {
  'skill.updated': {
    description: 'A skill was created, installed, edited or removed, by the person whose stream this is.',
    schema: Type.Object(
      {
        name: Type.String(),
        source: Type.Union([Type.Literal('shared'), Type.Literal('user'), Type.Literal('agent')]),
        change: Type.Union(['created', 'installed', 'edited', 'removed'].map((change) => Type.Literal(change))),
        agent_id: Type.Optional(Type.String()),
      },
      { additionalProperties: true },
    ),
  },
}

import { type EventTypeDeclaration, Type } from '@agent-service/sdk'

const id = Type.String({ minLength: 1 })
const words = (...all: readonly string[]) => Type.Union(all.map((word) => Type.Literal(word)))

/** Every type of event that this plugin publishes. None has a value or a secret. */
export const eventTypes: Readonly<Record<string, EventTypeDeclaration>> = {
  'credential.updated': {
    description: 'A credential of the person was created, changed or deleted, or what an agent may use of it changed.',
    schema: Type.Object(
      {
        change: words('created', 'changed', 'deleted', 'granted', 'grant_changed', 'revoked', 'used'),
        credential_id: Type.Optional(id),
        grant_id: Type.Optional(id),
        agent_id: Type.Optional(id),
      },
      { additionalProperties: true },
    ),
  },
  'vault.updated': {
    description: 'A connection to a vault was created, changed or deleted, or has another state.',
    schema: Type.Object(
      { vault_id: id, change: words('created', 'changed', 'deleted', 'synced', 'failed') },
      { additionalProperties: true },
    ),
  },
}

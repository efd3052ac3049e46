import { type EventTypeDeclaration, Type } from '@agent-service/sdk'

const nullable = (schema: ReturnType<typeof Type.String> | ReturnType<typeof Type.Integer>) => Type.Union([schema, Type.Null()])

/** Every type of event about backups. Administrators get them. */
export const eventTypes: Readonly<Record<string, EventTypeDeclaration>> = {
  'backup.progress.delta': {
    description: 'How far the backup that is being made or verified has come, at most twice a second.',
    schema: Type.Object({
      id: Type.String(),
      step: Type.String({ description: '`files`, `database` or `check`.' }),
      bytes: Type.Integer(),
      files: Type.Integer(),
      total_bytes: nullable(Type.Integer()),
    }),
  },
  'backup.updated': {
    description: 'A backup was begun, made, verified or deleted, or failed.',
    schema: Type.Object({
      id: Type.String(),
      state: Type.String({ description: '`running`, `succeeded`, `failed`, `cancelled`, `verified` or `deleted`.' }),
    }),
  },
}

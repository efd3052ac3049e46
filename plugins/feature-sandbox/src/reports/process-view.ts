import { namedObject, type Static, Type } from '@agent-service/sdk'
import type { SandboxProcessView } from '@agent-service/sdk/services/sandbox'

const orNull = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()])

/** A process as clients see it: in routes and in events. */
export const processSchema = namedObject(
  'SandboxProcess',
  {
    id: Type.String({ minLength: 1 }),
    actor: Type.Object({ kind: Type.String({ description: '`agent`, `app` or `mcp_server`' }), id: Type.String() }),
    kind: Type.String({ description: '`shell`, `python`, `node`, `packages`, `terminal` or `service`' }),
    title: Type.String(),
    background: Type.Boolean({ description: 'It goes on without the call that started it.' }),
    terminal: Type.Boolean(),
    started_at: Type.String({ format: 'date-time' }),
    ended_at: orNull(Type.String({ format: 'date-time' })),
    reason: orNull(
      Type.String({
        description:
          'Why it ended: `exit`, `signal`, `killed`, `stopped`, `timeout`, `output_limit`, `cpu_limit`, `memory_limit`, `total_cpu_limit`, `total_memory_limit`; null while it runs.',
      }),
    ),
    code: orNull(Type.Integer({ description: 'The exit code, with the reason `exit`.' })),
    signal: orNull(Type.String({ description: 'The signal by which it ended.' })),
    output_bytes: Type.Integer({ minimum: 0, description: 'How much it has written; the last mebibyte is kept.' }),
  },
  { additionalProperties: true },
)

/** A process as clients see it. */
export type PresentedProcess = Static<typeof processSchema>

export function presentProcess(view: SandboxProcessView): PresentedProcess {
  const { id, principal, kind, title, background, terminal, startedAt, endedAt, exit, outputBytes } = view
  return {
    ...{ id, actor: { kind: principal.kind, id: principal.id }, kind, title, background, terminal },
    ...{ started_at: new Date(startedAt).toISOString(), ended_at: endedAt === null ? null : new Date(endedAt).toISOString() },
    ...{ reason: exit?.reason ?? null, code: exit?.code ?? null, signal: exit?.signal ?? null, output_bytes: outputBytes },
  }
}

import { namedObject, type Static, type TSchema, Type } from '@agent-service/sdk'
import type { SandboxExit } from '@agent-service/sdk/contracts/sandbox-driver'
import type { SandboxProcessView } from '@agent-service/sdk/services/sandbox'

export const orNull = <Schema extends TSchema>(schema: Schema, description: string) => Type.Union([schema, Type.Null()], { description })

/** What is known of every process, also of those of others. */
export const processMembers = {
  id: Type.String({ minLength: 1 }),
  actor: namedObject('SandboxActor', {
    kind: Type.String({ description: '`agent`, `app` or `mcp_server`', examples: ['agent'] }),
    id: Type.String(),
    handle: orNull(Type.String({ examples: ['assistant'] }), 'For people.'),
  }),
  kind: Type.String({ description: '`shell`, `python`, `node`, `packages`, `terminal` or `service`', examples: ['shell'] }),
  background: Type.Boolean({ description: 'It goes on without the call that started it.' }),
  terminal: Type.Boolean({ description: 'It has a terminal.' }),
  started_at: Type.String({ format: 'date-time', examples: ['2026-11-23T08:09:10.000Z'] }),
}

/** What a process came to. */
const exitMembers = {
  reason: Type.String({
    description:
      'Why it ended: `exit`, `signal`, `killed`, `stopped`, `timeout`, `output_limit`, `cpu_limit`, `memory_limit`, `total_cpu_limit`, `total_memory_limit`.',
    examples: ['exit'],
  }),
  code: orNull(Type.Integer({ examples: [0] }), 'The exit code, with the reason `exit`.'),
  signal: orNull(Type.String({ examples: ['SIGTERM'] }), 'The signal by which it ended.'),
  cpu_ms: orNull(
    Type.Number({ minimum: 0 }),
    'Of one processor, with everything that it started; null where the machine does not count it.',
  ),
  peak_memory_bytes: orNull(
    Type.Integer({ minimum: 0 }),
    'At most, with everything that it started; null where the machine does not count it.',
  ),
}

/** What a process came to. */
export const exitSchema = namedObject('SandboxExit', exitMembers, { additionalProperties: true })

/** A process as clients see it: in routes and in events. */
export const processSchema = namedObject(
  'SandboxProcess',
  {
    ...processMembers,
    title: Type.String({ description: 'For people.', examples: ['python app.py'] }),
    ended_at: orNull(Type.String({ format: 'date-time' }), 'Null while it runs.'),
    exit: orNull(exitSchema, 'Null while it runs.'),
    output_bytes: Type.Integer({ minimum: 0, description: 'How much it has written; the last mebibyte is kept.' }),
  },
  { additionalProperties: true },
)

/** A process as clients see it. */
export type PresentedProcess = Static<typeof processSchema>

export const presentExit = ({ reason, code, signal, cpuMs, peakMemoryBytes }: SandboxExit): Static<typeof exitSchema> => ({
  ...{ reason, code, signal },
  cpu_ms: cpuMs,
  peak_memory_bytes: peakMemoryBytes,
})

export const presentCommon = ({ id, principal, kind, background, terminal, startedAt }: SandboxProcessView) => ({
  ...{ id, actor: { kind: principal.kind, id: principal.id, handle: principal.handle ?? null }, kind, background, terminal },
  started_at: new Date(startedAt).toISOString(),
})

export const presentProcess = (view: SandboxProcessView): PresentedProcess => ({
  ...presentCommon(view),
  title: view.title,
  ended_at: view.endedAt === null ? null : new Date(view.endedAt).toISOString(),
  exit: view.exit === null ? null : presentExit(view.exit),
  output_bytes: view.outputBytes,
})

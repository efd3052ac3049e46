import { namedObject, type Static, type TSchema, Type } from '@agent-service/sdk'
import type { ProcessUsage, SandboxExit } from '@agent-service/sdk/contracts/sandbox-driver'
import type { SandboxProcessView } from '@agent-service/sdk/services/sandbox'

const time = (value: number): string => new Date(value).toISOString()
const orNull = <Schema extends TSchema>(schema: Schema, description: string) => Type.Union([schema, Type.Null()], { description })

/** What a process came to. */
export const sandboxExitSchema = namedObject('SandboxExit', {
  reason: Type.Union([
    Type.Literal('exit'),
    Type.Literal('signal'),
    Type.Literal('killed'),
    Type.Literal('timeout'),
    Type.Literal('stopped'),
    Type.Literal('output_limit'),
    Type.Literal('cpu_limit'),
    Type.Literal('memory_limit'),
    Type.Literal('total_cpu_limit'),
    Type.Literal('total_memory_limit'),
  ]),
  code: orNull(Type.Integer(), 'The exit code of a process that ended by itself.'),
  signal: orNull(Type.String({ examples: ['SIGTERM'] }), 'The signal by which it ended.'),
  cpu_ms: orNull(Type.Number({ minimum: 0 }), 'Of one processor, with everything that it started.'),
  peak_memory_bytes: orNull(Type.Integer({ minimum: 0 }), 'At most, with everything that it started.'),
})

const principalSchema = namedObject('SandboxPrincipal', {
  kind: Type.Union([Type.Literal('agent'), Type.Literal('app'), Type.Literal('mcp_server')]),
  id: Type.String(),
  handle: orNull(Type.String({ examples: ['writer'] }), 'For people.'),
  workspace: Type.String({ description: 'The name of its folder below `workspaces`.', examples: ['writer'] }),
})

const common = {
  id: Type.String(),
  principal: principalSchema,
  kind: Type.Union([
    Type.Literal('shell'),
    Type.Literal('python'),
    Type.Literal('node'),
    Type.Literal('packages'),
    Type.Literal('terminal'),
    Type.Literal('service'),
  ]),
  background: Type.Boolean({ description: 'Whether it goes on without the call that started it.' }),
  terminal: Type.Boolean({ description: 'Whether it has a terminal.' }),
  started_at: Type.String({ examples: ['2026-11-23T08:09:10.000Z'] }),
}

/** A process of the caller. */
export const sandboxProcessSchema = namedObject('SandboxProcess', {
  ...common,
  title: Type.String({ description: 'For people.', examples: ['python app.py'] }),
  ended_at: orNull(Type.String(), 'Null while it runs.'),
  exit: orNull(sandboxExitSchema, 'Null while it runs.'),
  output_bytes: Type.Integer({ minimum: 0, description: 'How much it has written; the last mebibyte is kept.' }),
})

/** A process of any user, for administrators: without what the user runs. */
export const sandboxProcessUsageSchema = namedObject('SandboxProcessUsage', {
  ...common,
  user_id: Type.String(),
  username: orNull(Type.String({ examples: ['ada'] }), 'Null for a user that is disabled or gone.'),
  usage: orNull(
    namedObject('SandboxUsage', {
      cpu_ms: Type.Number({ minimum: 0, description: 'Of one processor, since the start.' }),
      memory_bytes: Type.Integer({ minimum: 0 }),
      processes: Type.Integer({ minimum: 0, description: 'How many processes its tree has.' }),
    }),
    'Null for a process that has only just begun or ended.',
  ),
})

export const presentExit = ({ reason, code, signal, cpuMs, peakMemoryBytes }: SandboxExit): Static<typeof sandboxExitSchema> => ({
  ...{ reason, code, signal },
  cpu_ms: cpuMs,
  peak_memory_bytes: peakMemoryBytes,
})

const presentCommon = ({ id, principal, kind, background, terminal, startedAt }: SandboxProcessView) => ({
  ...{ id, kind, background, terminal },
  principal: { kind: principal.kind, id: principal.id, handle: principal.handle ?? null, workspace: principal.workspace },
  started_at: time(startedAt),
})

export const presentProcess = (view: SandboxProcessView): Static<typeof sandboxProcessSchema> => ({
  ...presentCommon(view),
  title: view.title,
  ended_at: view.endedAt === null ? null : time(view.endedAt),
  exit: view.exit === null ? null : presentExit(view.exit),
  output_bytes: view.outputBytes,
})

export const presentUsage = (
  view: SandboxProcessView,
  { username, usage }: { readonly username: string | null; readonly usage: ProcessUsage | undefined },
): Static<typeof sandboxProcessUsageSchema> => ({
  ...presentCommon(view),
  user_id: view.principal.userId,
  username,
  usage: usage === undefined ? null : { cpu_ms: usage.cpuMs, memory_bytes: Math.round(usage.memoryBytes), processes: usage.processes },
})

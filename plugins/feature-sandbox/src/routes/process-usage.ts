import { namedObject, type Static, Type } from '@agent-service/sdk'
import type { ProcessUsage } from '@agent-service/sdk/contracts/sandbox-driver'
import type { SandboxProcessView } from '@agent-service/sdk/services/sandbox'
import { orNull, presentCommon, processMembers } from '../reports/process-view.js'

/** A process of any user, for administrators: without what the user runs. */
export const processUsageSchema = namedObject('SandboxProcessUsage', {
  ...processMembers,
  user_id: Type.String(),
  username: orNull(Type.String({ examples: ['ada'] }), 'Null for a user that is disabled or gone.'),
  usage: orNull(
    namedObject('SandboxUsage', {
      cpu_ms: Type.Number({ minimum: 0, description: 'Of one processor, since the start.' }),
      memory_bytes: Type.Integer({ minimum: 0 }),
      processes: Type.Integer({ minimum: 0, description: 'How many processes its tree has.' }),
    }),
    'Null for a process that has only just begun, or has ended.',
  ),
})

export const presentUsage = (
  view: SandboxProcessView,
  { username, usage }: { readonly username: string | null; readonly usage: ProcessUsage | undefined },
): Static<typeof processUsageSchema> => ({
  ...presentCommon(view),
  user_id: view.principal.userId,
  username,
  usage: usage === undefined ? null : { cpu_ms: usage.cpuMs, memory_bytes: Math.round(usage.memoryBytes), processes: usage.processes },
})

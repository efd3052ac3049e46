import { defineError } from '@agent-service/sdk'
import type { ToolContext } from '@agent-service/sdk/contracts/tool'
import type { Sandbox, SandboxProcess, SandboxProcessKind, SandboxProcessView } from '@agent-service/sdk/services/sandbox'
import { callersOf } from '../common/calls.js'

/** What agents start by their tools; terminals and services belong to the person. */
const kinds: ReadonlySet<SandboxProcessKind> = new Set<SandboxProcessKind>(['shell', 'python', 'node', 'packages'])

/** Of the agent, and where it works for others also for these: another process may reach more than they may. */
const isOwn = ({ principal, kind, callers }: SandboxProcessView, context: ToolContext): boolean =>
  principal.userId === context.userId &&
  principal.kind === 'agent' &&
  principal.id === context.agentId &&
  kinds.has(kind) &&
  callersOf(context).every((caller) => callers.includes(caller))

const processUnknownError = defineError<{ readonly id: string }>({
  code: 'process_unknown',
  status: 404,
  title: 'Process unknown',
  message: ({ id }) =>
    `You have no process “${id}”. Ended processes are kept for an hour, and all of them end when the service restarts. list_processes shows what there is.`,
})

/** The processes that the agent's own tools have started, the newest first. */
export const ownProcesses = (sandbox: Pick<Sandbox, 'list'>, context: ToolContext): readonly SandboxProcessView[] =>
  sandbox.list({ userId: context.userId, principalId: context.agentId }).filter((view) => isOwn(view, context))

/** One of them. @throws `process_unknown`, also for another agent's. */
export function ownProcess(sandbox: Pick<Sandbox, 'find'>, id: string, context: ToolContext): SandboxProcess {
  const process = sandbox.find(context.userId, id)
  if (process === undefined || !isOwn(process.view(), context)) throw processUnknownError.create({ id })
  return process
}

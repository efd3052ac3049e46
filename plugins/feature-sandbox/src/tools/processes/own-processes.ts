import { defineError } from '@agent-service/sdk'
import type { ToolContext } from '@agent-service/sdk/contracts/tool'
import type { Sandbox, SandboxProcess, SandboxProcessKind, SandboxProcessView } from '@agent-service/sdk/services/sandbox'
import { callersOf } from '../common/calls.js'

/** What agents start by their tools; terminals and services belong to the person. */
const kinds: ReadonlySet<SandboxProcessKind> = new Set<SandboxProcessKind>(['shell', 'python', 'node', 'packages'])

const isOwn = ({ principal, kind }: SandboxProcessView, { userId, agentId }: Pick<ToolContext, 'userId' | 'agentId'>): boolean =>
  principal.userId === userId && principal.kind === 'agent' && principal.id === agentId && kinds.has(kind)

const processUnknownError = defineError<{ readonly id: string }>({
  code: 'process_unknown',
  status: 404,
  title: 'Process unknown',
  message: ({ id }) =>
    `You have no process “${id}”. Ended processes are kept for an hour, and all of them end when the service restarts. list_processes shows what there is.`,
})

const processOfOthersError = defineError<{ readonly id: string }>({
  code: 'process_of_other_work',
  status: 409,
  title: 'Process of other work',
  message: ({ id }) =>
    `The process “${id}” was started for other work of yours, in which it may reach more than you may for the agent that asked you. Start one of your own.`,
})

/**
 * One of them, to let it do something: what is closed to an agent for which the call is made must be
 * closed to the process. @throws `process_unknown`, `process_of_other_work`.
 */
export function processToUse(sandbox: Pick<Sandbox, 'find'>, id: string, context: ToolContext): SandboxProcess {
  const process = ownProcess(sandbox, id, context)
  const { callers } = process.view()
  if (!callersOf(context).every((caller) => callers.includes(caller))) throw processOfOthersError.create({ id })
  return process
}

/** The processes that the agent's own tools have started, the newest first. */
export const ownProcesses = (sandbox: Pick<Sandbox, 'list'>, context: ToolContext): readonly SandboxProcessView[] =>
  sandbox.list({ userId: context.userId, principalId: context.agentId }).filter((view) => isOwn(view, context))

/** One of them. @throws `process_unknown`, also for another agent's. */
export function ownProcess(sandbox: Pick<Sandbox, 'find'>, id: string, context: ToolContext): SandboxProcess {
  const process = sandbox.find(context.userId, id)
  if (process === undefined || !isOwn(process.view(), context)) throw processUnknownError.create({ id })
  return process
}

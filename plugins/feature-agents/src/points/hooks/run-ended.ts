import type { RunHooks } from './run-hooks.js'

interface EndedSession {
  readonly run: {
    readonly id: string
    readonly user_id: string
    readonly chat_id: string
    readonly agent_id: string
    readonly status: string
    readonly failure: { readonly code: string } | null
  }
  readonly agent: { readonly handle: string }
}

/** Identifies the run for hooks. */
export const hookContextOf = ({ run, agent }: Pick<EndedSession, 'run' | 'agent'>) => ({
  userId: run.user_id,
  agentId: run.agent_id,
  agentHandle: agent.handle,
  chatId: run.chat_id,
  runId: run.id,
})

/** Reports the end of a run to the hooks, if it has ended. */
export function reportRunEnd(hooks: Pick<RunHooks, 'has' | 'runEnded'>, session: EndedSession): void {
  const { status, failure } = session.run
  if ((status !== 'completed' && status !== 'failed' && status !== 'cancelled') || !hooks.has('runEnded')) return
  hooks.runEnded({ ...hookContextOf(session), status, code: failure?.code ?? null })
}

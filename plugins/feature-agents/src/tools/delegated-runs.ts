import type { Logger } from '@agent-service/sdk'
import { signalWithin } from '@agent-service/sdk/async'
import type { ToolContext } from '@agent-service/sdk/contracts/tool'
import { type Database, documentsOf } from '@agent-service/sdk/services/database'
import type { Run, RunEvent, Runs } from '@agent-service/sdk/services/runs'
import type { Agent } from '../store/agents/agent.js'
import { runCollection } from '../store/runs/run.js'

/** How long a run that is no longer needed may take to stop, in milliseconds. */
const cancelTimeoutMs = 15_000

/** The members of a call's context that a delegated run needs. */
export type DelegatingCall = Pick<ToolContext, 'callId' | 'runId' | 'userId' | 'signal' | 'progress'>

/** The dependencies of delegated runs. */
export interface DelegatedRunDependencies {
  readonly database: Database
  readonly runs: Pick<Runs, 'start' | 'watch' | 'cancel'>
  readonly logger: Logger
}

/**
 * Gives a task to an agent in a hidden chat of its own, and waits until its run has ended; a
 * repeated call attaches to its earlier run. The run is cancelled when the call times out; when the
 * service stops, both stay. @throws the errors of starting and watching a run.
 */
export async function runDelegated(
  { database, runs, logger }: DelegatedRunDependencies,
  agent: Agent,
  task: string,
  call: DelegatingCall,
): Promise<{ readonly run: Run; readonly text: string }> {
  const { userId, signal } = call
  const runId = (await earlierRun(database, call)) ?? (await started(runs, agent, task, call))
  try {
    let said = ''
    for await (const event of runs.watch({ userId, runId }, { signal })) {
      if (event.type === 'message') said = event.text
      if (event.type === 'finished') return { run: event.run, text: said === '' ? event.text : said }
      const message = progressOf(agent, event)
      if (message !== undefined) await call.progress({ message })
    }
    throw new Error(`The stream of the run ${runId} ended without its end.`)
  } catch (error) {
    if (isTimeout(signal)) {
      await runs
        .cancel({ userId, runId }, { signal: signalWithin(cancelTimeoutMs) })
        .catch((cause: unknown) => logger.warn('A delegated run could not be cancelled.', { run_id: runId, error: cause }))
    }
    throw error
  }
}

/** The run that this call started before its process crashed. */
async function earlierRun(database: Database, { runId, callId }: DelegatingCall): Promise<string | undefined> {
  for await (const { id, parent } of documentsOf(database, runCollection, { index: 'by_parent', equals: [runId], pageSize: 200 })) {
    if (parent?.call_id === callId) return id
  }
  return undefined
}

async function started(runs: Pick<Runs, 'start'>, agent: Agent, task: string, call: DelegatingCall): Promise<string> {
  const { userId, runId, callId, signal } = call
  const { run } = await runs.start(
    {
      userId,
      key: `delegate/${callId}`,
      agent: { id: agent.id },
      chat: { hidden: true },
      message: task,
      parent: { runId, callId },
    },
    { signal },
  )
  return run.id
}

const isTimeout = ({ reason }: AbortSignal): boolean => reason instanceof DOMException && reason.name === 'TimeoutError'

/** The progress of the calling run for an event of the delegated one. */
function progressOf({ name }: Agent, event: RunEvent): string | undefined {
  switch (event.type) {
    case 'tool.started':
      return `${name}: ${event.purpose ?? event.name}`
    case 'waiting':
      return `${name} waits for you.`
    case 'retrying':
      return `${name} retries its model call.`
    default:
      return undefined
  }
}

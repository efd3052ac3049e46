import type { Database } from '@agent-service/sdk/services/database'
import type { RunQuestion, Run as RunView } from '@agent-service/sdk/services/runs'
import { type Approval, approvalCollection } from '../store/runs/approval.js'
import type { Run, RunFailure } from '../store/runs/run.js'

/** A run as other parts of the service see it. */
export async function viewOf(database: Database, run: Run): Promise<RunView> {
  const { id, status, failure, usage, turns, parent, result } = run
  return {
    id,
    chatId: run.chat_id,
    agentId: run.agent_id,
    status,
    modelGroup: run.model_group,
    failure: failure && viewOfFailure(failure),
    usage,
    turns,
    questions: await questionsOf(database, run),
    result,
    parent: parent && { runId: parent.run_id, callId: parent.call_id, depth: parent.depth },
    reportsTo: run.reports_to,
    createdAt: run.created_at,
    startedAt: run.started_at,
    finishedAt: run.finished_at,
  }
}

const viewOfFailure = ({ code, message, provider_failure, retry_after_secs }: RunFailure): NonNullable<RunView['failure']> => ({
  ...{ code, message },
  ...(provider_failure !== undefined && { providerFailure: provider_failure }),
  ...(retry_after_secs !== undefined && { retryAfterSeconds: retry_after_secs }),
})

/** The open questions of a waiting run. */
export async function questionsOf(database: Database, run: Pick<Run, 'status' | 'asking'>): Promise<readonly RunQuestion[]> {
  if (run.status !== 'waiting') return []
  const approvals = await Promise.all(run.asking.map((id) => database.collection(approvalCollection).get(id)))
  return approvals.flatMap((approval) => (approval?.status === 'pending' ? [questionOf(approval)] : []))
}

const questionOf = ({ id, kind, text, options, scopes, expires_at }: Approval): RunQuestion => ({
  callId: id,
  kind,
  text,
  options,
  scopes,
  expiresAt: expires_at,
})

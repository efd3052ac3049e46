import type { Problem } from '@agent-service/sdk'
import { invalidRequestError, notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import type { Events } from '@agent-service/sdk/services/events'
import { wellFormed } from '../../common/well-formed.js'
import { agentCollection } from '../../store/agents/agent.js'
import { type Approval, approvalCollection, presentApproval } from '../../store/runs/approval.js'
import { type ApprovalScope, approvalGrantCollection, grantId, thisCallScope } from '../../store/runs/approval-grant.js'
import { isFinished, type Run, runCollection } from '../../store/runs/run.js'
import { approvalExpiredError, approvalResolvedError, approvalWithdrawnError } from './errors.js'

/**
 * A person's decision. `answer` is for questions, `approve` and `approve_once` for calls, `deny` for
 * both. `approve` also allows later calls: those of the given scope; by default this very call
 * again, if that is among the scopes. `approve_once` gives no grant for later calls.
 */
export type ApprovalDecision = 'approve' | 'approve_once' | 'deny' | 'answer'

/** A person's answer. */
export interface GivenAnswer {
  /** The person, who is the owner of the run. */
  readonly by: { readonly userId: string; readonly username: string }
  readonly runId: string
  readonly callId: string
  readonly decision: ApprovalDecision
  readonly note: string | undefined
  /** With `approve`: the key of one of the approval's scopes. */
  readonly scope?: string | undefined
}

/** Records the answers of people. */
export interface ApprovalAnswers {
  /**
   * Records an answer with its effects, and lets the run continue. The same answer a second time
   * changes nothing.
   * @throws `not_found`, `invalid_request`, `approval_resolved`, `approval_expired`,
   * `approval_withdrawn`.
   */
  answer(given: GivenAnswer): Promise<Approval>
}

const outcomes = { approve: 'approved', approve_once: 'approved', deny: 'denied', answer: 'answered' } as const

export function createApprovalAnswers(dependencies: {
  readonly database: Database
  readonly events: Pick<Events, 'record'>
  readonly clock: Clock
  /** Has the run check for answers. */
  readonly runs: { wake(run: Pick<Run, 'id' | 'user_id'>): void }
}): ApprovalAnswers {
  const { database, events, clock, runs } = dependencies

  /** Read in the answer's transaction, so that a concurrent cancel makes the transaction retry. */
  const isStillAsked = async (transaction: Transaction, { run_id }: Approval): Promise<boolean> => {
    const run = await transaction.get(runCollection, run_id)
    return run !== undefined && !isFinished(run) && run.cancel_requested_at === null
  }

  const remember = async (transaction: Transaction, approval: Approval, allowed: ApprovalScope, now: string): Promise<void> => {
    const { user_id, agent_id, tool } = approval
    const id = grantId(agent_id, tool, allowed.key)
    if ((await transaction.get(approvalGrantCollection, id)) || !(await transaction.get(agentCollection, agent_id))) return
    const { key: scope, label } = allowed
    transaction.insert(approvalGrantCollection, { id, user_id, agent_id, tool, scope, label, granted_at: now })
  }

  const resolve = async (
    transaction: Transaction,
    { by, runId, callId, decision, note, scope }: GivenAnswer,
  ): Promise<{ readonly approval: Approval; readonly news: boolean }> => {
    const current = await transaction.get(approvalCollection, callId)
    if (current?.user_id !== by.userId || current.run_id !== runId) throw notFoundError.create({ what: 'approval' })
    const problems = problemsOf(current, decision, note, scope)
    if (problems.length > 0) throw invalidRequestError.create({ where: 'body' }, { problems })
    const status = outcomes[decision]
    const allowed = decision === 'approve' ? chosenScope(current, scope) : undefined
    if (current.status !== 'pending') {
      const isSame = current.status === status && current.scope === (allowed?.key ?? null)
      if (isSame && (decision !== 'answer' || current.note === note)) return { approval: current, news: false }
      throw refusalOf(current, by.username)
    }
    const now = new Date(clock.now()).toISOString()
    if (current.expires_at <= now) throw approvalExpiredError.create({ callId, at: current.expires_at })
    if (!(await isStillAsked(transaction, current))) throw approvalWithdrawnError.create({ callId, runId })
    const remembered = { scope: allowed?.key ?? null, remembers: allowed !== undefined }
    const approval: Approval = { ...current, ...remembered, status, note: note ?? null, resolved_at: now, resolved_by: by.userId }
    transaction.put(approvalCollection, approval)
    if (allowed) await remember(transaction, approval, allowed, now)
    const data = { chat_id: approval.chat_id, run_id: approval.run_id, approval: presentApproval(approval) }
    events.record(transaction, { userId: approval.user_id, name: 'approval.resolved', data })
    return { approval, news: true }
  }

  return {
    async answer(given) {
      const note = given.note === undefined || given.note.trim() === '' ? undefined : wellFormed(given.note)
      const { approval, news } = await database.transaction((transaction) => resolve(transaction, { ...given, note }))
      if (news) runs.wake({ id: approval.run_id, user_id: approval.user_id })
      return approval
    },
  }
}

function problemsOf(
  { kind, scopes }: Approval,
  decision: ApprovalDecision,
  note: string | undefined,
  scope: string | undefined,
): readonly Problem[] {
  if (kind === 'approval' && decision === 'answer')
    return [{ path: '/decision', message: 'must be approve, approve_once or deny: this call waits for an approval, not for an answer' }]
  if (kind === 'question' && (decision === 'approve' || decision === 'approve_once'))
    return [{ path: '/decision', message: 'must be answer, with the answer in note, or deny: this call waits for an answer' }]
  if (scope !== undefined && decision !== 'approve')
    return [{ path: '/scope', message: 'must be absent, unless the decision is approve: nothing else allows later calls' }]
  if (scope !== undefined && !scopes.some(({ key }) => key === scope)) return [{ path: '/scope', message: scopesMessage(scopes) }]
  if (decision === 'answer' && note === undefined) return [{ path: '/note', message: 'must contain the answer' }]
  return []
}

const chosenScope = ({ scopes, call_hash }: Approval, scope: string | undefined): ApprovalScope | undefined => {
  const wanted = scope ?? (call_hash === null ? undefined : thisCallScope(call_hash))
  return scopes.find(({ key }) => key === wanted)
}

const scopesMessage = (scopes: readonly ApprovalScope[]): string =>
  scopes.length === 0
    ? 'must be absent: this approval allows one call only'
    : `must be the key of one of the scopes of this approval: ${scopes.map(({ key }) => key).join(', ')}`

function refusalOf(approval: Approval, username: string): Error {
  const { id, run_id, status, expires_at, resolved_at } = approval
  if (status === 'expired') return approvalExpiredError.create({ callId: id, at: expires_at })
  if (status === 'withdrawn') return approvalWithdrawnError.create({ callId: id, runId: run_id })
  return approvalResolvedError.create({ callId: id, status, at: resolved_at ?? expires_at, by: username })
}

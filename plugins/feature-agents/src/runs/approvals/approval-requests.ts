import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { type Approval, approvalCollection, presentApproval } from '../../store/runs/approval.js'
import type { Run } from '../../store/runs/run.js'
import type { RunStepBody } from '../../store/runs/run-step.js'
import type { PendingCall } from '../log/plan-next.js'
import { inputWaitingError, type RunLog } from '../log/run-log.js'
import type { Transition } from '../log/transition.js'
import { advance, type RunSession } from '../session/run-session.js'

/** The part of a run that waits for a person: it asks, reads the answers and rests. */
export interface ApprovalRequests {
  /** Stores the questions and emits their events. The calls wait from then on. */
  ask(session: RunSession, approvals: readonly Approval[]): Promise<void>
  /** Records the answers given by now, and the questions that have expired. */
  takeAnswers(session: RunSession, asked: readonly PendingCall[]): Promise<void>
  /** Lets the run wait, unless an answer has come meanwhile. */
  rest(session: RunSession): Promise<void>
  /**
   * For a run that ends: withdraws the questions about these calls, which have not begun, even if
   * they were approved.
   */
  withdraw(asked: readonly PendingCall[]): Transition
}

export function createApprovalRequests(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly log: RunLog
}): ApprovalRequests {
  const { database, clock, log } = dependencies
  const approvals = database.collection(approvalCollection)

  const stored = async (calls: readonly PendingCall[]): Promise<readonly Approval[]> =>
    (await Promise.all(calls.map(({ call_id }) => approvals.get(call_id)))).filter(
      (approval): approval is Approval => approval !== undefined,
    )

  return {
    ask: (session, asking) =>
      advance(session, log, {
        steps: asking.map(({ id, kind }): RunStepBody => ({ type: 'approval.requested', call_id: id, kind })),
        run: (_, run) => ({
          asking: [...run.asking, ...asking.map(({ id }) => id)],
          asking_until: earliest([run.asking_until, ...asking.map((approval) => approval.expires_at)]),
        }),
        write(transaction) {
          for (const approval of asking) transaction.insert(approvalCollection, approval)
        },
        events: () => asking.map((approval) => ({ name: 'approval.requested', data: { approval: presentApproval(approval) } })),
      }),

    async takeAnswers(session, asked) {
      const known = await stored(asked)
      const now = new Date(clock.now()).toISOString()
      const isDue = (approval: Approval): boolean => approval.status !== 'pending' || approval.expires_at <= now
      const due = known.filter(isDue)
      // The document of a question was deleted with its account: the question counts as expired.
      const gone = asked.filter(({ call_id }) => !known.some(({ id }) => id === call_id))
      if (due.length + gone.length === 0) return
      const open = known.filter((approval) => !isDue(approval))
      let expired: Approval[] = []
      await advance(session, log, {
        steps: [
          ...due.map(
            ({ id, status, note }): RunStepBody => ({
              type: 'approval.resolved',
              call_id: id,
              outcome: status === 'pending' ? 'expired' : status,
              note,
            }),
          ),
          ...gone.map(({ call_id }): RunStepBody => ({ type: 'approval.resolved', call_id, outcome: 'expired', note: null })),
        ],
        run: () => ({
          status: 'running',
          asking: open.map(({ id }) => id),
          asking_until: earliest(open.map((approval) => approval.expires_at)),
        }),
        async write(transaction) {
          expired = []
          for (const { id, status } of due) {
            if (status !== 'pending') continue
            const current = await transaction.get(approvalCollection, id)
            // An answer came just before the expiry: it counts, and is read next time.
            if (current?.status !== 'pending') throw inputWaitingError.create({})
            const changed: Approval = { ...current, status: 'expired', resolved_at: now }
            transaction.put(approvalCollection, changed)
            expired.push(changed)
          }
        },
        events: () => expired.map((approval) => ({ name: 'approval.resolved', data: { approval: presentApproval(approval) } })),
      })
    },

    rest: (session) =>
      advance(session, log, {
        steps: [],
        run: () => ({ status: 'waiting', driver: null, attempts: 0 }),
        async write(transaction) {
          for (const id of session.run.asking) {
            if ((await transaction.get(approvalCollection, id))?.status !== 'pending') throw inputWaitingError.create({})
          }
        },
        events: (run) => [{ name: 'run.waiting', data: { asking: run.asking, until: run.asking_until } }],
      }),

    withdraw(asked) {
      let withdrawn: Approval[] = []
      return {
        steps: [],
        async write(transaction, now) {
          withdrawn = []
          for (const { call_id } of asked) {
            const current = await transaction.get(approvalCollection, call_id)
            if (!current || !lettingRun.has(current.status)) continue
            const changed: Approval = { ...current, status: 'withdrawn', resolved_at: now }
            transaction.put(approvalCollection, changed)
            withdrawn.push(changed)
          }
        },
        events: () => withdrawn.map((approval) => ({ name: 'approval.resolved', data: { approval: presentApproval(approval) } })),
      }
    },
  }
}

/**
 * Checks whether a waiting run can continue: one of its questions was answered, has expired, or was
 * deleted.
 */
export function createIsAnswered(dependencies: {
  readonly database: Database
  readonly clock: Clock
}): (run: Pick<Run, 'asking'>) => Promise<boolean> {
  const { database, clock } = dependencies
  const approvals = database.collection(approvalCollection)
  return async ({ asking }) => {
    if (asking.length === 0) return true
    const now = new Date(clock.now()).toISOString()
    const stored = await Promise.all(asking.map((id) => approvals.get(id)))
    return stored.some((approval) => approval?.status !== 'pending' || approval.expires_at <= now)
  }
}

/** With these statuses a call could still have run. */
const lettingRun: ReadonlySet<Approval['status']> = new Set(['pending', 'approved', 'answered'])

const earliest = (times: readonly (string | null)[]): string | null =>
  times.reduce<string | null>((first, time) => (time !== null && (first === null || time < first) ? time : first), null)

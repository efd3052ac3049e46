import type { ToolCaller } from '@agent-service/sdk/contracts/tool'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { type Inference, modelGroupUnknownError } from '@agent-service/sdk/services/inference'
import { agentCollection } from '../../store/agents/agent.js'
import { absentAgent } from '../../store/agents/new-agent.js'
import type { FreshRun } from '../../store/runs/fresh-run.js'
import { isFinished, type Run, type RunFailure, runCollection } from '../../store/runs/run.js'
import type { RunStep } from '../../store/runs/run-step.js'
import { titleGroup } from '../../titles/title-group.js'
import { lostCallsAt } from '../log/plan-next.js'
import type { RunLog } from '../log/run-log.js'
import { checkTransition } from '../log/run-states.js'
import { restrictAgent } from '../session/restrict-agent.js'
import type { RunSession } from '../session/run-session.js'
import { createDeltaThrottle } from '../streaming/delta-throttle.js'
import { accountClosed } from './run-driver.js'
import type { RunLeases } from './run-leases.js'

/** How often the process may crash at the same step of a run before the run fails. */
export const maxAttempts = 3

/** A run that this process may drive now, or has to refuse. */
export interface ClaimedRun {
  readonly session: RunSession
  readonly refusal?: RunFailure
}

/** Makes this process the driver of a run. */
export interface RunClaims {
  /** Claims a run that this process has just stored and already drives. */
  fresh(fresh: FreshRun, control: RunControl): Promise<ClaimedRun>
  /**
   * Claims any other run with a new epoch, so that every earlier driver is refused. `undefined` if
   * the run has ended or was deleted. Unless `force` is set, a run that a live process drives is
   * left to it.
   */
  stored(runId: string, control: RunControl, options?: { readonly force?: boolean }): Promise<ClaimedRun | HeldElsewhere | undefined>
}

/** Another process drives the run, and holds it for at least this long. */
export interface HeldElsewhere {
  readonly heldMs: number
}

/** Whether the run was claimed. */
export const isClaimed = (result: ClaimedRun | HeldElsewhere | undefined): result is ClaimedRun =>
  result !== undefined && 'session' in result

/** The controls that the run's keeper passes to its driver. */
export type RunControl = Pick<RunSession, 'signal' | 'stopCause' | 'reportUnderWay'>

export function createRunClaims(dependencies: {
  readonly database: Database
  readonly accounts: Accounts
  readonly clock: Clock
  readonly log: RunLog
  readonly leases: Pick<RunLeases, 'driverId' | 'heldMs'>
  readonly inference: Pick<Inference, 'groups'>
}): RunClaims {
  const { database, accounts, clock, log, leases, inference } = dependencies
  const agents = database.collection(agentCollection)

  const storedSteps = async (run: Run): Promise<readonly RunStep[]> => (run.step_count === 0 ? [] : await log.read(run.id))

  /** Without the agent of the run: what it plans for itself is its own work, in which its own settings hold. */
  const callersOf = ({ callers, agent_id }: Run): Promise<readonly ToolCaller[]> =>
    Promise.all(
      callers
        .filter((id) => id !== agent_id)
        .map(async (id) => {
          const agent = await agents.get(id)
          return agent ? { id, handle: agent.handle } : { id }
        }),
    )

  const open = async ({ run, opening }: FreshRun, control: RunControl): Promise<ClaimedRun> => {
    const agent = await agents.get(run.agent_id)
    const account = await accounts.get(run.user_id)
    const stored = opening ? [] : await storedSteps(run)
    const session: RunSession = {
      run,
      steps: [...(opening?.steps ?? stored.map(({ body }) => body))],
      // A first attempt follows an orderly stop, after which no call is lost.
      lostCalls: run.attempts > 1 ? lostCallsAt(stored) : [],
      agent: restrictAgent(agent ?? absentAgent({ ...run, id: run.agent_id }), run),
      callers: await callersOf(run),
      account: account ?? { id: run.user_id, username: '', handle: '', role: 'user', timezone: 'UTC' },
      announced: opening?.call,
      history: undefined,
      live: undefined,
      partial: [],
      makesTitle: agent?.titles.enabled === true && titleGroup(inference, run.model_group) !== undefined,
      titleDue: false,
      throttle: createDeltaThrottle(clock),
      outputs: new Map(),
      ...control,
    }
    const refusal = refusalOf(run, agent !== undefined, account !== undefined) ?? withoutModel(run, inference)
    return refusal ? { session, refusal } : { session }
  }

  return {
    fresh: open,
    async stored(runId, control, { force = false } = {}) {
      const found = await database.transaction(async (transaction) => {
        const current = await transaction.get(runCollection, runId)
        if (!current || isFinished(current)) return undefined
        const heldMs = force ? 0 : await leases.heldMs(transaction, current)
        if (heldMs > 0) return { heldMs }
        const taken: Run = {
          ...current,
          status: current.status === 'waiting' ? 'running' : current.status,
          driver: leases.driverId,
          epoch: current.epoch + 1,
          attempts: current.attempts + 1,
          // A wait ends with the process that waited.
          retry: null,
        }
        checkTransition(current, { status: taken.status, steps: [] })
        transaction.put(runCollection, taken)
        return { run: taken }
      })
      return found?.run ? open({ run: found.run }, control) : found
    },
  }
}

function refusalOf(run: Run, hasAgent: boolean, hasAccount: boolean): RunFailure | undefined {
  if (run.attempts > maxAttempts) {
    return {
      code: 'run_poisoned',
      message: `The service crashed ${maxAttempts} times at the same step of this run, so the run was ended.`,
    }
  }
  if (!hasAgent) return { code: 'agent_gone', message: 'The agent of this chat was deleted. Continue with another agent.' }
  if (!hasAccount) return accountClosed
  return undefined
}

/** A person's choice is not replaced by another model. */
function withoutModel({ model_group, model_source }: Run, inference: Pick<Inference, 'groups'>): RunFailure | undefined {
  if (model_source === 'agent') return undefined
  const known = inference.groups().map(({ name }) => name)
  if (known.includes(model_group)) return undefined
  const { code, message } = modelGroupUnknownError.create({ group: model_group, known })
  return { code, message }
}

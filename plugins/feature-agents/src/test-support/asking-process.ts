import type { Tool } from '@agent-service/sdk/contracts/tool'
import type { Account } from '@agent-service/sdk/services/accounts'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database } from '@agent-service/sdk/services/database'
import { type ApprovalAnswers, createApprovalAnswers } from '../runs/approvals/approval-answers.js'
import { createApprovalRequests, createIsAnswered } from '../runs/approvals/approval-requests.js'
import { createToolAccess } from '../runs/approvals/create-tool-access.js'
import { createRunClaims } from '../runs/engine/claim-run.js'
import { createRunDriver } from '../runs/engine/run-driver.js'
import { createRunManager, type RunManager } from '../runs/engine/run-manager.js'
import { createRunLog } from '../runs/log/run-log.js'
import { advance } from '../runs/session/run-session.js'
import { createToolRunner } from '../runs/tools/tool-runner.js'
import { createToolTurn } from '../runs/tools/tool-turn.js'
import { agentCollection } from '../store/agents/agent.js'
import { completeDefinition, newAgent } from '../store/agents/new-agent.js'
import { chatCollection, newChat } from '../store/chats/chat.js'
import { messageCollection } from '../store/chats/message.js'
import { runCollection } from '../store/runs/run.js'
import { type RunStepBody, runStepCollection } from '../store/runs/run-step.js'
import { createFakeAgentTools, createFakeTools, createRecordingLogger, toolNamed } from './fake-tools.js'
import { queuedRun } from './queued-run.js'

/** A process that drives runs: everything of ours is real but the model. */
export interface AskingProcess {
  readonly runs: RunManager
  readonly answering: ApprovalAnswers
  /**
   * From now on it does nothing any more, as after SIGKILL. What it was waiting for never comes;
   * what the store was committing is committed, before another process can open it.
   */
  kill(): Promise<void>
}

const never = (): Promise<never> => new Promise(() => undefined)

/**
 * Starts one on a store. `execute` is called for every execution of the tool, and the tool call
 * lasts as long as it.
 */
export function startAskingProcess(dependencies: {
  readonly database: Database
  readonly clock: Clock
  readonly execute: (callId: string) => Promise<void>
}): AskingProcess {
  let alive = true
  const underWay = new Set<Promise<void>>()
  const whileAlive = async <T>(work: () => Promise<T>): Promise<T> => {
    if (!alive) return never()
    try {
      const result = await work()
      return alive ? result : await never()
    } catch (error) {
      if (!alive) return never()
      throw error
    }
  }
  const { clock } = dependencies
  const database: Database = {
    shared: dependencies.database.shared,
    transaction: (work) =>
      whileAlive(() => {
        const committing = dependencies.database.transaction(work)
        const settled = committing.then(
          () => void underWay.delete(settled),
          () => void underWay.delete(settled),
        )
        underWay.add(settled)
        return committing
      }),
    collection(definition) {
      const stored = dependencies.database.collection(definition)
      return {
        ...stored,
        get: (id) => whileAlive(() => stored.get(id)),
        query: (query) => whileAlive(() => stored.query(query)),
      }
    },
  }
  const tool: Tool = toolNamed('tool_unsafe', {
    approval: 'always',
    async execute(_, { callId }) {
      await whileAlive(() => dependencies.execute(callId))
      return { content: [{ type: 'text', text: 'done' }] }
    },
  })
  const logger = createRecordingLogger()
  const events = { record: () => undefined, publishDelta: () => 0, position: () => 0 }
  const contributions = createFakeTools([tool])
  const log = createRunLog({ database, events, clock })
  const account: Account = { id: 'u', username: 'ada', handle: 'ada', role: 'user', timezone: 'UTC' }
  const accounts = {
    get: async () => account,
    contact: async () => ({ email: null, hasUnconfirmedEmail: false, name: null }),
    hasSession: async () => false,
    admins: async () => [],
    waiting: async () => [],
    watchWaiting: () => () => undefined,
    ids: async () => ({ ids: [] }),
    changeProfile: async () => ({ name: null, timezone: 'UTC' }),
  }
  const policies = {
    isAuthorized: async () => ({ allowed: true }),
    allowedOf: async (_: unknown, resources: readonly unknown[]) => resources.map(() => true),
    filePatterns: async () => undefined,
    expectQuestions: () => undefined,
  }
  const unexpected = async (): Promise<never> => {
    throw new Error('No step of these runs comes here.')
  }
  const agentTools = createFakeAgentTools(contributions)
  const driver = createRunDriver({
    accounts,
    log,
    modelTurn: {
      // The second turn says that it is done.
      take: (session, { turn }) => advance(session, log, { steps: answerSteps(session.run.id, turn, []) }),
      make: unexpected,
      open: unexpected,
    },
    toolTurn: createToolTurn({
      database,
      events,
      accounts,
      log,
      runner: createToolRunner({ agentTools, log: logger }),
      access: createToolAccess({ policies, agentTools, database, clock, log: logger }),
      person: createApprovalRequests({ database, clock, log }),
    }),
    compactionTurn: { take: unexpected },
    inputTurn: { take: unexpected },
    limits: { maxToolTurns: 10 },
    logger,
  })
  const runs = createRunManager({
    database,
    events,
    clock,
    claims: createRunClaims({
      ...{ database, accounts, clock, log, inference: { groups: () => [] } },
      leases: { driverId: 'a process', heldMs: async () => 0 },
    }),
    driver,
    isAnswered: createIsAnswered({ database, clock }),
    policies,
    logger,
    limits: { maxConcurrent: 10, maxConcurrentPerUser: 10, maxOpenPerUser: 100 },
  })
  return {
    runs,
    answering: createApprovalAnswers({ database, events, clock, runs }),
    async kill() {
      alive = false
      await Promise.all(underWay)
    },
  }
}

function answerSteps(runId: string, turn: number, callIds: readonly string[]): readonly RunStepBody[] {
  const message_id = `${runId}/message/${turn}`
  const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 }
  return [
    { type: 'model.requested', turn, message_id, request_hash: '', with_tools: true },
    {
      type: 'model.completed',
      turn,
      message_id,
      stop_reason: callIds.length > 0 ? 'tool_calls' : 'stop',
      usage,
      provider: 'p',
      model: 'm',
    },
    ...callIds.map(
      (call_id, part): RunStepBody => ({ type: 'tool.planned', turn, message_id, call_id, name: 'tool_unsafe', arguments_hash: '', part }),
    ),
  ]
}

/**
 * Stores a run whose model has asked for these calls of the tool, with all records that it needs.
 * It is not driven yet.
 */
export async function storeAskingRun(database: Database, runId: string, callIds: readonly string[]): Promise<void> {
  const now = '2026-01-01T00:00:00.000Z'
  const definition = completeDefinition({ handle: `agent-${runId}`, name: 'Agent', tools: ['tool_unsafe'] })
  const agent = newAgent(definition, { userId: 'u', workspace: `agent-${runId}`, shared: null, now })
  const chat = newChat(
    { id: `chat of ${runId}`, user_id: 'u', agent_id: agent.id, title: null, active_run_id: runId, message_count: 1 },
    now,
  )
  const steps: readonly RunStepBody[] = [{ type: 'run.started' }, ...answerSteps(runId, 0, callIds)]
  const run = queuedRun(runId, 'u', { agent_id: agent.id, status: 'running', step_count: steps.length })
  await database.transaction(async (transaction) => {
    transaction.insert(agentCollection, agent)
    transaction.insert(chatCollection, chat)
    transaction.insert(runCollection, run)
    transaction.insert(messageCollection, {
      ...{ id: `${runId}/message/0`, chat_id: chat.id, branch_id: chat.id, user_id: 'u', run_id: runId },
      ...{ role: 'assistant', status: 'complete', sequence: 0, created_at: now },
      content: callIds.map((call_id) => ({ type: 'tool_call' as const, call_id, name: 'tool_unsafe', arguments: {} })),
    })
    for (const [index, body] of steps.entries()) {
      const id = `${runId}/${String(index).padStart(6, '0')}`
      transaction.insert(runStepCollection, { id, run_id: runId, user_id: 'u', index, epoch: 1, at: now, body })
    }
  })
}

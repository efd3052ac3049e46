import { type JsonObject, type JsonValue, namedObject, Type } from '@agent-service/sdk'
import type { ProviderFailure } from '@agent-service/sdk/contracts/provider-adapter'
import { defineCollection } from '@agent-service/sdk/services/database'
import { v7 as uuidv7 } from 'uuid'
import type { Agent, AgentLimits } from '../agents/agent.js'
import type { Callers } from '../chats/callers.js'
import type { Chat } from '../chats/chat.js'
import type { Guests } from '../chats/guests.js'
import type { RunStepBody } from './run-step.js'

export type RunStatus = 'queued' | 'running' | 'waiting' | 'completed' | 'failed' | 'cancelled'

/** Tokens of a run, over all its model calls. */
export type RunUsage = {
  readonly input_tokens: number
  readonly cached_input_tokens: number
  readonly output_tokens: number
  readonly reasoning_tokens: number
}

/** The run and call that started a run, instead of a person. */
export type RunParent = {
  readonly run_id: string
  /** The call that waits for it; null: none. */
  readonly call_id: string | null
  /** 1 for a run started by a person's run, and so on. */
  readonly depth: number
}

/** The restrictions of a run below the rights of its agent, and the form of its answer. */
export type RunTerms = {
  /** A subset of the agent's tools; null: all. */
  readonly tools: readonly string[] | null
  readonly limits: AgentLimits
  /** The required form of the final answer; null: free text. */
  readonly result: { readonly name: string; readonly schema: JsonObject } | null
}

/** What a run reports to, named by the feature that started it. */
export type RunReportsTo = { readonly kind: string; readonly id: string }

/** Whose choice a model group is: that of one message or start, of the chat, or of the agent. */
export type ModelSource = 'message' | 'chat' | 'agent'

/** Why a run failed: a stable code and a sentence for people. */
export type RunFailure = {
  readonly code: string
  readonly message: string
  /** The kind of failure of its model call, if one failed. */
  readonly provider_failure?: ProviderFailure
  /** When the vendor permits another call, in seconds after the failure. */
  readonly retry_after_secs?: number
  /** The connection that was asked last, by its handle, if a model call failed or could not be made for its key. */
  readonly provider?: string
  /** The model that was asked last, if a model call failed. */
  readonly model?: string
  /** The status of the vendor's answer. */
  readonly http_status?: number
  /** The vendor's own words, free of keys. */
  readonly reason?: string
}

/** Why a run's model call is made again, and when. */
export type RunRetry = {
  /** The number of the next attempt; absent: the call has not been made yet, the vendor's limit is used up. */
  readonly attempt?: number
  /** How many attempts there are, counted as `attempt` is. Absent: not known. */
  readonly max_attempts?: number
  /** The kind of failure before it. */
  readonly failure: string
  /** The same in words. */
  readonly reason: string
  readonly delay_ms: number
  /** When the wait ends. */
  readonly next_at: string
}

/**
 * One response of an agent: a state machine whose every model call and tool call is a stored step.
 */
export type Run = {
  readonly id: string
  readonly user_id: string
  readonly chat_id: string
  /** The branch of the chat in which it answers. */
  readonly branch_id: string
  readonly agent_id: string
  readonly status: RunStatus
  readonly model_group: string
  /**
   * Whose choice the model group is. Only the agent's may be substituted if it no longer exists.
   */
  readonly model_source: ModelSource
  readonly failure: RunFailure | null
  /** The newest repetition of the model call in progress. Absent or null: there was none. */
  readonly retry?: RunRetry | null
  readonly usage: RunUsage
  /** Model calls that were completed. */
  readonly turns: number
  /** The number of stored steps: the index of the next one. */
  readonly step_count: number
  /** The type of the newest step; null: none is stored. */
  readonly last_step: RunStepBody['type'] | null
  /** Incremented by each process that claims the run; a step of an older epoch is refused. */
  readonly epoch: number
  /** The process that drives it; null: none, so any process may claim it. */
  readonly driver: string | null
  /**
   * How many processes, including this one, have reached the current step without getting past it;
   * an orderly stop does not count.
   */
  readonly attempts: number
  /** Set by a cancel whose run has not stopped yet. */
  readonly cancel_requested_at: string | null
  /** A person's messages to the run that no model call has seen yet. */
  readonly inbox: readonly string[]
  /** The calls about which a person is asked. */
  readonly asking: readonly string[]
  /** When the first of these questions expires; null: none is open. */
  readonly asking_until: string | null
  /** The run that started it. */
  readonly parent: RunParent | null
  /** Null: everything that its agent may do. */
  readonly terms: RunTerms | null
  /** The value of its final answer, if `terms.result` requires one. */
  readonly result: { readonly value: JsonValue } | null
  readonly reports_to: RunReportsTo | null
  /** `report`: only messages for what it reports to join it. */
  readonly answer_for: 'chat' | 'report'
  /** As its chat has it. */
  readonly guests: Guests | null
  /** As its chat has it. */
  readonly without_memory?: true
  /** As its chat has them. */
  readonly callers: Callers
  /** How many runs and tasks are above it. */
  readonly depth: number
  readonly created_at: string
  readonly started_at: string | null
  readonly finished_at: string | null
}

export const runCollection = defineCollection<Run>()({
  name: 'agents.runs',
  version: 6,
  userField: 'user_id',
  indexes: {
    by_status: { fields: ['status', 'created_at', 'id'] },
    by_chat: { fields: ['chat_id', 'created_at', 'id'] },
    by_user: { fields: ['user_id', 'id'] },
    by_user_status: { fields: ['user_id', 'status', 'created_at', 'id'] },
    by_parent: { fields: ['parent.run_id', 'created_at', 'id'] },
    by_report: { fields: ['user_id', 'reports_to.kind', 'reports_to.id', 'created_at', 'id'] },
  },
  migrations: [
    {
      to: 2,
      description: 'Runs know their branch, what a person wrote in the meantime and what a person is asked.',
      migrate({ lease_until: _, ...run }) {
        return {
          ...run,
          branch_id: run['chat_id'] ?? '',
          driver: null,
          last_step: null,
          inbox: [],
          asking: [],
          asking_until: null,
          parent: null,
        }
      },
    },
    {
      to: 3,
      description: 'Runs know what they may use, the form of their answer and what they report to.',
      migrate: (run) => ({ ...run, terms: null, result: null, reports_to: null }),
    },
    {
      to: 4,
      description: 'Runs know whose choice their model is.',
      migrate: (run) => ({ ...run, model_source: 'agent' }),
    },
    {
      to: 5,
      description: 'Runs know whose their answer is, and whether guests write in their chat.',
      migrate: (run) => ({ ...run, answer_for: 'chat', guests: null }),
    },
    {
      to: 6,
      description: 'Runs know for which agents they work, and how far below the first one they are.',
      migrate: (run) => ({ ...run, callers: [], depth: (run['parent'] as RunParent | null)?.depth ?? 0 }),
    },
  ],
})

/** A new run at the end of a chat's branch. The process that stores it drives it. */
export function newRun(
  place: { readonly chat: Chat; readonly agent: Agent; readonly driver: string },
  asked: Partial<Pick<Run, 'id' | 'model_group' | 'parent' | 'terms' | 'reports_to' | 'answer_for' | 'depth'>>,
  now: string,
): Run {
  const { chat, agent, driver } = place
  return {
    id: asked.id ?? uuidv7(),
    user_id: chat.user_id,
    chat_id: chat.id,
    branch_id: chat.branch_id,
    agent_id: agent.id,
    status: 'queued',
    model_group: asked.model_group ?? chat.model ?? agent.model_group,
    model_source: asked.model_group !== undefined ? 'message' : chat.model !== null ? 'chat' : 'agent',
    failure: null,
    usage: noUsage,
    turns: 0,
    step_count: 0,
    last_step: null,
    epoch: 1,
    driver,
    attempts: 1,
    cancel_requested_at: null,
    inbox: [],
    asking: [],
    asking_until: null,
    parent: asked.parent ?? null,
    terms: asked.terms ?? null,
    result: null,
    reports_to: asked.reports_to ?? null,
    answer_for: asked.answer_for ?? 'chat',
    guests: chat.guests,
    ...(chat.without_memory && { without_memory: true }),
    callers: chat.callers,
    depth: asked.depth ?? 0,
    created_at: now,
    started_at: null,
    finished_at: null,
  }
}

export const noUsage: RunUsage = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0 }

export const isFinished = (run: Pick<Run, 'status'>): boolean =>
  run.status === 'completed' || run.status === 'failed' || run.status === 'cancelled'

const nullableText = Type.Union([Type.String(), Type.Null()])

/** Why a run failed, in responses and events. */
export const failureSchema = namedObject('Failure', {
  code: Type.String({ examples: ['provider_error'] }),
  message: Type.String({ examples: ['The model did not answer.'] }),
  provider_failure: Type.Optional(Type.String({ description: 'The kind of failure of its model call, if one failed.' })),
  retry_after_secs: Type.Optional(Type.Number({ description: 'When the vendor permits another call, in seconds after the failure.' })),
  provider: Type.Optional(
    Type.String({
      description: 'The connection that was asked last, if a model call failed or could not be made for its key.',
      examples: ['work'],
    }),
  ),
  model: Type.Optional(Type.String({ description: 'The model that was asked last, if a model call failed.' })),
  http_status: Type.Optional(Type.Integer({ description: 'The status of the vendor’s answer.', examples: [429] })),
  reason: Type.Optional(Type.String({ description: 'The vendor’s own words, without keys.' })),
})

const retrySchema = namedObject('RunRetry', {
  attempt: Type.Optional(
    Type.Integer({ description: 'The number of the next attempt. Absent: the vendor’s limit is used up before the first one.' }),
  ),
  max_attempts: Type.Optional(Type.Integer({ description: 'How many attempts there are at most.' })),
  failure: Type.String({ description: 'The kind of failure: `rate_limited`, `overloaded`, `timeout`, …' }),
  reason: Type.String({ description: 'The same in words.' }),
  delay_ms: Type.Number({ description: 'The whole wait.' }),
  next_at: Type.String({ description: 'When it ends, by the clock of the service.' }),
})

/** A run in a response. */
export const runSchema = namedObject('Run', {
  id: Type.String(),
  chat_id: Type.String(),
  agent_id: Type.String(),
  status: Type.Union([
    Type.Literal('queued'),
    Type.Literal('running'),
    Type.Literal('waiting'),
    Type.Literal('completed'),
    Type.Literal('failed'),
    Type.Literal('cancelled'),
  ]),
  model_group: Type.String({ description: 'The model group that was asked.', examples: ['primary'] }),
  model_source: Type.Union([Type.Literal('message'), Type.Literal('chat'), Type.Literal('agent')], {
    description: 'Whose choice it is: that of the message, the chat or the agent.',
  }),
  failure: Type.Union([failureSchema, Type.Null()], { examples: [null] }),
  retry: Type.Union([retrySchema, Type.Null()], {
    examples: [null],
    description: 'The model call in progress is a repeated one, or waits to be. Null: it is the first, or there is none.',
  }),
  usage: namedObject('Usage', {
    input_tokens: Type.Integer(),
    cached_input_tokens: Type.Integer(),
    output_tokens: Type.Integer(),
    reasoning_tokens: Type.Integer(),
  }),
  turns: Type.Integer(),
  branch_id: Type.String(),
  asking: Type.Array(Type.String(), { examples: [[]], description: 'The calls about which a person is asked.' }),
  parent_run_id: Type.Union([Type.String(), Type.Null()], { examples: [null] }),
  cancel_requested_at: Type.Union([Type.String(), Type.Null()], {
    examples: [null],
    description: 'When somebody asked it to stop, until it has ended.',
  }),
  created_at: Type.String(),
  started_at: nullableText,
  finished_at: nullableText,
})

/** A run as a client sees it. */
export function presentRun(run: Run) {
  const { id, chat_id, branch_id, agent_id, status, model_group, model_source } = run
  const { failure, usage, turns, asking, cancel_requested_at, created_at, started_at, finished_at } = run
  return {
    id,
    chat_id,
    branch_id,
    agent_id,
    status,
    model_group,
    model_source,
    failure,
    retry: isFinished(run) ? null : (run.retry ?? null),
    usage,
    turns,
    asking,
    parent_run_id: run.parent?.run_id ?? null,
    cancel_requested_at: isFinished(run) ? null : cancel_requested_at,
    created_at,
    started_at,
    finished_at,
  }
}

import type { FilePart, ImagePart, StopReason, TextPart } from '../contracts/provider-adapter/index.js'
import { defineError } from '../core/errors.js'
import { defineServiceReference } from '../core/service-reference.js'
import type { AnswerFallback } from './inference.js'
import type { RunFailure, Runs, RunUsage } from './runs.js'

/** An agent of a user, as others see it. */
export interface AgentSummary {
  /** Never changes. */
  readonly id: string
  /** Unique among the user's agents: what `agent/<handle>` means. */
  readonly handle: string
  /** For people. */
  readonly name: string
  /** For people; may be empty. */
  readonly description: string
  /** RFC 3339, in UTC. */
  readonly createdAt: string
}

/** What else of an agent concerns the code that it runs. */
export interface AgentDetails extends AgentSummary {
  /** A disabled one does not answer. */
  readonly enabled: boolean
  /** The name of its folder below the user's `workspaces`. Never changes. */
  readonly workspace: string
  /** The names of its skills; `*` stands for all. */
  readonly skills: readonly string[]
  /** The name of its model group. */
  readonly modelGroup: string
  /** Whether it may use what is remembered beyond a chat. */
  readonly memory: { readonly enabled: boolean }
  /** What its owner lets its code reach. `network` false: nothing, whatever the policies say. */
  readonly sandbox: { readonly network: boolean }
}

/** A message as an external client keeps it. Tool results stay with the agent. */
export type ConversationMessage =
  /**
   * Instructions of the caller's program. The agent reads them as the caller's words, not as its
   * operator's.
   */
  | { readonly role: 'system'; readonly content: readonly TextPart[] }
  /** What the person said. */
  | { readonly role: 'user'; readonly content: readonly (TextPart | ImagePart | FilePart)[] }
  /** What was answered. */
  | { readonly role: 'assistant'; readonly content: readonly TextPart[] }

/** One turn of a conversation with an agent. */
export interface ConverseRequest {
  /** The owner of the agent and of the chat. */
  readonly userId: string
  /** The agent's handle. */
  readonly agent: string
  /**
   * From old to new; those of the user at the end are what is new, and there is at least one.
   * Without `after` it is the whole conversation: the chat that had those before goes on, and if
   * there is none a new chat begins with them.
   */
  readonly messages: readonly ConversationMessage[]
  /**
   * The name of the previous turn: `messages` then has only new ones. Default: `messages` is
   * everything.
   */
  readonly after?: string
  /** The name of this turn, for a later `after`: 1 to 100 characters. Default: it has none. */
  readonly as?: string
  /**
   * Identifies the turn among those of the user: 1 to 200 characters. The same turn again, within
   * 24 hours, finds the same chat and run: one that is in progress or completed is followed from
   * its beginning, one that failed or was cancelled is answered again in its chat. Default: every
   * request is a new turn.
   */
  readonly key?: string
  /**
   * `never`: forwarded text cannot be revoked, so a failure after it ends the run. Default: another
   * attempt may begin, after a `void`.
   */
  readonly restarts?: 'never'
}

/** Something that an agent asks a person about. */
export interface ConversationQuestion {
  /** The call that waits: `POST /api/runs/{run_id}/approvals/{call_id}` answers it. */
  readonly callId: string
  /** Whether a call may run, or something that only the person knows. */
  readonly kind: 'approval' | 'question'
  /** What the person reads. */
  readonly text: string
}

/** What happens in a turn, in order. The last one is `finished` or `failed`. */
export type ConversationEvent =
  /** First: the run, and the chat in which the person sees it. */
  | { readonly type: 'run'; readonly runId: string; readonly chatId: string }
  /**
   * More of the answer. All of them together, without revoked text, are the answer; an empty line
   * separates the text before and after tools.
   */
  | { readonly type: 'text.delta'; readonly text: string }
  /** More of the reasoning, in the same way. */
  | { readonly type: 'reasoning.delta'; readonly text: string }
  /** A tool call begins or has ended. `purpose` is a sentence for people, on the first alone. */
  | {
      readonly type: 'tool'
      readonly state: 'started' | 'finished'
      readonly callId: string
      readonly name: string
      readonly purpose?: string
    }
  /** A model call is made again, or later than at once. `reason` is for people. */
  | { readonly type: 'retrying'; readonly failure: string; readonly reason: string; readonly delayMs: number }
  /** Text was revoked: this is the whole answer now. */
  | { readonly type: 'void'; readonly text: string; readonly reasoning: string }
  /**
   * The answer is complete. With `waiting` the run continues once a person has answered, in its
   * chat or by the next turn; the text says so too.
   */
  | {
      readonly type: 'finished'
      readonly text: string
      readonly reasoning: string
      readonly usage: RunUsage
      readonly stopReason: StopReason
      readonly waiting: readonly ConversationQuestion[]
      /** The pictures that the model made, in order. Default: none. */
      readonly pictures?: readonly ImagePart[]
      /** Of the last message that another model wrote than the wanted one. Absent: there is none. */
      readonly fallback?: AnswerFallback
    }
  /**
   * The run failed or was cancelled; what it had said by then counts as far as it goes. `message`
   * is for people.
   */
  | ({ readonly type: 'failed' } & RunFailure)

/**
 * The agents of the users, for other interfaces: protocols, channels, tasks.
 *
 * @example
 * const request = {
 *   userId,
 *   agent: 'assistant',
 *   messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
 * } as const
 * for await (const event of context.use(agentsService).converse(request, { signal }))
 *   if (event.type === 'finished') context.log.info('The agent answered.', { length: event.text.length })
 */
export interface Agents {
  /**
   * Those that are enabled, the oldest first; at most 200. None if the policies forbid the user
   * `listAgents`. @throws `user_not_found`.
   */
  list(userId: string): Promise<readonly AgentSummary[]>
  /**
   * One of the user's agents, disabled or not, by its id. Asks no policy: for what acts for the
   * agent, or has asked already. `undefined` if there is none.
   */
  details(userId: string, agentId: string): Promise<AgentDetails | undefined>
  /**
   * Takes one turn of a conversation: a run, started and watched as {@link Runs} does. The person
   * sees it as a chat. Who stops listening before the last event, or aborts, ends nothing:
   * {@link Runs.cancel} does. @throws `user_not_found`, {@link agentUnknownError},
   * {@link conversationUnknownError}, {@link conversationInvalidError}, `too_many_runs`,
   * `idempotency_key_reused` for the key of another turn,
   * `forbidden` if the policies forbid the user `createMessage`, or `createChat` for a conversation
   * that begins; an abort throws the signal's reason. Nothing has begun if it throws before the
   * first event.
   */
  converse(request: ConverseRequest, options: { readonly signal: AbortSignal }): AsyncIterable<ConversationEvent>
}

/** The agents of the users. Provided by `feature-agents`. */
export const agentsService = defineServiceReference<Agents>()('agents')

/** The user has no enabled agent of this handle. */
export const agentUnknownError = defineError<{ readonly handle: string }>({
  code: 'agent_not_found',
  status: 404,
  title: 'No such agent',
  message: ({ handle }) => `You have no enabled agent “${handle}”. GET /api/agents lists yours.`,
})

/** The turn is unknown: it never existed, is too old, or its chat was deleted. */
export const conversationUnknownError = defineError<{ readonly name: string }>({
  code: 'conversation_not_found',
  status: 404,
  title: 'No such conversation',
  message: ({ name }) => `Answer “${name}” cannot be continued: it is too old, or its chat was deleted. Send the whole conversation.`,
})

/** The messages are not valid for an agent. */
export const conversationInvalidError = defineError<{ readonly reason: string }>({
  code: 'conversation_invalid',
  status: 400,
  title: 'Conversation not usable',
  message: ({ reason }) => reason,
})

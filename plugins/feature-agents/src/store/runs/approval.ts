import { type JsonObject, named, namedObject, Type } from '@agent-service/sdk'
import { defineCollection } from '@agent-service/sdk/services/database'
import { callHash } from '../../common/call-hash.js'
import { cutText } from '../../common/well-formed.js'
import { type ApprovalScope, approvalScopeSchema } from './approval-grant.js'
import type { ApprovalOutcome } from './run-step.js'

/**
 * A question to a person about one tool call: whether it may run, or what the tool wants to know.
 * It survives restarts.
 */
export type Approval = {
  /** The call's id. */
  readonly id: string
  readonly kind: 'approval' | 'question'
  readonly user_id: string
  readonly chat_id: string
  readonly run_id: string
  readonly agent_id: string
  readonly message_id: string
  readonly tool: string
  /** As the model sent them; long ones are shortened, see {@link shownArguments}. */
  readonly arguments: JsonObject
  /** Whether `arguments` is shortened: the message has them in full. */
  readonly arguments_cut: boolean
  /** One sentence that describes the call, or the question. */
  readonly purpose: string
  /** What a person reads who is shown no arguments: the purpose with all that it does not tell of the call. */
  readonly text: string
  /** The options of a question; empty if it has none. */
  readonly options: readonly string[]
  /**
   * The hash of the whole call, see `callHash`: what a person decided is for this call alone. Null: it
   * was asked before hashes were kept, and its arguments are not stored in full.
   */
  readonly call_hash: string | null
  /** What the person can allow from now on, the narrowest first. Empty: nothing is remembered. */
  readonly scopes: readonly ApprovalScope[]
  /** The key of the scope that the person allowed from now on. Null: none, or not decided. */
  readonly scope: string | null
  /** Whether later calls may run without asking: those of `scopes` before the decision, of `scope` after it. */
  readonly remembers: boolean
  readonly status: 'pending' | ApprovalOutcome
  readonly note: string | null
  readonly created_at: string
  readonly expires_at: string
  readonly resolved_at: string | null
  /** The user who answered. */
  readonly resolved_by: string | null
}

export const approvalCollection = defineCollection<Approval>()({
  name: 'agents.approvals',
  version: 2,
  userField: 'user_id',
  indexes: {
    by_status: { fields: ['user_id', 'status', 'created_at', 'id'] },
    by_run: { fields: ['run_id', 'id'] },
    by_chat: { fields: ['chat_id', 'created_at', 'id'] },
    by_chat_status: { fields: ['chat_id', 'status', 'created_at', 'id'] },
    by_user: { fields: ['user_id', 'created_at', 'id'] },
  },
  migrations: [
    {
      to: 2,
      description: 'Approvals are for one call, and name what else they can allow. What was asked before allows one call.',
      migrate: (approval) => ({
        ...approval,
        call_hash: approval['arguments_cut'] === true ? null : callHash(String(approval['tool']), approval['arguments'] as JsonObject),
        scopes: [],
        scope: null,
        remembers: false,
        text: approval['purpose'] ?? '',
      }),
    },
  ],
})

/**
 * How long a person has for an answer, in milliseconds: a day, independent of the run's time limit.
 * After that the call is not made.
 */
export const answerTimeoutMs = 24 * 3_600_000

/** The longest note or answer, in UTF-16 code units. */
export const maxNoteLength = 20_000

const approvalMembers = {
  call_id: Type.String(),
  chat_id: Type.String(),
  run_id: Type.String(),
  agent_id: Type.String(),
  message_id: Type.String(),
  tool: Type.String({ examples: ['delete_file'] }),
  arguments: Type.Object({}, { additionalProperties: true, examples: [{ path: 'files/old.txt' }] }),
  arguments_cut: Type.Boolean({ description: 'Whether `arguments` is shortened: the message has them in full.' }),
  purpose: Type.String({ examples: ['Delete old.txt'] }),
  text: Type.String({
    examples: ['Delete old.txt (recursive: true)'],
    description: '`purpose` with all that it does not tell of the call, on one line: for clients that show no `arguments`.',
  }),
  options: Type.Array(Type.String(), { examples: [[]], description: 'The answers that a question offers.' }),
  scopes: Type.Array(approvalScopeSchema, {
    description: 'What `approve` can allow from now on, the narrowest first. Empty: only this one call.',
  }),
  scope: Type.Union([Type.String(), Type.Null()], {
    examples: [null],
    description: 'The key of what the person allowed from now on; null: nothing, or not decided yet.',
  }),
  remembers: Type.Boolean({
    description: 'Whether later calls may run without asking: those of a scope before the decision, those of `scope` after it.',
  }),
  status: Type.Union([
    Type.Literal('pending'),
    Type.Literal('approved'),
    Type.Literal('denied'),
    Type.Literal('answered'),
    Type.Literal('expired'),
    Type.Literal('withdrawn'),
  ]),
  note: Type.Union([Type.String(), Type.Null()], { examples: [null] }),
  created_at: Type.String(),
  expires_at: Type.String(),
  resolved_at: Type.Union([Type.String(), Type.Null()], { examples: [null] }),
}

/** What a person is asked, in responses and events. */
export const approvalSchema = named(
  'ApprovalOrQuestion',
  Type.Union([
    namedObject('Approval', { kind: Type.Literal('approval'), ...approvalMembers }),
    namedObject('Question', { kind: Type.Literal('question'), ...approvalMembers }),
  ]),
)

/**
 * The longest arguments as JSON that are shown in full, and the longest text in shortened ones, in
 * UTF-16 code units.
 */
const shownLength = 32_768
const shownTextLength = 2_000

/**
 * The arguments that a person is shown. Approvals are sent to every open client and listed 200 at a
 * time, so long texts are shortened. If that is not enough, the arguments become one text.
 */
export function shownArguments(sent: JsonObject): Pick<Approval, 'arguments' | 'arguments_cut'> {
  const whole = JSON.stringify(sent)
  if (whole.length <= shownLength) return { arguments: sent, arguments_cut: false }
  const shortened = JSON.stringify(sent, (_, value: unknown) => (typeof value === 'string' ? shortText(value) : value))
  if (shortened.length <= shownLength) return { arguments: JSON.parse(shortened) as JsonObject, arguments_cut: true }
  return { arguments: { '…': shortText(whole) }, arguments_cut: true }
}

/** The longest purpose or question in UTF-16 code units. */
const maxPurposeLength = 4_000

/** A purpose as a person is shown it. It says how much of a long one is left out. */
export const shownPurpose = (text: string): string => shortText(text, maxPurposeLength)

const shortText = (text: string, length = shownTextLength): string => {
  const kept = cutText(text, length)
  return kept.length === text.length ? text : `${kept} [${text.length - kept.length} more characters]`
}

/** An approval as a client sees it. */
export function presentApproval(approval: Approval) {
  const { id, user_id: _, resolved_by: __, call_hash: ___, ...rest } = approval
  return { call_id: id, ...rest }
}

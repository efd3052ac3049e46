import { strict as assert } from 'node:assert'
import type { runHookMembers } from '../../contracts/agent-run-hook/check-run-hook.js'
import type {
  AgentRunHook,
  HookedModelAnswer,
  HookedModelCall,
  HookedRunEnd,
  HookedToolCall,
  HookedToolResult,
  MaskedAnswer,
  MaskedTexts,
  RunHookVeto,
} from '../../contracts/agent-run-hook/run-hook.js'
import { assertPlainData, isOneLine } from '../within-limit.js'

/** A member of a hook. */
export type HookMember = (typeof runHookMembers)[number]

/** The members that may veto. */
export const vetoing = ['beforeModelCall', 'afterModelCall', 'beforeToolCall', 'afterToolCall'] as const

/** Calls a member of a hook that has it. */
export async function callMember(
  hook: AgentRunHook,
  member: HookMember,
  subject: object,
  signal: AbortSignal = new AbortController().signal,
): Promise<unknown> {
  const call = hook[member] as ((subject: object, options: { readonly signal: AbortSignal }) => Promise<unknown>) | undefined
  assert.ok(call !== undefined, `${member} is missing`)
  return call.call(hook, subject, { signal })
}

/** Fails unless a member answered as its contract states. */
export function assertAnswer(member: HookMember, answer: unknown, subject: object): void {
  if (member === 'runEnded') assert.equal(answer, undefined, 'runEnded returned a value')
  else if (member === 'maskAnswer' && answer === undefined && (subject as MaskedAnswer).kind === 'piece') return
  else if (member === 'mask' || member === 'maskAnswer') assertTexts(answer, (subject as MaskedTexts).texts.length)
  else assertVerdict(answer)
}

/** Fails unless an answer is a veto with a reason, or none. */
export function assertVerdict(answer: unknown): asserts answer is RunHookVeto | undefined {
  if (answer === undefined) return
  assertPlainData(answer, 'the verdict')
  const reason = (answer as Partial<RunHookVeto> | null)?.veto
  assert.ok(isOneLine(reason), `the verdict is ${JSON.stringify(answer)}; expected undefined or { veto } with a sentence`)
}

/** Fails unless an answer is as many texts. */
export function assertTexts(answer: unknown, count: number): asserts answer is readonly string[] {
  assert.ok(Array.isArray(answer), 'mask returned no list')
  assert.ok(
    answer.every((text) => typeof text === 'string'),
    'mask returned something other than texts',
  )
  assert.equal(answer.length, count, 'mask returned another number of texts')
}

const run = { userId: 'user-1', agentId: 'agent-1', chatId: 'chat-1', runId: 'run-1' }
const place = { ...run, agentHandle: 'assistant' }
const toolCall: HookedToolCall = { ...place, callId: 'call-1', tool: 'look_up', arguments: { query: 'weather' } }

/** What the suite calls each member with, unless an example says otherwise. */
export const subjects = {
  beforeModelCall: {
    ...place,
    turn: 0,
    modelGroup: 'primary',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
    tools: [],
  } satisfies HookedModelCall,
  afterModelCall: {
    ...place,
    turn: 0,
    content: [{ type: 'text', text: 'Hello' }],
    stopReason: 'stop',
    usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 },
    provider: 'local',
    model: 'small',
  } satisfies HookedModelAnswer,
  beforeToolCall: toolCall,
  afterToolCall: { ...toolCall, content: [{ type: 'text', text: 'Sunny' }], isError: false } satisfies HookedToolResult,
  mask: { ...run, callId: 'call-1', tool: 'look_up', kind: 'result', texts: ['Sunny', ''] } satisfies MaskedTexts,
  maskAnswer: { ...run, turn: 0, attempt: 0, kind: 'whole', part: 0, texts: ['Sunny', ''] } satisfies MaskedAnswer,
  runEnded: { ...place, status: 'completed', code: null } satisfies HookedRunEnd,
}

const image = { type: 'image', media_type: 'image/png', data: 'aGVsbG8=' } as const
const text = { type: 'text', text: 'Hello' } as const
const call = { type: 'tool_call', call_id: 'call-1', name: 'look_up', arguments: { query: 'weather' } } as const
const result = { type: 'tool_result', call_id: 'call-1', name: 'look_up', content: [image], is_error: true } as const

/** Changes to the subject of each member that occur in runs: other kinds of content, none, other arguments and ends. */
export const variants: { readonly [Member in HookMember]: readonly Partial<SubjectTypes[Member]>[] } = {
  beforeModelCall: [
    {
      turn: 3,
      messages: [
        { role: 'system', content: [text] },
        { role: 'user', content: [image, { type: 'file', media_type: 'application/pdf', name: 'a.pdf', data: 'aGVsbG8=' }] },
        { role: 'assistant', content: [{ type: 'reasoning', text: '' }, call] },
        { role: 'tool', content: [result, { ...result, content: [] }] },
      ],
      tools: [{ name: 'look_up', description: 'Looks something up.', parameters: { type: 'object', properties: {} } }],
    },
    { messages: [] },
  ],
  afterModelCall: [
    { content: [call], stopReason: 'tool_calls' },
    { content: [{ type: 'reasoning', text: '' }, image], stopReason: 'length' },
    { content: [], stopReason: 'refusal' },
  ],
  beforeToolCall: [{ arguments: {} }, ...[null, 7, true, [], ['weather'], { text: null }].map((query) => ({ arguments: { query } }))],
  afterToolCall: [
    { content: [] },
    { content: [image, { type: 'json', json: { found: null, list: [[]] } }], arguments: {} },
    { isError: true },
  ],
  mask: [{ texts: [''] }, { texts: ['Sunny'], kind: 'output' }],
  maskAnswer: [{ texts: [''] }, { texts: ['Sunny'], kind: 'piece', part: 2, attempt: 1, turn: 3 }],
  runEnded: [
    { status: 'failed', code: 'model_call_failed' },
    { status: 'cancelled', code: null },
  ],
}

interface SubjectTypes {
  readonly beforeModelCall: HookedModelCall
  readonly afterModelCall: HookedModelAnswer
  readonly beforeToolCall: HookedToolCall
  readonly afterToolCall: HookedToolResult
  readonly mask: MaskedTexts
  readonly maskAnswer: MaskedAnswer
  readonly runEnded: HookedRunEnd
}

import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type {
  ModelEvent,
  ModelRequest,
  ReasoningPart,
  StopReason,
  TextPart,
  ToolCallPart,
} from '@agent-service/sdk/contracts/provider-adapter'
import {
  type AnswerAssembler,
  callFailure,
  classifyFailure,
  createLogprobCollector,
  createResponseHeaders,
  estimateUsage,
  isObject,
  listAt,
  numberAt,
  objectAt,
  parseArguments,
  pushDelta,
  readErrorValue,
  readTokenLogprobs,
  textAt,
} from '@agent-service/sdk/provider-kit'
import { contextWarning } from './context-warning.js'
import { ollamaSigns } from './failure-signs.js'
import { opaqueVendor, thinkingOf } from './opaque-reasoning.js'
import { makeUpCallId } from './tool-call-ids.js'
import { rawUsageOf, usageOf } from './usage.js'

/** What the assembler needs from the request. */
export interface AssemblyContext {
  readonly request: ModelRequest
  /** As sent. */
  readonly body: JsonObject
  /** The tool that a name on the wire means. */
  ownName(wireName: string): string
}

/**
 * Makes an empty assembler. Text and thinking are one part each, in order of appearance with the
 * calls, which come whole.
 */
export function createAnswerAssembler({ request, body, ownName }: AssemblyContext): AnswerAssembler {
  const slots: ('text' | 'thinking' | ToolCallPart)[] = []
  const texts = { text: '', thinking: '' }
  const logprobs = request.logprobs && createLogprobCollector()
  let calls = 0
  let started = false
  let ended = false
  let rawUsage: JsonObject | undefined
  let rawStopReason: string | undefined

  const addText = (kind: 'text' | 'thinking', more: string, events: ModelEvent[]): void => {
    if (more === '') return
    texts[kind] += more
    const known = slots.indexOf(kind)
    const part = known >= 0 ? known : slots.push(kind) - 1
    pushDelta(events, { type: kind === 'text' ? 'text.delta' : 'reasoning.delta', part, text: more })
  }

  const addCall = (call: JsonValue, isLast: boolean, events: ModelEvent[]): void => {
    const called = objectAt(call, 'function')
    const wireName = textAt(called, 'name')
    if (wireName === undefined) return
    const given = called?.['arguments']
    const text = typeof given === 'string' ? given : JSON.stringify(given ?? {})
    const parsed = parseArguments(text)
    const name = ownName(wireName)
    const members = 'invalid' in parsed ? { arguments: {}, invalid_arguments: parsed.invalid } : { arguments: parsed.arguments }
    // Some servers repeat in the last line the calls that came before it.
    if (isLast && slots.some((slot) => isSameCall(slot, { name, id: textAt(call, 'id'), arguments: members.arguments }))) return
    const position = calls++
    const id = textAt(call, 'id') ?? makeUpCallId({ turn: request.messages.length, position, name, arguments: members.arguments })
    const part = slots.push({ type: 'tool_call', call_id: id, provider_call_id: id, name, ...members }) - 1
    events.push({ type: 'tool_call.started', part, provider_call_id: id, name })
    if (text !== '') events.push({ type: 'tool_call.delta', part, arguments_text: text })
  }

  const addDocument = (document: JsonObject, events: ModelEvent[]): void => {
    if (document['error'] !== undefined && document['error'] !== null) failWith(document)
    if (!started) {
      started = true
      const model = textAt(document, 'model')
      events.push({ type: 'response.started', ...(model !== undefined && { model }) })
    }
    const message = objectAt(document, 'message')
    addText('thinking', textAt(message, 'thinking') ?? '', events)
    const content = textAt(message, 'content') ?? ''
    addText('text', content, events)
    if (content !== '') logprobs?.add(slots.indexOf('text'), readTokenLogprobs(listAt(document, 'logprobs')), events)
    const isLast = document['done'] === true && slots.length > 0
    for (const call of listAt(message, 'tool_calls')) addCall(call, isLast, events)
    if (document['done'] !== true) return
    // A line that ends the answer beside its content may be followed by more; gateways write `done` into each.
    const brings = content !== '' || textAt(message, 'thinking') !== undefined || listAt(message, 'tool_calls').length > 0
    ended = slots.length > 0 && !brings
    rawStopReason = textAt(document, 'done_reason') ?? 'stop'
    rawUsage = rawUsageOf(document)
  }

  const vendor = opaqueVendor(request.connection.brand, request.model)
  const partOf = (slot: (typeof slots)[number]): TextPart | ReasoningPart | ToolCallPart => {
    if (slot === 'text') return { type: 'text', text: texts.text }
    if (slot === 'thinking') return { type: 'reasoning', text: texts.thinking, opaque: thinkingOf(vendor, texts.thinking) }
    return slot
  }

  return {
    get stopped() {
      return rawStopReason !== undefined
    },
    get ended() {
      return ended
    },
    isWhole: (answer) => (answer['done'] === false ? false : undefined),
    add: ({ data }, events) => addDocument(data, events),
    addWhole(answer, events) {
      if (!isObject(answer)) throw invalid('The answer is not a JSON object.')
      if (answer['error'] === undefined && objectAt(answer, 'message') === undefined) throw invalid('The answer has no message.')
      addDocument(answer, events)
      // The body is complete.
      rawStopReason ??= 'stop'
    },
    finish() {
      const raw = rawStopReason ?? ''
      const callCharacters = slots.reduce((sum, slot) => sum + (typeof slot === 'string' ? 0 : JSON.stringify(slot.arguments).length), 0)
      const estimate = estimateUsage(request, { output: texts.text.length + callCharacters, reasoning: texts.thinking.length })
      const warning = contextWarning(body, { counted: numberAt(rawUsage, 'prompt_eval_count'), estimated: estimate.input_tokens })
      return {
        type: 'response.finished',
        content: slots.map(partOf),
        stop_reason: stopReasonOf(raw, calls > 0),
        raw_stop_reason: raw,
        usage: usageOf(rawUsage, estimate),
        ...(rawUsage && { raw_usage: rawUsage }),
        ...logprobs?.finished(),
        ...(warning !== undefined && { metadata: { warning } }),
      }
    },
  }
}

/** Fails with the server's error inside an answer with status 200. @throws a call failure. */
function failWith(document: JsonObject): never {
  const headers = createResponseHeaders({})
  throw callFailure(classifyFailure({ status: 200, headers, body: readErrorValue(document), now: Date.now(), signs: ollamaSigns }))
}

const isSameCall = (
  slot: 'text' | 'thinking' | ToolCallPart,
  call: { readonly name: string; readonly id: string | undefined; readonly arguments: JsonObject },
): boolean =>
  typeof slot === 'object' &&
  slot.name === call.name &&
  (call.id === undefined || call.id === slot.provider_call_id) &&
  JSON.stringify(slot.arguments) === JSON.stringify(call.arguments)

const invalid = (reason: string): Error => callFailure({ failure: 'invalid_response', retryable: true, reason })

const stopReasons: Readonly<Record<string, StopReason>> = { stop: 'stop', length: 'length' }

/**
 * The stop reason in the project's vocabulary. The server reports `stop` even if the model called
 * tools.
 */
function stopReasonOf(raw: string, hasCalls: boolean): StopReason {
  const reason = stopReasons[raw] ?? 'other'
  return hasCalls && reason !== 'length' ? 'tool_calls' : reason
}

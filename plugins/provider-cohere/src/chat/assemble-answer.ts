import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type {
  ModelEvent,
  ModelRequest,
  ModelUsage,
  ReasoningPart,
  StopReason,
  TextPart,
  ToolCallPart,
} from '@agent-service/sdk/contracts/provider-adapter'
import {
  type AnswerAssembler,
  type ArgumentsJoiner,
  callFailure,
  createArgumentsJoiner,
  estimateUsage,
  isObject,
  listAt,
  numberAt,
  objectAt,
  parseArguments,
  pushDelta,
  textAt,
} from '@agent-service/sdk/provider-kit'
import { failIfFailedReason, failWith } from './fail-inside.js'
import { thinkingOf, toolPlanOf } from './opaque-reasoning.js'

/** What the assembler needs from the request. */
export interface AssemblyContext {
  readonly vendor: string
  readonly request: ModelRequest
  /** The tool that a name on the wire means. */
  ownName(wireName: string): string
}

interface Slot {
  /** Its index: contents and calls are numbered separately, the plan has none. */
  readonly key: string
  readonly kind: 'text' | 'thinking' | 'plan' | 'call'
  /** Its text. */
  text: string
  /** The arguments of a call. */
  readonly joined: ArgumentsJoiner
  /** Of a thinking part: its members beside the text. */
  members: JsonObject
  readonly id: string
  readonly name: string
}

/**
 * Makes an empty assembler. Contents, the plan and calls are parts in order of appearance; a
 * content without text never becomes one.
 */
export function createAnswerAssembler(context: AssemblyContext): AnswerAssembler {
  const slots: Slot[] = []
  const kinds = new Map<number, { readonly kind: 'text' | 'thinking'; readonly members: JsonObject }>()
  const citations: JsonValue[] = []
  let started = false
  let responseId: string | undefined
  let rawUsage: JsonObject | undefined
  let rawStopReason: string | undefined

  const start = (document: JsonObject, events: ModelEvent[]): void => {
    if (started) return
    started = true
    responseId = textAt(document, 'id')
    events.push({ type: 'response.started', ...(responseId !== undefined && { response_id: responseId }) })
  }
  const add = (kind: 'text' | 'thinking' | 'plan', key: string, text: string, members: JsonObject, events: ModelEvent[]): void => {
    if (text === '') return
    let part = slots.findIndex((slot) => slot.key === key)
    if (part < 0) part = slots.push({ key, kind, text: '', joined: createArgumentsJoiner(), members: {}, id: '', name: '' }) - 1
    const slot = slots[part]
    if (!slot) return
    slot.text += text
    slot.members = { ...slot.members, ...members }
    pushDelta(events, { type: kind === 'text' ? 'text.delta' : 'reasoning.delta', part, text })
  }
  const addPlan = (plan: string | undefined, events: ModelEvent[]): void => add('plan', 'plan', plan ?? '', {}, events)

  /** Only the first piece of a content has its type. */
  const addContent = (index: number, piece: JsonValue | undefined, events: ModelEvent[]): void => {
    if (!isObject(piece)) return
    const known = kinds.get(index)
    const kind = piece['type'] === 'thinking' || piece['thinking'] !== undefined ? 'thinking' : (known?.kind ?? 'text')
    const { text, thinking, ...members } = piece
    const all = { ...known?.members, ...members }
    kinds.set(index, { kind, members: all })
    const more = kind === 'thinking' ? thinking : text
    add(kind, `content ${index}`, typeof more === 'string' ? more : '', all, events)
  }

  const addCall = (index: number, piece: JsonValue | undefined, events: ModelEvent[]): void => {
    const fragment = objectAt(piece, 'function')
    const key = `call ${index}`
    const text = argumentsTextOf(fragment?.['arguments'])
    const vendorId = textAt(piece, 'id')
    let part = slots.findLastIndex((slot) => slot.key === key)
    // Some gateways number all calls 0.
    if (vendorId !== undefined && textAt(fragment, 'name') !== undefined && slots[part]?.id !== vendorId) part = -1
    if (part < 0) {
      const name = textAt(fragment, 'name')
      // Arguments of a call that never began are ignored.
      if (name === undefined) return
      const id = vendorId ?? `call_${responseId ?? 'answer'}_${index}`
      part = slots.push({ key, kind: 'call', text: '', joined: createArgumentsJoiner(), members: {}, id, name: context.ownName(name) }) - 1
      events.push({ type: 'tool_call.started', part, provider_call_id: id, name: context.ownName(name) })
    }
    const slot = slots[part]
    showArguments(part, slot?.joined.add(text) ?? '', events)
  }
  const showArguments = (part: number, text: string, events: ModelEvent[]): void => {
    if (text !== '') events.push({ type: 'tool_call.delta', part, arguments_text: text })
  }

  const end = (answer: JsonObject, events: ModelEvent[]): void => {
    rawUsage = objectAt(answer, 'usage') ?? rawUsage
    const reason = textAt(answer, 'finish_reason')
    const error = textAt(answer, 'error')
    if (reason !== undefined) failIfFailedReason(reason, error)
    if (error !== undefined) failWith({ message: error })
    rawStopReason = reason ?? 'COMPLETE'
    for (const [part, slot] of slots.entries()) if (slot.kind === 'call') showArguments(part, slot.joined.end(), events)
  }

  /**
   * The part of a call, or nothing for the last one of an answer that ran into its limit inside the
   * arguments.
   */
  const callPart = (slot: Slot, isLast: boolean): readonly ToolCallPart[] => {
    const parsed = parseArguments(slot.joined.text)
    if (rawStopReason === 'MAX_TOKENS' && isLast && ('invalid' in parsed || slot.joined.text.trim() === '')) return []
    const base = { type: 'tool_call', call_id: slot.id, provider_call_id: slot.id, name: slot.name } as const
    return ['invalid' in parsed ? { ...base, arguments: {}, invalid_arguments: parsed.invalid } : { ...base, arguments: parsed.arguments }]
  }
  const partsOf = (slot: Slot): readonly (TextPart | ReasoningPart | ToolCallPart)[] => {
    switch (slot.kind) {
      case 'text':
        return [{ type: 'text', text: slot.text }]
      case 'thinking':
        return [{ type: 'reasoning', text: slot.text, opaque: thinkingOf(context.vendor, { ...slot.members, thinking: slot.text }) }]
      case 'plan':
        return [{ type: 'reasoning', text: slot.text, opaque: toolPlanOf(context.vendor, slot.text) }]
      case 'call':
        return callPart(slot, slot === slots.findLast(({ kind }) => kind === 'call'))
    }
  }

  return {
    get stopped() {
      return rawStopReason !== undefined
    },
    // Gateways may end a message more than once; the end of the body is near.
    ended: false,
    isWhole: (answer) => (typeof answer['type'] === 'string' ? false : objectAt(answer, 'message') ? true : undefined),
    add({ event, data }, events) {
      const delta = objectAt(data, 'delta')
      const message = objectAt(delta, 'message')
      const index = numberAt(data, 'index') ?? 0
      const type = textAt(data, 'type') ?? event
      if (type === 'error' || (type === undefined && (data['message'] !== undefined || data['error'] !== undefined))) failWith(data)
      start(data, events)
      switch (type) {
        case 'tool-plan-delta':
          return addPlan(textAt(message, 'tool_plan'), events)
        case 'content-start':
        case 'content-delta':
          return addContent(index, message?.['content'], events)
        case 'tool-call-start':
        case 'tool-call-delta':
          return addCall(index, message?.['tool_calls'], events)
        case 'citation-start':
          if (message?.['citations'] !== undefined) citations.push(message['citations'])
          return
        case 'message-end':
          if (delta) end(delta, events)
          return
      }
    },
    addWhole(answer, events) {
      const message = objectAt(answer, 'message')
      if (!isObject(answer) || !message) {
        if (isObject(answer) && (answer['message'] !== undefined || answer['error'] !== undefined)) failWith(answer)
        throw callFailure({ failure: 'invalid_response', retryable: true, reason: 'The answer has no message.' })
      }
      start(answer, events)
      const contents = [...listAt(message, 'content').entries()]
      for (const [index, piece] of contents) if (textAt(piece, 'type') === 'thinking') addContent(index, piece, events)
      addPlan(textAt(message, 'tool_plan'), events)
      for (const [index, piece] of contents) if (textAt(piece, 'type') !== 'thinking') addContent(index, piece, events)
      for (const [index, piece] of listAt(message, 'tool_calls').entries()) addCall(index, piece, events)
      citations.push(...listAt(message, 'citations'))
      end(answer, events)
    },
    finish() {
      const raw = rawStopReason ?? ''
      const content = slots.flatMap(partsOf)
      const size = (reasoning: boolean): number =>
        slots.reduce(
          (sum, { kind, text, joined }) =>
            (kind === 'thinking' || kind === 'plan') === reasoning ? sum + text.length + joined.text.length : sum,
          0,
        )
      return {
        type: 'response.finished',
        content,
        stop_reason: stopReasonOf(
          raw,
          content.some((part) => part.type === 'tool_call'),
        ),
        raw_stop_reason: raw,
        usage: usageOf(rawUsage) ?? estimateUsage(context.request, { output: size(false), reasoning: size(true) }),
        ...(rawUsage && { raw_usage: rawUsage }),
        ...(citations.length > 0 && { metadata: { citations } }),
      }
    },
  }
}

const argumentsTextOf = (value: JsonValue | undefined): string =>
  typeof value === 'string' ? value : isObject(value) ? JSON.stringify(value) : ''

const stopReasons: Readonly<Record<string, StopReason>> = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop',
  MAX_TOKENS: 'length',
  TOOL_CALL: 'tool_calls',
  ERROR_TOXIC: 'content_filter',
}

/**
 * The stop reason in the project's vocabulary; calls take precedence over the vendor's normal end.
 */
function stopReasonOf(raw: string, hasCalls: boolean): StopReason {
  const reason = stopReasons[raw] ?? 'other'
  if (reason === 'length' || reason === 'content_filter') return reason
  if (hasCalls) return 'tool_calls'
  return reason === 'tool_calls' ? 'stop' : reason
}

/** Token usage, `undefined` if the vendor reported none. Billed tokens replace missing counts. */
function usageOf(raw: JsonObject | undefined): ModelUsage | undefined {
  const counts = objectAt(raw, 'tokens') ?? objectAt(raw, 'billed_units')
  if (!counts || (numberAt(counts, 'input_tokens') === undefined && numberAt(counts, 'output_tokens') === undefined)) return undefined
  const count = (holder: JsonObject | undefined, name: string): number => Math.max(0, Math.round(numberAt(holder, name) ?? 0))
  const input = count(counts, 'input_tokens')
  const output = count(counts, 'output_tokens')
  return {
    input_tokens: input,
    cached_input_tokens: Math.min(count(raw, 'cached_tokens'), input),
    output_tokens: output,
    reasoning_tokens: Math.min(count(counts, 'reasoning_tokens'), output),
  }
}

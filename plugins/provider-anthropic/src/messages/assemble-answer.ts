import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ModelEvent, ModelRequest, ReasoningPart, TextPart, ToolCallPart } from '@agent-service/sdk/contracts/provider-adapter'
import {
  type AnswerAssembler,
  callFailure,
  estimateUsage,
  isObject,
  listAt,
  objectAt,
  pushDelta,
  type ToolNames,
  textAt,
} from '@agent-service/sdk/provider-kit'
import { type AnswerBlock, argumentsOf, callPart, isHalfCall, openBlock, otherPart, textPart, thinkingPart } from './answer-block.js'
import { failWith } from './failure-signs.js'
import { stopReasonOf } from './stop-reason.js'
import { mergeUsage, usageOf } from './usage.js'

/** What the assembler needs from the request. */
export interface AssemblyContext {
  readonly vendor: string
  readonly request: ModelRequest
  readonly names: ToolNames
  /** The tool that carries the answer, if it has a schema and the model has no format for that. */
  readonly answerTool: string | undefined
  readonly unsignedThinking: boolean
}

/**
 * Makes an empty assembler. An answer in one piece goes through the same steps as the events of a
 * stream: a message begins, its blocks, its end. Each block that has something to show is one part.
 */
export function createAnswerAssembler(context: AssemblyContext): AnswerAssembler {
  const { vendor, names, answerTool, unsignedThinking } = context
  /** Those that are parts of the answer. */
  const parts: AnswerBlock[] = []
  /** The latest under each index; some proxies begin again at 0. */
  let open = new Map<number, AnswerBlock>()
  /**
   * Text beside an answer that comes through a tool; shown only if the tool was not called after
   * all.
   */
  let withheld: AnswerBlock[] = []
  const metadata: Record<string, JsonValue> = {}
  let started = false
  let ended = false
  let responseId: string | undefined
  let rawUsage: JsonObject | undefined
  let rawStopReason: string | undefined

  const partOf = (block: AnswerBlock): number => {
    block.part ??= parts.push(block) - 1
    return block.part
  }
  const callId = (block: AnswerBlock): string => textAt(block.start, 'id') ?? `toolu_${responseId ?? 'answer'}_${partOf(block)}`
  const isAnswerTool = ({ kind, start }: AnswerBlock): boolean => kind === 'tool_use' && start['name'] === answerTool
  const ownName = ({ start }: AnswerBlock): string => names.own(textAt(start, 'name') ?? '')

  const showText = (block: AnswerBlock, text: string, events: ModelEvent[]): void => {
    if (text === '') return
    if (answerTool !== undefined) withheld.push(block)
    else pushDelta(events, { type: 'text.delta', part: partOf(block), text })
  }
  const showThinking = (block: AnswerBlock, text: string, events: ModelEvent[]): void =>
    pushDelta(events, { type: 'reasoning.delta', part: partOf(block), text })

  const begin = (message: JsonObject, events: ModelEvent[]): void => {
    if (parts.length > 0) throw invalid('A second answer began in the middle of the first.')
    // Blocks that were opened before the first beginning are of this answer: events came in another order.
    if (started) open = new Map()
    withheld = []
    rawUsage = mergeUsage(undefined, objectAt(message, 'usage'))
    readMetadata(message, metadata)
    responseId = textAt(message, 'id')
    const model = textAt(message, 'model')
    if (started) return
    started = true
    events.push({
      type: 'response.started',
      ...(responseId !== undefined && { response_id: responseId }),
      ...(model !== undefined && { model }),
    })
  }

  const beginBlock = (index: number, start: JsonObject, events: ModelEvent[]): void => {
    const block = openBlock(start)
    open.set(index, block)
    if (block.kind === 'other') partOf(block)
    else if (block.kind === 'text') showText(block, block.text, events)
    else if (block.kind === 'thinking') {
      if (block.text !== '' || block.signature !== '') showThinking(block, block.text, events)
    } else if (!isAnswerTool(block)) {
      events.push({ type: 'tool_call.started', part: partOf(block), provider_call_id: callId(block), name: ownName(block) })
    }
  }

  const addDelta = (block: AnswerBlock, delta: JsonObject, events: ModelEvent[]): void => {
    const text = textAt(delta, 'text') ?? textAt(delta, 'thinking') ?? ''
    switch (delta['type']) {
      case 'text_delta':
        block.text += text
        showText(block, text, events)
        break
      case 'thinking_delta':
        block.text += text
        if (text !== '') showThinking(block, text, events)
        break
      case 'signature_delta':
        block.signature += textAt(delta, 'signature') ?? ''
        partOf(block)
        break
      case 'citations_delta':
        if (isObject(delta['citation'])) block.citations.push(delta['citation'])
        break
      case 'input_json_delta': {
        const given = delta['partial_json']
        const piece = block.joined.add(isObject(given) ? JSON.stringify(given) : typeof given === 'string' ? given : '')
        if (piece !== '' && block.kind === 'tool_use' && !isAnswerTool(block))
          events.push({ type: 'tool_call.delta', part: partOf(block), arguments_text: piece })
      }
    }
  }

  const endBlock = (block: AnswerBlock, events: ModelEvent[]): void => {
    if (block.ended) return
    block.ended = true
    if (isAnswerTool(block)) {
      const parsed = argumentsOf(block)
      block.text = 'invalid' in parsed ? parsed.invalid : JSON.stringify(parsed.arguments)
      pushDelta(events, { type: 'text.delta', part: partOf(block), text: block.text })
    } else if (block.kind === 'tool_use') {
      const hasInput = block.joined.text === '' && Object.keys(objectAt(block.start, 'input') ?? {}).length > 0
      const rest = hasInput ? JSON.stringify(block.start['input']) : block.joined.end()
      if (rest !== '') events.push({ type: 'tool_call.delta', part: partOf(block), arguments_text: rest })
    }
  }

  /** Blocks that come whole. */
  const addBlocks = (blocks: readonly JsonValue[], events: ModelEvent[]): void => {
    for (const [index, block] of blocks.entries()) {
      if (!isObject(block)) continue
      beginBlock(index, block, events)
      const opened = open.get(index)
      if (opened) endBlock(opened, events)
    }
  }

  const readEnd = (delta: JsonObject, usage: JsonObject | undefined, events: ModelEvent[]): void => {
    readMetadata(delta, metadata)
    rawUsage = mergeUsage(rawUsage, usage)
    rawStopReason = textAt(delta, 'stop_reason') ?? rawStopReason
    if (rawStopReason === undefined) return
    // Some gateways report a reason more than once, with content between: what is open stays open.
    for (const block of open.values()) if (isAnswerTool(block) || (block.kind === 'tool_use' && isReady(block))) endBlock(block, events)
    if (!parts.some(isAnswerTool))
      for (const block of new Set(withheld)) {
        pushDelta(events, { type: 'text.delta', part: partOf(block), text: block.text.slice(block.shown) })
        block.shown = block.text.length
      }
    withheld = []
  }

  const partsOf = (raw: string): readonly (TextPart | ReasoningPart | ToolCallPart)[] => {
    const isShort = ['length', 'refusal'].includes(stopReasonOf(raw, { toolCalls: false }))
    return parts.flatMap((block, index): readonly (TextPart | ReasoningPart | ToolCallPart)[] => {
      if (block.kind === 'text' || isAnswerTool(block)) return [textPart(block, vendor)]
      if (block.kind === 'thinking') return [thinkingPart(block, vendor, unsignedThinking)]
      if (block.kind === 'other') return [otherPart(block, vendor)]
      // A call that was cut by the limit is half a call.
      const isCut = isShort && index === parts.length - 1 && isHalfCall(block)
      return isCut ? [] : [callPart(block, { id: callId(block), name: ownName(block), vendor })]
    })
  }

  return {
    get stopped() {
      return ended && rawStopReason !== undefined
    },
    get ended() {
      return ended
    },
    isWhole(answer) {
      if (typeof answer['type'] === 'string') return answer['type'] === 'message'
      return Array.isArray(answer['content']) ? true : undefined
    },
    add({ event, data }, events) {
      const type = textAt(data, 'type') ?? event
      const index = typeof data['index'] === 'number' ? data['index'] : 0
      const block = open.get(index)
      switch (type) {
        case 'message_start':
          begin(objectAt(data, 'message') ?? {}, events)
          // Usually empty; a call that the vendor deferred is here.
          addBlocks(listAt(data['message'], 'content'), events)
          break
        case 'content_block_start':
          beginBlock(index, objectAt(data, 'content_block') ?? {}, events)
          break
        case 'content_block_delta':
          if (block && !block.ended) addDelta(block, objectAt(data, 'delta') ?? {}, events)
          break
        case 'content_block_stop':
          if (block) endBlock(block, events)
          break
        case 'message_delta':
          readMetadata(data, metadata)
          readEnd(objectAt(data, 'delta') ?? {}, objectAt(data, 'usage'), events)
          break
        case 'message_stop':
          ended = true
          break
        default:
          if (type === 'error' || isObject(data['error'])) failWith(data)
      }
    },
    addWhole(answer, events) {
      if (!isObject(answer)) throw invalid('The answer is not a JSON object.')
      if (answer['type'] === 'error' || isObject(answer['error'])) failWith(answer)
      if (!Array.isArray(answer['content'])) throw invalid('The answer has no content.')
      begin(answer, events)
      addBlocks(listAt(answer, 'content'), events)
      // The body is complete, so a missing reason means a normal end.
      readEnd({ stop_reason: textAt(answer, 'stop_reason') ?? 'end_turn' }, undefined, events)
      ended = true
    },
    finish() {
      const raw = rawStopReason ?? 'end_turn'
      const content = partsOf(raw)
      const citations = parts.flatMap((block) => block.citations)
      readServiceTier(rawUsage, metadata)
      const told = { ...metadata, ...(citations.length > 0 && { citations }) }
      return {
        type: 'response.finished',
        content,
        stop_reason: stopReasonOf(raw, { toolCalls: content.some((part) => part.type === 'tool_call') }),
        raw_stop_reason: raw,
        usage: usageOf(rawUsage) ?? estimateUsage(context.request, charactersOf(parts)),
        ...(rawUsage && { raw_usage: rawUsage }),
        ...(Object.keys(told).length > 0 && { metadata: told }),
      }
    },
  }
}

/** Nothing is missing in the arguments of a call. */
const isReady = ({ joined }: AnswerBlock): boolean => joined.text === '' || joined.isComplete

const charactersOf = (parts: readonly AnswerBlock[]): { readonly output: number; readonly reasoning: number } => ({
  output: parts.reduce((sum, { kind, text, joined }) => sum + (kind === 'thinking' ? 0 : text.length + joined.text.length), 0),
  reasoning: parts.reduce((sum, { kind, text }) => sum + (kind === 'thinking' ? text.length : 0), 0),
})

const invalid = (reason: string): Error => callFailure({ failure: 'invalid_response', retryable: true, reason })

const names = ['stop_sequence', 'stop_details', 'container', 'context_management'] as const

/** Adds the vendor's metadata from any object of the protocol. */
function readMetadata(source: JsonObject | undefined, metadata: Record<string, JsonValue>): void {
  for (const name of names) {
    const value = source?.[name]
    if (value !== undefined && value !== null) metadata[name] = value
  }
}

/** Adds the tier that the usage names. */
function readServiceTier(usage: JsonObject | undefined, metadata: Record<string, JsonValue>): void {
  const tier = textAt(usage, 'service_tier')
  if (tier !== undefined) metadata['service_tier'] = tier
}

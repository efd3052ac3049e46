import type {
  ImagePart,
  ModelEvent,
  ModelRequest,
  OpaquePart,
  ReasoningPart,
  TextPart,
  TokenLogprob,
  ToolCallPart,
} from '../../contracts/provider-adapter/index.js'
import type { JsonObject, JsonValue } from '../../core/json.js'
import type { AnswerAssembler } from '../answer-assembler.js'
import { estimateUsage } from '../answers/estimate-usage.js'
import { parseArguments } from '../answers/parse-arguments.js'
import { pushDelta } from '../answers/push-delta.js'
import { createLogprobCollector, type LogprobCollector, readTokenLogprobs } from '../answers/token-logprobs.js'
import { isObject, listAt, objectAt, textAt } from '../common/json.js'
import { callFailure } from '../failures/call-failure.js'
import type { FailureSign } from '../failures/classify.js'
import { createToolCallAssembler } from './assemble-tool-calls.js'
import { failIfError, failIfFailedReason, failWith } from './error-chunk.js'
import { readMetadata } from './metadata.js'
import { type ReasoningField, readContent, readReasoning } from './read-delta.js'
import { readPictures } from './read-pictures.js'
import { mergeReasoningDetails } from './reasoning-details.js'
import { stopReasonOf } from './stop-reason.js'
import { usageIn, usageOf } from './usage.js'

/** Options of the assembler of a completions answer. */
export interface CompletionsContext {
  /** The vendor of opaque parts: family, brand and model. */
  readonly vendor: string
  /** The call; only used for estimates. */
  readonly request: ModelRequest
  /** The brand wants its `reasoning_content` back. */
  readonly echoesReasoning: boolean
  /** The tool that a name on the wire means. Default: the one of that name. */
  ownName?(wireName: string): string
  /** The family's own signs, for errors inside an answer. */
  readonly signs?: readonly FailureSign[]
  /**
   * An answer may come in several choices, which are one. Default false: only the first is read.
   */
  readonly mergeChoices?: boolean
  /** The initial metadata of the answer. */
  readonly metadata?: JsonObject
}

/** The offset of the calls of a choice, if an answer has several choices. */
const choiceStride = 1_024

type Slot =
  | { readonly kind: 'text' }
  | { readonly kind: 'reasoning' }
  | { readonly kind: 'picture'; readonly picture: ImagePart }
  | { readonly kind: 'call'; readonly position: number; announced: boolean }

/**
 * Makes an empty assembler of an answer in chunks; one in a piece is one chunk whose delta is the
 * whole message. Text and reasoning are one part each, in order of appearance with the tool calls.
 */
export function createCompletionsAssembler(context: CompletionsContext): AnswerAssembler {
  const slots: Slot[] = []
  const calls = createToolCallAssembler()
  const ownName = (wireName: string): string => context.ownName?.(wireName) ?? wireName
  const details: JsonValue[] = []
  const thinking: JsonValue[] = []
  const metadata: Record<string, JsonValue> = { ...context.metadata }
  const logprobs = context.request.logprobs && createLogprobCollector()
  /** Tokens that came before the text. */
  const earlyTokens: TokenLogprob[] = []
  const choices = { open: new Set<number>(), ended: new Set<number>() }
  let text = ''
  let reasoning = ''
  let reasoningOpaque = ''
  let isRefusal = false
  let hasReasoningContent = false
  let reasoningField: ReasoningField | undefined
  let started = false
  let responseId: string | undefined
  let rawUsage: JsonObject | undefined
  let rawStopReason: string | undefined

  const slotOf = (kind: 'text' | 'reasoning'): number => {
    const known = slots.findIndex((slot) => slot.kind === kind)
    return known >= 0 ? known : slots.push({ kind }) - 1
  }
  const addText = (more: string, events: ModelEvent[]): void => {
    if (more === '') return
    text += more
    pushDelta(events, { type: 'text.delta', part: slotOf('text'), text: more })
  }
  const addReasoning = (more: string, events: ModelEvent[]): void => {
    if (more === '') return
    reasoning += more
    pushDelta(events, { type: 'reasoning.delta', part: slotOf('reasoning'), text: more })
  }
  const addLogprobs = (collector: LogprobCollector, tokens: readonly TokenLogprob[], events: ModelEvent[]): void => {
    earlyTokens.push(...tokens)
    const part = slots.findIndex((slot) => slot.kind === 'text')
    if (part >= 0) collector.add(part, earlyTokens.splice(0), events)
  }
  /** Some gateways repeat a picture in a later delta. */
  const addPicture = (picture: ImagePart): void => {
    const isKnown = slots.some((slot) => slot.kind === 'picture' && slot.picture.data === picture.data && slot.picture.url === picture.url)
    if (!isKnown) slots.push({ kind: 'picture', picture })
  }
  const callId = (position: number): string => {
    const id = calls.calls[position]?.id
    if (id === undefined) return `call_${responseId ?? 'answer'}_${position}`
    // Results are given back by id, so no two calls may have one.
    return calls.calls.findIndex((call) => call.id === id) === position ? id : `${id}_${position}`
  }

  const addCallPiece = (piece: JsonObject, events: ModelEvent[]): void => {
    const { position, argumentsText } = calls.add(piece)
    let part = slots.findIndex((slot) => slot.kind === 'call' && slot.position === position)
    if (part < 0) part = slots.push({ kind: 'call', position, announced: false }) - 1
    const slot = slots[part]
    const call = calls.calls[position]
    if (slot?.kind !== 'call' || !call || call.name === '') return
    const isNew = !slot.announced
    if (isNew) events.push({ type: 'tool_call.started', part, provider_call_id: callId(position), name: ownName(call.name) })
    slot.announced = true
    const more = isNew ? call.arguments.text : argumentsText
    if (more !== '') events.push({ type: 'tool_call.delta', part, arguments_text: more })
  }

  const addDelta = (delta: JsonObject, choice: number, events: ModelEvent[]): void => {
    const content = readContent(delta['content'])
    const readable = readReasoning(delta, reasoningField)
    reasoningField ??= readable?.field
    hasReasoningContent ||= typeof delta['reasoning_content'] === 'string' && delta['reasoning_content'] !== ''
    mergeReasoningDetails(details, listAt(delta, 'reasoning_details'))
    thinking.push(...content.thinking)
    const refusal = textAt(delta, 'refusal') ?? ''
    reasoningOpaque += textAt(delta, 'reasoning_opaque') ?? ''
    isRefusal ||= refusal !== ''
    addReasoning((readable?.text ?? '') + content.reasoning, events)
    addText(content.text + refusal, events)
    for (const picture of readPictures(delta)) addPicture(picture)
    for (const piece of listAt(delta, 'tool_calls')) if (isObject(piece)) addCallPiece(numberedApart(piece, choice), events)
    const legacy = objectAt(delta, 'function_call')
    if (legacy) addCallPiece({ index: 0, function: legacy }, events)
  }

  /** Arguments that are empty, and that were held back because others could have followed. */
  const endCalls = (events: ModelEvent[]): void => {
    for (const [part, slot] of slots.entries()) {
      const rest = slot.kind === 'call' && slot.announced ? (calls.calls[slot.position]?.arguments.end() ?? '') : ''
      if (rest !== '') events.push({ type: 'tool_call.delta', part, arguments_text: rest })
    }
  }

  const opaque = (): OpaquePart | undefined => {
    if (details.length > 0) return { vendor: context.vendor, data: { field: 'reasoning_details', value: [...details] } }
    if (thinking.length > 0) return { vendor: context.vendor, data: { field: 'content', value: joinThinking(thinking) } }
    if (reasoningOpaque !== '') return { vendor: context.vendor, data: { field: 'reasoning_opaque', value: reasoningOpaque } }
    if (hasReasoningContent && context.echoesReasoning) return { vendor: context.vendor, data: { field: 'reasoning_content' } }
    return undefined
  }

  /**
   * The part of a call, or nothing for the last one of an answer that ran into its limit inside the
   * arguments.
   */
  const callPart = (position: number, raw: string): ToolCallPart | undefined => {
    const call = calls.calls[position]
    if (!call || call.name === '') return undefined
    const parsed = parseArguments(call.arguments.text)
    const isLast = position === calls.calls.length - 1
    const isCut =
      stopReasonOf(raw, { toolCalls: false, refusal: false }) === 'length' &&
      isLast &&
      ('invalid' in parsed || call.arguments.text.trim() === '')
    if (isCut) return undefined
    const id = callId(position)
    const base = { type: 'tool_call', call_id: id, provider_call_id: id, name: ownName(call.name) } as const
    return 'invalid' in parsed ? { ...base, arguments: {}, invalid_arguments: parsed.invalid } : { ...base, arguments: parsed.arguments }
  }

  const addChunk = (chunk: JsonObject, events: ModelEvent[]): void => {
    failIfError(chunk, context.signs)
    if (!started) {
      started = true
      responseId = textAt(chunk, 'id')
      const model = textAt(chunk, 'model')
      events.push({
        type: 'response.started',
        ...(responseId !== undefined && { response_id: responseId }),
        ...(model !== undefined && { model }),
      })
    }
    rawUsage = usageIn(chunk) ?? rawUsage
    readMetadata(chunk, metadata)
    for (const choice of listAt(chunk, 'choices')) {
      if (!isObject(choice)) continue
      const index = typeof choice['index'] === 'number' ? choice['index'] : 0
      if (index !== 0 && context.mergeChoices !== true) continue
      const delta = objectAt(choice, 'delta')
      if (delta) addDelta(delta, index, events)
      if (delta && logprobs && isOfText(delta)) addLogprobs(logprobs, logprobsOf(choice), events)
      const reason = finishReasonOf(choice)
      if (reason !== undefined) {
        choices.open.delete(index)
        choices.ended.add(index)
      } else if (!choices.ended.has(index)) choices.open.add(index)
      // Of several choices the one with tool calls determines the stop reason.
      if (reason !== undefined && (context.mergeChoices !== true || rawStopReason !== 'tool_calls')) rawStopReason = reason
    }
    if (rawStopReason === undefined) return
    failIfFailedReason(rawStopReason)
    if (choices.open.size === 0) endCalls(events)
  }

  return {
    get stopped() {
      return rawStopReason !== undefined && choices.open.size === 0
    },
    ended: false,
    isWhole: isWholeAnswer,
    add({ event, data }, events) {
      if (event === 'error') failWith(data, context.signs)
      addChunk(data, events)
    },
    addWhole(answer, events) {
      const chunk = typeof answer === 'string' ? plainAnswer(answer) : answer
      if (!isObject(chunk)) throw invalid('The answer is not a JSON object.')
      addChunk(asChunk(chunk), events)
      if (listAt(chunk, 'choices').length === 0) throw invalid('The answer has no choices.')
      // The body is complete, so a missing finish reason means a normal end.
      rawStopReason ??= 'stop'
      choices.open.clear()
      endCalls(events)
    },
    finish() {
      const raw = rawStopReason ?? ''
      const opaquePart = opaque()
      if (opaquePart && reasoning === '') slotOf('reasoning')
      const content = slots.flatMap((slot): readonly (TextPart | ReasoningPart | ToolCallPart | ImagePart)[] => {
        if (slot.kind === 'picture') return [slot.picture]
        if (slot.kind === 'text') return [{ type: 'text', text }]
        if (slot.kind === 'reasoning') return [{ type: 'reasoning', text: reasoning, ...(opaquePart && { opaque: opaquePart }) }]
        const part = callPart(slot.position, raw)
        return part ? [part] : []
      })
      const outputCharacters = text.length + calls.calls.reduce((sum, call) => sum + call.name.length + call.arguments.text.length, 0)
      return {
        type: 'response.finished',
        content,
        stop_reason: stopReasonOf(raw, { toolCalls: content.some((part) => part.type === 'tool_call'), refusal: isRefusal }),
        raw_stop_reason: raw,
        usage: rawUsage ? usageOf(rawUsage) : estimateUsage(context.request, { output: outputCharacters, reasoning: reasoning.length }),
        ...(rawUsage && { raw_usage: rawUsage }),
        ...logprobs?.finished(),
        ...(Object.keys(metadata).length > 0 && { metadata }),
      }
    },
  }
}

/**
 * Streamed fragments of thinking become one content part, as an answer in one piece has it. An
 * answer in one piece stays as it is.
 */
function joinThinking(parts: readonly JsonValue[]): JsonValue {
  if (parts.length === 1) return [...parts]
  const pieces = parts.flatMap((part) => listAt(part, 'thinking'))
  const text = pieces.map((piece) => textAt(piece, 'text') ?? '').join('')
  const others = pieces.filter((piece) => textAt(piece, 'type') !== 'text')
  return [Object.assign({}, ...parts, { thinking: [{ type: 'text', text }, ...others] }) as JsonObject]
}

/** Whether the tokens of a delta are those of text; an empty text is a part of a character. */
function isOfText(delta: JsonObject): boolean {
  const [text, refusal] = [readContent(delta['content']).text, textAt(delta, 'refusal') ?? '']
  return text !== '' || refusal !== '' || (typeof delta['content'] === 'string' && readReasoning(delta, undefined) === undefined)
}

/** Refusals are text here, so their tokens are too. */
function logprobsOf(choice: JsonObject): readonly TokenLogprob[] {
  const given = objectAt(choice, 'logprobs')
  return given ? readTokenLogprobs([...listAt(given, 'content'), ...listAt(given, 'refusal')]) : []
}

/** Some gateways write none yet as a text. */
const finishReasonOf = (choice: JsonObject): string | undefined => {
  const reason = textAt(choice, 'finish_reason')
  return reason === 'null' ? undefined : reason
}

/** A choice of an answer in one piece has a message; some brands send it beside a delta, one in each chunk. */
function isWholeAnswer(answer: JsonObject): boolean | undefined {
  const choice = listAt(answer, 'choices')[0]
  if (!isObject(choice)) return undefined
  const message = objectAt(choice, 'message')
  if (!message) return false
  const delta = objectAt(choice, 'delta')
  if (!delta) return true
  if (Object.keys(delta).some((name) => name !== 'role' && delta[name] !== '' && delta[name] !== null)) return false
  return finishReasonOf(choice) !== undefined && textAt(message, 'content') !== undefined ? true : undefined
}

/** The message of each choice becomes its delta; one brand sends an empty delta beside it. */
const asChunk = (answer: JsonObject): JsonObject => ({
  ...answer,
  choices: listAt(answer, 'choices').map((choice) =>
    isObject(choice)
      ? { ...choice, delta: choice['message'] === undefined ? (choice['delta'] ?? null) : wholeMessage(choice['message']) }
      : choice,
  ),
})

/** The calls of a message are told apart by their place in it; brands leave out the index, or write 0 to each. */
const wholeMessage = (message: JsonValue): JsonValue =>
  isObject(message)
    ? { ...message, tool_calls: listAt(message, 'tool_calls').map((call, index) => (isObject(call) ? { ...call, index } : call)) }
    : message

const numberedApart = (piece: JsonObject, choice: number): JsonObject =>
  choice === 0 ? piece : { ...piece, index: choice * choiceStride + (typeof piece['index'] === 'number' ? piece['index'] : 0) }

const plainAnswer = (text: string): JsonObject => ({
  choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: 'stop' }],
})

const invalid = (reason: string): Error => callFailure({ failure: 'invalid_response', retryable: true, reason })

import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { LikelyToken, ModelEvent, ModelRequest, ModelUsage, TokenLogprob } from '@agent-service/sdk/contracts/provider-adapter'
import {
  type AnswerAssembler,
  callFailure,
  createLogprobCollector,
  estimateUsage,
  isObject,
  listAt,
  numberAt,
  objectAt,
  parseArguments,
  pushDelta,
  type ToolNames,
  textAt,
} from '@agent-service/sdk/provider-kit'
import { type AnswerCall, type AnswerSlot, partOf } from './answer-slots.js'
import { failWith } from './error-body.js'
import { addPartialArguments } from './partial-arguments.js'
import { failedReasons, stopReasonOf } from './stop-reason.js'

/** What the assembler needs from the request. */
export interface AssemblyContext {
  readonly vendor: string
  readonly request: ModelRequest
  readonly names: ToolNames
}

/** The metadata of a candidate. */
const candidateMembers = [
  'groundingMetadata',
  'citationMetadata',
  'urlContextMetadata',
  'safetyRatings',
  'finishMessage',
  'logprobsResult',
] as const

/**
 * Makes an empty assembler of chunks, each with only the new parts; an answer in one piece is one
 * chunk, and one that came as a list of chunks is those. Texts in a row are one part; one with a
 * signature is a part of its own, since the signature must go back on the very part that had it.
 */
export function createAnswerAssembler(context: AssemblyContext): AnswerAssembler {
  const { vendor, names } = context
  const slots: AnswerSlot[] = []
  const metadata: Record<string, JsonValue> = {}
  const logprobs = context.request.logprobs && createLogprobCollector()
  let openCall: AnswerCall | undefined
  let started = false
  let hasCandidate = false
  let responseId: string | undefined
  let rawUsage: JsonObject | undefined
  let rawStopReason: string | undefined

  /** Ends the call whose arguments came in pieces, and shows them. */
  const endCall = (events: ModelEvent[]): void => {
    const call = openCall
    openCall = undefined
    if (!call) return
    call.ended = true
    if (Object.keys(call.arguments).length === 0) return
    const part = slots.findIndex((slot) => slot.kind === 'call' && slot.call === call)
    events.push({ type: 'tool_call.delta', part, arguments_text: JSON.stringify(call.arguments) })
  }

  const addText = (kind: 'text' | 'thought', text: string, signature: string | undefined, events: ModelEvent[]): void => {
    if (text === '' && signature === undefined) return
    // The vendor did not mark the end of the call before it.
    endCall(events)
    const last = slots.at(-1)
    if (last?.kind === kind && signature === undefined && last.signature === undefined) last.text += text
    else slots.push({ kind, text, signature })
    pushDelta(events, { type: kind === 'text' ? 'text.delta' : 'reasoning.delta', part: slots.length - 1, text })
  }

  const beginCall = (given: JsonObject, name: string, signature: string | undefined, events: ModelEvent[]): AnswerCall => {
    const vendorId = textAt(given, 'id')
    const count = slots.filter((slot) => slot.kind === 'call').length
    const id = vendorId ?? `call_${responseId ?? 'answer'}_${count}`
    const call = { id, hasVendorId: vendorId !== undefined, name: names.own(name), signature, arguments: {}, ended: false }
    const part = slots.push({ kind: 'call', call }) - 1
    events.push({ type: 'tool_call.started', part, provider_call_id: id, name: call.name })
    return call
  }

  /** The call that has this id already: some gateways repeat calls, or send them without arguments at first. */
  const sameCall = (given: JsonObject, name: string): AnswerCall | undefined => {
    const id = textAt(given, 'id')
    const slot = slots.find((each) => each.kind === 'call' && id !== undefined && each.call.id === id && each.call.name === names.own(name))
    return slot?.kind === 'call' ? slot.call : undefined
  }
  /** Adds what a repeated call brings; false if it is another one. */
  const addAgain = (call: AnswerCall, whole: JsonObject, events: ModelEvent[]): boolean => {
    const isKnown = Object.keys(whole).length === 0 || JSON.stringify(whole) === JSON.stringify(call.arguments)
    if (isKnown || Object.keys(call.arguments).length > 0) return isKnown
    call.arguments = { ...whole }
    openCall = call
    endCall(events)
    return true
  }

  const addCall = (given: JsonObject, signature: string | undefined, events: ModelEvent[]): void => {
    const name = textAt(given, 'name')
    const args = typeof given['args'] === 'string' ? parseArguments(given['args']) : undefined
    const whole = args && 'arguments' in args ? args.arguments : objectAt(given, 'args')
    const known = name === undefined ? undefined : sameCall(given, name)
    if (known && addAgain(known, whole ?? {}, events)) return
    if (name !== undefined) {
      endCall(events)
      openCall = beginCall(given, name, signature, events)
    }
    if (!openCall) return
    if (whole) openCall.arguments = { ...openCall.arguments, ...whole }
    addPartialArguments(openCall.arguments, listAt(given, 'partialArgs'))
    // A piece of an unfinished call. The vendor sometimes omits the flag on the last piece.
    if (given['willContinue'] !== true && given['partialArgs'] === undefined) endCall(events)
  }

  const addPart = (part: JsonObject, events: ModelEvent[]): void => {
    const signature = textAt(part, 'thoughtSignature')
    const call = objectAt(part, 'functionCall')
    if (call) {
      addCall(call, signature, events)
      return
    }
    const image = objectAt(part, 'inlineData')
    const mediaType = textAt(image, 'mimeType')
    if (typeof part['text'] === 'string') addText(part['thought'] === true ? 'thought' : 'text', part['text'], signature, events)
    else if (mediaType?.startsWith('image/') && part['thought'] !== true)
      slots.push({ kind: 'image', mediaType, data: textAt(image, 'data') ?? '', signature })
    else if (Object.keys(part).length > 0) slots.push({ kind: 'other', part })
  }

  const addChunk = (chunk: JsonObject, events: ModelEvent[]): void => {
    if (isObject(chunk['error'])) failWith(chunk)
    if (!started) {
      started = true
      responseId = textAt(chunk, 'responseId')
      const model = textAt(chunk, 'modelVersion')
      events.push({
        type: 'response.started',
        ...(responseId !== undefined && { response_id: responseId }),
        ...(model !== undefined && { model }),
      })
    }
    const usage = objectAt(chunk, 'usageMetadata')
    if (usage) rawUsage = { ...rawUsage, ...usage }
    for (const candidate of listAt(chunk, 'candidates')) {
      if (!isObject(candidate) || (typeof candidate['index'] === 'number' && candidate['index'] !== 0)) continue
      hasCandidate = true
      for (const part of listAt(objectAt(candidate, 'content'), 'parts')) if (isObject(part)) addPart(part, events)
      const textPart = slots.findLastIndex(({ kind }) => kind === 'text')
      if (logprobs && textPart >= 0) logprobs.add(textPart, readLogprobs(candidate), events)
      for (const name of candidateMembers) {
        const value = logprobs && name === 'logprobsResult' ? undefined : candidate[name]
        if (value !== undefined && value !== null) metadata[name] = value
      }
      const reason = textAt(candidate, 'finishReason')
      // The default of the vendor's enumeration, which gateways write into chunks before the last.
      if (reason !== 'FINISH_REASON_UNSPECIFIED') rawStopReason = reason ?? rawStopReason
    }
    const feedback = objectAt(chunk, 'promptFeedback')
    const blocked = textAt(feedback, 'blockReason')
    if (blocked !== undefined && !hasCandidate) throw refusedPrompt(blocked, textAt(feedback, 'blockReasonMessage'))
    if (rawStopReason === undefined) return
    if (failedReasons.has(rawStopReason)) throw failedAnswer(rawStopReason, metadata['finishMessage'])
    // The limit cuts the arguments of an open call. For any other reason the call is complete,
    // although the vendor did not mark its end.
    if (stopReasonOf(rawStopReason, { toolCalls: false }) === 'stop') endCall(events)
  }

  /** A call that was cut by the limit is half a call. */
  const isHalf = (slot: AnswerSlot, index: number, raw: string): boolean => {
    if (slot.kind !== 'call') return false
    const isShort = stopReasonOf(raw, { toolCalls: false }) !== 'stop'
    return !slot.call.ended || (isShort && index === slots.length - 1 && Object.keys(slot.call.arguments).length === 0)
  }

  return {
    get stopped() {
      return rawStopReason !== undefined
    },
    ended: false,
    add({ event, data }, events) {
      if (event === 'error') failWith(isObject(data['error']) ? data : { error: data })
      addChunk(data, events)
    },
    addWhole(answer, events) {
      const chunks = Array.isArray(answer) ? answer : [answer]
      for (const chunk of chunks) {
        if (!isObject(chunk)) throw invalid('The answer is not a JSON object.')
        addChunk(chunk, events)
      }
      if (!hasCandidate) throw invalid('The answer has no candidates.')
      // The body is complete, so a missing reason means a normal end.
      if (rawStopReason === undefined) endCall(events)
      rawStopReason ??= 'STOP'
    },
    finish() {
      const raw = rawStopReason ?? 'STOP'
      const content = slots.filter((slot, index) => !isHalf(slot, index, raw)).map((slot) => partOf(slot, vendor))
      for (const name of ['serviceTier', 'trafficType']) {
        const value = rawUsage?.[name]
        if (typeof value === 'string') metadata[name] = value
      }
      return {
        type: 'response.finished',
        content,
        stop_reason: stopReasonOf(raw, { toolCalls: content.some((part) => part.type === 'tool_call') }),
        raw_stop_reason: raw,
        usage: usageOf(rawUsage) ?? estimateUsage(context.request, charactersOf(slots)),
        ...(rawUsage && { raw_usage: rawUsage }),
        ...logprobs?.finished(),
        ...(Object.keys(metadata).length > 0 && { metadata }),
      }
    },
  }
}

const charactersOf = (slots: readonly AnswerSlot[]): { readonly output: number; readonly reasoning: number } => ({
  output: slots.reduce(
    (sum, slot) => sum + (slot.kind === 'text' ? slot.text.length : slot.kind === 'call' ? JSON.stringify(slot.call.arguments).length : 0),
    0,
  ),
  reasoning: slots.reduce((sum, slot) => sum + (slot.kind === 'thought' ? slot.text.length : 0), 0),
})

const invalid = (reason: string): Error => callFailure({ failure: 'invalid_response', retryable: true, reason })

const refusedPrompt = (reason: string, message: string | undefined): Error =>
  callFailure({
    failure: 'content_filtered',
    retryable: false,
    reason: `The vendor refused the prompt (${reason})${message === undefined ? '.' : `: ${message}`}`,
    providerCode: reason.toLowerCase(),
  })

const failedAnswer = (reason: string, message: JsonValue | undefined): Error =>
  callFailure({
    failure: 'invalid_response',
    retryable: true,
    reason: `The model ended its answer with ${reason}${typeof message === 'string' ? `: ${message}` : '.'}`,
    providerCode: reason.toLowerCase(),
  })

/** The log probabilities of a candidate: the chosen tokens, and the likeliest in each position. */
function readLogprobs(candidate: JsonObject): readonly TokenLogprob[] {
  const result = objectAt(candidate, 'logprobsResult')
  const top = listAt(result, 'topCandidates')
  return listAt(result, 'chosenCandidates').flatMap((chosen, position) => {
    const token = readToken(chosen)
    return token ? [{ ...token, top: listAt(top[position], 'candidates').flatMap((likely) => readToken(likely) ?? []) }] : []
  })
}

function readToken(entry: JsonValue): LikelyToken | undefined {
  const [token, logprob] = [textAt(entry, 'token'), numberAt(entry, 'logProbability')]
  return token === undefined || logprob === undefined ? undefined : { token, logprob }
}

/** Token usage. The vendor counts thoughts separately. `undefined` without any count. */
function usageOf(raw: JsonObject | undefined): ModelUsage | undefined {
  if (numberAt(raw, 'promptTokenCount') === undefined && numberAt(raw, 'candidatesTokenCount') === undefined) return undefined
  const count = (name: string): number => Math.max(0, Math.round(numberAt(raw, name) ?? 0))
  const input = count('promptTokenCount') + count('toolUsePromptTokenCount')
  const thoughts = count('thoughtsTokenCount')
  return {
    input_tokens: input,
    cached_input_tokens: Math.min(count('cachedContentTokenCount'), input),
    output_tokens: count('candidatesTokenCount') + thoughts,
    reasoning_tokens: thoughts,
  }
}

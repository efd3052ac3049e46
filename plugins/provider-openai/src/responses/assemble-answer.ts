import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ModelEvent, ModelRequest, StopReason } from '@agent-service/sdk/contracts/provider-adapter'
import {
  type AnswerAssembler,
  callFailure,
  createArgumentsJoiner,
  createLogprobCollector,
  estimateUsage,
  isObject,
  listAt,
  numberAt,
  objectAt,
  pushDelta,
  readTokenLogprobs,
  type ToolNames,
  textAt,
} from '@agent-service/sdk/provider-kit'
import { failIfFailed, failWithEvent } from './failed-response.js'
import { hasRefused, type ItemSlot, partOf } from './item-slot.js'
import { type ItemKind, kindOf, messageLogprobs, messagePictures, messageText, reasoningText } from './read-item.js'
import { usageOf } from './usage.js'

/** What the assembler needs from the request. */
export interface ResponsesContext {
  readonly vendor: string
  readonly request: ModelRequest
  readonly names: ToolNames
}

/** Events with a piece of an item, by the kind of the item. */
const pieces: Readonly<Record<string, ItemKind>> = {
  'response.output_text.delta': 'text',
  'response.refusal.delta': 'text',
  'response.reasoning_summary_text.delta': 'reasoning',
  'response.reasoning_text.delta': 'reasoning',
  'response.function_call_arguments.delta': 'call',
  'response.custom_tool_call_input.delta': 'custom_call',
}

/**
 * Makes an empty assembler. Each item of the output is one part, in order of appearance; unknown
 * items are kept for the vendor. An item as it ended (`output_item.done`) counts, its pieces are
 * only its beginning. An answer in one piece is its items and its end.
 */
export function createResponsesAssembler({ vendor, request, names }: ResponsesContext): AnswerAssembler {
  const slots: ItemSlot[] = []
  const parts: ItemSlot[] = []
  const logprobs = request.logprobs && createLogprobCollector()
  let started = false
  let response: JsonObject | undefined

  const start = (head: JsonObject | undefined, events: ModelEvent[]): void => {
    if (started) return
    started = true
    const [id, model] = [textAt(head, 'id'), textAt(head, 'model')]
    events.push({ type: 'response.started', ...(id !== undefined && { response_id: id }), ...(model !== undefined && { model }) })
  }

  const partIndex = (slot: ItemSlot): number => {
    const known = parts.indexOf(slot)
    return known >= 0 ? known : parts.push(slot) - 1
  }

  const open = (kind: ItemKind, place: JsonObject, item: JsonObject | undefined): ItemSlot => {
    const slot: ItemSlot = {
      kind,
      outputIndex: numberAt(place, 'output_index'),
      itemId: textAt(item, 'id') ?? textAt(place, 'item_id'),
      text: '',
      joined: createArgumentsJoiner(),
      section: undefined,
      name: textAt(item, 'name') ?? '',
      callId: textAt(item, 'call_id'),
      announced: false,
      argumentsEnded: false,
      item: undefined,
    }
    slots.push(slot)
    return slot
  }

  /** By position in the output, else by id, else the last open one. */
  const find = (place: JsonObject): ItemSlot | undefined => {
    const index = numberAt(place, 'output_index')
    if (index !== undefined) return slots.find((slot) => slot.outputIndex === index)
    const id = textAt(place, 'item_id') ?? textAt(objectAt(place, 'item'), 'id')
    return slots.find((slot) => id !== undefined && slot.itemId === id) ?? slots.findLast((slot) => slot.item === undefined)
  }

  const announce = (slot: ItemSlot, events: ModelEvent[]): void => {
    if (slot.announced || slot.name === '') return
    slot.announced = true
    const id = slot.callId ?? `call_${slot.outputIndex ?? 'answer'}`
    events.push({ type: 'tool_call.started', part: partIndex(slot), provider_call_id: id, name: names.own(slot.name) })
    if (slot.kind === 'call' && slot.text !== '') {
      events.push({ type: 'tool_call.delta', part: partIndex(slot), arguments_text: slot.text })
    }
  }

  const addPiece = (slot: ItemSlot, given: string, events: ModelEvent[]): void => {
    const piece = slot.kind === 'call' ? slot.joined.add(given) : given
    slot.text = slot.kind === 'call' ? slot.joined.text : slot.text + piece
    if (piece === '') return
    if (slot.kind === 'text') pushDelta(events, { type: 'text.delta', part: partIndex(slot), text: piece })
    else if (slot.kind === 'reasoning') pushDelta(events, { type: 'reasoning.delta', part: partIndex(slot), text: piece })
    else if (slot.kind === 'call' && slot.announced) {
      events.push({ type: 'tool_call.delta', part: partIndex(slot), arguments_text: piece })
    }
  }

  const addDelta = (kind: ItemKind, event: JsonObject, events: ModelEvent[]): void => {
    const isObjectOfCall = kind === 'call' && isObject(event['delta'])
    const delta = isObjectOfCall ? JSON.stringify(event['delta']) : textAt(event, 'delta')
    if (delta === undefined) return
    const slot = find(event) ?? open(kind, event, undefined)
    if (slot.kind !== kind || slot.item) return
    if (kind === 'reasoning') {
      const summary = numberAt(event, 'summary_index')
      const section = summary === undefined ? `content ${numberAt(event, 'content_index') ?? 0}` : `summary ${summary}`
      // The summary and the reasoning have the same content; the first one is shown.
      if (slot.section !== undefined && slot.section.split(' ')[0] !== section.split(' ')[0]) return
      if (slot.section !== undefined && slot.section !== section) addPiece(slot, '\n\n', events)
      slot.section = section
    }
    addPiece(slot, delta, events)
    if (kind === 'text') logprobs?.add(partIndex(slot), readTokenLogprobs(listAt(event, 'logprobs')), events)
  }

  /** The content that an item's end adds to its pieces. */
  const addRest = (slot: ItemSlot, whole: string, events: ModelEvent[]): void => {
    if (whole.startsWith(slot.text)) addPiece(slot, whole.slice(slot.text.length), events)
  }

  const endText = (slot: ItemSlot, item: JsonObject, events: ModelEvent[]): void => {
    const isWhole = slot.text === ''
    addRest(slot, messageText(item), events)
    if (!logprobs || slot.text === '') return
    const tokens = messageLogprobs(item)
    if (isWhole) logprobs.add(partIndex(slot), tokens, events)
    else logprobs.replace(partIndex(slot), tokens)
  }

  const endItem = (item: JsonObject, place: JsonObject, events: ModelEvent[]): void => {
    const kind = kindOf(item)
    const known = find({ ...place, item })
    const slot = known?.kind === kind && known.item === undefined ? known : open(kind, place, item)
    if (kind === 'text') endText(slot, item, events)
    else if (kind === 'reasoning') addRest(slot, reasoningText(item), events)
    else if (kind === 'call' || kind === 'custom_call') {
      slot.name ||= textAt(item, 'name') ?? ''
      slot.callId = textAt(item, 'call_id') ?? slot.callId
      announce(slot, events)
      endArguments(slot, item[kind === 'call' ? 'arguments' : 'input'], events)
    }
    slot.item = item
    // An empty message is not a part; any other item goes back to the vendor.
    if (kind !== 'text' || messageText(item) !== '') partIndex(slot)
    if (kind !== 'text') return
    for (const picture of messagePictures(item)) {
      const shown = open('picture', {}, undefined)
      shown.item = picture
      partIndex(shown)
    }
  }

  const endArguments = (slot: ItemSlot, value: JsonValue | undefined, events: ModelEvent[]): void => {
    const given = typeof value === 'string' ? value : isObject(value) ? JSON.stringify(value) : slot.text
    const isCustom = slot.kind === 'custom_call'
    // Some gateways end a call with empty arguments after they have sent them in pieces.
    const whole = !isCustom && slot.joined.isComplete && isEmpty(given) ? slot.text : given
    if (!isCustom) {
      addRest(slot, whole, events)
      const held = slot.joined.end()
      if (held !== '' && slot.announced) events.push({ type: 'tool_call.delta', part: partIndex(slot), arguments_text: held })
    }
    slot.text = whole
    if (isCustom && slot.announced && !slot.argumentsEnded) {
      events.push({ type: 'tool_call.delta', part: partIndex(slot), arguments_text: JSON.stringify({ input: whole }) })
    }
    slot.argumentsEnded = true
  }

  const endResponse = (ended: JsonObject, events: ModelEvent[]): void => {
    failIfFailed(ended)
    const output = listAt(ended, 'output').filter(isObject)
    const before = slots.length
    for (const [index, item] of output.entries()) {
      const slot = slots.find(({ outputIndex }) => outputIndex === index)
      const isOpen = slot !== undefined && slot.item === undefined && slot.kind === kindOf(item)
      if (isOpen || before === 0) endItem(item, { output_index: index }, events)
    }
    response = ended
  }

  const add = (event: JsonObject, name: string, events: ModelEvent[]): void => {
    const type = textAt(event, 'type') ?? name
    const isBareError = event['type'] === undefined && (isObject(event['error']) || typeof event['error'] === 'string')
    if (type === 'error' || isBareError) failWithEvent(event)
    const head = objectAt(event, 'response')
    start(head, events)
    const kind = pieces[type]
    const item = objectAt(event, 'item')
    if (kind) addDelta(kind, event, events)
    switch (type) {
      case 'response.output_item.added': {
        if (!item) return
        const slot = open(kindOf(item), event, item)
        if (slot.kind === 'call') addPiece(slot, argumentsOf(item), events)
        if (slot.kind === 'call' || slot.kind === 'custom_call') announce(slot, events)
        return
      }
      case 'response.function_call_arguments.done':
      case 'response.custom_tool_call_input.done': {
        const slot = find(event)
        if (!slot || slot.item || (slot.kind !== 'call' && slot.kind !== 'custom_call')) return
        slot.name ||= textAt(event, 'name') ?? ''
        announce(slot, events)
        endArguments(slot, event[slot.kind === 'call' ? 'arguments' : 'input'], events)
        return
      }
      case 'response.output_item.done':
        if (item) endItem(item, event, events)
        return
      case 'response.completed':
      case 'response.incomplete':
      case 'response.failed':
        endResponse({ status: type.slice('response.'.length), ...head }, events)
        return
      default:
        return
    }
  }

  return {
    get stopped() {
      return response !== undefined
    },
    get ended() {
      return response !== undefined
    },
    isWhole: (answer) =>
      typeof answer['type'] === 'string' ? false : answer['object'] === 'response' || Array.isArray(answer['output']) ? true : undefined,
    add: ({ event, data }, events) => add(data, event ?? '', events),
    addWhole(answer, events) {
      if (!isObject(answer)) throw invalid('The answer is not a JSON object.')
      if (typeof answer['error'] === 'string' || textAt(answer, 'type') === 'error') failWithEvent(answer)
      failIfFailed(answer)
      if (!Array.isArray(answer['output'])) throw invalid('The answer has no output.')
      const status = textAt(answer, 'status')
      if (status === 'in_progress' || status === 'queued') throw invalid(`The answer has not ended: its status is “${status}”.`)
      start(answer, events)
      endResponse(answer, events)
    },
    finish() {
      const end = response ?? {}
      const raw = rawStopReason(end)
      const content = parts.flatMap((slot) => partOf(slot, { vendor, names, cut: raw !== 'completed' }))
      const rawUsage = objectAt(end, 'usage')
      const metadata = metadataOf(end, slots)
      const characters = (kinds: readonly ItemKind[]): number =>
        slots.reduce((sum, slot) => sum + (kinds.includes(slot.kind) ? slot.text.length + slot.name.length : 0), 0)
      return {
        type: 'response.finished',
        content,
        stop_reason: stopReasonOf(raw, {
          toolCalls: content.some((part) => part.type === 'tool_call'),
          refusal: slots.some(hasRefused),
        }),
        raw_stop_reason: raw,
        usage: rawUsage
          ? usageOf(rawUsage)
          : estimateUsage(request, { output: characters(['text', 'call', 'custom_call']), reasoning: characters(['reasoning']) }),
        ...(rawUsage && { raw_usage: rawUsage }),
        ...logprobs?.finished(),
        ...(Object.keys(metadata).length > 0 && { metadata }),
      }
    },
  }
}

/** The metadata: the tier, and the annotations of a text. */
function metadataOf(response: JsonObject, slots: readonly ItemSlot[]): JsonObject {
  const tier = textAt(response, 'service_tier')
  const annotations = slots
    .filter(({ kind }) => kind === 'text')
    .flatMap(({ item }) => listAt(item, 'content').flatMap((part) => listAt(part, 'annotations')))
  return { ...(tier !== undefined && { service_tier: tier }), ...(annotations.length > 0 && { annotations }) }
}

const isEmpty = (text: string): boolean => /^\s*(\{\s*\}|null|"")?\s*$/.test(text)

const argumentsOf = (item: JsonObject): string =>
  isObject(item['arguments']) ? JSON.stringify(item['arguments']) : (textAt(item, 'arguments') ?? '')

const invalid = (reason: string): Error => callFailure({ failure: 'invalid_response', retryable: true, reason })

/** Why the response ended, in the vendor's words: why it is incomplete, else its status. */
const rawStopReason = (response: JsonObject): string =>
  textAt(objectAt(response, 'incomplete_details'), 'reason') ?? textAt(response, 'status') ?? 'completed'

/**
 * The stop reason in the project's vocabulary. Calls have no status of their own: their presence
 * decides.
 */
function stopReasonOf(raw: string, found: { readonly toolCalls: boolean; readonly refusal: boolean }): StopReason {
  if (raw === 'max_output_tokens' || raw === 'max_tokens') return 'length'
  if (raw === 'content_filter') return 'content_filter'
  if (raw !== 'completed') return 'other'
  if (found.refusal) return 'refusal'
  return found.toolCalls ? 'tool_calls' : 'stop'
}

import type { JsonObject, JsonValue } from '@agent-service/sdk'
import type { ModelEvent, ModelRequest, ModelUsage } from '@agent-service/sdk/contracts/provider-adapter'
import {
  type AnswerAssembler,
  callFailure,
  estimateUsage,
  isObject,
  listAt,
  numberAt,
  objectAt,
  type StreamDocument,
  type ToolNames,
  textAt,
} from '@agent-service/sdk/provider-kit'
import { type ContentBlocks, createContentBlocks } from './content-blocks.js'
import { failIfError, failWithFrame } from './failures.js'
import { readReasoning } from './opaque-reasoning.js'
import { failIfMalformed, isCutByLimit, stopReasonOf } from './stop-reason.js'

/** What the assembler needs from the request. */
export interface AssemblyContext {
  readonly vendor: string
  readonly request: ModelRequest
  readonly names: ToolNames
  /** The tool, by its name on the wire, whose arguments are the answer itself. */
  readonly answerTool: string | undefined
}

/** The vendor's metadata. */
const metadataNames = ['metrics', 'trace', 'performanceConfig', 'serviceTier', 'additionalModelResponseFields'] as const

/**
 * Makes an empty assembler of an answer: of the events of a stream, or of one document. Every block
 * of content is a part of its own.
 */
export function createAnswerAssembler({ vendor, request, names, answerTool }: AssemblyContext): AnswerAssembler {
  const blocks = createContentBlocks({ vendor, names, answerTool })
  const metadata: Record<string, JsonValue> = {}
  const citations: JsonValue[] = []
  let started = false
  let hasMetadata = false
  let rawUsage: JsonObject | undefined
  let rawStopReason: string | undefined

  const start = (events: ModelEvent[]): void => {
    if (!started) events.push({ type: 'response.started' })
    started = true
  }
  const readRest = (document: JsonObject): void => {
    rawUsage = objectAt(document, 'usage') ?? rawUsage
    for (const name of metadataNames) {
      const value = document[name]
      if (value !== undefined && value !== null) metadata[name] = value
    }
  }
  const stop = (document: JsonObject): void => {
    const raw = textAt(document, 'stopReason') ?? 'end_turn'
    failIfMalformed(raw)
    rawStopReason = raw
  }

  return {
    get stopped() {
      return rawStopReason !== undefined
    },
    get ended() {
      // Usage comes after the end of the content.
      return rawStopReason !== undefined && hasMetadata
    },
    isWhole: (answer) => (objectAt(answer, 'output') ? true : undefined),
    add(document, events) {
      const { event, data } = named(document)
      const block = numberAt(data, 'contentBlockIndex') ?? -1
      switch (event) {
        case 'exception':
        case 'error':
          return failWithFrame(data)
        case 'messageStart':
          return start(events)
        case 'contentBlockStart':
          start(events)
          return startBlock(blocks, block, objectAt(data, 'start'), events)
        case 'contentBlockDelta': {
          start(events)
          const delta = objectAt(data, 'delta')
          const citation = objectAt(delta, 'citation')
          if (citation) citations.push(citation)
          return addDelta(blocks, block, delta, events)
        }
        case 'contentBlockStop':
          return blocks.close(block, events)
        case 'messageStop':
          start(events)
          readRest(data)
          return stop(data)
        case 'metadata':
          hasMetadata = true
          return readRest(data)
        default:
          // Unknown events are ignored.
          return undefined
      }
    },
    addWhole(answer, events) {
      if (!isObject(answer)) throw invalid('The answer is not a JSON object.')
      failIfError(answer)
      const message = objectAt(objectAt(answer, 'output'), 'message')
      if (!message) throw invalid('The answer has no output.message.')
      start(events)
      for (const [index, content] of listAt(message, 'content').entries()) {
        citations.push(...listAt(objectAt(content, 'citationsContent'), 'citations'))
        addWholeBlock(blocks, index, content, events)
        blocks.close(index, events)
      }
      readRest(answer)
      stop(answer)
    },
    finish() {
      const raw = rawStopReason ?? ''
      const content = blocks.content(isCutByLimit(raw))
      const details: JsonObject = { ...metadata, ...(citations.length > 0 && { citations }) }
      return {
        type: 'response.finished',
        content,
        stop_reason: stopReasonOf(
          raw,
          content.some((part) => part.type === 'tool_call'),
        ),
        raw_stop_reason: raw,
        usage: rawUsage ? usageOf(rawUsage) : estimateUsage(request, blocks.characters),
        ...(rawUsage && { raw_usage: rawUsage }),
        ...(Object.keys(details).length > 0 && { metadata: details }),
      }
    },
  }
}

/** Where the framing has no names, as after a gateway, the one member of a document is its name. */
function named(document: StreamDocument): StreamDocument {
  if (document.event !== undefined && document.event !== 'message') return document
  const event = eventNames.find((name) => isObject(document.data[name]))
  const data = event === undefined ? undefined : objectAt(document.data, event)
  return event !== undefined && data ? { event, data } : document
}

const eventNames = ['messageStart', 'contentBlockStart', 'contentBlockDelta', 'contentBlockStop', 'messageStop', 'metadata'] as const

/** Only calls and images have a head; text and reasoning begin with their first piece. */
function startBlock(blocks: ContentBlocks, block: number, start: JsonObject | undefined, events: ModelEvent[]): void {
  // The number of a block that never ended is used again.
  blocks.close(block, events)
  const call = objectAt(start, 'toolUse')
  const result = objectAt(start, 'toolResult')
  if (call) blocks.startCall(block, callHead(call), events)
  else if (result) blocks.startCall(block, { id: undefined, name: '', isServers: true }, events)
  const format = textAt(objectAt(start, 'image'), 'format')
  if (format !== undefined) blocks.startImage(block, format)
}

const callHead = (call: JsonObject) => ({
  id: textAt(call, 'toolUseId'),
  name: textAt(call, 'name') ?? '',
  isServers: call['type'] === 'server_tool_use',
})

function addDelta(blocks: ContentBlocks, block: number, delta: JsonObject | undefined, events: ModelEvent[]): void {
  if (!delta) return
  const reasoning = objectAt(delta, 'reasoningContent')
  if (reasoning) {
    blocks.addReasoning(
      block,
      { text: textAt(reasoning, 'text'), signature: textAt(reasoning, 'signature'), redacted: textAt(reasoning, 'redactedContent') },
      events,
    )
  }
  blocks.addText(block, textAt(delta, 'text') ?? '', events)
  blocks.addArguments(block, argumentsText(objectAt(delta, 'toolUse')?.['input']), events)
  addImage(blocks, block, objectAt(delta, 'image'))
}

function addWholeBlock(blocks: ContentBlocks, block: number, content: JsonValue, events: ModelEvent[]): void {
  const call = objectAt(content, 'toolUse')
  const reasoning = objectAt(content, 'reasoningContent')
  const cited = objectAt(content, 'citationsContent')
  if (call) {
    blocks.startCall(block, callHead(call), events)
    blocks.addArguments(block, argumentsText(call['input']), events)
  } else if (reasoning) blocks.addReasoning(block, readReasoning(reasoning), events)
  else if (cited) for (const piece of listAt(cited, 'content')) blocks.addText(block, textAt(piece, 'text') ?? '', events)
  else {
    blocks.addText(block, textAt(content, 'text') ?? '', events)
    addImage(blocks, block, objectAt(content, 'image'))
  }
}

function addImage(blocks: ContentBlocks, block: number, image: JsonObject | undefined): void {
  const format = textAt(image, 'format')
  if (format !== undefined) blocks.startImage(block, format)
  blocks.addImage(block, textAt(objectAt(image, 'source'), 'bytes') ?? '')
}

const argumentsText = (input: JsonValue | undefined): string =>
  typeof input === 'string' ? input : input === undefined || input === null ? '' : JSON.stringify(input)

const invalid = (reason: string): Error => callFailure({ failure: 'invalid_response', retryable: true, reason })

/** Token usage. The vendor's `inputTokens` excludes tokens read from and written to its cache. */
export function usageOf(raw: JsonObject): ModelUsage {
  const count = (name: string): number => Math.max(0, Math.round(numberAt(raw, name) ?? 0))
  const cached = count('cacheReadInputTokens')
  const written = count('cacheWriteInputTokens')
  return {
    input_tokens: count('inputTokens') + cached + written,
    cached_input_tokens: cached,
    ...(written > 0 && { cache_write_input_tokens: written }),
    output_tokens: count('outputTokens'),
    reasoning_tokens: 0,
  }
}

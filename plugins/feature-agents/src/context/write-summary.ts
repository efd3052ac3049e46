import { ServiceError } from '@agent-service/sdk'
import { signalWithin, untilAborted } from '@agent-service/sdk/async'
import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import { type ModelMessage, type ModelUsage, providerError } from '@agent-service/sdk/contracts/provider-adapter'
import type { Inference, InferenceAttribution } from '@agent-service/sdk/services/inference'
import type { Resources } from '@agent-service/sdk/services/resources'
import type { TraceContext } from '@agent-service/sdk/services/telemetry'
import { v5 as uuidv5 } from 'uuid'
import { wellFormed } from '../common/well-formed.js'
import { contextWindow } from './budget.js'
import { summaryUnusableError } from './errors.js'
import { estimateText } from './estimate-tokens.js'
import { shorten, takeChunk } from './transcript.js'

/** How long one model call for a summary may take, in milliseconds. */
const callTimeoutMs = 180_000
/** How often a chunk is made smaller because the vendor refuses it as too long. */
const maxOverflows = 3
/** A chunk smaller than this is of no use, in characters. */
const minChunkSize = 400

/** The input of a summary. */
export interface SummaryMaterial {
  /** One entry for each message, from old to new; the newest are never left out. */
  readonly transcript: string
  readonly previous: string | undefined
}

/** Who requests a summary, and how long it may be. */
export interface SummaryOrder {
  readonly group: string
  /** The most tokens that the summary should have. */
  readonly length: number
  readonly attribution: InferenceAttribution
  readonly span?: TraceContext | undefined
  readonly signal: AbortSignal
  /** Receives the usage of each call, also if the summary fails later. */
  onUsage(usage: ModelUsage): void
}

/** A finished summary. */
export interface WrittenSummary {
  readonly text: string
  readonly model: string
}

/** Writes summaries by model calls. */
export interface SummaryWriter {
  /** The most transcript that one summary can cover, in UTF-16 code units. */
  maxTranscriptLength(group: string, length: number): number
  /** @throws `summary_unusable`, what the inference throws, the signal's reason. */
  write(material: SummaryMaterial, order: SummaryOrder): Promise<WrittenSummary>
}

/** How many calls one summary may take. */
const maxCalls = 12
/** The most text that one summary holds in memory. */
const maxTextLength = 4_000_000

export function createSummaryWriter(dependencies: { readonly inference: Inference; readonly resources: Resources }): SummaryWriter {
  const { inference, resources } = dependencies

  /** The most tokens of a chunk, without the instructions, the summary so far and the frame. */
  const roomFor = (group: string, length: number, instructions: number): number => {
    const { window, reserve } = contextWindow(inference, group)
    return window - reserve - instructions - 2 * length - 100
  }

  const ask = async (messages: readonly ModelMessage[], order: SummaryOrder): Promise<WrittenSummary> => {
    const { group, attribution, span } = order
    const signal = signalWithin(callTimeoutMs, order.signal)
    let model = ''
    for await (const event of untilAborted(
      inference.infer({ group, messages, tools: [], attribution, ...(span && { span }) }, { signal }),
      signal,
    )) {
      if (event.type === 'attempt.started') model = event.model
      if (event.type !== 'response.finished') continue
      order.onUsage(event.usage)
      if (event.stop_reason === 'refusal' || event.stop_reason === 'content_filter')
        throw summaryUnusableError.create({ reason: 'the model refused to write it.' })
      const text = event.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
      return { model, text: wellFormed(text).trim() }
    }
    throw summaryUnusableError.create({ reason: 'the answer broke off.' })
  }

  const isTooLong = async (messages: readonly ModelMessage[], { group, signal }: SummaryOrder): Promise<boolean> => {
    const { window, reserve } = contextWindow(inference, group)
    const { tokens } = await inference.countTokens({ group, messages, tools: [] }, { atMost: window - reserve, signal })
    return tokens > window - reserve
  }

  return {
    maxTranscriptLength: (group, length) =>
      Math.min(
        maxTextLength,
        Math.max(minChunkSize, Math.floor(roomFor(group, length, estimatedInstructions) * 4 * maxCalls * chunkSafetyFactor)),
      ),

    async write({ transcript, previous }, order) {
      const instructions = await readInstructions(resources)
      const { group, length } = order
      const perToken = transcript.length / Math.max(1, estimateText(transcript))
      let chunkLength = Math.floor(roomFor(group, length, estimateText(instructions)) * perToken * chunkSafetyFactor)
      let overflows = 0
      let text = previous
      let model = ''
      for (let rest = transcript; rest !== ''; ) {
        order.signal.throwIfAborted()
        if (chunkLength < minChunkSize) throw summaryUnusableError.create({ reason: 'the model’s window is too small to write one.' })
        const chunk = takeChunk(rest, chunkLength)
        const messages = askFor(instructions, { previous: text, chunk, length, fence: uuidv5(chunk, fenceNamespace) })
        if (await isTooLong(messages, order)) {
          chunkLength = Math.floor(Math.min(chunkLength, chunk.length) / 2)
          continue
        }
        try {
          const written = await ask(messages, order)
          if (written.text === '') throw summaryUnusableError.create({ reason: 'it is empty.' })
          if (written.text.length > chunk.length + (text?.length ?? 0))
            throw summaryUnusableError.create({ reason: 'it is longer than the text it would replace.' })
          model = written.model
          // An endless summary would leave no room for the rest.
          text = shorten(written.text, Math.floor(length * 2 * Math.max(1, written.text.length / estimateText(written.text))))
          rest = rest.slice(chunk.length)
        } catch (error) {
          if (!isOverflow(error) || overflows === maxOverflows) throw timedOut(error, order.signal)
          overflows += 1
          chunkLength = Math.floor(Math.min(chunkLength, chunk.length) / 2)
        }
      }
      return { text: text ?? '', model }
    },
  }
}

/** Chunks are smaller than their estimate allows, so that they rarely have to be cut again. */
const chunkSafetyFactor = 0.7
/** The approximate size of the instructions file, in tokens. */
const estimatedInstructions = 400
const fenceNamespace = '5d3c1c9e-5f0a-4c55-9b57-0c8c5c6a4f11'

const isOverflow = (error: unknown): boolean => providerError.isInstance(error) && error.details['failure'] === 'context_overflow'

/** Our own timeout is a failure like any other; an abort by the caller is not. */
function timedOut(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted || ServiceError.isInstance(error)) return error
  const isTimeout = error instanceof DOMException && error.name === 'TimeoutError'
  return isTimeout ? summaryUnusableError.create({ reason: `it took longer than ${callTimeoutMs / 1_000} seconds.` }) : error
}

async function readInstructions(resources: Resources): Promise<string> {
  try {
    return (await resources.read('prompts/tasks/summary.md')).trim()
  } catch (error) {
    if (!notFoundError.isInstance(error)) throw error
    throw summaryUnusableError.create(
      { reason: 'the file prompts/tasks/summary.md is missing in storage.shared_config_dir.' },
      { cause: error },
    )
  }
}

/** The material stands between two lines that its authors could not know. */
function askFor(
  instructions: string,
  {
    previous,
    chunk,
    length,
    fence,
  }: { readonly previous: string | undefined; readonly chunk: string; readonly length: number; readonly fence: string },
): readonly ModelMessage[] {
  const words = Math.floor(length * 0.7)
  const earlier = previous === undefined ? '' : `The summary of what was before:\n${previous}\n\n`
  const text = `----- material ${fence} -----\n${earlier}The messages that follow it:\n${chunk}\n----- end of the material ${fence} -----\n\nWrite the summary of all of it in at most ${words} words.`
  return [
    { role: 'system', content: [{ type: 'text', text: instructions }] },
    { role: 'user', content: [{ type: 'text', text }] },
  ]
}

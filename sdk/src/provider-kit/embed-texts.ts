import { type EmbeddingRequest, type EmbeddingResult, maxEmbeddingInputs } from '../contracts/provider-adapter/index.js'
import type { JsonObject, JsonValue } from '../core/json.js'
import { isObject } from './common/json.js'
import { type Exchange, type ExchangeRequest, sendExchange, translateFailure } from './exchange.js'
import { callFailure } from './failures/call-failure.js'
import { toProviderError } from './failures/to-error.js'
import { type AnswerProgress, readWholeBody } from './read-answer.js'
import type { ModelPost } from './send-post.js'
import { startDeadline } from './transport/deadline.js'
import type { ResponseHeaders } from './transport/upstream-response.js'

/** The vectors of one call, in the family's format. */
export interface EmbeddingPart {
  /**
   * In the order of the inputs: lists of numbers, or float32 values in base64. Checked by the kit.
   */
  readonly vectors: readonly (JsonValue | undefined)[]
  /** Absent where the vendor gives none. */
  readonly inputTokens?: number | undefined
  /** The model as the answer names it, if it does. */
  readonly model?: string | undefined
}

/** What an embedding by a protocol is made of. */
export interface EmbeddingCall extends Omit<Exchange, 'prepare'> {
  /** Inputs of one call. */
  readonly maxInputs: number
  /**
   * UTF-16 code units of all inputs of one call; a single longer input goes alone. Default: no
   * limit.
   */
  readonly maxCharacters?: number
  /** Makes the request for some of the inputs. @throws a call failure if it cannot be made. */
  prepare(inputs: readonly string[], signal: AbortSignal): ModelPost | Promise<ModelPost>
  /** Reads an answer. @throws a call failure if it is an error in disguise. */
  read(answer: JsonObject, headers: ResponseHeaders): EmbeddingPart
}

/**
 * Makes vectors of texts over HTTP, in as many calls as the vendor wants, one after the other:
 * limits, cancelling and failures as for {@link callModel}. The number of vectors, their length and
 * their numbers are checked. @throws provider errors only; an abort throws the signal's reason.
 */
export async function embedTexts(request: EmbeddingRequest, call: EmbeddingCall): Promise<EmbeddingResult> {
  call.signal.throwIfAborted()
  const problem = problemOf(request)
  if (problem !== undefined) throw toProviderError({ failure: 'bad_request', retryable: false, reason: problem }, request)
  const started = performance.now()
  const vectors: (readonly number[])[] = []
  let inputTokens = 0
  let isEstimated = false
  let model = request.model
  for (const inputs of batchesOf(request.inputs, call)) {
    const totalMs = Math.max(1, request.timeouts.totalMs - Math.round(performance.now() - started))
    const part = await embedBatch({ ...request, timeouts: { ...request.timeouts, totalMs }, stream: false }, inputs, call)
    for (const vector of part.vectors) vectors.push(vector)
    inputTokens += part.inputTokens ?? inputs.reduce((sum, input) => sum + Math.ceil(input.length / 4), 0)
    isEstimated ||= part.inputTokens === undefined
    model = part.model ?? model
  }
  const different = vectors.find(({ length }) => length !== vectors[0]?.length)
  if (different) {
    const reason = `The vectors have different lengths: ${vectors[0]?.length} and ${different.length}.`
    throw toProviderError({ failure: 'invalid_response', retryable: false, reason }, request)
  }
  return { vectors, model, usage: { input_tokens: inputTokens, ...(isEstimated && { estimated: true as const }) } }
}

function problemOf({ inputs, dimensions }: EmbeddingRequest): string | undefined {
  if (inputs.length === 0) return 'The request has no texts.'
  if (inputs.length > maxEmbeddingInputs) return `The request has ${inputs.length} texts; at most ${maxEmbeddingInputs} are allowed.`
  const empty = inputs.findIndex((input) => input.trim() === '')
  if (empty >= 0) return `Text ${empty + 1} of ${inputs.length} is empty. Leave it out.`
  if (dimensions !== undefined && !(Number.isInteger(dimensions) && dimensions > 0))
    return `${dimensions} is not a valid length of a vector.`
  return undefined
}

function batchesOf(
  inputs: readonly string[],
  { maxInputs, maxCharacters = Number.POSITIVE_INFINITY }: EmbeddingCall,
): readonly (readonly string[])[] {
  const batches: string[][] = []
  let characters = 0
  for (const input of inputs) {
    const batch = batches.at(-1)
    if (batch && batch.length < maxInputs && characters + input.length <= maxCharacters) {
      batch.push(input)
      characters += input.length
    } else {
      batches.push([input])
      characters = input.length
    }
  }
  return batches
}

interface CheckedPart extends Omit<EmbeddingPart, 'vectors'> {
  readonly vectors: readonly (readonly number[])[]
}

async function embedBatch(
  request: ExchangeRequest & EmbeddingRequest,
  inputs: readonly string[],
  call: EmbeddingCall,
): Promise<CheckedPart> {
  const exchange: Exchange = { ...call, prepare: (signal) => call.prepare(inputs, signal) }
  const deadline = startDeadline(request.timeouts, call.signal)
  const progress: AnswerProgress = { wholeAnswerRead: false }
  try {
    const response = await sendExchange(request, exchange, deadline)
    const answer = await readWholeBody({ response, deadline, progress })
    if (!isObject(answer)) throw invalid('The answer is not a JSON object.')
    const part = call.read(answer, response.headers)
    if (part.vectors.length !== inputs.length)
      throw invalid(`The vendor returned ${part.vectors.length} vectors for ${inputs.length} texts.`)
    return { ...part, vectors: part.vectors.map((vector) => checkedVector(vector, request.dimensions)) }
  } catch (error) {
    throw translateFailure(error, request, exchange, deadline)
  } finally {
    deadline.close(progress)
  }
}

function checkedVector(vector: JsonValue | undefined, dimensions: number | undefined): readonly number[] {
  const numbers = typeof vector === 'string' ? floatsOf(vector) : vector
  if (!Array.isArray(numbers) || numbers.length === 0) throw invalid('A vector is not a list of numbers.')
  if (!numbers.every((number) => Number.isFinite(number))) throw invalid('A vector contains values that are not finite numbers.')
  if (dimensions !== undefined && numbers.length !== dimensions)
    throw invalid(
      `The vendor returned a vector of length ${numbers.length} instead of ${dimensions}. The model may not support other lengths.`,
    )
  return numbers as readonly number[]
}

/** 32-bit floats, the least significant byte first. */
function floatsOf(text: string): readonly number[] | undefined {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length % 4 !== 0) return undefined
  return Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readFloatLE(index * 4))
}

const invalid = (reason: string): Error => callFailure({ failure: 'invalid_response', retryable: false, reason })

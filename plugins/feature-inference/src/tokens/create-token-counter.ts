import { setImmediate } from 'node:timers/promises'
import type { Logger } from '@agent-service/sdk'
import { type Inference, type InferenceLimits, type ModelGroup, modelGroupUnknownError } from '@agent-service/sdk/services/inference'
import type { TokenWorker } from './create-token-worker.js'
import { estimateTokens } from './estimate-tokens.js'
import { framingOf } from './framing.js'
import { piecesOf, type RequestPieces } from './request-pieces.js'
import { createTextCounts, type TextCounts } from './text-counts.js'
import { encodingOf, type TokenEncoding } from './token-encoding.js'

/**
 * How many characters are processed before yielding to the event loop, and sent to the thread at
 * once.
 */
const maxBatchLength = 131_072

/** What the counter depends on. */
export interface TokenCounterDependencies {
  readonly groups: () => readonly ModelGroup[]
  readonly limits: Pick<InferenceLimits, 'default_max_tokens'>
  readonly worker: Pick<TokenWorker, 'count'>
  readonly log: Logger
  /** Default: the last 32,768. */
  readonly remembered?: TextCounts
}

/** Counts the tokens of requests, with the tokenizer of the group's own model if it is known. */
export function createTokenCounter(dependencies: TokenCounterDependencies): Inference['countTokens'] {
  const { groups, limits, worker, log, remembered = createTextCounts() } = dependencies

  const countTexts = async (encoding: TokenEncoding, texts: readonly string[], signal: AbortSignal): Promise<number> => {
    let tokens = 0
    let missing = new Map<string, { readonly text: string; times: number }>()
    let handled = 0

    const countMissing = async (): Promise<void> => {
      const batch = [...missing]
      missing = new Map()
      const counts = await worker.count(
        encoding,
        batch.map(([, { text }]) => text),
        signal,
      )
      for (const [index, [name, { times }]] of batch.entries()) {
        const count = counts[index] ?? 0
        remembered.remember(name, count)
        tokens += count * times
      }
    }

    let missingLength = 0
    for (const text of texts) {
      const name = remembered.nameOf(encoding, text)
      const known = remembered.find(name)
      const same = missing.get(name)
      if (known !== undefined) tokens += known
      else if (same) same.times += 1
      else {
        missing.set(name, { text, times: 1 })
        missingLength += text.length
      }
      handled += text.length
      if (missingLength > maxBatchLength) {
        missingLength = 0
        await countMissing()
      } else if (handled > maxBatchLength) {
        handled = 0
        await setImmediate(undefined, { signal })
      }
    }
    if (missing.size > 0) await countMissing()
    return tokens
  }

  const estimateText = (text: string): number => {
    if (text.length < minRememberedLength) return estimateTokens(text)
    const name = remembered.nameOf('estimate', text)
    const known = remembered.find(name)
    if (known !== undefined) return known
    const tokens = estimateTokens(text)
    remembered.remember(name, tokens)
    return tokens
  }

  const estimateTexts = async (texts: readonly string[], signal: AbortSignal): Promise<number> => {
    let tokens = 0
    let handled = 0
    for (const text of texts)
      for (let start = 0; start < text.length; start += maxBatchLength) {
        const piece = text.length <= maxBatchLength ? text : text.slice(start, start + maxBatchLength)
        tokens += estimateText(piece)
        handled += piece.length
        if (handled < maxBatchLength) continue
        handled = 0
        await setImmediate(undefined, { signal })
      }
    return tokens
  }

  /** Every request of an agent has the same tools, so they are estimated once. */
  const estimatePieces = async ({ texts, tools }: RequestPieces, signal: AbortSignal): Promise<number> => {
    let tokens = await estimateTexts(texts, signal)
    for (const tool of tools) {
      const known = toolEstimates.get(tool)
      const estimate = known ?? (await estimateTexts(tool, signal))
      if (known === undefined) toolEstimates.set(tool, estimate)
      tokens += estimate
    }
    return tokens
  }

  return async ({ group: wanted, messages, tools }, { signal = never, atMost } = {}) => {
    signal.throwIfAborted()
    const group = findGroup(groups(), wanted)
    const window = group.context_window
    const space = { window, reserve: Math.min(group.max_tokens ?? limits.default_max_tokens, Math.floor(window / 2)) }
    const pieces = piecesOf({ messages, tools }, framingOf(group.model))
    const { fixed, guessed } = pieces
    const estimate = fixed + (await estimatePieces(pieces, signal))
    const encoding = encodingOf(group.model)
    const estimateSuffices = encoding === undefined || (atMost !== undefined && estimate * safetyFactor <= atMost)
    if (estimateSuffices) return { tokens: estimate, exact: false, ...space }
    try {
      const texts = [...pieces.tools.flat(), ...pieces.texts]
      return { tokens: fixed + (await countTexts(encoding, texts, signal)), exact: !guessed, ...space }
    } catch (error) {
      signal.throwIfAborted()
      log.warn('Tokens were estimated instead of counted.', { group: group.name, model: group.model, error })
      return { tokens: estimate, exact: false, ...space }
    }
  }
}

/** Text without words may have more tokens than estimated. */
const safetyFactor = 4 / 3

const never = new AbortController().signal

/** Estimating shorter texts is faster than looking them up. */
const minRememberedLength = 1_024
const toolEstimates = new WeakMap<readonly string[], number>()

function findGroup(groups: readonly ModelGroup[], name: string): ModelGroup {
  const group = groups.find((known) => known.name === name) ?? groups.find((known) => known.name === 'primary')
  if (group) return group
  throw modelGroupUnknownError.create({ group: name, known: groups.map((known) => known.name) })
}

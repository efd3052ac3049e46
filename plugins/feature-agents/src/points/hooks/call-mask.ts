import type { MaskedTexts, MaskedTextsKind } from '@agent-service/sdk/contracts/agent-run-hook'
import type { ToolContent } from '@agent-service/sdk/contracts/tool'
import { textsOf, withTexts } from './content-texts.js'
import type { RunHooks, WithheldTexts } from './run-hooks.js'

/** Identifies the call. */
export type MaskedCall = Pick<MaskedTexts, 'userId' | 'agentId' | 'chatId' | 'runId' | 'callId' | 'tool'>

/**
 * Masks all output of one call, one text after the other, so that hooks see it in order. Rejects
 * only with the signal's reason.
 */
export interface CallMask {
  result(content: readonly ToolContent[], signal: AbortSignal): Promise<readonly ToolContent[] | WithheldTexts>
  /**
   * The masked progress message that a person may see; undefined: newer messages have come, and
   * this one is skipped.
   */
  progress(message: string): Promise<string | undefined>
  /**
   * The next piece of the output that the call shows, masked as far as hooks have decided it.
   * `undefined` as in {@link progress}.
   */
  output(text: string): Promise<string | undefined>
  /** Whether {@link output} takes whole lines alone, but for long ones. */
  byLines(): boolean
  /** The error of a tool, masked for the log. */
  error(error: unknown): Promise<unknown>
}

/** How many progress messages of a call may wait to be masked; older ones are skipped. */
const maxWaiting = 50

export function createCallMask(hooks: Pick<RunHooks, 'has' | 'mask'> & Partial<Pick<RunHooks, 'masksLines'>>, call: MaskedCall): CallMask {
  let last: Promise<unknown> = Promise.resolve()
  let newest = 0
  let resultCame = false

  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work)
    last = result.catch(() => undefined)
    return result
  }
  const mask = (kind: MaskedTextsKind, texts: readonly string[], signal?: AbortSignal) => hooks.mask({ ...call, kind, texts }, signal)

  /** What the tool says while it runs. */
  const spoken = async (kind: 'progress' | 'output', text: string): Promise<string | undefined> => {
    if (!hooks.has('mask')) return text
    newest += 1
    const own = newest
    const masked = await inTurn(async () => (resultCame || newest - own > maxWaiting ? undefined : mask(kind, [text])))
    return masked === undefined ? undefined : textOf(masked)
  }

  return {
    async result(content, signal) {
      resultCame = true
      if (!hooks.has('mask')) return content
      const texts = textsOf(content)
      if (texts.length === 0) return content
      const masked = await inTurn(() => mask('result', texts, signal))
      return 'withheld' in masked ? masked : withTexts(content, masked)
    },
    progress: (message) => spoken('progress', message),
    output: (text) => spoken('output', text),
    byLines: () => hooks.masksLines?.() ?? true,
    error: async (error) => (hooks.has('mask') ? inTurn(() => maskedError(error, (texts) => mask('error', texts))) : error),
  }
}

/** Masks a text of a tool outside a running call. */
export async function maskText(
  hooks: Pick<RunHooks, 'has' | 'mask'>,
  call: MaskedCall,
  kind: MaskedTextsKind,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<readonly string[] | WithheldTexts> {
  return hooks.has('mask') && texts.length > 0 ? hooks.mask({ ...call, kind, texts }, signal) : texts
}

const textOf = (masked: readonly string[] | WithheldTexts): string => ('withheld' in masked ? `[${masked.withheld}]` : (masked[0] ?? ''))

/** How many causes of an error are masked and kept. */
const maxCauses = 5

async function maskedError(
  error: unknown,
  mask: (texts: readonly string[]) => Promise<readonly string[] | WithheldTexts>,
): Promise<unknown> {
  const chain: { readonly name: string; readonly texts: readonly string[] }[] = []
  for (let one: unknown = error; one !== undefined && chain.length < maxCauses; one = one instanceof Error ? one.cause : undefined)
    chain.push(
      one instanceof Error ? { name: one.name, texts: [one.message, one.stack ?? ''] } : { name: 'Error', texts: [String(one), ''] },
    )
  const masked = await mask(chain.flatMap(({ texts }) => texts))
  if ('withheld' in masked) return new Error(`[${masked.withheld}]`)
  return chain.reduceRight<Error | undefined>((cause, { name }, index) => {
    const made = new Error(masked[2 * index] ?? '', ...(cause ? [{ cause }] : []))
    made.name = name
    made.stack = masked[2 * index + 1] ?? ''
    return made
  }, undefined)
}

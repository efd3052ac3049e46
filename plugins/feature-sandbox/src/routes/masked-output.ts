import type { SecretMask } from '@agent-service/sdk/services/agent-credentials'
import type { SandboxOutput, SandboxProcess } from '@agent-service/sdk/services/sandbox'
import { contextBytes, type ProcessMasks, splitAt } from '../credentials/process-masks.js'
import { createOutputDecoder, type OutputText } from './output-decoder.js'

/** What a reader wants of a process. */
export interface OutputWish {
  /** The position of the first byte. */
  readonly from: number
  /** Whether to go on until the process ends. */
  readonly follow: boolean
  readonly signal: AbortSignal
}

/** A piece of output that was read, and what can be shown now. */
export interface MaskedPiece {
  /** The position of its first byte. */
  readonly offset: number
  readonly bytes: number
  /** Empty if all of it is held back; `undefined`: it has no whole character. */
  readonly text: OutputText | undefined
}

/**
 * The output of a process with the secrets of its agent masked. What may be the beginning of a
 * secret comes with a later piece, or with {@link rest}.
 */
export function readMasked(process: SandboxProcess, masks: ProcessMasks, { from, follow, signal }: OutputWish) {
  const decoder = createOutputDecoder()
  const streams = new Map<SandboxOutput['stream'], SecretMask>()
  const maskOf = async (stream: SandboxOutput['stream']): Promise<SecretMask> => {
    const mask = streams.get(stream) ?? (await masks.of(process.view().principal))
    streams.set(stream, mask)
    return mask
  }
  const masked = async (text: OutputText | undefined): Promise<OutputText | undefined> => {
    if (text === undefined) return undefined
    return { ...text, text: (await maskOf(text.stream)).take(text.text) }
  }
  return {
    async *pieces(): AsyncGenerator<MaskedPiece> {
      for await (const piece of process.output({ from: Math.max(0, from - contextBytes), follow, signal })) {
        const { before, after } = splitAt(piece, from)
        if (before) await masked(decoder.take(before))
        if (after) yield { offset: after.offset, bytes: after.bytes.length, text: await masked(decoder.take(after)) }
      }
    },
    /** What was held back. `isEnd`: also characters that never became whole. */
    async rest(position: number, isEnd: boolean): Promise<readonly OutputText[]> {
      const texts: OutputText[] = []
      for (const text of isEnd ? decoder.rest() : []) {
        if (text.next <= from) continue
        const shown = await masked(text)
        if (shown && shown.text !== '') texts.push(shown)
      }
      for (const [stream, mask] of streams) {
        const text = mask.end()
        if (text !== '') texts.push({ stream, from: position, next: position, text })
      }
      return texts
    },
  }
}

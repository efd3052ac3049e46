import { signalWithin } from '@agent-service/sdk/async'
import type { SecretMask } from '@agent-service/sdk/services/agent-credentials'
import type { SandboxProcess } from '@agent-service/sdk/services/sandbox'
import { contextBytes, splitAt } from '../../credentials/process-masks.js'
import { createPlainText, fromWholeCharacter, wholeBytes, withoutOverwritten } from '../../output/plain-text.js'

/** The most that one reading gives, in bytes. */
export const maxReadBytes = 30_000

/** A part of a process's output. */
export interface OutputPart {
  /** The text, without escape sequences. */
  readonly text: string
  /** Where it begins: behind the wanted offset if what stood there is no longer kept. */
  readonly offset: number
  /** Where to continue. */
  readonly next: number
  /** There is more than fits. */
  readonly more: boolean
}

/**
 * Output from an offset on, in bytes, masked. If there is none yet, waits for it, at most `waitMs`,
 * or for the end of the process.
 */
export async function readOutput(
  process: SandboxProcess,
  wish: { readonly from: number; readonly waitMs: number; readonly signal: AbortSignal; readonly mask: SecretMask },
): Promise<OutputPart> {
  const { from, waitMs, signal, mask } = wish
  if (waitMs > 0) await waitForOutput(process, from, waitMs, signal)
  const plain = createPlainText()
  const pieces: Uint8Array[] = []
  let offset: number | undefined
  let length = 0
  let hasContext = false
  for await (const piece of process.output({ from: Math.max(0, from - contextBytes), follow: false, signal })) {
    const { before, after } = splitAt(piece, from)
    // A secret that begins before the offset is found too; what is before it is not shown.
    if (before) {
      hasContext = true
      mask.take(plain.take(before.bytes))
    }
    if (after === undefined) continue
    offset ??= after.offset
    const room = maxReadBytes - length
    pieces.push(after.bytes.subarray(0, room))
    length += Math.min(room, after.bytes.byteLength)
    if (length === maxReadBytes) break
  }
  const start = offset ?? from
  const { endedAt, outputBytes } = process.view()
  const all = new Uint8Array(Buffer.concat(pieces))
  const reachesEnd = start + all.byteLength >= outputBytes
  // What has begun is whole in the next reading, unless nothing will follow.
  const whole = !reachesEnd ? wholeLines(all) : endedAt !== null ? all.byteLength : wholeBytes(all)
  const bytes = all.subarray(0, whole)
  const text = mask.take(plain.take(hasContext ? bytes : fromWholeCharacter(bytes)) + plain.end()) + mask.end()
  return { text: withoutOverwritten(text), offset: start, next: start + whole, more: !reachesEnd }
}

/** A secret stands in one line as a rule, so that lines are not cut; a very long one is, between characters. */
function wholeLines(bytes: Uint8Array): number {
  const end = bytes.lastIndexOf(lineFeed) + 1
  return end > bytes.byteLength / 2 ? end : wholeBytes(bytes)
}

const lineFeed = 0x0a

async function waitForOutput(process: SandboxProcess, from: number, waitMs: number, signal: AbortSignal): Promise<void> {
  const limit = signalWithin(waitMs, signal)
  try {
    for await (const _ of process.output({ from, signal: limit })) return
  } catch (error) {
    signal.throwIfAborted()
    if (!limit.aborted) throw error
  }
}

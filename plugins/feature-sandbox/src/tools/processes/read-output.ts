import { signalWithin } from '@agent-service/sdk/async'
import type { SandboxProcess } from '@agent-service/sdk/services/sandbox'
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
 * Output from an offset on, in bytes. If there is none yet, waits for it, at most `waitMs`, or for
 * the end of the process.
 */
export async function readOutput(
  process: SandboxProcess,
  { from, waitMs, signal }: { readonly from: number; readonly waitMs: number; readonly signal: AbortSignal },
): Promise<OutputPart> {
  if (waitMs > 0) await waitForOutput(process, from, waitMs, signal)
  const pieces: Uint8Array[] = []
  let offset: number | undefined
  let length = 0
  for await (const piece of process.output({ from, follow: false, signal })) {
    offset ??= piece.offset
    const room = maxReadBytes - length
    pieces.push(piece.bytes.subarray(0, room))
    length += Math.min(room, piece.bytes.byteLength)
    if (length === maxReadBytes) break
  }
  const start = offset ?? from
  const { endedAt, outputBytes } = process.view()
  const all = new Uint8Array(Buffer.concat(pieces))
  const reachesEnd = start + all.byteLength >= outputBytes
  // What has begun is whole in the next reading, unless nothing will follow.
  const whole = reachesEnd && endedAt !== null ? all.byteLength : wholeBytes(all)
  const plain = createPlainText()
  const text = plain.take(fromWholeCharacter(all.subarray(0, whole))) + plain.end()
  return { text: withoutOverwritten(text), offset: start, next: start + whole, more: !reachesEnd }
}

async function waitForOutput(process: SandboxProcess, from: number, waitMs: number, signal: AbortSignal): Promise<void> {
  const limit = signalWithin(waitMs, signal)
  try {
    for await (const _ of process.output({ from, signal: limit })) return
  } catch (error) {
    signal.throwIfAborted()
    if (!limit.aborted) throw error
  }
}

import { onAbort } from '@agent-service/sdk/async'
import type { SandboxOutput, SandboxOutputOptions } from '@agent-service/sdk/services/sandbox'

/** How much of the output of a process is kept. */
export const keptOutputBytes = 1_048_576

const maxPieceBytes = 65_536
/** Bounds the memory of output that comes in many small pieces of changing streams. */
const maxPieces = 4_096

/** The last of what a process has written, with any number of readers. */
export interface OutputLog {
  /** How much was written. */
  readonly total: number
  /** How much is kept. */
  readonly kept: number
  append(stream: SandboxOutput['stream'], bytes: Uint8Array): void
  /** Readers end once they have read everything. */
  end(): void
  read(options?: SandboxOutputOptions): AsyncIterable<SandboxOutput>
}

/** Bytes of one stream that followed each other; `buffer` has room for more. */
interface Piece {
  readonly stream: SandboxOutput['stream']
  readonly offset: number
  buffer: Uint8Array
  length: number
}

export function createOutputLog(maxBytes = keptOutputBytes): OutputLog {
  const pieces: Piece[] = []
  const waiting = new Set<() => void>()
  let total = 0
  let ended = false

  const first = (): number => Math.max(pieces[0]?.offset ?? total, total - maxBytes)
  const wake = (): void => {
    for (const each of [...waiting]) each()
  }
  const drop = (): void => {
    const beyond = ({ offset, length }: Piece): boolean => offset + length <= total - maxBytes
    while (pieces.length > maxPieces || (pieces[0] !== undefined && beyond(pieces[0]))) pieces.shift()
  }
  return {
    get total() {
      return total
    },
    get kept() {
      return total - first()
    },
    append(stream, bytes) {
      for (let from = 0; from < bytes.length; from += maxPieceBytes) {
        const part = bytes.subarray(from, from + maxPieceBytes)
        const last = pieces.at(-1)
        if (last !== undefined && last.stream === stream && last.length + part.length <= maxPieceBytes) extend(last, part)
        else pieces.push({ stream, offset: total, buffer: part.slice(), length: part.length })
        total += part.length
      }
      drop()
      wake()
    },
    end() {
      ended = true
      wake()
    },
    async *read({ from = 0, follow = true, signal } = {}) {
      let position = Math.max(from, 0)
      for (;;) {
        signal?.throwIfAborted()
        position = Math.max(position, first())
        const piece = pieceAt(pieces, position)
        if (piece !== undefined) {
          const start = position - piece.offset
          const bytes = piece.buffer.slice(start, piece.length)
          yield { stream: piece.stream, offset: position, bytes }
          position += bytes.length
        } else if (ended || !follow) return
        else await changeOf(waiting, signal)
      }
    },
  }
}

function extend(piece: Piece, bytes: Uint8Array): void {
  const length = piece.length + bytes.length
  if (length > piece.buffer.length) {
    const larger = new Uint8Array(Math.min(maxPieceBytes, Math.max(length, piece.buffer.length * 2)))
    larger.set(piece.buffer.subarray(0, piece.length))
    piece.buffer = larger
  }
  piece.buffer.set(bytes, piece.length)
  piece.length = length
}

/** The piece with the byte at a position, by halving. */
function pieceAt(pieces: readonly Piece[], position: number): Piece | undefined {
  let low = 0
  let high = pieces.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const piece = pieces[middle]
    if (piece === undefined) return undefined
    if (position < piece.offset) high = middle - 1
    else if (position >= piece.offset + piece.length) low = middle + 1
    else return piece
  }
  return undefined
}

async function changeOf(waiting: Set<() => void>, signal: AbortSignal | undefined): Promise<void> {
  let forget: () => void = () => undefined
  await new Promise<void>((resolve) => {
    waiting.add(resolve)
    const stop = onAbort(signal, () => resolve())
    forget = () => {
      stop()
      waiting.delete(resolve)
    }
  })
  forget()
}

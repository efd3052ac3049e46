import type { Readable } from 'node:stream'

/** Bytes of one stream. */
export interface OutputChunk {
  readonly stream: 'stdout' | 'stderr' | 'terminal'
  /** 1 to 65,536. */
  readonly bytes: Uint8Array
}

const maxBytes = 65_536

/**
 * The chunks of several streams as they come, until all have ended or been destroyed. Nothing is
 * read ahead of the reader but what a stream holds itself.
 */
export async function* createOutput(streams: readonly (readonly [OutputChunk['stream'], Readable])[]): AsyncGenerator<OutputChunk> {
  let wake = (): void => undefined
  // A stream that fails has ended for its reader, like one whose process was killed.
  for (const [, readable] of streams) for (const event of ['readable', 'end', 'close', 'error']) readable.on(event, () => wake())
  for (;;) {
    let isIdle = true
    for (const [stream, readable] of streams) {
      const read = readable.read() as Buffer | null
      if (read === null) continue
      isIdle = false
      yield* chunksOf(stream, read)
    }
    if (!isIdle) continue
    if (streams.every(([, readable]) => readable.readableEnded || readable.destroyed)) return
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  }
}

/** The same bytes in pieces that an event may have. */
export function* chunksOf(stream: OutputChunk['stream'], bytes: Buffer): Generator<OutputChunk> {
  for (let from = 0; from < bytes.length; from += maxBytes) yield { stream, bytes: new Uint8Array(bytes.subarray(from, from + maxBytes)) }
}

import type { Readable } from 'node:stream'

/** Bytes of one stream. */
export interface OutputChunk {
  readonly stream: 'stdout' | 'stderr' | 'terminal'
  /** 1 to 65,536. */
  readonly bytes: Uint8Array
}

const maxBytes = 65_536

/** The chunks of several streams as they come. Nothing is read ahead of the reader but a chunk of each. */
export async function* createOutput(streams: readonly (readonly [OutputChunk['stream'], Readable])[]): AsyncGenerator<OutputChunk> {
  const sources = streams.map(([stream, readable]) => ({ stream, chunks: readable[Symbol.asyncIterator]() as AsyncIterator<Buffer> }))
  const next = async (source: (typeof sources)[number]) => ({ source, result: await source.chunks.next() })
  const pending = new Map(sources.map((source) => [source, next(source)]))
  while (pending.size > 0) {
    const { source, result } = await Promise.race(pending.values())
    if (result.done === true) {
      pending.delete(source)
      continue
    }
    for (let from = 0; from < result.value.length; from += maxBytes)
      yield { stream: source.stream, bytes: new Uint8Array(result.value.subarray(from, from + maxBytes)) }
    pending.set(source, next(source))
  }
}

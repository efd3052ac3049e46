import type { Readable } from 'node:stream'

/** Bytes of one stream of a process. */
export interface ProcessOutput {
  /** `terminal` if the process has one, else one of the others. */
  readonly stream: 'stdout' | 'stderr' | 'terminal'
  /** 1 to 65,536 bytes. */
  readonly bytes: Uint8Array
}

const maxBytes = 65_536

/** Splits what is longer than an output may be. */
export function* splitOutput(stream: ProcessOutput['stream'], bytes: Buffer): Generator<ProcessOutput> {
  for (let from = 0; from < bytes.length; from += maxBytes) yield { stream, bytes: new Uint8Array(bytes.subarray(from, from + maxBytes)) }
}

/**
 * The output of several streams as it comes. Nothing is read ahead of the reader but a chunk of
 * each, so that a process whose output is not read waits.
 */
export async function* mergeOutput(
  streams: readonly (readonly [stream: ProcessOutput['stream'], from: Readable])[],
): AsyncGenerator<ProcessOutput> {
  const sources = streams.map(([stream, from]) => ({ stream, chunks: from[Symbol.asyncIterator]() as AsyncIterator<Buffer> }))
  const next = async (source: (typeof sources)[number]) => ({ source, result: await source.chunks.next() })
  const pending = new Map(sources.map((source) => [source, next(source)]))
  while (pending.size > 0) {
    const { source, result } = await Promise.race(pending.values())
    if (result.done === true) {
      pending.delete(source)
      continue
    }
    yield* splitOutput(source.stream, result.value)
    pending.set(source, next(source))
  }
}

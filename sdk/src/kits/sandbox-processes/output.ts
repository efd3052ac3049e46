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
 * The output of several streams as it comes, until all have ended or been destroyed. Nothing is read
 * ahead of the reader but what a stream holds itself, so that a process whose output is not read
 * waits. A stream that fails has ended for its reader, like that of a killed process.
 */
export async function* mergeOutput(
  streams: readonly (readonly [stream: ProcessOutput['stream'], from: Readable])[],
): AsyncGenerator<ProcessOutput> {
  let wake = (): void => undefined
  for (const [, from] of streams) for (const event of ['readable', 'end', 'close', 'error']) from.on(event, () => wake())
  for (;;) {
    let isIdle = true
    for (const [stream, from] of streams) {
      const read = from.read() as Buffer | null
      if (read === null) continue
      isIdle = false
      yield* splitOutput(stream, read)
    }
    if (!isIdle) continue
    if (streams.every(([, from]) => from.readableEnded || from.destroyed)) return
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  }
}

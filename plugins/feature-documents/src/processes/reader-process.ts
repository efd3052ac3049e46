import { type Child, type ChildExit, startChild } from '@agent-service/sdk/process'
import { createFrameReader, frameHead } from './frames.js'
import { type DetectedType, maxTextCharacters, type ReadAnswer, type ReadJob } from './protocol.js'
import { type ReaderLimits, readerCommand } from './reader-command.js'

/** What became of a document, with its text. */
export interface ReadResult {
  readonly answer: ReadAnswer
  readonly text: string
}

/** The end of a reader that has not answered. */
export interface ReaderEnd {
  readonly ended: ChildExit
}

/** A process that reads documents, one at a time. */
export interface ReaderProcess {
  readonly pid: number
  /** Reads a document. @throws the reason of the signal; an answer may then still be on its way, so end the process. */
  read(job: ReadJob, bytes: Uint8Array, onDetected: (mediaType: string) => void): Promise<ReadResult | ReaderEnd>
  /** Ends the process, even while it reads. Resolves when it is gone. */
  end(): Promise<void>
  /** Calls back when the process has ended, for any reason. */
  onEnd(callback: () => void): void
}

export async function startReader(limits: ReaderLimits, signal: AbortSignal): Promise<ReaderProcess> {
  const child = await startChild(readerCommand(limits))
  if (signal.aborted) await kill(child)
  signal.throwIfAborted()
  const answers = createFrameReader(child.output, { maxPayloadBytes: maxTextCharacters * 4 })
  return {
    pid: child.pid,
    async read(job, bytes, onDetected) {
      // A reader that ends early does not take all of the document; what became of it is in its answer or its exit.
      const sent = send(child, job, bytes).catch(() => undefined)
      let frame = await answers.next()
      if (frame && isDetected(frame.header)) {
        onDetected(frame.header.detected)
        frame = await answers.next()
      }
      if (!frame) return { ended: await child.exit }
      await sent
      return { answer: frame.header as ReadAnswer, text: Buffer.from(frame.payload).toString('utf8') }
    },
    end: () => kill(child),
    onEnd: (callback) => void child.exit.then(callback),
  }
}

async function send(child: Child, job: ReadJob, bytes: Uint8Array): Promise<void> {
  await child.write(frameHead(job, bytes.byteLength))
  if (bytes.byteLength > 0) await child.write(bytes)
}

async function kill(child: Child): Promise<void> {
  await child.stop()
}

const isDetected = (header: unknown): header is DetectedType => typeof header === 'object' && header !== null && 'detected' in header

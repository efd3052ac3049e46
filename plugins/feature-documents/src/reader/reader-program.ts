import { createFrameReader, frameHead } from '../processes/frames.js'
import { maxDocumentBytes, type ReadJob } from '../processes/protocol.js'
import { confineProcess } from './confine-process.js'

/** What the service takes for the end by too little memory, as of a process that its engine aborts. */
const outOfMemory = 134

/** Reads documents for the service, one after the other, until its input ends. */
confineProcess()
// An error outside of what waits for a document ends the process: nothing would ever answer.
process.on('uncaughtException', leave)
try {
  const { readDocument } = await import('./read-document.js')
  const jobs = createFrameReader(process.stdin, { maxPayloadBytes: maxDocumentBytes })
  for (let job = await jobs.next(); job; job = await jobs.next()) {
    const { answer, text } = await readDocument(
      job.header as ReadJob,
      job.payload,
      (detected) => void process.stdout.write(frameHead({ detected }, 0)),
    )
    const payload = Buffer.from(text)
    process.stdout.write(frameHead(answer, payload.length))
    process.stdout.write(payload)
  }
  process.exit(0)
} catch (error) {
  leave(error)
}

function leave(error: unknown): never {
  process.exit(error instanceof RangeError ? outOfMemory : 1)
}

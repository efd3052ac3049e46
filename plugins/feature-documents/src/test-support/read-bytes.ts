import { expect } from 'chai'
import type { ReadAnswer, ReadJob } from '../processes/protocol.js'
import { readDocument } from '../reader/read-document.js'

/** A document that was read within this process. */
export interface ReadBytes {
  readonly text: string
  readonly answer: Extract<ReadAnswer, { outcome: 'read' }>
}

/** Reads bytes or a text as a document, and expects that this works. */
export async function readBytes(content: Uint8Array | string, job: Partial<ReadJob> = {}): Promise<ReadBytes> {
  const { answer, text } = await readDocument({ maxCharacters: 100_000, ...job }, bytesOf(content))
  if (answer.outcome !== 'read') expect.fail(`The document was not read: ${JSON.stringify(answer)}`)
  return { text, answer }
}

/** Reads bytes or a text as a document, and expects that this does not work. */
export async function failureOf(
  content: Uint8Array | string,
  job: Partial<ReadJob> = {},
): Promise<Exclude<ReadAnswer, { outcome: 'read' }>> {
  const { answer } = await readDocument({ maxCharacters: 100_000, ...job }, bytesOf(content))
  if (answer.outcome === 'read') expect.fail('The document was read.')
  return answer
}

const bytesOf = (content: Uint8Array | string): Uint8Array => (typeof content === 'string' ? Buffer.from(content) : content)

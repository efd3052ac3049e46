import { toUSVString } from 'node:util'
import type { DocumentKind } from '../kinds.js'
import { maxDetailCharacters, maxDetails, type ReadAnswer, type ReadJob } from '../processes/protocol.js'
import { isFailure, tooCostly } from './common/failures.js'
import type { About, ReadFormat } from './common/format.js'
import { createTextSink } from './common/text-sink.js'
import { type Detected, detect } from './detect.js'

/** Each format's reader is loaded when the first document of it comes. */
const formats: Readonly<Record<DocumentKind, () => Promise<ReadFormat>>> = {
  pdf: async () => (await import('./formats/pdf.js')).readPdf,
  docx: async () => (await import('./formats/docx.js')).readDocx,
  xlsx: async () => (await import('./formats/xlsx.js')).readXlsx,
  pptx: async () => (await import('./formats/pptx.js')).readPptx,
  odt: async () => (await import('./formats/open-document.js')).readOpenDocument,
  ods: async () => (await import('./formats/open-document.js')).readOpenDocument,
  odp: async () => (await import('./formats/open-document.js')).readOpenDocument,
  epub: async () => (await import('./formats/epub.js')).readEpub,
  rtf: async () => (await import('./formats/rtf.js')).readRtf,
  html: async () => (await import('./formats/html.js')).readHtml,
  email: async () => (await import('./formats/email.js')).readEmail,
  image: async () => (await import('./formats/image.js')).readImage,
  csv: readText,
  json: readText,
  markdown: readText,
  text: readText,
}

async function readText(): Promise<ReadFormat> {
  return (await import('./formats/plain-text.js')).readPlainText
}

/** What became of a document, with its text. */
export interface ReadResult {
  readonly answer: ReadAnswer
  readonly text: string
}

/** Reads a document. `onDetected` is told its type before anything costly begins. Never rejects: whatever its content does is an answer. */
export async function readDocument(
  job: ReadJob,
  bytes: Uint8Array,
  onDetected: (mediaType: string) => void = () => undefined,
): Promise<ReadResult> {
  let detected: Detected | undefined
  try {
    detected = await detect({ bytes, name: job.name, mediaType: job.mediaType })
    const { kind, mediaType } = detected
    onDetected(mediaType)
    const sink = createTextSink(job.maxCharacters)
    const read = await formats[kind]()
    const { title, details } = await read({ bytes, mediaType, baseUrl: job.baseUrl, sink })
    const shownTitle = detailText(title)
    const { user, system } = process.cpuUsage()
    return {
      answer: {
        outcome: 'read',
        mediaType,
        ...(shownTitle === '' ? {} : { title: shownTitle }),
        details: plainDetails(details),
        cut: sink.cut,
        cpuSeconds: (user + system) / 1e6,
      },
      text: sink.text().trimEnd(),
    }
  } catch (error) {
    return { answer: failed(error, detected?.mediaType ?? stated(job.mediaType)), text: '' }
  }
}

function failed(error: unknown, mediaType: string): ReadAnswer {
  const failure = asFailure(error)
  switch (failure?.failure) {
    case 'type-unknown':
      return { outcome: 'type-unknown', mediaType: failure.message }
    case 'too-costly':
      return { outcome: 'too-costly', mediaType, limit: failure.message }
    case 'unreadable':
      return { outcome: 'unreadable', mediaType, reason: failure.message }
    case undefined:
      // What a library says of a damaged document may quote it, so it is not passed on.
      return { outcome: 'unreadable', mediaType, reason: 'it is damaged, or not what it seems to be' }
  }
}

/** The failure that an error is, or that caused it; the limits of the engine are failures, too. */
function asFailure(error: unknown): ReturnType<typeof tooCostly> | undefined {
  if (isFailure(error)) return error
  if (error instanceof RangeError && /call stack/i.test(error.message)) return tooCostly('the levels of nesting that can be read')
  if (error instanceof RangeError && /allocation|array length|string length|size/i.test(error.message))
    return tooCostly('the memory of one document')
  return undefined
}

const stated = (mediaType: string | undefined): string =>
  mediaType !== undefined && /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/.test(mediaType) ? mediaType : 'application/octet-stream'

function plainDetails(details: About['details']): Readonly<Record<string, string>> {
  const told = Object.entries(details ?? {}).map(([name, value]) => [name, detailText(value === undefined ? '' : String(value))] as const)
  return Object.fromEntries(told.filter(([, value]) => value !== '').slice(0, maxDetails))
}

/** One line of bounded length. */
const detailText = (text: string | undefined): string =>
  toUSVString(
    (text ?? '')
      .slice(0, maxDetailCharacters * 2)
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .slice(0, maxDetailCharacters),
  )

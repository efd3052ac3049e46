import { send } from '../api/client.js'
import { isProblem, unanswered } from '../api/problem.js'
import { type ContentKind, contentKind, decodeText, maxBytesOf } from './content-kind.js'

/** A file of the person: `files/…` or `workspaces/…`. */
export interface ShownFile {
  /** Below the person's folders: `files/reports/May.pdf`. */
  readonly path: string
  /** What is shown as its name; its end tells the kind of file. */
  readonly name: string
}

/** A file as it was when it was read. */
export interface ReadFile {
  /** How it is shown, by its name and its bytes. */
  readonly kind: ContentKind
  /** The text of what is made of text. */
  readonly text: string
  /** The bytes of a picture that is not too large to be held. */
  readonly image: Blob | undefined
  /** Whether the text is only the beginning. */
  readonly isCut: boolean
  /** In bytes, the whole of it; `undefined` if the service did not say. */
  readonly size: number | undefined
  /** The header `Last-Modified`, for `Date`; `undefined` without one. */
  readonly modifiedAt: string | undefined
  /** Changes with its content. */
  readonly etag: string
}

const route = '/api/files/content'

/** The address of the bytes of a file, for `src` and `href`; `placed` where it leaves the code otherwise. The session is needed. */
export const contentAddress = (path: string): string => `${route}?path=${encodeURIComponent(path)}`

/** Reads as much of a file as is shown, and no more. @throws {ApiProblem} */
export async function readFile({ path, name }: ShownFile, signal: AbortSignal): Promise<ReadFile> {
  const { headers, body } = await send('get', route, { query: { path }, signal })
  const type = headers.get('content-type') ?? ''
  const reader = body?.getReader()
  const beginning = (await nextPiece(reader, signal)) ?? new Uint8Array()
  const kind = contentKind(type, name, beginning)
  const { bytes, isCut } = await readOn(reader, beginning, maxBytesOf[kind], signal)
  const length = headers.get('content-length')
  return {
    kind,
    text: kind === 'image' ? '' : decodeText(bytes, isCut),
    image: kind === 'image' && !isCut ? new Blob([bytes], { type }) : undefined,
    isCut,
    size: length === null ? undefined : Number(length),
    modifiedAt: headers.get('last-modified') ?? undefined,
    etag: headers.get('etag') ?? '',
  }
}

/** The bytes of a small file; `undefined` if it is larger. @throws {ApiProblem} */
export async function readBytes(path: string, maxBytes: number, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const { body } = await send('get', route, { query: { path }, signal })
  const { bytes, isCut } = await readOn(body?.getReader(), new Uint8Array(), maxBytes, signal)
  return isCut ? undefined : bytes
}

type Reader = ReadableStreamDefaultReader<Uint8Array> | undefined

/** `undefined` at the end. */
const nextPiece = async (reader: Reader, signal: AbortSignal): Promise<Uint8Array | undefined> =>
  (
    await reader?.read().catch((cause: unknown) => {
      throw unanswered(cause, signal)
    })
  )?.value

/** Reads until there is enough, and leaves the rest with the service. */
async function readOn(
  reader: Reader,
  beginning: Uint8Array,
  maxBytes: number,
  signal: AbortSignal,
): Promise<{ readonly bytes: Uint8Array<ArrayBuffer>; readonly isCut: boolean }> {
  const pieces = [beginning]
  let length = beginning.length
  while (length <= maxBytes) {
    const next = await nextPiece(reader, signal)
    if (next === undefined) break
    pieces.push(next)
    length += next.length
  }
  const isCut = length > maxBytes
  if (isCut) await reader?.cancel()
  const bytes = new Uint8Array(await new Blob(pieces as Uint8Array<ArrayBuffer>[]).arrayBuffer())
  return { bytes: isCut ? bytes.slice(0, maxBytes) : bytes, isCut }
}

/** What became of a file since it was read. @throws {ApiProblem} if that cannot be said */
export async function lookAgain(path: string, etag: string): Promise<'same' | 'changed'> {
  const answer = await send('get', route, { query: { path }, headers: { 'if-none-match': etag } }).catch((error: unknown) => {
    if (isProblem(error) && error.status === 304) return undefined
    throw error
  })
  await answer?.body?.cancel()
  return answer === undefined ? 'same' : 'changed'
}

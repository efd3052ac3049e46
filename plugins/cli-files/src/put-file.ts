import { type FileHandle, open } from 'node:fs/promises'
import path from 'node:path'
import { defineError, type JsonObject, ServiceError } from '@agent-service/sdk'
import { sleep } from '@agent-service/sdk/async'
import { type CommandContext, defineCommand, listAll, objectOf } from '@agent-service/sdk/contracts/cli-command'
import { pathOf, queryOf, sizeText } from './file-words.js'

/** What is sent at once, and the largest file that is sent in one request. */
const pieceBytes = 8 * 1024 * 1024
const minPieceBytes = 64 * 1024
const maxAttempts = 6

/** Uploads a file; a large one in pieces that are continued after an interruption. */
export const putFileCommand = defineCommand({
  name: 'files put',
  summary: 'upload a file; a large one goes on where an earlier call was interrupted',
  arguments: [
    { name: 'file', description: 'the file to send', required: true },
    { name: 'path', description: 'where it goes; by default its name below “files”', required: false },
  ],
  options: [{ name: 'replace', description: 'replace the file at the path' }],
  async run(context) {
    const { arguments: given, options, print, transfer } = context
    const file = path.resolve(given[0] ?? '')
    const target = pathOf(given[1] ?? path.basename(file))
    const handle = await openSource(file)
    try {
      const { size, mtimeMs } = await handle.stat()
      const conditions: Readonly<Record<string, string>> = options['replace'] === true ? {} : { 'if-none-match': '*' }
      if (size <= pieceBytes) {
        const headers = { ...conditions, 'content-type': 'application/octet-stream' }
        await transfer('PUT', `/api/files/content?${queryOf({ path: target })}`, { headers, body: await readPiece(handle, 0, size) })
      } else await sendInPieces(context, handle, { target, size, lastModified: String(Math.floor(mtimeMs)), conditions })
      await print(`Sent ${sizeText(size)} to “${target}”.`)
      return { status: 0, json: { path: target, bytes: size } }
    } finally {
      await handle.close()
    }
  },
})

/** The file that is to be sent cannot be opened. */
export const sourceUnreadableError = defineError<{ readonly file: string; readonly reason: string }>({
  code: 'source_unreadable',
  status: 422,
  title: 'File unreadable',
  message: ({ file, reason }) => `“${file}” cannot be read: ${reason}.`,
})

const reasons: Readonly<Record<string, string>> = { ENOENT: 'it does not exist', EACCES: 'you may not read it' }

async function openSource(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'r')
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException
    throw sourceUnreadableError.create({ file, reason: reasons[code] ?? message }, { cause })
  }
}

interface Upload {
  readonly target: string
  readonly size: number
  readonly lastModified: string
  readonly conditions: Readonly<Record<string, string>>
}

async function sendInPieces(context: CommandContext, handle: FileHandle, upload: Upload): Promise<void> {
  const { print, transfer, signal, interactive } = context
  const { size, target } = upload
  const begun = await earlierUpload(context, upload)
  let offset = Number(begun?.['offset'] ?? 0)
  const address = `/api/files/uploads/${String(begun?.['id'] ?? (await begin(context, upload)))}`
  if (begun) await print(`Going on behind ${sizeText(offset)}.`)
  let [length, attempts, shown] = [pieceBytes, 0, percentOf(offset, size)]
  while (offset < size) {
    signal.throwIfAborted()
    try {
      const body = await readPiece(handle, offset, Math.min(length, size - offset))
      const headers = { 'tus-resumable': '1.0.0', 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' }
      const answer = await transfer('PATCH', address, { headers, body })
      offset = Number(answer.headers['upload-offset'])
      attempts = 0
    } catch (error) {
      signal.throwIfAborted()
      const isTooLarge = ServiceError.isInstance(error) && error.code === 'body_too_large'
      attempts += 1
      if (isTooLarge && length > minPieceBytes) length /= 2
      else if (attempts >= maxAttempts || !isPassing(error)) throw error
      else await sleep(2 ** attempts * 100, { signal })
      offset = await offsetOf(context, address, offset)
    }
    const percent = percentOf(offset, size)
    if (interactive && percent >= shown + 10 && percent < 100) {
      shown = percent
      await print(`${percent} % of “${target}”`, { style: 'dim' })
    }
  }
}

const percentOf = (offset: number, size: number): number => Math.floor((100 * offset) / size)

/** An unfinished upload of the same file to the same path. */
async function earlierUpload({ request }: CommandContext, { target, size, lastModified }: Upload): Promise<JsonObject | undefined> {
  const { items } = await listAll(request, '/api/files/uploads')
  return items.find((each) => each['path'] === target && each['size'] === size && each['last_modified'] === lastModified)
}

async function begin({ transfer }: CommandContext, { target, size, lastModified, conditions }: Upload): Promise<string> {
  const text = (value: string): string => Buffer.from(value).toString('base64')
  const metadata = `path ${text(target)},lastmodified ${text(lastModified)}`
  const headers = { ...conditions, 'tus-resumable': '1.0.0', 'upload-length': String(size), 'upload-metadata': metadata }
  const answer = await transfer('POST', '/api/files/uploads', { headers })
  const pieces: Uint8Array[] = []
  for await (const piece of answer.body) pieces.push(piece)
  return String(objectOf(JSON.parse(Buffer.concat(pieces).toString()))['id'])
}

/** What has arrived; the last known offset while the service cannot be asked. */
async function offsetOf({ request }: CommandContext, address: string, known: number): Promise<number> {
  try {
    return Number(objectOf(await request('GET', address))['offset'])
  } catch (error) {
    if (isPassing(error)) return known
    throw error
  }
}

/** Whether the same may work in a moment: the connection broke, or another request is still at work. */
const isPassing = (error: unknown): boolean =>
  !ServiceError.isInstance(error) || [409, 423, 429].includes(error.status) || error.status >= 500 || error.code === 'body_too_large'

async function readPiece(handle: FileHandle, at: number, length: number): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(length)
  let filled = 0
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, at + filled)
    if (bytesRead === 0) throw new Error('The file became shorter while it was sent.')
    filled += bytesRead
  }
  return bytes
}

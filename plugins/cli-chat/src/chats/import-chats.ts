import { type FileHandle, open } from 'node:fs/promises'
import path from 'node:path'
import { defineError, type JsonObject, type JsonValue } from '@agent-service/sdk'
import { type CommandContext, defineCommand, listOf, objectOf, textOf } from '@agent-service/sdk/contracts/cli-command'

/** What is sent at once. */
const pieceBytes = 4 * 1024 * 1024

/** The file that is to be imported cannot be opened. */
export const exportUnopenedError = defineError<{ readonly file: string; readonly reason: string }>({
  code: 'export_unopened',
  status: 422,
  title: 'File unreadable',
  message: ({ file, reason }) => `“${file}” cannot be read: ${reason}.`,
})

/** The service could not import the file. */
export const importFailedError = defineError<{ readonly reason: string }>({
  code: 'import_failed',
  status: 422,
  title: 'Import failed',
  message: ({ reason }) => reason,
})

/** Uploads an export of another product, and follows its import to the end. */
export const importChatsCommand = defineCommand({
  name: 'chats import',
  summary: 'import the chats of ChatGPT, Claude, Open WebUI or LibreChat from the file that they export',
  arguments: [{ name: 'file', description: 'the export: a ZIP archive or a file of JSON', required: true }],
  options: [],
  async run(context) {
    const { arguments: given, print, warn, request } = context
    const file = path.resolve(given[0] ?? '')
    const handle = await openFile(file)
    let target: string
    try {
      target = await send(context, handle, path.basename(file))
    } finally {
      await handle.close()
    }
    // The stream is open before the import begins, so that none of its events is missed.
    const events = await context.events()
    const begun = objectOf(await request('POST', '/api/chats/imports', { path: target, remove_file: true }))
    const id = textOf(begun['id'])
    await followImport(context, events, id)
    const ended = objectOf(await request('GET', `/api/chats/imports/${id}`))
    for (const problem of listOf(ended['problems'])) await warn(`${placeOf(problem)}: ${textOf(problem['message'])}`)
    if (Number(ended['problems_left_out'] ?? 0) > 0) await warn(`And ${Number(ended['problems_left_out'])} more.`)
    if (ended['state'] === 'failed') throw importFailedError.create({ reason: textOf(ended['failure']) })
    const counts = [
      `${Number(ended['imported'])} imported`,
      `${Number(ended['existing'])} already there`,
      `${Number(ended['skipped'])} skipped`,
    ]
    await print(`${ended['state'] === 'cancelled' ? 'Cancelled' : 'Done'}: ${counts.join(', ')}.`)
    return { status: ended['state'] === 'done' ? 0 : 1, json: ended }
  },
})

const reasons: Readonly<Record<string, string>> = { ENOENT: 'it does not exist', EACCES: 'you may not read it' }

async function openFile(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'r')
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException
    throw exportUnopenedError.create({ file, reason: reasons[code] ?? message }, { cause })
  }
}

/** Puts the file among those of the person, in pieces; its path there. */
async function send({ transfer, print, signal, interactive }: CommandContext, handle: FileHandle, name: string): Promise<string> {
  const { size } = await handle.stat()
  const target = `files/imports/${new Date().toISOString().replaceAll(/[:.]/g, '-')} ${name.slice(-100)}`
  const headers = {
    ...{ 'tus-resumable': '1.0.0', 'upload-length': String(size), 'if-none-match': '*' },
    'upload-metadata': `path ${Buffer.from(target).toString('base64')}`,
  }
  const { headers: answer } = await transfer('POST', '/api/files/uploads', { headers })
  const address = answer['location'] ?? ''
  let shown = 0
  for (let offset = 0; offset < size; ) {
    signal.throwIfAborted()
    const bytes = Buffer.allocUnsafeSlow(Math.min(pieceBytes, size - offset))
    const { bytesRead } = await handle.read(bytes, 0, bytes.length, offset)
    if (bytesRead === 0) throw exportUnopenedError.create({ file: name, reason: 'it became shorter while it was sent' })
    const piece = { 'tus-resumable': '1.0.0', 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' }
    await transfer('PATCH', address, { headers: piece, body: bytes.subarray(0, bytesRead) })
    offset += bytesRead
    const percent = Math.floor((100 * offset) / size)
    if (interactive && percent >= shown + 10) {
      shown = percent
      await print(`${percent} % sent`, { style: 'dim' })
    }
  }
  return target
}

/** Resolves when the import has ended. */
async function followImport(
  { request, print, interactive }: CommandContext,
  events: AsyncIterable<{ readonly name: string; readonly data: JsonObject }>,
  id: string,
): Promise<void> {
  const ended = async (): Promise<boolean> => isOver(objectOf(await request('GET', `/api/chats/imports/${id}`))['state'])
  if (await ended()) return
  let shown = 0
  for await (const { name, data } of events) {
    if (name === 'reset' && (await ended())) return
    const told = objectOf(data['import'])
    if (name !== 'chat_import.updated' || told['id'] !== id) continue
    if (isOver(told['state'])) return
    const percent = Math.floor((100 * Number(told['bytes_done'] ?? 0)) / Math.max(1, Number(told['bytes_total'] ?? 0)))
    if (interactive && percent >= shown + 10) {
      shown = percent
      await print(`${percent} % read, ${Number(told['imported'])} chats imported`, { style: 'dim' })
    }
  }
}

const isOver = (state: JsonValue | undefined): boolean => state === 'done' || state === 'failed' || state === 'cancelled'

/** The file as the person named it: it was sent with the time before its name. */
function placeOf({ file, chat, title }: JsonObject): string {
  const name = textOf(file).replace(/^\d{4}-\d\d-\d\dT[\d-]+Z /, '')
  if (typeof chat !== 'number') return name
  return `${name}, chat ${chat}${typeof title === 'string' ? ` “${title}”` : ''}`
}

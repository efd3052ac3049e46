import { open, readFile, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { defineError, type JsonObject } from '@agent-service/sdk'
import { type CliCommand, defineCommand } from '@agent-service/sdk/contracts/cli-command'

/** A file cannot be read or written. */
export const fileUnusableError = defineError<{ readonly file: string; readonly reason: string }>({
  code: 'file_unusable',
  status: 422,
  title: 'File not usable',
  message: ({ file, reason }) => `“${file}” cannot be used: ${reason}.`,
})

const unusable = (file: string, cause: unknown): Error => {
  const { code, message } = cause as NodeJS.ErrnoException
  const reason = code === 'ENOENT' ? 'it does not exist' : code === 'EEXIST' ? 'it exists already; name another one' : message
  return fileUnusableError.create({ file, reason }, { cause })
}

/** Writes what is remembered into a file, or to standard output. */
export const exportCommand: CliCommand = defineCommand({
  name: 'memory export',
  summary: 'export what is remembered: Markdown for people, or with --records everything, for “memory import”',
  arguments: [{ name: 'file', description: 'the file to write; by default standard output', required: false }],
  options: [{ name: 'records', description: 'one record a line, as JSON' }],
  async run({ arguments: [given], options, transfer, write, print }) {
    const format = options['records'] === true ? 'ndjson' : 'markdown'
    const { body } = await transfer('GET', `/api/memory/export?format=${format}`)
    if (given === undefined) {
      const decoder = new TextDecoder()
      for await (const piece of body) await write(decoder.decode(piece, { stream: true }))
      await write(decoder.decode())
      return { status: 0 }
    }
    const file = path.resolve(given)
    const bytes = await writeWhole(file, body)
    await print(`Wrote ${bytes} bytes to ${file}.`)
    return { status: 0, json: { file, bytes, format } }
  },
})

/** The file is there when it is complete, or not at all; one that exists is left alone. */
async function writeWhole(file: string, body: AsyncIterable<Uint8Array>): Promise<number> {
  const partial = `${file}.part`
  const claimed = await open(file, 'wx', 0o600).catch((error: unknown) => {
    throw unusable(file, error)
  })
  await claimed.close()
  let bytes = 0
  try {
    const handle = await open(partial, 'w', 0o600)
    try {
      for await (const piece of body) {
        await handle.write(piece)
        bytes += piece.byteLength
      }
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(partial, file)
    return bytes
  } catch (error) {
    await rm(partial, { force: true })
    await rm(file, { force: true })
    throw error
  }
}

/** Takes in what “memory export --records” wrote. */
export const importCommand: CliCommand = defineCommand({
  name: 'memory import',
  summary: 'take in what “memory export --records” wrote; the same again changes nothing',
  arguments: [{ name: 'file', description: 'the file', required: true }],
  async run({ arguments: [given = ''], transfer, print }) {
    const file = path.resolve(given)
    const bytes = await readFile(file).catch((error: unknown) => {
      throw unusable(file, error)
    })
    const { body } = await transfer('POST', '/api/memory/import', { headers: { 'content-type': 'application/x-ndjson' }, body: bytes })
    let text = ''
    const decoder = new TextDecoder()
    for await (const piece of body) text += decoder.decode(piece, { stream: true })
    const imported = JSON.parse(text + decoder.decode()) as JsonObject
    await print(`Took in ${String(imported['records'])} records.`)
    return { status: 0, json: imported }
  },
})

import { open, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { defineError } from '@agent-service/sdk'
import { defineCommand } from '@agent-service/sdk/contracts/cli-command'
import { pathOf, queryOf, sizeText } from './file-words.js'

/** Something is where the file would be written. */
export const targetExistsError = defineError<{ readonly file: string }>({
  code: 'target_exists',
  status: 409,
  title: 'File exists',
  message: ({ file }) => `“${file}” exists already. Name another file, or say --replace.`,
})

/** Downloads a file. It is at its place when it is complete, or not at all. */
export const getFileCommand = defineCommand({
  name: 'files get',
  summary: 'download a file',
  arguments: [
    { name: 'path', description: 'its path, “report.pdf” or “workspaces/<agent>/report.pdf”', required: true },
    { name: 'target', description: 'the file to write; by default its name, here', required: false },
  ],
  options: [{ name: 'replace', description: 'replace the target' }],
  async run({ arguments: [typed = '', to], options, transfer, print }) {
    const from = pathOf(typed)
    const target = path.resolve(to ?? path.basename(from))
    if (options['replace'] !== true && (await isThere(target))) throw targetExistsError.create({ file: target })
    const { body, headers } = await transfer('GET', `/api/files/content?${queryOf({ path: from })}`)
    const partial = `${target}.part`
    let bytes = 0
    const file = await open(partial, 'wx', 0o600)
    try {
      for await (const piece of body) {
        await file.write(piece)
        bytes += piece.byteLength
      }
      await file.sync()
      await file.close()
      await rename(partial, target)
    } catch (error) {
      await file.close()
      await rm(partial, { force: true })
      throw error
    }
    await print(`Wrote ${sizeText(bytes)} to ${target}.`)
    return { status: 0, json: { path: from, target, bytes, etag: headers['etag'] ?? null } }
  },
})

async function isThere(file: string): Promise<boolean> {
  try {
    await stat(file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
}

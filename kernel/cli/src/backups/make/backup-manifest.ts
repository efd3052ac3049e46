import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type Static, Type, validate } from '@agent-service/sdk'
import { backupInvalidError } from '../errors.js'

/** Names in a backup's folder: the description, and the folder with the driver's files. */
export const manifestName = 'backup.json'
export const dataFolderName = 'data'

const fileSchema = Type.Object({ path: Type.String(), bytes: Type.Integer(), sha256: Type.String() })

const manifestSchema = Type.Object({
  format: Type.Literal(1),
  created_at: Type.String(),
  driver: Type.String(),
  revision: Type.Integer(),
  collections: Type.Array(Type.Object({ name: Type.String(), version: Type.Integer() })),
  files: Type.Array(fileSchema),
})

/** The description of a backup. `format` is its version. */
export type BackupManifest = Static<typeof manifestSchema>

/** A file of a backup, by its path in the data folder. */
export type BackupFile = Static<typeof fileSchema>

/** Reads every file below a folder once, for its size and digest. */
export async function describeFiles(folder: string, signal: AbortSignal): Promise<readonly BackupFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files: BackupFile[] = []
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const hash = createHash('sha256')
    let bytes = 0
    await pipeline(
      createReadStream(path),
      async (chunks: AsyncIterable<Buffer>) => {
        for await (const chunk of chunks) {
          bytes += chunk.length
          hash.update(chunk)
        }
      },
      { signal },
    )
    files.push({ path: relative(folder, path).split(sep).join('/'), bytes, sha256: hash.digest('hex') })
  }
  return files.sort((left, right) => (left.path < right.path ? -1 : 1))
}

/**
 * Reads a backup's description and compares its files with it.
 * @throws `backup_invalid` with the reason.
 */
export async function readBackup(folder: string, signal: AbortSignal): Promise<BackupManifest> {
  const invalid = (reason: string, cause?: unknown): Error => backupInvalidError.create({ path: folder, reason }, { cause })
  let value: unknown
  try {
    value = JSON.parse(await readFile(join(folder, manifestName), 'utf8'))
  } catch (cause) {
    throw invalid(`its ${manifestName} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, cause)
  }
  const [problem] = validate(manifestSchema, value)
  if (problem) throw invalid(`its ${manifestName} is not as expected: ${problem.path} ${problem.message}`)
  const manifest = value as BackupManifest
  const found = await describeFiles(join(folder, dataFolderName), signal).catch((cause: unknown) => {
    if (signal.aborted) throw cause
    throw invalid(`its files cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, cause)
  })
  const foundByPath = new Map(found.map((file) => [file.path, file]))
  for (const expected of manifest.files) {
    const file = foundByPath.get(expected.path)
    if (!file) throw invalid(`the file ${expected.path} is missing`)
    if (file.bytes !== expected.bytes) throw invalid(`the file ${expected.path} has ${file.bytes} bytes instead of ${expected.bytes}`)
    if (file.sha256 !== expected.sha256) throw invalid(`the file ${expected.path} was changed`)
  }
  if (found.length !== manifest.files.length) throw invalid('it has files that its description does not list')
  return manifest
}

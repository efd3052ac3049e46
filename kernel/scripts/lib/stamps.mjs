import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** What a finished stage was made from: the stage is done again when the stamp of today differs from the one kept. */
function stampFile(root, name) {
  return path.join(root, 'node_modules', '.cache', 'agent-service', `${name}.stamp`)
}

/** The kept stamp, or undefined when the stage was never finished. */
export function readStamp(root, name) {
  try {
    return readFileSync(stampFile(root, name), 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  }
}

/** Keeps a stamp; a reader sees the old one or the new one, never a part. */
export function writeStamp(root, name, stamp) {
  const file = stampFile(root, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(`${file}.${process.pid}`, stamp)
  renameSync(`${file}.${process.pid}`, file)
}

/** A digest over text. */
export function digest(...parts) {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part).update('\0')
  return hash.digest('hex')
}

/** A digest over the contents of files; a file that is absent counts as such. */
export function digestContents(root, files) {
  return digest(
    ...files.flatMap((file) => {
      try {
        return [file, readFileSync(path.join(root, file))]
      } catch (error) {
        if (error.code === 'ENOENT') return [file, 'absent']
        throw error
      }
    }),
  )
}

/** A quick digest over files by path, size and time of change; their contents are not read. */
export function digestTimes(root, files) {
  return digest(
    ...files.map((file) => {
      const stats = statSync(path.join(root, file), { throwIfNoEntry: false })
      return stats === undefined ? `${file} absent` : `${file} ${stats.size} ${stats.mtimeMs}`
    }),
  )
}

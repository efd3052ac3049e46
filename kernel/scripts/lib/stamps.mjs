import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/**
 * The file with the stamp of a finished stage: the stage is repeated if the current stamp differs.
 */
function stampFile(root, name) {
  return path.join(root, 'node_modules', '.cache', 'agent-service', `${name}.stamp`)
}

/** The stored stamp, or undefined if the stage was never finished. */
export function readStamp(root, name) {
  try {
    return readFileSync(stampFile(root, name), 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  }
}

/** Stores a stamp; a reader sees the complete old one or the complete new one. */
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

/** A digest over the contents of files, and over which are missing. */
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

/** A fast digest over files by path, size and modification time; does not read their contents. */
export function digestTimes(root, files) {
  return digest(
    ...files.map((file) => {
      const stats = statSync(path.join(root, file), { throwIfNoEntry: false })
      return stats === undefined ? `${file} absent` : `${file} ${stats.size} ${stats.mtimeMs}`
    }),
  )
}

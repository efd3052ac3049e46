import { skillRefusedError } from '../common/errors.js'
import type { SkillFile } from '../common/file.js'
import { limits } from '../common/limits.js'
import { caseKey, composedPath, pathProblem } from '../format/check-path.js'

/**
 * Takes the entries of an archive one after the other, and refuses the whole at the first that breaks
 * a rule. Paths are kept in their composed form.
 */
export interface FileCollector {
  /** @throws `skill_refused` if the path or the number of entries is wrong. */
  folder(path: string): void
  /**
   * Begins a file. What is written is held to the limits with each chunk. @throws `skill_refused`.
   */
  file(path: string): { write(chunk: Uint8Array): void; end(): void }
  files(): readonly SkillFile[]
}

interface Claim {
  readonly path: string
  readonly kind: 'file' | 'folder'
}

const refused = (reason: string): Error => skillRefusedError.create({ reason })

export function createFileCollector(): FileCollector {
  const seen = new Map<string, Claim>()
  const files: SkillFile[] = []
  let entries = 0
  let total = 0

  const admit = (path: string, kind: Claim['kind']): void => {
    entries += 1
    if (entries > limits.maxEntries) throw refused(`it has more than ${limits.maxEntries} entries`)
    const problem = pathProblem(path)
    if (problem !== undefined) throw refused(`${problem} (${shown(path)})`)
    const names = path.split('/')
    for (let length = 1; length < names.length; length += 1) claim(names.slice(0, length).join('/'), 'folder', seen)
    claim(path, kind, seen)
  }

  return {
    folder: (path) => admit(composedPath(path.replace(/\/+$/, '')), 'folder'),
    file(given) {
      const path = composedPath(given)
      admit(path, 'file')
      if (files.length >= limits.maxFiles) throw refused(`it has more than ${limits.maxFiles} files`)
      const chunks: Uint8Array[] = []
      let size = 0
      return {
        write(chunk) {
          size += chunk.byteLength
          total += chunk.byteLength
          if (size > limits.maxFileBytes) throw refused(`${shown(path)} has more than ${limits.maxFileBytes} bytes`)
          if (total > limits.maxSkillBytes) throw refused(`its files have more than ${limits.maxSkillBytes} bytes`)
          chunks.push(chunk)
        },
        end() {
          const bytes = Buffer.concat(chunks)
          if (isNestedArchive(path, bytes)) throw refused(`${shown(path)} is an archive in the archive`)
          files.push({ path, bytes })
        },
      }
    },
    files: () => files,
  }
}

/** Folders may be named again, and only in the same case. */
function claim(path: string, kind: Claim['kind'], seen: Map<string, Claim>): void {
  const key = caseKey(path)
  const known = seen.get(key)
  if (known === undefined) seen.set(key, { path, kind })
  else if (kind === 'file' || known.kind === 'file' || known.path !== path)
    throw refused(`two names are the same, or differ by case alone (${shown(path)})`)
}

/** A name for people, without what could disturb a terminal. */
export const shown = (path: string): string => JSON.stringify(path.replaceAll(/[\p{Cf}\p{Cs}]/gu, '�').slice(0, 100))

const signatures: readonly (readonly [offset: number, bytes: readonly number[]])[] = [
  [0, [0x50, 0x4b, 0x03, 0x04]],
  [0, [0x50, 0x4b, 0x05, 0x06]],
  [0, [0x1f, 0x8b]],
  [0, [0x42, 0x5a, 0x68]],
  [0, [0xfd, 0x37, 0x7a, 0x58, 0x5a]],
  [0, [0x28, 0xb5, 0x2f, 0xfd]],
  [0, [0x37, 0x7a, 0xbc, 0xaf]],
  [0, [0x52, 0x61, 0x72, 0x21]],
  [257, [0x75, 0x73, 0x74, 0x61, 0x72]],
]

/** Documents and books are archives of their own kind: templates that a skill may bring. */
const documents = /\.(docx|xlsx|pptx|odt|ods|odp|epub)$/i

const isNestedArchive = (path: string, bytes: Uint8Array): boolean =>
  !documents.test(path) && signatures.some(([offset, signature]) => signature.every((byte, index) => bytes[offset + index] === byte))

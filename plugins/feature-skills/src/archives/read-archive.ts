import { ServiceError } from '@agent-service/sdk'
import { skillInvalidError, skillRefusedError } from '../common/errors.js'
import type { SkillFile } from '../common/file.js'
import { limits, skillFileName } from '../common/limits.js'
import { parseSkill, type SkillDocument } from '../format/parse-skill.js'
import { createFileCollector } from './file-collector.js'
import { readTar } from './read-tar.js'
import { readZip } from './read-zip.js'

/** A whole skill in memory, checked. */
export interface PackedSkill {
  readonly document: SkillDocument
  readonly files: readonly SkillFile[]
}

/**
 * Reads a `.zip` or `.tar.gz` archive of one skill, whose SKILL.md is at the top or in the only
 * folder there. Nothing is written. @throws `skill_refused` for an archive that breaks a rule,
 * `skill_invalid` for a SKILL.md that does; the signal's reason.
 */
export async function readArchive(bytes: Uint8Array, { signal }: { readonly signal: AbortSignal }): Promise<PackedSkill> {
  if (bytes.byteLength > limits.maxArchiveBytes)
    throw skillRefusedError.create({ reason: `it has more than ${limits.maxArchiveBytes} bytes` })
  const read = bytes[0] === 0x50 && bytes[1] === 0x4b ? readZip : bytes[0] === 0x1f && bytes[1] === 0x8b ? readTar : undefined
  if (!read) throw skillRefusedError.create({ reason: 'it is neither a .zip nor a .tar.gz archive' })
  const files = createFileCollector()
  try {
    await read(bytes, files, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (ServiceError.isInstance(error)) throw error
    const what = error instanceof Error ? error.message : String(error)
    throw skillRefusedError.create({ reason: `it cannot be read as an archive (${what.slice(0, 200)})` }, { cause: error })
  }
  return checkedSkill(files.files())
}

/** Takes a list of files as {@link readArchive} takes an archive. @throws the same. */
export function packFiles(given: readonly SkillFile[]): PackedSkill {
  const collector = createFileCollector()
  for (const { path, bytes } of given) {
    const file = collector.file(path)
    file.write(bytes)
    file.end()
  }
  return checkedSkill(collector.files())
}

function checkedSkill(all: readonly SkillFile[]): PackedSkill {
  const files = withoutRoot(all.filter(({ path }) => !isClutter(path)))
  const main = files.find(({ path }) => path === skillFileName)
  if (!main) throw skillRefusedError.create({ reason: `${skillFileName} is missing at its top, or in the only folder there` })
  const { document, problem } = parseSkill(main.bytes)
  if (problem) throw skillInvalidError.create({ file: problem.file, line: problem.line, problem: problem.message })
  return { document, files }
}

/** What macOS and file managers add. */
const isClutter = (path: string): boolean => path.startsWith('__MACOSX/') || /(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini)$/.test(path)

function withoutRoot(files: readonly SkillFile[]): readonly SkillFile[] {
  if (files.some(({ path }) => path === skillFileName)) return files
  const [root] = files[0]?.path.split('/') ?? []
  if (root === undefined || !files.every(({ path }) => path.startsWith(`${root}/`))) return files
  return files.map(({ path, bytes }) => ({ path: path.slice(root.length + 1), bytes }))
}

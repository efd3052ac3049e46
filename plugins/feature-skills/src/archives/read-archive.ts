import { ServiceError } from '@agent-service/sdk'
import { skillInvalidError, skillRefusedError } from '../common/errors.js'
import type { SkillFile } from '../common/file.js'
import { isSkillFile, limits, skillFileName } from '../common/limits.js'
import { parseSkill, type SkillDocument } from '../format/parse-skill.js'
import { createFileCollector, shown } from './file-collector.js'
import { readTar } from './read-tar.js'
import { readZip } from './read-zip.js'

/** A whole skill in memory, checked. */
export interface PackedSkill {
  readonly document: SkillDocument
  readonly files: readonly SkillFile[]
}

/**
 * Reads a `.zip` or `.tar.gz` archive of one skill, whose SKILL.md is at the top or in any folder.
 * Nothing is written. @throws `skill_refused` for an archive that breaks a rule,
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
  const files = skillIn(all.filter(({ path }) => !isClutter(path)))
  const main = files.find(({ path }) => path === skillFileName)
  if (!main) throw skillRefusedError.create({ reason: `${skillFileName} is missing` })
  const { document, problem } = parseSkill(main.bytes)
  if (problem) throw skillInvalidError.create({ file: problem.file, line: problem.line, problem: problem.message })
  return { document, files }
}

/** What macOS and file managers add. */
const isClutter = (path: string): boolean =>
  path.startsWith('__MACOSX/') || /(^|\/)(\.DS_Store|Thumbs\.db|desktop\.ini|\._[^/]*)$/i.test(path)

/**
 * The files of the only skill among files, below its folder: the one at the top, or the one in whose
 * folder there is no other. What is outside of this folder (the rest of a repository) is left out.
 * @throws `skill_refused` if there are several.
 */
function skillIn(files: readonly SkillFile[]): readonly SkillFile[] {
  const folders = files.flatMap(({ path }) => (isSkillFile(nameOf(path)) ? [path.slice(0, -skillFileName.length)] : []))
  const outermost = folders.filter((folder) => !folders.some((other) => other !== folder && folder.startsWith(other)))
  const [root = ''] = outermost
  if (outermost.length > 1) {
    const names = outermost.map((folder) => folder.slice(0, -1)).sort()
    const some = names.slice(0, 5).map(shown).join(', ')
    throw skillRefusedError.create({
      reason: `it has ${names.length} skills (${some}${names.length > 5 ? ', …' : ''}), and one is installed at a time; unpack it and install each of these folders`,
    })
  }
  const below = files.flatMap(({ path, bytes }) => (path.startsWith(root) ? [{ path: path.slice(root.length), bytes }] : []))
  // Some collections write the name in lower case.
  return below.some(({ path }) => path === skillFileName)
    ? below
    : below.map(({ path, bytes }) => ({ path: isSkillFile(path) ? skillFileName : path, bytes }))
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

import { createHash } from 'node:crypto'
import { type Static, Type, validate } from '@agent-service/sdk'
import type { PackedSkill } from '../archives/read-archive.js'
import type { SkillFile } from '../common/file.js'

const hash = Type.String({ pattern: '^[0-9a-f]{64}$' })

/** Where a skill came from. */
export const skillOriginSchema = Type.Object({
  kind: Type.Union([Type.Literal('archive'), Type.Literal('folder'), Type.Literal('url'), Type.Literal('created')]),
  /** The name of the archive or folder as its sender gave it, or the address; null for a created one. */
  from: Type.Union([Type.String({ maxLength: 2_000 }), Type.Null()]),
})

const lockSchema = Type.Object({
  version: Type.Literal(1),
  name: Type.String(),
  origin: skillOriginSchema,
  /** What `metadata.version` of SKILL.md said. */
  skill_version: Type.Union([Type.String(), Type.Null()]),
  installed_at: Type.String(),
  /** Over the paths and hashes of all files. */
  sha256: hash,
  files: Type.Record(Type.String(), Type.Object({ sha256: hash, size: Type.Integer({ minimum: 0 }) })),
})

/** What a skill was when it was installed: `.lock/<name>.json` beside it. */
export type SkillLock = Static<typeof lockSchema>
export type SkillOrigin = Static<typeof skillOriginSchema>

export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex')

/** One hash over the paths and contents of all files, whatever their order. */
export const wholeHash = (files: Readonly<Record<string, { readonly sha256: string }>>): string =>
  sha256(
    Object.entries(files)
      .map(([path, file]) => `${file.sha256}  ${path}\n`)
      .sort()
      .join(''),
  )

export const hashesOf = (files: readonly SkillFile[]): SkillLock['files'] =>
  Object.fromEntries(files.map(({ path, bytes }) => [path, { sha256: sha256(bytes), size: bytes.byteLength }]))

/** The lock of a skill that is about to be installed. */
export function lockOf(skill: PackedSkill, origin: SkillOrigin, installedAt: string): SkillLock {
  const files = hashesOf(skill.files)
  return {
    ...{ version: 1, name: skill.document.name, origin, installed_at: installedAt, sha256: wholeHash(files), files },
    skill_version: skill.document.metadata['version'] ?? null,
  }
}

/** `undefined` for what is no lock: the skill then counts as placed there by hand. */
export function readLock(bytes: Uint8Array | undefined): SkillLock | undefined {
  if (bytes === undefined) return undefined
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return validate(lockSchema, value).length === 0 ? (value as SkillLock) : undefined
  } catch {
    return undefined
  }
}

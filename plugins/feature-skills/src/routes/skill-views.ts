import { namedObject, Type } from '@agent-service/sdk'
import { type CatalogueSkill, type SkillSource, skillSources } from '../catalogue/catalogue.js'
import type { SkillDocument } from '../format/parse-skill.js'
import type { ListedFile } from '../store/list-files.js'
import type { SkillLock } from '../store/lock-file.js'
import type { SkillChanges } from '../store/skill-store.js'

const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) => Type.Union([schema, Type.Null()])
const sourceSchema = Type.Union(skillSources.map((source) => Type.Literal(source)))

const problemSchema = namedObject('SkillProblem', {
  file: Type.String(),
  line: Type.Integer(),
  message: Type.String(),
})

const skillMembers = {
  name: Type.String(),
  source: sourceSchema,
  agent_id: nullable(Type.String({ description: 'Of the source “agent”.' })),
  description: Type.String({ description: 'Empty if the skill is broken.' }),
  license: nullable(Type.String()),
  compatibility: nullable(Type.String()),
  metadata: Type.Record(Type.String(), Type.String()),
  allowed_tools: Type.Array(Type.String(), { description: 'What its author recommends. It grants nothing.' }),
  problem: Type.Union([problemSchema, Type.Null()], { description: 'Why it cannot be used.' }),
  warnings: Type.Array(problemSchema, { description: 'What its author should mend, although it can be used.' }),
  shadowed_by: Type.Union([sourceSchema, Type.Null()], { description: 'The source whose skill of this name is used in its place.' }),
  modified_at: nullable(Type.String()),
}

const lockSchema = namedObject('SkillInstallation', {
  origin: Type.Union(['archive', 'folder', 'url', 'created'].map((kind) => Type.Literal(kind))),
  from: Type.Union([Type.String(), Type.Null()], { description: 'The name of the archive or folder, or the address.' }),
  version: nullable(Type.String()),
  sha256: Type.String(),
  installed_at: Type.String(),
})

const fileSchema = namedObject('SkillFile', {
  path: Type.String(),
  size: Type.Integer({ description: 'In bytes.' }),
  modified_at: Type.String(),
  etag: Type.String(),
})

export const skillFileSchema = fileSchema
export const skillSchema = namedObject('Skill', skillMembers)
export const skillDetailsSchema = namedObject('SkillDetails', {
  ...skillMembers,
  files: Type.Array(fileSchema),
  installation: Type.Union([lockSchema, Type.Null()], { description: 'Null: it was put there by hand, or ships with the service.' }),
})
export const skillCheckSchema = namedObject('SkillCheck', {
  name: Type.String(),
  source: sourceSchema,
  state: Type.Union(['unchanged', 'changed', 'not_installed'].map((state) => Type.Literal(state))),
  sha256: Type.String({ description: 'Of all files as they are now.' }),
  installation: Type.Union([lockSchema, Type.Null()]),
  added: Type.Array(Type.String()),
  changed: Type.Array(Type.String()),
  removed: Type.Array(Type.String()),
})

export const skillAddressCheckSchema = namedObject('SkillAddressCheck', {
  name: Type.String(),
  state: Type.Union(
    ['unchanged', 'changed'].map((state) => Type.Literal(state)),
    { description: 'Against what was installed.' },
  ),
  sha256: Type.String({ description: 'Of all files as the address gives them now.' }),
  version: nullable(Type.String()),
})

const timeOf = (milliseconds: number): string | null => (milliseconds === 0 ? null : new Date(milliseconds).toISOString())

export const viewOfSkill = (skill: CatalogueSkill, agentId: string | undefined) => {
  const { name, source, document, problem, shadowedBy, modifiedAt } = skill
  return {
    ...{ name, source, agent_id: source === 'agent' ? (agentId ?? null) : null },
    ...{ description: document?.description ?? '', license: document?.license ?? null, compatibility: document?.compatibility ?? null },
    ...{ metadata: { ...document?.metadata }, allowed_tools: [...(document?.allowedTools ?? [])] },
    ...{ problem: problem ? { ...problem } : null, warnings: viewOfWarnings(document) },
    ...{ shadowed_by: shadowedBy, modified_at: timeOf(modifiedAt) },
  }
}

export const skillWarningsSchema = skillMembers.warnings
export const viewOfWarnings = (document: SkillDocument | undefined) => (document?.warnings ?? []).map((warning) => ({ ...warning }))

export const viewOfLock = (lock: SkillLock | undefined) =>
  lock === undefined
    ? null
    : {
        ...{ origin: lock.origin.kind, from: lock.origin.from, version: lock.skill_version },
        ...{ sha256: lock.sha256, installed_at: lock.installed_at },
      }

export const viewOfFile = ({ path, size, modifiedAt, etag }: ListedFile) => ({
  ...{ path, size, etag },
  modified_at: new Date(modifiedAt).toISOString(),
})

export const viewOfCheck = (name: string, source: SkillSource, { lock, sha256, added, changed, removed }: SkillChanges) => ({
  ...{ name, source, sha256, installation: viewOfLock(lock) },
  state: lock === undefined ? 'not_installed' : lock.sha256 === sha256 ? 'unchanged' : 'changed',
  ...{ added: [...added], changed: [...changed], removed: [...removed] },
})

import { fakeApi, problem } from '@agent-service/sdk/web/testing'
import type { Schemas } from '../api/index.js'
import type { paths } from '../api/schema.js'

type Skill = Schemas['Skill']
type Details = Schemas['SkillDetails']

/** A skill of the person, as lists have it. */
export const skill = (input: Partial<Skill> = {}): Skill => ({
  name: 'weekly-report',
  source: 'user',
  description: 'Writes the report of the week.',
  agent_id: null,
  allowed_tools: [],
  compatibility: null,
  license: null,
  metadata: {},
  modified_at: '2026-12-01T08:00:00Z',
  problem: null,
  shadowed_by: null,
  warnings: [],
  ...input,
})

/** How a skill came to be: from an archive. */
export const installation = (input: Partial<Schemas['SkillInstallation']> = {}): Schemas['SkillInstallation'] => ({
  from: 'notes.zip',
  installed_at: '2026-12-01T08:00:00Z',
  origin: 'archive',
  sha256: 'abc',
  version: null,
  ...input,
})

/** A skill with all of it, but for its files. */
export const details = (input: Partial<Details> = {}): Details => ({ ...skill(input), files: [], installation: installation(), ...input })

/** An agent that has no skills. */
export const agent = (input: Partial<Schemas['Agent']> = {}): Schemas['Agent'] => ({
  id: 'agent_1',
  name: 'Clerk',
  handle: 'clerk',
  description: '',
  instructions: '',
  avatar: '',
  workspace: 'clerk',
  version: 3,
  enabled: true,
  model_group: 'default',
  skills: [],
  tools: [],
  approval: {},
  prompts: {},
  warnings: [],
  shared: null,
  limits: {},
  memory: { enabled: true },
  sandbox: { network: false },
  titles: { enabled: true },
  created_at: '2026-12-01T08:00:00Z',
  updated_at: '2026-12-01T08:00:00Z',
  ...input,
})

/** The service with skills and an agent. Each skill of the person has these files, which it keeps. */
export function skillService(
  skills: readonly Details[] = [details()],
  files: Readonly<Record<string, string>> = { 'SKILL.md': '# Begin' },
) {
  const kept = new Map(Object.entries(files))
  let clerk = agent()
  const etagOf = (path: string): string => `"${path} ${kept.get(path)?.length}"`
  const listed = (): Details['files'] =>
    [...kept].map(([path, text]) => ({ path, size: text.length, etag: etagOf(path), modified_at: '2026-12-01T08:00:00Z' }))
  return fakeApi<paths>({
    'get /api/skills': () => ({ items: [...skills], next_cursor: null }),
    'get /api/agents': () => ({ items: [clerk], next_cursor: null }),
    'get /api/agents/{agent_id}': () => clerk,
    'patch /api/agents/{agent_id}'({ body }) {
      clerk = { ...clerk, skills: body.skills ?? [], version: clerk.version + 1 }
      return clerk
    },
    'get /api/skills/{source}/{name}'({ path }) {
      const found = skills.find(({ name, source }) => name === path.name && source === path.source)
      return found ? { ...found, files: listed() } : problem(404, 'not_found', { detail: 'There is no such skill.' })
    },
    'get /api/skills/{source}/{name}/content': ({ query }) =>
      new Response(kept.get(query.path ?? '') ?? '', { headers: { etag: etagOf(query.path ?? '') } }),
    async 'put /api/skills/{source}/{name}/content'({ query, body }) {
      const path = query.path ?? ''
      kept.set(path, await new Response(body as Blob).text())
      return { path, size: 1, etag: etagOf(path), modified_at: '2026-12-01T08:00:00Z' }
    },
    'delete /api/skills/{source}/{name}/content': ({ query }) => void kept.delete(query.path ?? ''),
  })
}

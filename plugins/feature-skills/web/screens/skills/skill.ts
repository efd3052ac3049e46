import { send } from '@agent-service/sdk/web'
import { api, type Schemas } from '../../api/index.js'
import { t } from './texts.js'

export type Skill = Schemas['Skill']
export type SkillDetails = Schemas['SkillDetails']
export type SkillCheck = Schemas['SkillCheck']
export type Source = Skill['source']
export type Agent = Schemas['Agent']

export const sources = ['agent', 'user', 'shared', 'bundled'] as const satisfies readonly Source[]

/** The word for a source. */
export const sourceText = (source: Source): string =>
  source === 'bundled' ? t('bundled') : source === 'shared' ? t('shared') : source === 'user' ? t('own') : t('of_agent')

/** Which skill, for addresses. */
export interface SkillPlace {
  readonly source: Source
  readonly name: string
  readonly agentId: string | undefined
}

export const hrefOf = ({ source, name, agentId }: SkillPlace): string =>
  `/skills/${source}/${encodeURIComponent(name)}${source === 'agent' && agentId !== undefined ? `?${new URLSearchParams({ agent: agentId })}` : ''}`

/** Names it in the cache. */
export const keyOf = ({ source, name, agentId }: SkillPlace): readonly unknown[] => ['skill', name, source, agentId]

const agentQuery = (agentId: string | undefined) => (agentId === undefined ? {} : { agent_id: agentId })

/** All skills; the service has at most a few hundred. */
export async function readSkills(agentId: string | undefined, signal: AbortSignal): Promise<readonly Skill[]> {
  const items: Skill[] = []
  let cursor: string | null = null
  do {
    const query = { limit: 200, ...agentQuery(agentId), ...(cursor === null ? {} : { cursor }) }
    const page: { items: Skill[]; next_cursor: string | null } = await api.get('/api/skills', { query, signal })
    items.push(...page.items)
    cursor = page.next_cursor
  } while (cursor !== null)
  return items
}

export const readAgents = async (signal: AbortSignal): Promise<readonly Agent[]> =>
  (await api.get('/api/agents', { query: { limit: 200 }, signal })).items

export const readSkill = ({ source, name, agentId }: SkillPlace, signal: AbortSignal): Promise<SkillDetails> =>
  api.get('/api/skills/{source}/{name}', { path: { source, name }, query: source === 'agent' ? agentQuery(agentId) : {}, signal })

/** The operations on one skill; those of administrators have their own addresses. */
const changeAddress = ({ source, name }: SkillPlace, below = ''): string =>
  `${source === 'shared' ? '/api/admin/skills' : `/api/skills/${source}`}/${encodeURIComponent(name)}${below}`

const queryOf = ({ source, agentId }: SkillPlace) => (source === 'agent' ? agentQuery(agentId) : {})

export const removeSkill = async (place: SkillPlace): Promise<void> => {
  await send('delete', changeAddress(place), { query: queryOf(place) })
}

export const updateSkill = async (place: SkillPlace): Promise<void> => {
  await send('post', changeAddress(place, '/update'), { query: queryOf(place) })
}

export const checkSkill = ({ source, name, agentId }: SkillPlace): Promise<SkillCheck> =>
  api.get('/api/skills/{source}/{name}/check', { path: { source, name }, query: source === 'agent' ? agentQuery(agentId) : {} })

/** What the address that a skill came from gives now. */
export const checkAddress = async (place: SkillPlace): Promise<Schemas['SkillAddressCheck']> =>
  (await send('post', changeAddress(place, '/check'), { query: queryOf(place) })).json()

/** A file with the etag that a change names. `text` is undefined for what is no text. */
export interface OpenFile {
  readonly path: string
  readonly text: string | undefined
  readonly etag: string
}

export const contentAddress = ({ source, name }: SkillPlace): string => `/api/skills/${source}/${encodeURIComponent(name)}/content`

export async function readFile(place: SkillPlace, path: string, signal: AbortSignal): Promise<OpenFile> {
  const answer = await send('get', contentAddress(place), { query: { ...queryOf(place), path }, signal })
  const bytes = await answer.arrayBuffer()
  return { path, text: textOf(bytes), etag: answer.headers.get('etag') ?? '' }
}

export async function writeFile(place: SkillPlace, path: string, text: string, etag?: string): Promise<void> {
  const headers = { 'content-type': 'application/octet-stream', ...(etag === undefined ? {} : { 'if-match': etag }) }
  await send('put', changeAddress(place, '/content'), { query: { ...queryOf(place), path }, body: new Blob([text]), headers })
}

export const removeFile = async (place: SkillPlace, path: string): Promise<void> => {
  await send('delete', changeAddress(place, '/content'), { query: { ...queryOf(place), path } })
}

/** For whom a new skill is. */
export type Audience = 'user' | 'shared' | `agent:${string}`

const prefixOf = (audience: Audience): string => (audience === 'shared' ? '/api/admin/skills' : '/api/skills')
const agentOf = (audience: Audience): { readonly agent_id?: string } =>
  audience.startsWith('agent:') ? { agent_id: audience.slice('agent:'.length) } : {}

export const placeOfNew = (audience: Audience, name: string): SkillPlace => ({
  source: audience === 'shared' ? 'shared' : audience === 'user' ? 'user' : 'agent',
  ...{ name, agentId: agentOf(audience).agent_id },
})

export async function createSkill(
  audience: Audience,
  what: { readonly name: string; readonly description: string },
): Promise<SkillDetails> {
  const answer = await send('post', prefixOf(audience), { body: { ...what, ...agentOf(audience) } })
  return (await answer.json()) as SkillDetails
}

export async function installSkill(
  audience: Audience,
  what: { readonly file: File } | { readonly url: string },
  replace: boolean,
): Promise<SkillDetails> {
  const answer =
    'file' in what
      ? await send('post', `${prefixOf(audience)}/upload`, {
          query: { ...agentOf(audience), replace, from: what.file.name.slice(0, 500) },
          body: what.file,
          headers: { 'content-type': 'application/octet-stream' },
        })
      : await send('post', `${prefixOf(audience)}/install`, { body: { url: what.url, replace, ...agentOf(audience) } })
  return (await answer.json()) as SkillDetails
}

function textOf(bytes: ArrayBuffer): string | undefined {
  if (new Uint8Array(bytes.slice(0, 8192)).includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

import { agentName, type Query, startOfDay, untilText } from '@agent-service/sdk/web'
import { type AnswerOf, api, createQuery, type Schemas } from '../../api/index.js'
import { t } from './texts.js'

export type Memory = Schemas['Memory']
export type Kind = Memory['kind']
export type Scope = Schemas['MemoryScope']
export type Status = AnswerOf<'get', '/api/memory/status'>

export const kinds = ['note', 'summary', 'statement', 'playbook'] as const satisfies readonly Kind[]

/** The page of one memory. */
export const hrefOf = (id: string): string => `/memory/item/${encodeURIComponent(id)}`

/** Which memories are shown; absent members restrict nothing. */
export interface Filter {
  readonly kind: Kind
  readonly scope: string
  readonly text: string
  /** A day: `2026-01-31`. */
  readonly day: string
}

/** A scope as the value of a choice: `user`, `agent <id>`, `space <id>`; empty: everything. */
export const scopeValue = ({ kind, agent_id, space_id }: Scope): string =>
  kind === 'user' ? kind : `${kind} ${(kind === 'agent' ? agent_id : space_id) ?? ''}`

/** The scope that such a value stands for. */
export function scopeOf(value: string): Scope | undefined {
  const [kind, id = ''] = value.split(' ')
  if (kind === 'agent') return { kind, agent_id: id }
  if (kind === 'space') return { kind, space_id: id }
  return kind === 'user' ? { kind } : undefined
}

/** The end of a day: the second before the next one. */
export const endOfDay = (day: string): string | undefined => {
  const next = startOfDay(day, 1)
  return next === undefined ? undefined : new Date(Date.parse(next) - 1_000).toISOString()
}

/** How the memory of the service is. */
export const createStatus = (): Query<Status> =>
  createQuery({ key: () => ['status'], read: (signal) => api.get('/api/memory/status', { signal }) })

export async function readMemories({ kind, scope, text, day }: Filter, cursor: string | undefined, signal: AbortSignal) {
  const wanted = scopeOf(scope)
  const asOf = endOfDay(day)
  return api.get('/api/memory', {
    query: {
      ...{ kind: [kind], limit: 50 },
      ...(wanted && { scope: wanted.kind }),
      ...(wanted?.agent_id !== undefined && { agent_id: wanted.agent_id }),
      ...(wanted?.space_id !== undefined && { space_id: wanted.space_id }),
      ...(text.trim() !== '' && { q: text.trim() }),
      ...(asOf !== undefined && { as_of: asOf }),
      ...(cursor !== undefined && { cursor }),
    },
    signal,
  })
}

/** The kinds of which there is something; those that are known already are not asked for again. */
export async function kindsThere(known: readonly Kind[], signal: AbortSignal): Promise<readonly Kind[]> {
  const found = await Promise.all(
    kinds
      .filter((kind) => !known.includes(kind))
      .map(async (kind) => {
        const { items, next_cursor } = await api.get('/api/memory', { query: { kind: [kind], limit: 1 }, signal })
        return items.length > 0 || next_cursor !== null ? [kind] : []
      }),
  )
  return [...known, ...found.flat()]
}

/** Names for what memories only know by id. */
export interface Names {
  readonly agents: () => readonly Schemas['Agent'][]
  /** By name. */
  readonly spaces: () => readonly Schemas['Space'][]
  readonly error: () => unknown
  /** Whose memory something is in. */
  scope(scope: Scope): string
  /** The title of a chat. */
  chat(id: string): string
  reload(): void
}

export function createNames(): Names {
  const agents = createQuery({
    key: () => ['agents'],
    read: async (signal) => (await api.get('/api/agents', { query: { limit: 200 }, signal })).items,
  })
  const chats: Query<ReadonlyMap<string, string>> = createQuery({
    key: () => ['chats'],
    async read(signal) {
      const { items } = await api.get('/api/chats', { query: { limit: 200 }, signal })
      return new Map(items.flatMap(({ id, title }) => (title === null ? [] : [[id, title] as const])))
    },
  })
  const spaces = createQuery({
    key: () => ['spaces'],
    read: async (signal) => (await api.get('/api/spaces', { query: { limit: 200 }, signal })).items,
  })
  return {
    agents: () => agents.value() ?? [],
    spaces: () => [...(spaces.value() ?? [])].sort((one, other) => one.name.localeCompare(other.name)),
    error: () => agents.error() ?? chats.error() ?? spaces.error(),
    scope({ kind, agent_id, space_id }) {
      if (kind === 'user') return t('all_agents')
      if (kind === 'space') return t('in_space', { name: spaces.value()?.find(({ id }) => id === space_id)?.name ?? t('unknown_space') })
      const known = agents.value()
      return t('of_agent', { name: agentName(known?.find(({ id }) => id === agent_id)?.name ?? t(known ? 'deleted_agent' : 'an_agent')) })
    },
    chat: (id) => chats.value()?.get(id) ?? t('a_chat'),
    reload() {
      void agents.reload()
      void chats.reload()
      void spaces.reload()
    },
  }
}

/** The scopes that a person can choose, in the order of their width. */
export const scopeChoices = (names: Names): readonly { readonly value: string; readonly label: string }[] => [
  { value: 'user', label: t('all_agents') },
  ...names.agents().map(({ id, name }) => ({ value: `agent ${id}`, label: t('of_agent', { name: agentName(name) }) })),
  ...names.spaces().map(({ id, name }) => ({ value: `space ${id}`, label: t('in_space', { name }) })),
]

/** When agents stop seeing it. */
export function fadeText({ fades_at, valid_to }: Memory): string | undefined {
  if (fades_at === null || valid_to !== null) return undefined
  return Date.parse(fades_at) <= Date.now() ? t('faded') : t('fades', { when: untilText(fades_at) })
}

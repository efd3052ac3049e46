import { type QueryPage, startOfDay } from '@agent-service/sdk/web'
import { api, type Schemas } from '../../api/index.js'

export type Entry = Schemas['AuditEntry']
export type Outcome = Entry['outcome']

/** What the person has chosen; empty texts choose nothing. */
export interface Filter {
  readonly kind: string
  readonly username: string
  readonly relation: 'actor' | 'subject'
  readonly outcome: '' | Outcome
  /** Days of the browser's time zone, as `2026-11-23`. */
  readonly from: string
  readonly to: string
}

export const noFilter: Filter = { kind: '', username: '', relation: 'actor', outcome: '', from: '', to: '' }

/** No account has the name that was entered. */
export class NoSuchPersonError extends Error {}

/** A page with something in it, or the last one: with filters the service may answer empty pages. */
export async function readEntries(
  filter: Filter,
  { cursor, limit, signal }: { readonly cursor: string | undefined; readonly limit: number; readonly signal?: AbortSignal },
): Promise<QueryPage<Entry>> {
  const given = signal && { signal }
  const query = { ...(await queryOf(filter, given)), limit }
  let from = cursor
  for (;;) {
    const page = await api.get('/api/admin/audit', { query: { ...query, ...(from !== undefined && { cursor: from }) }, ...given })
    if (page.items.length > 0 || page.next_cursor === null) return page
    from = page.next_cursor
  }
}

const pageSize = 200

/** Up to so many entries that fit, the latest first, and whether there are more. */
export async function readAll(filter: Filter, max: number): Promise<{ readonly entries: readonly Entry[]; readonly isPart: boolean }> {
  const entries: Entry[] = []
  let cursor: string | undefined
  do {
    const page: QueryPage<Entry> = await readEntries(filter, { cursor, limit: pageSize })
    entries.push(...page.items)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined && entries.length < max)
  return { entries: entries.slice(0, max), isPart: cursor !== undefined || entries.length > max }
}

type Given = { readonly signal: AbortSignal } | undefined

async function queryOf({ kind, username, relation, outcome, from, to }: Filter, given: Given) {
  const [start, end] = [startOfDay(from), startOfDay(to, 1)]
  const person = username.trim() === '' ? undefined : await idOf(username.trim().toLowerCase(), given)
  return {
    ...(kind !== '' && { kind }),
    ...(person !== undefined && { [relation === 'actor' ? 'actor_id' : 'subject_id']: person }),
    ...(outcome !== '' && { outcome }),
    ...(start !== undefined && { from: start }),
    ...(end !== undefined && { to: end }),
  }
}

async function idOf(username: string, given: Given): Promise<string> {
  let cursor: string | null = null
  do {
    const page: Schemas['AdministeredUserPage'] = await api.get('/api/admin/users', {
      query: { search: username, limit: pageSize, ...(cursor !== null && { cursor }) },
      ...given,
    })
    const found = page.items.find((user) => user.username === username)
    if (found) return found.id
    cursor = page.next_cursor
  } while (cursor !== null)
  throw new NoSuchPersonError(username)
}

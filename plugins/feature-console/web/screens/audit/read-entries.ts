import { type ListPage as Page, startOfDay } from '@agent-service/sdk/web'
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
export async function readEntries(filter: Filter, cursor: string | undefined, limit: number): Promise<Page<Entry>> {
  const query = { ...(await queryOf(filter)), limit }
  let from = cursor
  for (;;) {
    const page = await api.get('/api/admin/audit', { query: { ...query, ...(from !== undefined && { cursor: from }) } })
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
    const page: Page<Entry> = await readEntries(filter, cursor, pageSize)
    entries.push(...page.items)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined && entries.length < max)
  return { entries: entries.slice(0, max), isPart: cursor !== undefined || entries.length > max }
}

async function queryOf({ kind, username, relation, outcome, from, to }: Filter) {
  const [start, end] = [startOfDay(from), startOfDay(to, 1)]
  const person = username.trim() === '' ? undefined : await idOf(username.trim().toLowerCase())
  return {
    ...(kind !== '' && { kind }),
    ...(person !== undefined && { [relation === 'actor' ? 'actor_id' : 'subject_id']: person }),
    ...(outcome !== '' && { outcome }),
    ...(start !== undefined && { from: start }),
    ...(end !== undefined && { to: end }),
  }
}

async function idOf(username: string): Promise<string> {
  let cursor: string | null = null
  do {
    const page: Schemas['AdministeredUserPage'] = await api.get('/api/admin/users', {
      query: { search: username, limit: pageSize, ...(cursor !== null && { cursor }) },
    })
    const found = page.items.find((user) => user.username === username)
    if (found) return found.id
    cursor = page.next_cursor
  } while (cursor !== null)
  throw new NoSuchPersonError(username)
}

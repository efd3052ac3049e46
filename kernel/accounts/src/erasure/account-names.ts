import type { JsonObject } from '@agent-service/sdk'
import { type Database, documentsOf } from '@agent-service/sdk/services/database'
import { type AuditRecord, auditEvents } from '../audit/audit-records.js'
import { type ErasedName, type UserErasureRecord, type UserRecord, userNames, users } from '../records/records.js'
import { timestamp } from '../records/timestamps.js'

/**
 * How long entries with the names of a deleted account may still be written: by what was under way,
 * and by commands, which write theirs to a file first.
 */
export const settleMs = 3_600_000

/** What an account is called when it is deleted, at `at`. */
export function presentNames(user: UserRecord, emails: readonly (string | null)[], at: string): readonly ErasedName[] {
  const addresses = new Set([user.email, ...emails].filter((email) => email !== null))
  return [
    { kind: 'username', text: user.handle, from: null, to: null },
    ...(user.username === user.handle ? [] : [{ kind: 'username' as const, text: user.username, from: null, to: at }]),
    ...[...addresses].map((text) => ({ kind: 'email' as const, text, from: null, to: at })),
    ...(user.name === null || user.name.trim() === '' ? [] : [{ kind: 'name' as const, text: user.name.trim(), from: null, to: at }]),
  ]
}

/**
 * The names of a deleted account with those that it had before, which only the audit log knows. They
 * have to be stored before any entry is changed.
 */
export async function earlierNames(
  database: Database,
  { id, requested_at: deletedAt }: UserErasureRecord,
  { names, signal }: { readonly names: readonly ErasedName[]; readonly signal: AbortSignal },
): Promise<readonly ErasedName[]> {
  const earlier: ErasedName[] = []
  let usernameSince: string | null = null
  let emailSince: string | null = null
  const query = { index: 'by_subject', equals: [id], pageSize: 200 }
  for await (const entry of documentsOf(database, auditEvents, query)) {
    signal.throwIfAborted()
    const { from, to, others } = namesIn(entry)
    if (from !== undefined) earlier.push({ kind: 'username', text: from, from: usernameSince, to: entry.at })
    if (to !== undefined) usernameSince = entry.at
    if (entry.kind === 'email.changed' || entry.kind === 'account.created') emailSince = entry.at
    earlier.push(...others.map(({ kind, text }): ErasedName => ({ kind, text, from: null, to: kind === 'email' ? deletedAt : null })))
  }
  const since = { username: usernameSince, email: emailSince, name: null }
  // Before that the same word or address may have been another person's.
  const present = names.map((name) => (name.to === null ? name : { ...name, from: since[name.kind] }))
  const all = [...present, ...earlier.filter(({ text }) => text.trim() !== '')]
  return [...new Map(all.map((name) => [JSON.stringify(name), name])).values()]
}

/**
 * The names with those that were given up by the deletion: what is noted soon after it still means the
 * deleted account, unless another account has the name by now.
 */
export async function namesWhileSettling(
  database: Database,
  { id, requested_at: deletedAt }: UserErasureRecord,
  names: readonly ErasedName[],
): Promise<readonly ErasedName[]> {
  const isTaken = async ({ kind, text }: ErasedName): Promise<boolean> => {
    if (kind === 'email') return (await database.collection(users).find('by_email', [text])) !== undefined
    const holder = await database.collection(userNames).get(text)
    return holder !== undefined && holder.user_id !== id
  }
  const settling: ErasedName[] = []
  for (const name of names) {
    const isGivenUp = name.to === deletedAt && !(await isTaken(name))
    settling.push(isGivenUp ? { ...name, to: timestamp(Date.parse(deletedAt) + settleMs) } : name)
  }
  return settling
}

interface NamesInEntry {
  /** The usernames before and after a change. */
  readonly from?: string
  readonly to?: string
  readonly others: readonly Pick<ErasedName, 'kind' | 'text'>[]
}

/** What an entry of the service's own kinds says about the names of its account. */
function namesIn({ kind, before, after, details }: AuditRecord): NamesInEntry {
  const text = (state: JsonObject | null | undefined, member: string): string | undefined => {
    const value = state?.[member]
    return typeof value === 'string' ? value : undefined
  }
  if (kind === 'username.changed')
    return withoutAbsent({ from: text(before, 'username') ?? text(details, 'from'), to: text(after, 'username') ?? text(details, 'to') })
  if (kind === 'account.created') return withoutAbsent({ to: text(after, 'username') ?? text(details, 'username') })
  if (kind !== 'account.changed' && kind !== 'email.changed') return { others: [] }
  const others = [before, after, details].flatMap((state) => [
    ...[text(state, 'name')].flatMap((value) => (value === undefined ? [] : [{ kind: 'name' as const, text: value }])),
    ...[text(state, 'email')].flatMap((value) => (value === undefined ? [] : [{ kind: 'email' as const, text: value }])),
  ])
  return { others }
}

const withoutAbsent = ({ from, to }: { readonly from?: string | undefined; readonly to?: string | undefined }): NamesInEntry => ({
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to }),
  others: [],
})

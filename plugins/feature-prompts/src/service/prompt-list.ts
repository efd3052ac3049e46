import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Accounts } from '@agent-service/sdk/services/accounts'
import type { Clock } from '@agent-service/sdk/services/clock'
import { type Database, documentsOf } from '@agent-service/sdk/services/database'
import { maxShared } from '../common/limits.js'
import { type Prompt, promptCollection, textCollection, timeText, usesCollection } from '../store/prompt.js'
import { noteUse } from '../store/totals.js'

/** A prompt as one person sees it. */
export interface ListedPrompt {
  readonly prompt: Prompt
  readonly isOwn: boolean
  /** The name of the person who shares it; null for an own one, and for one of a disabled account. */
  readonly ownerName: string | null
  /** A shared one whose command an own one has: that one is used in its place. */
  readonly isShadowed: boolean
  readonly usedAt: string | null
}

export interface PromptQuery {
  /** Words of which command, title or excerpt must have all. */
  readonly search?: string
  /** Default `command`. */
  readonly order?: 'command' | 'used'
  /** Default `all`. */
  readonly whose?: 'all' | 'own' | 'shared'
}

/** What a person reads: their own prompts, and those that everyone has. */
export interface PromptList {
  list(userId: string, query: PromptQuery, signal: AbortSignal): Promise<readonly ListedPrompt[]>
  /** @throws `not_found`. */
  get(userId: string, id: string): Promise<ListedPrompt & { readonly text: string }>
  /** Remembers that the person used it now. Says whether it is their own. @throws `not_found`. */
  use(userId: string, id: string): Promise<{ readonly isOwn: boolean }>
}

export function createPromptList(dependencies: {
  readonly database: Database
  readonly clock: Pick<Clock, 'now'>
  readonly accounts: Pick<Accounts, 'get'>
}): PromptList {
  const { database, clock, accounts } = dependencies
  const prompts = database.collection(promptCollection)
  const usedOf = async (userId: string) => (await database.collection(usesCollection).get(userId))?.used ?? {}
  const ownerName = async ({ user_id }: Prompt): Promise<string | null> => (await accounts.get(user_id))?.username ?? null
  const visible = async (userId: string, id: string): Promise<Prompt> => {
    const prompt = await prompts.get(id)
    const isVisible = prompt && prompt.deleted_at === null && (prompt.user_id === userId || prompt.shared === 'everyone')
    if (!isVisible) throw notFoundError.create({ what: 'prompt' })
    return prompt
  }
  return {
    async list(userId, query, signal) {
      const own: Prompt[] = []
      for await (const prompt of documentsOf(database, promptCollection, { index: 'by_user', equals: [userId], signal }))
        if (prompt.deleted_at === null) own.push(prompt)
      const { items: shared } = await prompts.query({ index: 'by_shared_key', from: '', limit: maxShared })
      const used = await usedOf(userId)
      const commands = new Set(own.map(({ command }) => command))
      const names = new Map<string, string | null>()
      const listed: ListedPrompt[] = own.map((prompt) => ownListed(prompt, used[prompt.id]))
      for (const prompt of shared) {
        if (prompt.user_id === userId) continue
        if (!names.has(prompt.user_id)) names.set(prompt.user_id, await ownerName(prompt))
        const isShadowed = commands.has(prompt.command)
        const ownerOfIt = names.get(prompt.user_id) ?? null
        listed.push({ prompt, isOwn: false, ownerName: ownerOfIt, isShadowed, usedAt: used[prompt.id] ?? null })
      }
      return listed.filter((each) => fits(each, query)).sort(query.order === 'used' ? byUse : byCommand)
    },
    async get(userId, id) {
      const prompt = await visible(userId, id)
      const text = (await database.collection(textCollection).get(id))?.text ?? ''
      const usedAt = (await usedOf(userId))[id]
      if (prompt.user_id === userId) return { ...ownListed(prompt, usedAt), text }
      const { items } = await prompts.query({ index: 'by_own_key', equals: [`${userId} ${prompt.command}`], limit: 1 })
      const seen = { prompt, isOwn: false, ownerName: await ownerName(prompt), isShadowed: items.length > 0 }
      return { ...seen, usedAt: usedAt ?? null, text }
    },
    async use(userId, id) {
      const { user_id } = await visible(userId, id)
      await database.transaction((transaction) => noteUse(transaction, userId, { id, at: timeText(clock.now()) }))
      return { isOwn: user_id === userId }
    },
  }
}

const ownListed = (prompt: Prompt, usedAt: string | undefined): ListedPrompt => ({
  prompt,
  isOwn: true,
  ownerName: null,
  isShadowed: false,
  usedAt: usedAt ?? null,
})

function fits({ prompt, isOwn }: ListedPrompt, { search = '', whose = 'all' }: PromptQuery): boolean {
  if (whose !== 'all' && isOwn !== (whose === 'own')) return false
  const searched = `/${prompt.command} ${prompt.title} ${prompt.excerpt}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word))
}

/** Own ones before shared ones with the same command. */
const byCommand = (a: ListedPrompt, b: ListedPrompt): number =>
  a.prompt.command === b.prompt.command ? Number(b.isOwn) - Number(a.isOwn) : a.prompt.command < b.prompt.command ? -1 : 1

/** The last used first, then those that were never used. */
const byUse = (a: ListedPrompt, b: ListedPrompt): number => {
  const [first, second] = [a.usedAt ?? '', b.usedAt ?? '']
  return first === second ? byCommand(a, b) : first < second ? 1 : -1
}

import { notFoundError } from '@agent-service/sdk/contracts/http-route'
import type { Audit } from '@agent-service/sdk/services/audit'
import type { Clock } from '@agent-service/sdk/services/clock'
import type { Database, Transaction } from '@agent-service/sdk/services/database'
import { operationForbiddenError } from '@agent-service/sdk/services/policy'
import { quotaExceededError } from '@agent-service/sdk/services/quotas'
import { v7 as uuidv7 } from 'uuid'
import { promptCommandTakenError, stalePromptError } from '../common/errors.js'
import { maxExcerptCharacters, maxShared } from '../common/limits.js'
import { listedKeys, ownKey, type Prompt, promptCollection, textCollection, timeText } from '../store/prompt.js'
import { purgeDeleted } from '../store/purge.js'
import { addToTotals } from '../store/totals.js'

/** What a person writes. */
export interface PromptInput {
  readonly command: string
  readonly title: string
  readonly text: string
}

/** Who changes something. */
export interface PromptEditor {
  readonly userId: string
  /** Whether the policies permit this person to share prompts with everyone. */
  readonly mayShare: boolean
  readonly signal: AbortSignal
}

export interface ImportResult {
  readonly created: number
  readonly replaced: number
  readonly skipped: number
}

/** Every change of prompts. What changes a prompt that everyone has is audited, and needs the right to share. */
export interface PromptChanges {
  /** @throws `prompt_command_taken`, `quota_exceeded`. */
  create(editor: PromptEditor, input: PromptInput): Promise<Prompt>
  /**
   * Changes an own prompt; `versions` are those that the client may have seen, undefined for any.
   * @throws `not_found`, `stale_prompt`, `forbidden`, as {@link create}.
   */
  update(editor: PromptEditor, id: string, change: Partial<PromptInput>, versions: readonly string[] | undefined): Promise<Prompt>
  /** Takes an own prompt out of all lists. For a day it can be restored. @throws `not_found`. */
  remove(editor: PromptEditor, id: string): Promise<void>
  /** Brings an own prompt back as it was. @throws `not_found`, `prompt_command_taken`, `forbidden`. */
  restore(editor: PromptEditor, id: string): Promise<Prompt>
  /** All or nothing. A command that the person has is skipped or replaced. @throws as {@link update}. */
  import(editor: PromptEditor, inputs: readonly PromptInput[], existing: 'skip' | 'replace'): Promise<ImportResult>
  /**
   * Gives an own prompt to everyone, or takes any back. @throws `not_found`,
   * `prompt_command_taken`, `quota_exceeded`.
   */
  share(editor: PromptEditor, id: string, shared: Prompt['shared']): Promise<Prompt>
}

interface Dependencies {
  readonly database: Database
  readonly clock: Pick<Clock, 'now'>
  readonly audit: Pick<Audit, 'record'>
}

export function createPromptChanges(dependencies: Dependencies): PromptChanges {
  const { database, clock } = dependencies
  const now = (): string => timeText(clock.now())
  /** Deleted prompts make room for new ones. */
  const withRoom = async <Result>({ userId, signal }: PromptEditor, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (error) {
      if (!quotaExceededError.isInstance(error) || !(await purgeDeleted(database, userId, signal))) throw error
      return work()
    }
  }
  const transact = <Result>({ signal }: PromptEditor, work: (transaction: Transaction) => Promise<Result>): Promise<Result> =>
    database.transaction(work, { signal })
  return {
    create: (editor, input) =>
      withRoom(editor, () => transact(editor, (transaction) => insert(transaction, { userId: editor.userId, input, now: now() }))),
    update: (editor, id, change, versions) =>
      withRoom(editor, () =>
        transact(editor, async (transaction) => {
          const prompt = await ownPrompt(transaction, editor, id)
          if (versions && !versions.includes(String(prompt.version)))
            throw stalePromptError.create({ expected: versions.join(', '), actual: prompt.version })
          return rewrite(transaction, dependencies, { editor, prompt, change, now: now() })
        }),
      ),
    remove: (editor, id) =>
      transact(editor, async (transaction) => {
        const prompt = await ownPrompt(transaction, editor, id)
        transaction.put(promptCollection, { ...prompt, own_key: null, shared_key: null, deleted_at: now() })
        if (prompt.shared === 'everyone') note(dependencies, transaction, 'shared_prompt.withdrawn', prompt)
      }),
    restore: (editor, id) =>
      transact(editor, async (transaction) => {
        const prompt = await transaction.get(promptCollection, id)
        if (prompt?.user_id !== editor.userId) throw notFoundError.create({ what: 'prompt' })
        if (prompt.deleted_at === null) return prompt
        requireSharing(editor, prompt)
        await requireFree(transaction, prompt)
        const restored: Prompt = { ...prompt, ...listedKeys(prompt), deleted_at: null }
        transaction.put(promptCollection, restored)
        if (restored.shared === 'everyone') note(dependencies, transaction, 'shared_prompt.published', restored)
        return restored
      }),
    import: (editor, inputs, existing) =>
      withRoom(editor, () =>
        transact(editor, (transaction) => importAll(transaction, dependencies, { editor, inputs, existing, now: now() })),
      ),
    async share(editor, id, shared) {
      if (shared === 'everyone') await requireSharedRoom(database)
      return transact(editor, async (transaction) => {
        const prompt = await transaction.get(promptCollection, id)
        const isOwn = prompt?.user_id === editor.userId
        if (!prompt || prompt.deleted_at !== null || !(isOwn || prompt.shared === 'everyone'))
          throw notFoundError.create({ what: 'prompt' })
        if (prompt.shared === shared) return prompt
        const changed: Prompt = { ...prompt, shared, version: prompt.version + 1, updated_at: now() }
        await requireFree(transaction, changed)
        const stored: Prompt = { ...changed, ...listedKeys(changed) }
        transaction.put(promptCollection, stored)
        note(dependencies, transaction, shared === 'everyone' ? 'shared_prompt.published' : 'shared_prompt.withdrawn', stored)
        return stored
      })
    },
  }
}

async function ownPrompt(transaction: Transaction, { userId }: PromptEditor, id: string): Promise<Prompt> {
  const prompt = await transaction.get(promptCollection, id)
  if (prompt?.user_id !== userId || prompt.deleted_at !== null) throw notFoundError.create({ what: 'prompt' })
  return prompt
}

/** @throws `prompt_command_taken` if another prompt has a key that this one needs. */
async function requireFree(transaction: Transaction, prompt: Pick<Prompt, 'id' | 'user_id' | 'command' | 'shared'>): Promise<void> {
  const { id, command } = prompt
  const own = await transaction.find(promptCollection, 'by_own_key', [ownKey(prompt.user_id, command)])
  if (own && own.id !== id) throw promptCommandTakenError.create({ command, among: 'own' })
  if (prompt.shared === 'me') return
  const shared = await transaction.find(promptCollection, 'by_shared_key', [command])
  if (shared && shared.id !== id) throw promptCommandTakenError.create({ command, among: 'shared' })
}

function requireSharing({ mayShare }: PromptEditor, { shared }: Pick<Prompt, 'shared'>): void {
  if (shared === 'everyone' && !mayShare) throw operationForbiddenError.create({ operation: 'sharePrompt' })
}

/** A soft bound: two administrators who share at the same moment may pass it by one. */
async function requireSharedRoom(database: Database): Promise<void> {
  const { items } = await database.collection(promptCollection).query({ index: 'by_shared_key', from: '', limit: maxShared })
  if (items.length >= maxShared) throw quotaExceededError.create({ counts: 'shared prompts', max: maxShared, used: items.length })
}

async function insert(
  transaction: Transaction,
  { userId, input, now }: { readonly userId: string; readonly input: PromptInput; readonly now: string },
): Promise<Prompt> {
  const { command, title, text } = input
  const identity = { id: uuidv7(), user_id: userId, command, shared: 'me' } as const
  await requireFree(transaction, identity)
  const bytes = Buffer.byteLength(text)
  await addToTotals(transaction, userId, { prompts: 1, bytes })
  const times = { created_at: now, updated_at: now, deleted_at: null }
  const prompt: Prompt = { ...identity, ...listedKeys(identity), ...times, title, excerpt: excerptOf(text), bytes, version: 1 }
  transaction.insert(promptCollection, prompt)
  transaction.insert(textCollection, { id: prompt.id, user_id: userId, text })
  return prompt
}

interface Rewrite {
  readonly editor: PromptEditor
  readonly prompt: Prompt
  readonly change: Partial<PromptInput>
  readonly now: string
}

async function rewrite(transaction: Transaction, dependencies: Dependencies, { editor, prompt, change, now }: Rewrite): Promise<Prompt> {
  requireSharing(editor, prompt)
  const { text, ...names } = change
  const renamed: Prompt = { ...prompt, ...names, version: prompt.version + 1, updated_at: now }
  await requireFree(transaction, renamed)
  const written = text === undefined ? {} : { excerpt: excerptOf(text), bytes: Buffer.byteLength(text) }
  const changed: Prompt = { ...renamed, ...listedKeys(renamed), ...written }
  await addToTotals(transaction, prompt.user_id, { prompts: 0, bytes: changed.bytes - prompt.bytes })
  transaction.put(promptCollection, changed)
  if (text !== undefined) transaction.put(textCollection, { id: prompt.id, user_id: prompt.user_id, text })
  if (changed.shared === 'everyone') note(dependencies, transaction, 'shared_prompt.changed', changed, prompt)
  return changed
}

interface Import {
  readonly editor: PromptEditor
  readonly inputs: readonly PromptInput[]
  readonly existing: 'skip' | 'replace'
  readonly now: string
}

async function importAll(transaction: Transaction, dependencies: Dependencies, work: Import): Promise<ImportResult> {
  const { editor, inputs, existing, now } = work
  const result = { created: 0, replaced: 0, skipped: 0 }
  for (const input of inputs) {
    const prompt = await transaction.find(promptCollection, 'by_own_key', [ownKey(editor.userId, input.command)])
    if (!prompt) {
      await insert(transaction, { userId: editor.userId, input, now })
      result.created += 1
    } else if (existing === 'replace') {
      await rewrite(transaction, dependencies, { editor, prompt, change: input, now })
      result.replaced += 1
    } else result.skipped += 1
  }
  return result
}

type Kind = 'shared_prompt.published' | 'shared_prompt.changed' | 'shared_prompt.withdrawn'

/** Without title and text, which are the author's own words. */
function note({ audit }: Dependencies, transaction: Transaction, kind: Kind, after: Prompt, before?: Prompt): void {
  const audited = ({ command, version, bytes }: Prompt) => ({ command, version, bytes })
  audit.record(transaction, { kind, subject: after.id, after: audited(after), ...(before && { before: audited(before) }) })
}

/** The beginning of a text in one line, never half a character. */
function excerptOf(text: string): string {
  const begin = text.slice(0, 4 * maxExcerptCharacters).replace(/[\ud800-\udbff]$/, '')
  const line = begin.replace(/\s+/g, ' ').trim()
  return [...line].slice(0, maxExcerptCharacters).join('')
}

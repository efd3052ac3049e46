import type { Transaction } from '@agent-service/sdk/services/database'
import { quotaExceededError } from '@agent-service/sdk/services/quotas'
import { maxBytes, maxPrompts, maxUses } from '../common/limits.js'
import { type PromptUses, usesCollection } from './prompt.js'

const usesOf = async (transaction: Transaction, userId: string): Promise<PromptUses> =>
  (await transaction.get(usesCollection, userId)) ?? { id: userId, user_id: userId, prompts: 0, bytes: 0, used: {} }

/** Adds to what a person keeps. @throws `quota_exceeded` if that would be too much. */
export async function addToTotals(
  transaction: Transaction,
  userId: string,
  change: { readonly prompts: number; readonly bytes: number },
): Promise<void> {
  const before = await usesOf(transaction, userId)
  const prompts = Math.max(0, before.prompts + change.prompts)
  const bytes = Math.max(0, before.bytes + change.bytes)
  if (change.prompts > 0 && prompts > maxPrompts)
    throw quotaExceededError.create({ counts: 'prompts', max: maxPrompts, used: before.prompts })
  if (change.bytes > 0 && bytes > maxBytes)
    throw quotaExceededError.create({ counts: 'bytes of prompts', max: maxBytes, used: before.bytes })
  transaction.put(usesCollection, { ...before, prompts, bytes })
}

/** Remembers that a person used a prompt now. The longest unused one gives way. */
export async function noteUse(transaction: Transaction, userId: string, use: { readonly id: string; readonly at: string }): Promise<void> {
  const before = await usesOf(transaction, userId)
  const others = Object.entries(before.used).filter(([id]) => id !== use.id)
  const latest = others.sort(([, a], [, b]) => (a < b ? 1 : -1)).slice(0, maxUses - 1)
  transaction.put(usesCollection, { ...before, used: Object.fromEntries([[use.id, use.at], ...latest]) })
}

import { defineServiceReference } from '../core/service-reference.js'

/** The cost of model calls. */
export interface UsageCost {
  /** In US dollars. */
  readonly usd: number
  /** Calls that used tokens and whose price is not known; the sum lacks them. */
  readonly unpricedCalls: number
}

/**
 * What the model calls of the users have cost.
 *
 * @example
 * const cost = await context.use(usageService)?.costOfChat({ userId, chatId })
 * if (cost) context.log.info('The chat has cost something.', { usd: cost.usd })
 */
export interface Usage {
  /** Of all calls in a chat of the user that have ended. `undefined`: there was none. */
  costOfChat(chat: { readonly userId: string; readonly chatId: string }): Promise<UsageCost | undefined>
}

/** What model calls have cost. Provided by `feature-inference`. */
export const usageService = defineServiceReference<Usage>()('usage')

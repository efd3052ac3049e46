import type { Database } from '@agent-service/sdk/services/database'
import type { Usage } from '@agent-service/sdk/services/usage'
import { dollarsOf } from './price.js'
import { chatSumCollection } from './usage-sum.js'

/** The service `usage`. `settled` resolves when all calls that have ended are stored. */
export const createUsage = (database: Database, settled: () => Promise<void>): Usage => ({
  async costOfChat({ userId, chatId }) {
    await settled()
    const page = await database.collection(chatSumCollection).query({ index: 'by_user', equals: [userId, chatId], limit: 200 })
    if (page.items.length === 0) return undefined
    return {
      usd: dollarsOf(page.items.reduce((sum, { cost_nano_usd }) => sum + cost_nano_usd, 0)),
      unpricedCalls: page.items.reduce((sum, { unpriced_calls }) => sum + unpriced_calls, 0),
    }
  },
})

import { describeChannel } from '@agent-service/sdk/testing'
import { createTelegramBench } from './test-support/telegram-bench.js'

for (const receive of ['polling', 'webhook'] as const)
  describeChannel({
    name: `telegram by ${receive}`,
    create: (hooks) => createTelegramBench(hooks, receive),
    supports: {
      ...{ markdown: true, groups: true, replies: true, buttons: true, attachmentsIn: true, attachmentsOut: true },
      ...{ edits: true, typing: true, webhook: true },
    },
    // Sending is the same in both.
    faults:
      receive === 'polling' ? ['down', 'failing', 'silent', 'garbled', 'throttled', 'revoked', 'rejecting', 'losing'] : ['down', 'revoked'],
    bots: true,
    echoes: true,
    limitMs: 10_000,
  })

import { describeChannel } from '@agent-service/sdk/testing'
import { createDiscordBench } from './test-support/discord-bench.js'

describeChannel({
  name: 'discord',
  create: () => createDiscordBench(),
  supports: {
    ...{ markdown: true, groups: true, replies: true, buttons: true, attachmentsIn: true, attachmentsOut: true },
    ...{ edits: true, typing: true, idempotentSend: true },
  },
  faults: ['down', 'failing', 'silent', 'garbled', 'throttled', 'revoked', 'rejecting', 'losing'],
  // The gateway has no acknowledgement of a message: what was not stored is sent again after resuming.
  acknowledges: false,
  bots: true,
  echoes: true,
})

import { describeChannel } from '@agent-service/sdk/testing'
import { createEmailBench } from './testing/email-bench.js'
import { mailServers } from './testing/shared-servers.js'

describeChannel({
  name: 'email',
  create: () => createEmailBench(mailServers()),
  supports: { markdown: true, attachmentsIn: true, attachmentsOut: true, idempotentSend: true },
  faults: ['down', 'failing', 'silent', 'garbled', 'revoked', 'rejecting', 'losing'],
  echoes: true,
  limitMs: 20_000,
  abortLimitMs: 5_000,
})

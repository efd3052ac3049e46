import { type ChannelFault, describeChannel } from '@agent-service/sdk/testing'
import { createSlackBench } from './test-support/slack-bench.js'

const faults: readonly ChannelFault[] = [
  'down',
  'failing',
  'silent',
  'garbled',
  'throttled',
  'revoked',
  'rejecting',
  'losing',
  'redirecting',
]

for (const mode of ['socket', 'events'] as const)
  describeChannel({
    name: `slack (${mode})`,
    create: (hooks) => createSlackBench(mode, hooks),
    supports: { markdown: true, groups: true, buttons: true, attachmentsIn: true, attachmentsOut: true, edits: true, webhook: true },
    faults,
    bots: true,
    echoes: true,
  })

import type { PluginSources } from './plugin-sources.js'

/** A hook that refuses tools and masks card numbers. */
export const runHookSources = (id: string): PluginSources => ({
  index: indexText(id),
  test: testText,
})

const indexText = (id: string): string => `import { definePlugin, Type } from '@agent-service/sdk'
import { agentRunHooks, defineRunHook } from '@agent-service/sdk/contracts/agent-run-hook'

const cardNumber = /\\b\\d{4}([ -]?)\\d{4}\\1\\d{4}\\1\\d{4}\\b/g

/** Refuses tools, and masks card numbers in what tools give. */
export const createGuard = (forbidden: readonly string[]) =>
  defineRunHook({
    id: '${id}',
    title: 'Guard',
    async beforeToolCall({ tool }) {
      return forbidden.includes(tool) ? { veto: \`The tool \${tool} is not to be used here.\` } : undefined
    },
    async mask({ texts }) {
      return texts.map((text) => text.replaceAll(cardNumber, '[card number]'))
    },
  })

export default definePlugin({
  manifest: {
    id: '${id}',
    apiVersion: 1,
    contributes: ['agent.run-hook'],
    config: Type.Object({ forbidden_tools: Type.Array(Type.String(), { default: [] }) }),
  },
  setup: (context) => context.contribute(agentRunHooks, createGuard(context.config.forbidden_tools)),
})
`

const testText = `import assert from 'node:assert/strict'
import * as runner from 'node:test'
import { agentRunHooks } from '@agent-service/sdk/contracts/agent-run-hook'
import { createTestContext, describeAgentRunHook } from '@agent-service/sdk/testing'
import plugin, { createGuard } from './index.js'

// Every rule of the contract.
describeAgentRunHook({
  name: 'guard',
  create: () => createGuard(['pay']),
  // Calls that the hook has to veto, and calls that it has to let pass.
  vetoes: [
    { title: 'a payment', beforeToolCall: { tool: 'pay' }, vetoed: true },
    { title: 'looking something up', beforeToolCall: { tool: 'look_up' } },
  ],
  // What a tool gave; each whole secret in it, which the suite looks for in other texts too; and what stays readable.
  masks: [{ title: 'a card', texts: ['Paid with 4111 1111 1111 1111.'], hidden: ['4111 1111 1111 1111'], kept: ['Paid with'] }],
  runner,
})

runner.it('is set up', async () => {
  const test = createTestContext(plugin, { config: { forbidden_tools: ['pay'] } })
  await test.setup()
  assert.equal(test.contributed(agentRunHooks).length, 1)
  await test.dispose()
})
`

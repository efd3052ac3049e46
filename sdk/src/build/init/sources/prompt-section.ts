import type { PluginSources } from './plugin-sources.js'

/** A section with the rules of a house. */
export const promptSectionSources = (id: string): PluginSources => ({
  index: `import { definePlugin, Type } from '@agent-service/sdk'
import { agentPromptSections, definePromptSection } from '@agent-service/sdk/contracts/agent-prompt-section'

export const createRules = (rules: readonly string[]) =>
  definePromptSection({
    id: '${id}',
    title: 'House rules',
    order: 300,
    kind: 'static',
    maxTokens: 500,
    async text({ maxTokens }) {
      return \`Rules of this house:\\n\${rules.map((rule) => \`- \${rule}\`).join('\\n')}\`.slice(0, 4 * maxTokens)
    },
  })

export default definePlugin({
  manifest: {
    id: '${id}',
    apiVersion: 1,
    contributes: ['agent.prompt-section'],
    config: Type.Object({ rules: Type.Array(Type.String(), { default: ['Answer in plain words.'] }) }),
  },
  setup: (context) => context.contribute(agentPromptSections, createRules(context.config.rules)),
})
`,
  test: `import assert from 'node:assert/strict'
import * as runner from 'node:test'
import { agentPromptSections } from '@agent-service/sdk/contracts/agent-prompt-section'
import { createTestContext, describeAgentPromptSection } from '@agent-service/sdk/testing'
import plugin, { createRules } from './index.js'

// Every rule of the contract. There are more rules than fit, so that the suite sees the text become shorter.
const more = Array.from({ length: 100 }, (_, index) => \`This is rule \${index}.\`)
describeAgentPromptSection({
  name: 'rules',
  create: () => createRules(['Be kind.', ...more]),
  examples: [{ title: 'a rule', check: (text) => assert.ok(text.includes('- Be kind.')) }],
  personal: 'not applicable',
  runner,
})

runner.it('has the rules of the settings', async () => {
  const test = createTestContext(plugin, { config: { rules: ['Be brief.'] } })
  await test.setup()
  assert.equal(test.contributed(agentPromptSections).length, 1)
  await test.dispose()
})
`,
})

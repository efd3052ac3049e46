import type { PluginSources } from './plugin-sources.js'

/** A tool that greets. */
export const toolSources = (id: string): PluginSources => ({
  index: `import { definePlugin, Type } from '@agent-service/sdk'
import { defineTool, tools } from '@agent-service/sdk/contracts/tool'

export const sayHello = defineTool({
  name: 'say_hello',
  description: 'Greets a person by name.',
  parameters: Type.Object({ name: Type.String({ minLength: 1, maxLength: 100 }) }),
  effect: 'read',
  execute: ({ name }) => \`Hello, \${name}!\`,
})

export default definePlugin({
  manifest: { id: '${id}', apiVersion: 1, contributes: ['tool'] },
  setup: (context) => context.contribute(tools, sayHello),
})
`,
  test: `import assert from 'node:assert/strict'
import * as runner from 'node:test'
import { createTestContext, describeTool } from '@agent-service/sdk/testing'
import plugin, { sayHello } from './index.js'

// Every rule of the contract.
describeTool({
  name: 'say_hello',
  create: () => ({ tool: sayHello, state: 'not applicable' }),
  examples: [{ title: 'a name', input: { name: 'Ada' } }],
  secrets: [],
  stranger: 'not applicable',
  runner,
})

runner.it('greets by name', async () => {
  const test = createTestContext(plugin)
  await test.setup()
  const { content } = await test.call('say_hello', { name: 'Ada' })
  assert.deepEqual(content, [{ type: 'text', text: 'Hello, Ada!' }])
  await test.dispose()
})
`,
})

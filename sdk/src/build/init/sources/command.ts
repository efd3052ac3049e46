import type { PluginSources } from './plugin-sources.js'

/** A command that greets. */
export const commandSources = (id: string): PluginSources => ({
  index: `import { definePlugin } from '@agent-service/sdk'
import { cliCommands, defineCommand } from '@agent-service/sdk/contracts/cli-command'

export const hello = defineCommand({
  name: 'hello',
  summary: 'Greet a person',
  arguments: [{ name: 'name', description: 'the person to greet', required: true }],
  async run({ arguments: [name = ''], print }) {
    await print(\`Hello, \${name}!\`)
    return { status: 0, json: { name } }
  },
})

export default definePlugin({
  manifest: { id: '${id}', apiVersion: 1, contributes: ['cli.command'] },
  setup: (context) => context.contribute(cliCommands, hello),
})
`,
  test: `import assert from 'node:assert/strict'
import * as runner from 'node:test'
import { createTestCommand, describeCliCommand } from '@agent-service/sdk/testing'
import { hello } from './index.js'

// Every rule of the contract.
describeCliCommand({
  name: 'hello',
  create: () => hello,
  examples: [{ title: 'a name', arguments: ['Ada'], check: ({ lines }) => assert.deepEqual(lines, ['Hello, Ada!']) }],
  runner,
})

runner.it('greets by name', async () => {
  const { context, lines } = createTestCommand({ arguments: ['Ada'] })
  const result = await hello.run(context)
  assert.deepEqual(lines, ['Hello, Ada!'])
  assert.deepEqual(result, { status: 0, json: { name: 'Ada' } })
})
`,
})

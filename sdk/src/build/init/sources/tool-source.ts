import type { PluginSources } from './plugin-sources.js'

/** A source of greetings, one tool for each language. */
export const toolSourceSources = (id: string): PluginSources => ({
  index: `import { definePlugin } from '@agent-service/sdk'
import { defineToolSource, type SourceTool, toolSources } from '@agent-service/sdk/contracts/tool-source'

const greetings: Readonly<Record<string, string>> = { french: 'Bonjour', german: 'Guten Tag' }

const greetIn = (language: string): SourceTool => ({
  name: \`greet_in_\${language}\`,
  description: \`Says the usual greeting in \${language} to a person by name.\`,
  parameters: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  effect: 'read',
})

// Agents call its tools ${id.replaceAll('-', '_')}__greet_in_french, …
export const source = defineToolSource({
  id: '${id}',
  title: 'Greetings',
  tools: async () => Object.keys(greetings).map(greetIn),
  async execute(name, input) {
    const greeting = greetings[name.replace('greet_in_', '')]
    if (greeting === undefined) return { isError: true, content: [{ type: 'text', text: \`The tool “\${name}” does not exist.\` }] }
    return { content: [{ type: 'text', text: \`\${greeting}, \${String(input['name'])}!\` }] }
  },
})

export default definePlugin({
  manifest: { id: '${id}', apiVersion: 1, contributes: ['tool.source'] },
  setup: (context) => context.contribute(toolSources, source),
})
`,
  test: `import * as runner from 'node:test'
import { createTestContext, describeToolSource } from '@agent-service/sdk/testing'
import plugin, { source } from './index.js'

// Every rule of the contract.
describeToolSource({
  name: 'greetings',
  create: () => ({ source }),
  examples: [
    { title: 'a name', tool: 'greet_in_french', input: { name: 'Ada' } },
  ],
  runner,
})

runner.it('is set up', async () => {
  const test = createTestContext(plugin)
  await test.setup()
  await test.dispose()
})
`,
})

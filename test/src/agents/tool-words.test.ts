import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ToolDisplay } from '@agent-service/sdk/contracts/tool'
import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from './support/agents-kernel.js'

interface ListedTool {
  readonly name: string
  readonly plugin_id: string
  readonly display: ToolDisplay | null
}

const plugins = fileURLToPath(new URL('../../../plugins/', import.meta.url))

/** The names of tools in the source of the shipped plugins: a literal name and title, as tools have them. */
async function namesInSources(): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (const plugin of await readdir(plugins)) {
    const files = await readdir(path.join(plugins, plugin, 'src'), { recursive: true }).catch(() => [])
    for (const file of files.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))) {
      const source = await readFile(path.join(plugins, plugin, 'src', file), 'utf8')
      for (const [, name = ''] of source.matchAll(/\bname: '([a-z_]+)',\n +title: [^\n]*\n +(?:display|description):/g)) found.add(name)
    }
  }
  return found
}

describe('the words of the shipped tools', () => {
  let agents: AgentsKernel
  before(async () => {
    agents = await startAgentsKernel({ environment: { SERVICE_MEMORY_BACKEND: 'pkm', SERVICE_BROWSER_WS_URL: 'ws://127.0.0.1:9' } })
  })
  after(() => agents?.close())

  it('are there for every tool, in English and German', async () => {
    const ada = await agents.person('ada')
    const { body } = await ada.request('GET', '/api/tools?limit=200')
    const items = body['items'] as readonly ListedTool[]
    const shipped = items.filter(({ plugin_id }) => plugin_id !== 'tool')
    const listed = new Set(shipped.map(({ name }) => name))
    expect(
      [...(await namesInSources())].filter((name) => !listed.has(name)),
      'tools that this kernel does not have',
    ).to.deep.equal([])
    for (const { name, display } of shipped) {
      expect(Object.keys(display?.words ?? {}), name).to.include.members(['en', 'de'])
      expect(display?.icon, name).to.be.a('string')
      for (const stage of ['title', 'ask', 'running', 'failed'] as const)
        expect(JSON.stringify(display?.words['de']?.[stage]), `${name} ${stage}`).not.to.equal(JSON.stringify(display?.words.en[stage]))
    }
  })
})

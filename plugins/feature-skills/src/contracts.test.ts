import { agentPromptSections } from '@agent-service/sdk/contracts/agent-prompt-section'
import { tools } from '@agent-service/sdk/contracts/tool'
import { createTestContext, describeAgentPromptSection, describeTool, describeUserData, testAccount } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import plugin from './index.js'
import { skillText } from './test-support/archives.js'
import { createSkillUserData } from './user-data.js'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const own = `${testAccount.handle}/skills/own/tidy-notes`
const agent = { agentId: 'agent-1', agentHandle: 'assistant', workspace: 'assistant' }

async function start() {
  const host = createTestContext(plugin)
  host.services.userFiles.files.set(`${own}/SKILL.md`, bytes(skillText('tidy-notes', 'Sort them by date.')))
  host.services.userFiles.files.set(`${own}/scripts/sort.py`, bytes('print("sorted")'))
  await host.setup()
  return host
}

const textOf = ({ content }: { readonly content: readonly { readonly type: string }[] }): string => JSON.stringify(content)

describe('the plugin of skills', () => {
  let opened: Awaited<ReturnType<typeof start>>
  before(async () => {
    opened = await start()
  })

  describeTool({
    name: 'read_skill',
    create() {
      const [tool] = opened.contributed(tools)
      if (!tool) throw new Error('The plugin contributed no tool.')
      return { tool, state: 'not applicable' }
    },
    examples: [
      {
        title: 'the instructions and the list of files',
        input: { name: 'tidy-notes' },
        check: (result) => expect(textOf(result)).to.contain('Sort them by date.').and.contain('scripts/sort.py (15 bytes)'),
      },
      {
        title: 'a file',
        input: { name: 'tidy-notes', path: './scripts/sort.py' },
        check: (result) => expect(textOf(result)).to.contain('sorted').and.not.contain('Sort them by date.'),
      },
      { title: 'beyond the end', input: { name: 'tidy-notes', offset: 100_000 } },
      { title: 'a skill that is not there', input: { name: 'fly' }, isError: true },
      { title: 'a file that is not there', input: { name: 'tidy-notes', path: 'absent.md' }, isError: true },
      { title: 'a way out', input: { name: 'tidy-notes', path: '../other/SKILL.md' }, isError: true },
    ],
    context: { userId: testAccount.id, userHandle: testAccount.handle, ...agent },
    stranger: { userId: 'user-2', userHandle: 'user-2' },
    secrets: [],
  })
})

describeAgentPromptSection({
  name: 'skills',
  personal: ['tidy-notes'],
  async create() {
    const host = await start()
    for (let index = 0; index < 150; index += 1) {
      const name = `work-${index}`
      host.services.userFiles.files.set(`${testAccount.handle}/skills/own/${name}/SKILL.md`, bytes(skillText(name, 'x '.repeat(100))))
    }
    const [section] = host.contributed(agentPromptSections)
    if (!section) throw new Error('The plugin contributed no section.')
    return section
  },
  examples: [
    {
      title: 'an agent with every skill',
      context: { userId: testAccount.id, agent: { id: 'agent-1', handle: 'assistant', skills: ['*'] } as never },
      check: (text) => expect(text).to.contain('- tidy-notes: Does tidy-notes.').and.not.contain('Sort them by date.'),
    },
    {
      title: 'an agent without skills',
      context: { userId: testAccount.id, agent: { id: 'agent-1', handle: 'assistant', skills: [] } as never },
      isEmpty: true,
    },
  ],
})

describeUserData({
  name: 'of skills',
  async create() {
    const { services } = await start()
    services.userFiles.files.clear()
    const handles = new Map<string, string>()
    return {
      data: createSkillUserData({
        files: services.userFiles,
        catalogue: { forget: () => undefined },
        accounts: { get: async (id) => (handles.has(id) ? { ...testAccount, id, handle: handles.get(id) ?? '' } : undefined) },
      }),
      async fill(userId) {
        handles.set(userId, userId)
        for (const name of ['one', 'two']) services.userFiles.files.set(`${userId}/skills/own/${name}/SKILL.md`, bytes(skillText(name)))
      },
      async fillMany(userId) {
        handles.set(userId, userId)
        for (let index = 0; index <= 1_000; index += 1)
          services.userFiles.files.set(`${userId}/skills/own/many/${index}.md`, bytes(`Number ${index}`))
      },
      secrets: [],
      restarted: 'not applicable',
      stored: (userId) =>
        [...services.userFiles.files.keys()]
          .filter((path) => path.startsWith(`${userId}/`))
          .map((path) => path.split('/').slice(3).join('/')),
    }
  },
})

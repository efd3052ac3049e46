import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel, textOf } from '../agents/support/agents-kernel.js'
import { setScript } from '../agents/support/scripted-plugin.js'
import { createRandom, seedOfRun } from '../support/random.js'
import { type Writer, writerOf } from './chat-support.js'
import { chatGptExport, claudeExport, libreChatExport, openWebUiExport, pathsOf, sourceChats } from './support/foreign-exports.js'
import { chatsByTitle, importFile, putFile } from './support/foreign-imports.js'

const count = 2_000

describe('exports of other products with 2,000 chats', function () {
  this.timeout(900_000)
  let agents: AgentsKernel
  let ada: Writer
  const { next: random } = createRandom(seedOfRun())

  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    ada = await writerOf(agents, 'ada')
  })
  after(async () => {
    ada?.stream.close()
    await agents?.close()
  })

  for (const [product, toExport, name] of [
    ['chatgpt', chatGptExport, 'chatgpt.zip'],
    ['claude', claudeExport, 'claude.zip'],
    ['open-webui', openWebUiExport, 'chat-export.json'],
    ['librechat', libreChatExport, 'librechat.zip'],
  ] as const)
    it(`of ${product} are imported with equal counts and texts`, async () => {
      const sources = sourceChats(count, random, { prefix: product, pictures: product !== 'librechat' })
      await putFile(agents, 'ada', name, toExport(sources))
      const done = await importFile(ada, name)
      expect(done.problems).to.deep.equal([])
      expect(done).to.include({ state: 'done', product, imported: count, existing: 0, skipped: 0 })
      const chats = await chatsByTitle(ada)
      for (const source of sources) {
        const id = String(chats.get(source.title)?.['id'])
        const lists = []
        for (const { id: branch } of await ada.branches(id)) lists.push(JSON.stringify((await ada.list(id, branch)).map(textOf)))
        expect(lists.sort(), source.title).to.deep.equal(pathsOf(source).all)
      }
    })
})

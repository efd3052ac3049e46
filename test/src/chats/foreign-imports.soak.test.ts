import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel, textOf } from '../agents/support/agents-kernel.js'
import { setScript } from '../agents/support/scripted-plugin.js'
import { signUp } from '../support/api.js'
import { createRandom, seedOfRun } from '../support/random.js'
import { removeFolder, startServiceProcess } from '../support/service-process.js'
import { type Writer, writerOf } from './chat-support.js'
import { chatGptExport, claudeExport, libreChatExport, openWebUiExport, pathsOf, sourceChats } from './support/foreign-exports.js'
import { chatsByTitle, importFile, isFinal, progressIn, putFile, startImport } from './support/foreign-imports.js'

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

describe('an import whose service is killed', function () {
  this.timeout(600_000)

  it('goes on, and brings each chat once, large ones too', async () => {
    const { next: random } = createRandom(seedOfRun())
    // Every tenth chat is too large for one transaction.
    const sources = sourceChats(120, random, { prefix: 'killed' }).map((chat, index) => {
      if (index % 10 !== 0) return chat
      const messages = Array.from({ length: 260 }, (_, number) => ({
        ...{ id: `${chat.id} ${number}`, parent: number === 0 ? null : `${chat.id} ${number - 1}`, at: chat.at + number },
        ...{ role: number % 2 === 0 ? ('user' as const) : ('assistant' as const), text: `${index} ${number} ${'word '.repeat(50)}` },
      }))
      return { ...chat, messages, current: `${chat.id} 259` }
    })
    let service = await startServiceProcess()
    const { folder } = service
    try {
      const files = path.join(folder, 'data', 'users', 'ada', 'files')
      let person = await signUp(service.url, 'ada')
      await mkdir(files, { recursive: true })
      await writeFile(path.join(files, 'export.zip'), chatGptExport(sources))
      const id = await startImport({ person }, 'export.zip')
      for (let kills = 0; kills < 4; kills += 1) {
        const stream = await person.stream()
        const wanted = (kills + 1) * 20
        await stream.until(
          ({ name, data }) => name === 'chat_import.updated' && (isFinal(progressIn(data)) || progressIn(data).imported >= wanted),
        )
        stream.close()
        await service.kill()
        service = await startServiceProcess({ folder })
        person = await signUp(service.url, 'ada')
      }
      const stream = await person.stream()
      const ended = async (): Promise<Record<string, unknown>> => (await person.request('GET', `/api/chats/imports/${id}`)).body
      if ((await ended())['state'] === 'running')
        await stream.until(({ name, data }) => name === 'chat_import.updated' && isFinal(progressIn(data)))
      stream.close()
      expect(await ended()).to.include({ state: 'done', imported: 120, existing: 0, skipped: 0 })
      const chats = await chatsByTitle({ person })
      expect(chats.size).to.equal(120)
      for (const source of sources) expect(chats.get(source.title)).to.include({ branch_count: pathsOf(source).all.length })
    } finally {
      await service.kill()
      await removeFolder(folder)
    }
  })
})

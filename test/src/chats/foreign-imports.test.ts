import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel, textOf } from '../agents/support/agents-kernel.js'
import { setScript } from '../agents/support/scripted-plugin.js'
import { createRandom, seedOfRun } from '../support/random.js'
import { zipFile } from '../support/zip-file.js'
import { type Writer, writerOf } from './chat-support.js'
import {
  chatGptChat,
  chatGptExport,
  claudeExport,
  libreChatExport,
  openWebUiExport,
  pathsOf,
  type SourceChat,
  sourceChats,
} from './support/foreign-exports.js'
import { chatsByTitle, importFile, putFile } from './support/foreign-imports.js'

describe('exports of other products', () => {
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

  /** Every branch of every chat has the texts of the source, and the one that is shown too. */
  const expectEqual = async (sources: readonly SourceChat[]): Promise<void> => {
    const chats = await chatsByTitle(ada)
    for (const source of sources) {
      const id = String(chats.get(source.title)?.['id'])
      const expected = pathsOf(source)
      const branches = await ada.branches(id)
      const lists = await Promise.all(branches.map(({ id: branch }) => ada.list(id, branch)))
      expect(lists.map((list) => JSON.stringify(list.map(textOf))).sort(), source.title).to.deep.equal(expected.all)
      expect(JSON.stringify((await ada.list(id)).map(textOf)), source.title).to.equal(expected.shown)
    }
  }

  for (const [product, toExport, name] of [
    ['chatgpt', chatGptExport, 'chatgpt.zip'],
    ['claude', claudeExport, 'claude.zip'],
    ['open-webui', openWebUiExport, 'chat-export.json'],
    ['librechat', libreChatExport, 'librechat.zip'],
  ] as const)
    it(`of ${product} are imported with equal counts and texts, and once`, async () => {
      const made = sourceChats(25, random, { prefix: product, pictures: product !== 'librechat' })
      // LibreChat does not say which path is shown: it is that to the newest message.
      const sources = product === 'librechat' ? made.map((chat) => ({ ...chat, current: chat.messages.at(-1)?.id ?? '' })) : made
      await putFile(agents, 'ada', name, toExport(sources))
      const before = (await chatsByTitle(ada)).size
      const done = await importFile(ada, name)
      expect(done.problems).to.deep.equal([])
      expect(done).to.include({ state: 'done', product, imported: 25, existing: 0, skipped: 0 })
      expect(done.bytes_done).to.equal(done.bytes_total)
      const pictures = sources.flatMap(({ messages }) => messages.filter(({ picture }) => picture))
      expect(done.pictures).to.equal(pictures.length)
      await expectEqual(sources)
      expect((await importFile(ada, name)).existing).to.equal(25)
      expect((await chatsByTitle(ada)).size).to.equal(before + 25)
    })

  it('keep times, models and pictures, and no hidden message', async () => {
    const sources = sourceChats(30, random, { prefix: 'dated' })
    await putFile(agents, 'ada', 'dated.zip', chatGptExport(sources))
    await importFile(ada, 'dated.zip')
    const source = sources.find(shownPicture) ?? expect.fail('no chat has a picture')
    const chat = (await chatsByTitle(ada)).get(source.title)
    expect(chat).to.include({ created_at: new Date(source.at * 1_000 + 500).toISOString() })
    const listed = (
      await Promise.all((await ada.branches(String(chat?.['id']))).map(({ id }) => ada.list(String(chat?.['id']), id)))
    ).flat()
    for (const message of listed) {
      const from = source.messages.find(({ text }) => text === textOf(message)) ?? expect.fail(`a message is new: ${textOf(message)}`)
      expect(message).to.include({ created_at: new Date(from.at * 1_000 + 250).toISOString() })
      if (from.role === 'assistant') expect(message).to.include({ model: 'gpt-4o' })
      const [first] = message.content
      if (!from.picture) continue
      expect(first).to.include({ type: 'image', media_type: 'image/png', size: from.picture.length })
      const bytes = await fetch(`${agents.kernel.url}/api/files/content?path=${encodeURIComponent(String(first?.['path']))}`, {
        headers: { authorization: `Bearer ${ada.person.token}` },
      })
      expect(Buffer.from(await bytes.arrayBuffer()).equals(from.picture)).to.equal(true)
    }
    expect(JSON.stringify(listed)).to.not.include('SECRET')
    const shown = (await ada.list(String(chat?.['id']))).flatMap(({ content }) => content.filter(({ type }) => type === 'image'))
    const exported = await fetch(`${agents.kernel.url}/api/chats/${String(chat?.['id'])}/export?format=markdown`, {
      headers: { authorization: `Bearer ${ada.person.token}` },
    })
    const markdown = await exported.text()
    for (const picture of shown) expect(markdown).to.include(`*(the image ${String(picture['name'])})*`)
  })

  it('say where a file is broken, and bring the rest', async () => {
    const sources = sourceChats(20, random, { prefix: 'broken' })
    const bytes = chatGptExport(sources, (index, chat) => {
      if (index !== 16) return chat
      const { author: _, ...message } = { ...(nodesOf(chat)[2]?.message as Record<string, unknown>) }
      const mapping = { ...(chat['mapping'] as object), [String(message['id'])]: { ...nodesOf(chat)[2], message } }
      return { ...chat, title: 'Trip', mapping }
    })
    await putFile(agents, 'ada', 'broken.zip', bytes)
    const done = await importFile(ada, 'broken.zip')
    expect(done).to.include({ state: 'done', imported: 19, skipped: 1 })
    expect(done.problems).to.deep.equal([
      { file: 'conversations.json', chat: 17, title: 'Trip', kind: 'skipped', message: 'message 3 has no author' },
    ])

    const whole = JSON.stringify(
      sources.map((source) => chatGptChat({ ...source, id: `cut ${source.id}`, title: `cut ${source.title}` })),
      null,
      1,
    )
    await putFile(agents, 'ada', 'conversations.json', Buffer.from(whole.slice(0, whole.length / 2)))
    const cut = await importFile(ada, 'conversations.json')
    expect(cut.state).to.equal('failed')
    expect(cut.failure).to.match(/conversations\.json, line \d+: the file ends in the middle of chat \d+/)
    const inHalf = Number(/of chat (\d+)/.exec(cut.failure ?? '')?.[1]) - 1
    expect(cut.imported).to.equal(inHalf).and.to.be.above(3)
  })

  it('of no product, with too much in them, or with hostile names do no harm', async () => {
    const bomb = Buffer.alloc(80 * 1024 * 1024, ' ')
    for (const [name, content, failure] of [
      ['other.json', Buffer.from('[{"a":1},{"title":"x"}]'), /No chat .* was imported: none of its chats could be read/],
      ['words.json', Buffer.from('Dear Ada'), /: words\.json, line 1: it is not JSON/],
      ['no-chats.zip', zipFile([{ name: 'a.txt', bytes: 'x' }]), /no “conversations.json”/],
      ['nested.zip', zipFile([{ name: 'inner.zip', bytes: zipFile([]) }]), /other archives in it \(inner\.zip\)/],
      ['bomb.zip', zipFile([{ name: 'conversations.json', bytes: bomb }]), /grows more than 200 times/],
      ['liar.zip', zipFile([{ name: 'conversations.json', bytes: bomb, says: { size: 100 } }]), /damaged/],
      ['out.zip', zipFile([{ name: '../../conversations.json', bytes: '[]' }]), /the archive cannot be read: invalid relative path/i],
      ['long.zip', zipFile([{ name: `${'x'.repeat(60_000)}.json`, bytes: '[]' }]), /a name that is longer than 1000 characters/],
      [
        'many.zip',
        zipFile(Array.from({ length: 10_001 }, (_, index) => ({ name: `${index}.json`, bytes: '[]' }))),
        /more than 10000 files with chats/,
      ],
      [
        'marked.zip',
        zipFile([{ name: 'chats\u202egpj\n[x](y).json', bytes: '[{"title":"\\ud800 x"}]' }]),
        /none of its chats could be read/,
      ],
      ['cut.zip', chatGptExport(sourceChats(3, random)).subarray(0, 900), /it is no ZIP file, or was not downloaded whole\.$/],
    ] as const) {
      await putFile(agents, 'ada', name, content)
      const ended = await importFile(ada, name)
      expect(ended, name).to.include({ state: 'failed', imported: 0 })
      expect(ended.failure, name).to.match(failure)
      expect(JSON.stringify(ended), name).to.not.match(/\u202e|\\n|\\ud800/)
    }
    const { status, body } = await ada.person.request('POST', '/api/chats/imports', { path: 'files/../../system/x' })
    expect([status, JSON.stringify(body)]).to.satisfy(([code, text]: [number, string]) => code === 422 && text.includes('/path'))
  })

  it('belong to their importer alone', async () => {
    const eve = await writerOf(agents, 'eve')
    const sources = sourceChats(2, random, { prefix: 'private' })
    await putFile(agents, 'ada', 'private.zip', chatGptExport(sources))
    const { id } = await importFile(ada, 'private.zip', { remove_file: true })
    expect((await eve.person.request('GET', `/api/chats/imports/${id}`)).status).to.equal(404)
    expect((await eve.person.request('POST', `/api/chats/imports/${id}/cancel`)).status).to.equal(404)
    expect((await eve.person.request('POST', '/api/chats/imports', { path: 'files/private.zip' })).status).to.equal(422)
    expect((await ada.person.request('POST', '/api/chats/imports', { path: 'files/private.zip' })).status, 'the file was removed').to.equal(
      422,
    )
    // The same chats of another person are others.
    await putFile(agents, 'eve', 'private.zip', chatGptExport(sources))
    expect((await importFile(eve, 'private.zip')).imported).to.equal(2)
    eve.stream.close()
  })

  it('that a restart interrupts go on, and bring each chat once', async () => {
    const sources = sourceChats(150, random, { prefix: 'restarted' })
    await putFile(agents, 'ada', 'restarted.zip', chatGptExport(sources))
    const { body } = await ada.person.request('POST', '/api/chats/imports', { path: 'files/restarted.zip' })
    const told = await ada.stream.until(
      ({ name, data }) => name === 'chat_import.updated' && ((data['import'] ?? {}) as { readonly imported?: number }).imported !== 0,
    )
    ada.stream.close()
    await agents.restart()
    ada = await writerOf(agents, 'ada')
    const first = ((told.data['import'] ?? {}) as { readonly imported: number }).imported
    expect(first).to.be.below(150)
    let seen = await ada.person.request('GET', `/api/chats/imports/${String(body['id'])}`)
    if (seen.body['state'] !== 'done') {
      await ada.stream.until(
        ({ name, data }) => name === 'chat_import.updated' && ((data['import'] ?? {}) as { readonly state?: string }).state === 'done',
      )
      seen = await ada.person.request('GET', `/api/chats/imports/${String(body['id'])}`)
    }
    expect(seen.body).to.include({ state: 'done', imported: 150, existing: 0, skipped: 0 })
    await expectEqual(sources)
  })

  it('can be cancelled; what was imported stays, and the rest comes with the next import', async () => {
    const sources = sourceChats(150, random, { prefix: 'cancelled' })
    await putFile(agents, 'ada', 'cancelled.zip', chatGptExport(sources))
    const { body } = await ada.person.request('POST', '/api/chats/imports', { path: 'files/cancelled.zip' })
    await ada.stream.until(
      ({ name, data }) => name === 'chat_import.updated' && ((data['import'] ?? {}) as { readonly imported?: number }).imported !== 0,
    )
    const ended = await ada.person.request('POST', `/api/chats/imports/${String(body['id'])}/cancel`)
    expect(ended.body['state']).to.equal('cancelled')
    const again = await importFile(ada, 'cancelled.zip')
    expect(again.imported + again.existing).to.equal(150)
    expect(again.existing).to.equal(Number(ended.body['imported']))
    expect([...(await chatsByTitle(ada)).keys()].filter((title) => title.includes('cancelled'))).to.have.length(150)
  })
})

/** Whether the path that is shown has a picture. */
const shownPicture = ({ messages, current }: SourceChat): boolean => {
  for (let at = messages.find(({ id }) => id === current); at; at = messages.find(({ id }) => id === at?.parent))
    if (at.picture) return true
  return false
}

const nodesOf = (chat: Record<string, unknown>): readonly { readonly message: unknown }[] =>
  Object.values(chat['mapping'] as Record<string, { readonly message: unknown }>).filter(({ message }) => message !== null)

import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { setScript } from '../agents/support/scripted-plugin.js'
import { type Writer, writerOf } from './chat-support.js'

type Json = Record<string, unknown>

describe('pinned and tagged chats', () => {
  let agents: AgentsKernel
  let writers = 0
  const open: Writer[] = []

  before(async () => {
    setScript()
    agents = await startAgentsKernel()
  })
  after(async () => {
    for (const writer of open) writer.stream.close()
    await agents?.close()
  })

  /** Somebody without chats. */
  const somebody = async (): Promise<Writer> => {
    writers += 1
    const writer = await writerOf(agents, `writer${writers}`)
    open.push(writer)
    return writer
  }
  const newChats = async (writer: Writer, count: number): Promise<readonly string[]> => {
    const made: string[] = []
    for (let index = 0; index < count; index += 1) made.push(await writer.person.newChat())
    return made
  }
  /** The ids of all chats of a list, page by page. */
  const listed = async ({ person }: Writer, query: string, limit = 2): Promise<readonly unknown[]> => {
    const seen: unknown[] = []
    let cursor = ''
    do {
      const { status, body } = await person.request('GET', `/api/chats?limit=${limit}&${query}${cursor}`)
      if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
      seen.push(...(body['items'] as readonly Json[]).map(({ id }) => id))
      cursor = body['next_cursor'] === null ? '' : `&cursor=${encodeURIComponent(String(body['next_cursor']))}`
    } while (cursor !== '')
    return seen
  }
  const tagsOf = async ({ person }: Writer): Promise<Json> => {
    const { body } = await person.request('GET', '/api/chats/tags?limit=200')
    return Object.fromEntries((body['items'] as readonly Json[]).map(({ tag, chats }) => [String(tag), chats]))
  }

  it('have a pin and tags in their normal form, and report each change', async () => {
    const ada = await somebody()
    const [chat = ''] = await newChats(ada, 1)
    expect((await ada.person.request('GET', `/api/chats/${chat}`)).body).to.deep.include({ pinned: false, tags: [], model: null })
    const { status, body } = await ada.change(chat, { pinned: true, tags: [' Cafe\u0301 ', '日本', '👩‍🚀'] })
    expect([status, body['pinned'], body['tags']]).to.deep.equal([200, true, ['Caf\u00e9', '日本', '👩‍🚀']])
    const event = await ada.stream.until(({ name, data }) => name === 'chat.updated' && (data['chat'] as Json)['pinned'] === true)
    expect(event.data['chat']).to.deep.include({ id: chat, tags: ['Caf\u00e9', '日本', '👩‍🚀'] })
  })

  it('refuse tags with a problem for each, and change nothing then', async () => {
    const ada = await somebody()
    const [chat = ''] = await newChats(ada, 1)
    await ada.change(chat, { tags: ['kept'] })
    const cases: readonly (readonly [readonly unknown[], string])[] = [
      [['a', ''], '/tags/1'],
      [['x'.repeat(41)], '/tags/0'],
      [['x'.repeat(201)], '/tags/0'],
      [['a\u001b[2J'], '/tags/0'],
      [['a\nb'], '/tags/0'],
      [['Work', 'WORK'], '/tags/1'],
      [[1], '/tags/0'],
      [Array.from({ length: 21 }, (_, index) => `t${index}`), '/tags'],
    ]
    for (const [tags, path] of cases) {
      const { status, body } = await ada.change(chat, { tags })
      expect([status, (body['errors'] as readonly Json[])[0]?.['path']], JSON.stringify(tags)).to.deep.equal([422, path])
    }
    expect(await tagsOf(ada)).to.deep.equal({ kept: 1 })
    expect((await ada.change(chat, { tags: Array.from({ length: 20 }, (_, index) => `${index}`.repeat(20)) })).status).to.equal(200)
  })

  it('are listed by pin and by tag, page by page, archived and in spaces', async () => {
    const ada = await somebody()
    const chats = await newChats(ada, 9)
    const newestFirst = [...chats].reverse()
    const space = String((await ada.person.request('POST', '/api/spaces', { name: 'S' })).body['id'])
    // In the order of their creation, so that the order of the lists stays.
    for (const [index, chat] of chats.entries()) {
      const tags = index % 2 === 0 ? ['Even', 'all'] : ['all']
      await ada.change(chat, { tags, pinned: index % 3 === 0, ...(index > 4 ? { space_id: space } : {}), archived: index === 8 })
    }
    const among = (wanted: (index: number) => boolean): readonly string[] => newestFirst.filter((_, at) => wanted(8 - at))
    const isCurrent = (index: number): boolean => index < 8
    expect(await listed(ada, '')).to.deep.equal(among(isCurrent))
    expect(await listed(ada, 'pinned=true')).to.deep.equal(among((index) => isCurrent(index) && index % 3 === 0))
    expect(await listed(ada, 'pinned=false')).to.deep.equal(among((index) => isCurrent(index) && index % 3 !== 0))
    expect(await listed(ada, 'order=pinned_first')).to.deep.equal([
      ...among((index) => isCurrent(index) && index % 3 === 0),
      ...among((index) => isCurrent(index) && index % 3 !== 0),
    ])
    expect(await listed(ada, 'tag=EVEN')).to.deep.equal(among((index) => isCurrent(index) && index % 2 === 0))
    expect(await listed(ada, 'tag=even&pinned=true')).to.deep.equal(among((index) => isCurrent(index) && index % 6 === 0))
    expect(await listed(ada, 'tag=even&pinned=false&order=pinned_first')).to.deep.equal(
      among((index) => isCurrent(index) && index % 2 === 0 && index % 3 !== 0),
    )
    expect(await listed(ada, 'tag=even&archived=true')).to.deep.equal([chats[8]])
    expect(await listed(ada, `tag=all&space_id=${space}`)).to.deep.equal(among((index) => isCurrent(index) && index > 4))
    expect(await listed(ada, `tag=all&space_id=${space}&pinned=true`)).to.deep.equal([chats[6]])
    expect(await listed(ada, `space_id=${space}&pinned=false`)).to.deep.equal([chats[7], chats[5]])
    expect(await listed(ada, 'tag=none')).to.deep.equal([])
    expect(await tagsOf(ada)).to.deep.equal({ all: 9, Even: 5 })

    // A message brings a chat back and to the front.
    await ada.write(chats[8] ?? '', 'Hello')
    expect((await listed(ada, 'tag=even'))[0]).to.equal(chats[8])
    expect(await listed(ada, 'tag=even&archived=true')).to.deep.equal([])
    await ada.write(chats[0] ?? '', 'Hello')
    expect((await listed(ada, 'tag=even')).slice(0, 2)).to.deep.equal([chats[0], chats[8]])
    // A space that is deleted leaves the tags.
    await ada.person.request('DELETE', `/api/spaces/${space}`)
    expect([...(await listed(ada, 'tag=all'))].sort()).to.deep.equal([...chats].sort())
    const foreign = await ada.person.request('GET', `/api/chats?tag=all&space_id=${space}`)
    expect(foreign.status).to.equal(404)
    const cursor = await ada.person.request('GET', '/api/chats?tag=all&cursor=nonsense')
    expect([cursor.status, cursor.body['code']]).to.deep.equal([422, 'cursor_invalid'])
  })

  it('are counted right, also after concurrent changes and deletions', async () => {
    const ada = await somebody()
    const chats = await newChats(ada, 6)
    await Promise.all(
      chats.flatMap((chat, index) => [ada.change(chat, { tags: ['a', 'b'] }), ada.change(chat, { tags: [`c${index % 2}`, 'B'] })]),
    )
    const count: Record<string, number> = {}
    for (const chat of chats) {
      const { body } = await ada.person.request('GET', `/api/chats/${chat}`)
      for (const tag of body['tags'] as readonly string[]) count[tag.toLowerCase()] = (count[tag.toLowerCase()] ?? 0) + 1
    }
    const lower = (counts: Json): Json => Object.fromEntries(Object.entries(counts).map(([tag, chats]) => [tag.toLowerCase(), chats]))
    expect(lower(await tagsOf(ada))).to.deep.equal(count)
    expect(count['b']).to.equal(6)
    await Promise.all(chats.slice(1).map((chat) => ada.person.request('DELETE', `/api/chats/${chat}`)))
    const rest = (await ada.person.request('GET', `/api/chats/${chats[0]}`)).body['tags'] as readonly string[]
    expect(lower(await tagsOf(ada))).to.deep.equal(Object.fromEntries(rest.map((tag) => [tag.toLowerCase(), 1])))
    expect(await listed(ada, 'tag=b')).to.deep.equal([chats[0]])
    await ada.change(chats[0] ?? '', { tags: [] })
    expect(await tagsOf(ada)).to.deep.equal({})
  })

  it('are paged by tag, in alphabetical order', async () => {
    const ada = await somebody()
    const [chat = ''] = await newChats(ada, 1)
    await ada.change(chat, { tags: ['c', 'B', 'a', 'É'] })
    const first = await ada.person.request('GET', '/api/chats/tags?limit=3')
    expect((first.body['items'] as readonly Json[]).map(({ tag }) => tag)).to.deep.equal(['a', 'B', 'c'])
    const next = await ada.person.request('GET', `/api/chats/tags?limit=3&cursor=${encodeURIComponent(String(first.body['next_cursor']))}`)
    expect(next.body).to.deep.equal({ items: [{ tag: 'É', chats: 1 }], next_cursor: null })
  })

  it('belong to their owner alone', async () => {
    const [ada, eve] = [await somebody(), await somebody()]
    const [chat = ''] = await newChats(ada, 1)
    await ada.change(chat, { tags: ['secret'], pinned: true })
    expect(await tagsOf(eve)).to.deep.equal({})
    expect(await listed(eve, 'tag=secret')).to.deep.equal([])
    expect((await eve.change(chat, { tags: [] })).status).to.equal(404)
  })

  it('are exported and imported, and checked like any other', async () => {
    const ada = await somebody()
    const [chat = ''] = await newChats(ada, 1)
    await ada.change(chat, { tags: ['One', 'two'], pinned: true, model: 'primary' })
    const file = (await ada.person.request('GET', `/api/chats/${chat}/export`)).body
    const copy = await ada.person.request('POST', '/api/chats/import', file)
    expect(copy.body).to.deep.include({ tags: ['One', 'two'], pinned: true, model: 'primary' })
    expect(await tagsOf(ada)).to.deep.equal({ One: 2, two: 2 })
    expect(await listed(ada, 'tag=one&pinned=true')).to.have.members([chat, copy.body['id']])
    const broken = { ...file, chat: { ...(file['chat'] as Json), tags: ['a', 'A', 'b\u0007'] } }
    const refused = await ada.person.request('POST', '/api/chats/import', broken)
    expect((refused.body['errors'] as readonly Json[]).map(({ path }) => path)).to.deep.equal(['/chat/tags/1', '/chat/tags/2'])
    const { model: _, pinned: __, tags: ___, ...former } = file['chat'] as Json
    const older = await ada.person.request('POST', '/api/chats/import', { ...file, chat: former })
    expect(older.body).to.deep.include({ tags: [], pinned: false, model: null })
    const foreign = await ada.person.request('POST', '/api/chats/import', { ...file, chat: { ...former, model: 'elsewhere' } })
    expect([foreign.status, foreign.body['model']]).to.deep.equal([201, null])
  })

  it('stay over a restart', async () => {
    const ada = await somebody()
    const [chat = '', other = ''] = await newChats(ada, 2)
    await ada.change(chat, { tags: ['kept'], pinned: true })
    for (const writer of open.splice(0)) writer.stream.close()
    await agents.restart()
    const again = await writerOf(agents, `writer${writers}`)
    open.push(again)
    expect((await again.person.request('GET', `/api/chats/${chat}`)).body).to.deep.include({ tags: ['kept'], pinned: true })
    expect(await listed(again, 'order=pinned_first')).to.deep.equal([chat, other])
    expect(await listed(again, 'tag=kept')).to.deep.equal([chat])
  })
})

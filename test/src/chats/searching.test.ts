import { expect } from 'chai'
import { type AgentsKernel, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { calls, resultsIn, says, setScript } from '../agents/support/scripted-plugin.js'
import { type Writer, writerOf } from './chat-support.js'

interface Hit {
  readonly chat_id: string
  readonly chat_title: string | null
  readonly archived: boolean
  readonly message_id?: string
  readonly role?: string
  readonly branch_id?: string
  readonly sequence?: number
  readonly snippet: { readonly text: string; readonly marks: readonly { readonly start: number; readonly end: number }[] }
}

describe('a search over chats', () => {
  let agents: AgentsKernel
  let ada: Writer
  let eve: Person

  before(async () => {
    setScript()
    agents = await startAgentsKernel()
    ada = await writerOf(agents, 'ada')
    eve = await agents.person('eve')
  })
  after(async () => {
    ada?.stream.close()
    await agents?.close()
  })

  const search = async (person: Person, q: string, limit = 50): Promise<readonly Hit[]> => {
    const hits: Hit[] = []
    let cursor = ''
    do {
      const { status, body } = await person.request('GET', `/api/chats/search?q=${encodeURIComponent(q)}&limit=${limit}${cursor}`)
      if (status !== 200) throw new Error(`${status}: ${JSON.stringify(body)}`)
      hits.push(...(body['items'] as readonly Hit[]))
      cursor = body['next_cursor'] === null ? '' : `&cursor=${encodeURIComponent(String(body['next_cursor']))}`
    } while (cursor !== '')
    return hits
  }
  const marked = ({ snippet }: Hit): readonly string[] => snippet.marks.map(({ start, end }) => snippet.text.slice(start, end))

  it('finds titles, then texts of people and agents, with the words marked', async () => {
    const chat = await ada.person.newChat()
    setScript({ answer: () => says('Der schönste **Leuchtturm** steht auf <b>Amrum</b>.') })
    await ada.write(chat, 'Erzähl von einem Leuchtturm')
    const hits = await search(ada.person, 'LEUCHTTURM')
    expect(hits.map(({ chat_id, role, sequence, branch_id }) => [chat_id, role, sequence, branch_id])).to.deep.equal([
      [chat, undefined, undefined, undefined],
      [chat, 'assistant', 1, chat],
      [chat, 'user', 0, chat],
    ])
    expect(hits.map(marked)).to.deep.equal([['Leuchtturm'], ['Leuchtturm'], ['Leuchtturm']])
    expect(hits.map(({ chat_title }) => chat_title)).to.deep.equal(Array(3).fill('Erzähl von einem Leuchtturm'))
    expect(marked((await search(ada.person, 'schonste leucht'))[0] ?? expect.fail('nothing'))).to.deep.equal(['schönste', 'Leuchtturm'])
    expect(await search(ada.person, '…')).to.deep.equal([])
    expect(await search(eve, 'Leuchtturm')).to.deep.equal([])
  })

  it('does not find tool results and reasoning', async () => {
    const chat = await ada.person.newChat()
    setScript({
      async *answer(request) {
        if (resultsIn(request).length === 0) yield* calls('tool__read')
        else {
          yield { type: 'response.started' }
          const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 1 }
          const content = [
            { type: 'reasoning' as const, text: 'secretthought here' },
            { type: 'text' as const, text: 'plainspeech here' },
          ]
          yield { type: 'response.finished', content, stop_reason: 'stop', usage }
        }
      },
      tool: async () => ({ content: [{ type: 'text', text: 'tooloutput' }] }),
    })
    await ada.write(chat, 'Look it up')
    expect(await search(ada.person, 'tooloutput')).to.deep.equal([])
    expect(await search(ada.person, 'secretthought')).to.deep.equal([])
    expect(await search(ada.person, 'plainspeech')).to.have.length(1)
  })

  it('finds messages of other branches, and marks archived chats; deleted ones are not found', async () => {
    const chat = await ada.person.newChat()
    setScript()
    await ada.write(chat, 'The walrus question')
    const [first] = await ada.list(chat)
    await ada.write(chat, 'The penguin question', first?.id)
    await ada.change(chat, { title: 'Animals', archived: true })
    const [hit, ...rest] = await search(ada.person, 'walrus')
    expect(rest).to.deep.equal([])
    expect([hit?.branch_id, hit?.archived, hit?.chat_title]).to.deep.equal([chat, true, 'Animals'])
    const [other] = await search(ada.person, 'penguin')
    expect(other?.branch_id).to.not.equal(chat)
    await ada.person.request('DELETE', `/api/chats/${chat}`)
    expect([await search(ada.person, 'walrus'), await search(ada.person, 'animals')]).to.deep.equal([[], []])
  })

  it('returns every hit once over its pages, titles first', async () => {
    setScript({ answer: () => says('xylophone answer') })
    for (let count = 0; count < 4; count += 1) {
      const chat = await ada.person.newChat()
      await ada.write(chat, `xylophone ${count}`)
    }
    const all = await search(ada.person, 'xylophone')
    expect(all.map(({ role }) => role ?? 'title')).to.deep.equal([
      ...Array(4).fill('title'),
      ...['assistant', 'user', 'assistant', 'user', 'assistant', 'user', 'assistant', 'user'],
    ])
    for (const limit of [1, 3, 4, 5]) expect(await search(ada.person, 'xylophone', limit), `limit ${limit}`).to.deep.equal(all)
  })

  it('refuses invented cursors, and an empty search', async () => {
    for (const cursor of ['x', 't', 'tabc', 'mabc', '']) {
      const { status } = await ada.person.request('GET', `/api/chats/search?q=xylophone&cursor=${cursor}`)
      expect(status, cursor).to.equal(422)
    }
    expect((await ada.person.request('GET', '/api/chats/search')).status).to.equal(422)
    expect((await ada.person.request('GET', '/api/chats/search?q=')).status).to.equal(422)
  })
})

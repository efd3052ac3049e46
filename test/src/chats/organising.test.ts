import { ephemeralTokensToken } from '@agent-service/kernel/testing/tokens'
import { expect } from 'chai'
import { type AgentsKernel, endOf, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { createGate } from '../agents/support/client-view.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { type Writer, writerOf } from './chat-support.js'

type Json = Record<string, unknown>

describe('organising many chats', () => {
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

  const listed = async (query = ''): Promise<readonly unknown[]> => {
    const { status, body } = await ada.person.request('GET', `/api/chats?limit=200${query}`)
    if (status !== 200) throw new Error(JSON.stringify(body))
    return (body['items'] as readonly Json[]).map(({ id }) => id)
  }
  const newSpace = async (members: Json): Promise<string> => {
    const { status, body } = await ada.person.request('POST', '/api/spaces', members)
    if (status !== 201) throw new Error(JSON.stringify(body))
    return String(body['id'])
  }

  describe('the archive', () => {
    it('removes chats from the list, and restores them after a new message', async () => {
      const [one, two] = [await ada.person.newChat(), await ada.person.newChat()]
      const { status, body } = await ada.change(one, { archived: true })
      expect([status, body['archived']]).to.deep.equal([200, true])
      expect(await listed())
        .to.include(two)
        .and.not.include(one)
      expect(await listed('&archived=true')).to.deep.equal([one])
      expect(await listed('&archived=false')).to.deep.equal(await listed())
      setScript()
      await ada.write(one, 'Are you there?')
      expect(await listed()).to.include(one)
      expect(await listed('&archived=true')).to.deep.equal([])
      await ada.change(one, { archived: true })
      await ada.regenerate(one)
      expect(await listed()).to.include(one)
    })

    it('restores a chat after a message during its run', async () => {
      const chat = await ada.person.newChat()
      const gate = createGate()
      setScript({
        async *answer() {
          await gate.opened
          yield* says('Yes.')
        },
      })
      const run = await ada.person.post(chat, 'Hello?')
      await ada.change(chat, { archived: true })
      expect(await listed()).to.not.include(chat)
      await ada.person.post(chat, 'And?')
      expect(await listed()).to.include(chat)
      gate.open()
      await endOf(ada.stream, run)
      expect(await listed()).to.include(chat)
    })

    it('is paged without duplicates or gaps', async () => {
      const bea = await agents.person('bea')
      const made: string[] = []
      for (let count = 0; count < 7; count += 1) made.push(await bea.newChat())
      await Promise.all(made.slice(0, 5).map((chat) => bea.request('PATCH', `/api/chats/${chat}`, { archived: true })))
      const seen: unknown[] = []
      let cursor = ''
      do {
        const { body } = await bea.request('GET', `/api/chats?archived=true&limit=2${cursor}`)
        seen.push(...(body['items'] as readonly Json[]).map(({ id }) => id))
        cursor = body['next_cursor'] === null ? '' : `&cursor=${encodeURIComponent(String(body['next_cursor']))}`
      } while (cursor !== '')
      expect([...seen].sort()).to.deep.equal(made.slice(0, 5).sort())
    })
  })

  it('has titles set by people, and restores generated ones', async () => {
    setScript()
    const chat = await ada.person.newChat()
    const titleOf = async (change?: Json): Promise<unknown> =>
      (change ? await ada.change(chat, change) : await ada.person.request('GET', `/api/chats/${chat}`)).body['title']
    expect(await titleOf({ title: 'Mine' })).to.equal('Mine')
    expect(await titleOf({ title: null })).to.equal(null)
    await ada.write(chat, 'A trip to Rome\nin May')
    expect(await titleOf()).to.equal('A trip to Rome')
    expect(await titleOf({ title: 'Rome' })).to.equal('Rome')
    await ada.write(chat, 'Another message')
    expect(await titleOf()).to.equal('Rome')
    expect(await titleOf({ title: null })).to.equal('A trip to Rome')
    const [first] = await ada.list(chat)
    await ada.write(chat, 'A trip to Oslo', first?.id)
    expect(await titleOf()).to.equal('A trip to Rome')
    expect(await titleOf({ title: null })).to.equal('A trip to Oslo')
    expect((await ada.change(chat, { title: '' })).status).to.equal(422)
  })

  it('has a switch for summaries in each chat', async () => {
    const chat = await ada.person.newChat()
    expect((await ada.change(chat, { compaction: false })).body['compaction']).to.equal(false)
    expect((await ada.change(chat, { title: 'x' })).body['compaction']).to.equal(false)
  })

  describe('spaces', () => {
    it('hold chats, which stay when a space is deleted', async () => {
      const space = await newSpace({ name: 'Work', description: 'What I do', context: 'Be brief.' })
      const { body } = await ada.person.request('GET', `/api/spaces/${space}`)
      expect(body).to.include({ name: 'Work', description: 'What I do', context: 'Be brief.', summary: null, summary_updated_at: null })
      const chats: string[] = []
      for (let count = 0; count < 3; count += 1) {
        chats.push(String((await ada.person.request('POST', '/api/chats', { space_id: space })).body['id']))
      }
      const outside = await ada.person.newChat()
      await ada.change(outside, { space_id: space })
      await ada.change(chats[0] ?? '', { archived: true })
      expect([...(await listed(`&space_id=${space}`))].sort()).to.deep.equal([...chats.slice(1), outside].sort())
      expect(await listed(`&space_id=${space}&archived=true`)).to.deep.equal([chats[0]])
      await ada.change(outside, { space_id: null })
      expect(await listed(`&space_id=${space}`)).to.not.include(outside)
      const renamed = await ada.person.request('PATCH', `/api/spaces/${space}`, { name: 'Office' })
      expect(renamed.body).to.include({ name: 'Office', context: 'Be brief.' })

      expect((await ada.person.request('DELETE', `/api/spaces/${space}`)).status).to.equal(204)
      expect((await ada.person.request('GET', `/api/spaces/${space}`)).status).to.equal(404)
      for (const chat of chats) expect((await ada.person.request('GET', `/api/chats/${chat}`)).body['space_id']).to.equal(null)
      expect((await ada.change(outside, { space_id: space })).status).to.equal(404)
    })

    it('are deleted with more chats than one transaction takes', async () => {
      const space = await newSpace({ name: 'Many' })
      const make = () => ada.person.request('POST', '/api/chats', { space_id: space, title: 'one of many' })
      for (let round = 0; round < 12; round += 1) await Promise.all(Array.from({ length: 10 }, make))
      expect(await listed(`&space_id=${space}`)).to.have.length(120)
      await ada.person.request('DELETE', `/api/spaces/${space}`)
      const { body } = await ada.person.request('GET', '/api/chats?limit=200')
      const many = (body['items'] as readonly Json[]).filter(({ title }) => title === 'one of many')
      expect([many.length, new Set(many.map(({ space_id }) => space_id))]).to.deep.equal([120, new Set([null])])
    })

    it('add their context, then their summary, after the instructions of the agent', async () => {
      const space = await newSpace({ name: 'Garden', context: 'The garden is in Kiel.' })
      const chat = await ada.person.newChat()
      await ada.change(chat, { space_id: space })
      let script = setScript({ answer: () => says('Plant tulips.') })
      await ada.write(chat, 'What shall I plant?')
      const systemOf = (index: number): readonly string[] => {
        const [message] = script.requests[index]?.messages ?? []
        return message?.role === 'system' ? message.content.map((part) => (part.type === 'text' ? part.text : '')) : []
      }
      const [constant] = systemOf(0)
      expect(systemOf(0)[1]).to.match(/“Garden”[\s\S]*The garden is in Kiel\./)

      script = setScript({ answer: () => says('They talked about tulips.') })
      const made = await ada.person.request('POST', `/api/spaces/${space}/summary`)
      expect([made.status, made.body['summary']]).to.deep.equal([201, 'They talked about tulips.'])
      expect(made.body['summary_updated_at']).to.be.a('string')
      const asked = JSON.stringify(script.requests[0]?.messages)
      expect(asked)
        .to.include('What shall I plant?')
        .and.include('Plant tulips.')
        .and.match(/material [0-9a-f-]{36}/)

      script = setScript()
      await ada.write(chat, 'And when?')
      expect(systemOf(0)).to.have.length(3)
      expect(systemOf(0)[0]).to.equal(constant)
      expect(systemOf(0)[2]).to.match(/material, not as instructions\.\]\nThey talked about tulips\.\n/)
      await ada.person.request('PATCH', `/api/spaces/${space}`, { summary: null, context: ' ' })
      await ada.write(chat, 'And where?')
      expect(systemOf(1)).to.deep.equal([constant])
      const outside = await ada.person.newChat()
      await ada.write(outside, 'Hello')
      expect(systemOf(2)).to.deep.equal([constant])
    })

    it('have nothing to summarise without messages, and keep their summary when the model fails', async () => {
      const space = await newSpace({ name: 'Empty' })
      setScript()
      const empty = await ada.person.request('POST', `/api/spaces/${space}/summary`)
      expect([empty.status, empty.body['code']]).to.deep.equal([409, 'space_empty'])
      const chat = await ada.person.newChat()
      await ada.change(chat, { space_id: space })
      await ada.write(chat, 'Something')
      setScript({ answer: () => says(' ') })
      const failed = await ada.person.request('POST', `/api/spaces/${space}/summary`)
      expect([failed.status, failed.body['code']]).to.deep.equal([503, 'summary_unusable'])
      expect((await ada.person.request('GET', `/api/spaces/${space}`)).body['summary']).to.equal(null)
    })

    it('are summarised by one request at a time', async () => {
      const space = await newSpace({ name: 'Busy' })
      const chat = await ada.person.newChat()
      await ada.change(chat, { space_id: space })
      setScript()
      await ada.write(chat, 'Something')
      const ordered = createGate()
      const goOn = createGate()
      setScript({
        answer: async function* () {
          ordered.open()
          await goOn.opened
          yield* says('They talked.')
        },
      })
      const summarise = () => ada.person.request('POST', `/api/spaces/${space}/summary`)
      const first = summarise()
      await ordered.opened
      expect((await summarise()).body).to.include({ status: 409, code: 'space_summary_in_progress' })
      goOn.open()
      expect([(await first).status, (await summarise()).status]).to.deep.equal([201, 201])
    })

    it('are their owner’s alone', async () => {
      const space = await newSpace({ name: 'Mine' })
      const chat = await eve.newChat()
      const answers = [
        await eve.request('GET', `/api/spaces/${space}`),
        await eve.request('PATCH', `/api/spaces/${space}`, { name: 'Hers' }),
        await eve.request('DELETE', `/api/spaces/${space}`),
        await eve.request('POST', `/api/spaces/${space}/summary`),
        await eve.request('GET', `/api/chats?space_id=${space}`),
        await eve.request('PATCH', `/api/chats/${chat}`, { space_id: space }),
        await eve.request('POST', '/api/chats', { space_id: space }),
      ]
      expect(answers.map(({ status }) => status)).to.deep.equal(Array(7).fill(404))
      expect((await eve.request('GET', '/api/spaces')).body['items']).to.deep.equal([])
      expect((await ada.person.request('POST', '/api/spaces', { name: 'x', context: 'x'.repeat(100_001) })).status).to.equal(422)
    })
  })

  it('refuses requests for people from programs that act for a person', async () => {
    const chat = await ada.person.newChat()
    const space = await newSpace({ name: 'Mine' })
    const issued = await agents.kernel.container
      .resolve(ephemeralTokensToken)
      .issue({ userId: ada.person.userId, actor: { kind: 'agent', id: ada.person.agentId, purpose: 'sandbox' } })
    const send = async (method: string, path: string, body?: Json): Promise<readonly unknown[]> => {
      const answer = await fetch(`${agents.kernel.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${issued.token}`, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const text = await answer.text()
      return [answer.status, text === '' ? undefined : (JSON.parse(text) as Json)['code']]
    }
    const exported = (await ada.person.request('GET', `/api/chats/${chat}/export`)).body
    const answers = [
      await send('DELETE', `/api/chats/${chat}`),
      await send('PATCH', `/api/chats/${chat}`, { title: 'Renamed' }),
      await send('POST', '/api/chats', {}),
      await send('POST', `/api/chats/${chat}/messages`, { content: 'Hi' }),
      await send('POST', `/api/chats/${chat}/regenerate`, {}),
      await send('POST', '/api/chats/import', exported),
      await send('POST', '/api/spaces', { name: 'Theirs' }),
      await send('PATCH', `/api/spaces/${space}`, { context: 'Obey.' }),
      await send('DELETE', `/api/spaces/${space}`),
      await send('POST', `/api/spaces/${space}/summary`),
    ]
    expect(answers).to.deep.equal(Array(10).fill([403, 'people_only']))
    expect(await send('GET', `/api/chats/${chat}`)).to.deep.equal([200, undefined])
    expect((await ada.person.request('GET', `/api/chats/${chat}`)).body).to.include({ title: null, space_id: null, message_count: 0 })
  })
})

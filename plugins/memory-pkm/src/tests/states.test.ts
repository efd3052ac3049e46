import { expect } from 'chai'
import { documentId } from '../common/ids.js'
import { checkpointCollection } from '../store/pass-records.js'
import { lore } from '../test-support/lore.js'
import { ada, none, type OpenedPkm, openPkm } from '../test-support/open-pkm.js'

const passesOf = async (pkm: OpenedPkm) => (await pkm.backend.passes?.(ada, { limit: 100, ...none }))?.items ?? []
const passOf = async (pkm: OpenedPkm) => (await passesOf(pkm))[0]

describe('the states of a pass', () => {
  it('waits 120, then 240 seconds, and is abandoned by the third failure of a stage', async () => {
    const pkm = await openPkm(lore)
    pkm.model.intervene((stage) => {
      if (stage === 'classify') throw new Error('The vendor is down.')
      return undefined
    })
    await pkm.chat('chat-1', ['I live in Graz.'])
    for (const [attempt, wait] of [
      [2, 120_000],
      [3, 240_000],
    ] as const) {
      await pkm.sweep()
      const pass = await passOf(pkm)
      expect([pass?.state, pass?.stage, pass?.attempt]).to.deep.equal(['waiting', 'classify', attempt])
      expect(Date.parse(pass?.nextAttemptAt ?? '') - pkm.clock.now()).to.equal(wait)
      const asked = pkm.model.asked.length
      await pkm.clock.advance(wait - 1)
      await pkm.sweep()
      expect(pkm.model.asked, 'asked before its time').to.have.length(asked)
      await pkm.clock.advance(30_001)
    }
    await pkm.sweep()
    const abandoned = await passOf(pkm)
    expect([abandoned?.state, abandoned?.stage, abandoned?.attempt, abandoned?.nextAttemptAt]).to.deep.equal([
      'abandoned',
      'classify',
      3,
      null,
    ])
    expect(abandoned?.error).to.equal('An internal error; the log of the service has more.')
    expect(pkm.model.asked.filter((stage) => stage === 'extract')).to.have.length(1)
    await pkm.clock.advance(86_400_000)
    await pkm.sweep()
    expect(await passesOf(pkm)).to.have.length(1)
    pkm.model.intervene(() => undefined)
    await pkm.chat('chat-1', ['I prefer trains.'])
    await pkm.sweep()
    expect(await pkm.texts()).to.include.members(['Lives in Graz.', 'Prefers trains to planes.'])
    await pkm.dispose()
  })

  it('goes on with an abandoned pass when a person asks for it', async () => {
    const pkm = await openPkm(lore, { settings: { pkm_consolidation_max_attempts: 1 } })
    pkm.model.intervene((stage) => (stage === 'author' || stage === 'reconcile' ? { text: 'no' } : undefined))
    await pkm.chat('chat-1', ['I live in Graz. I prefer trains.'])
    await pkm.sweep()
    const pass = await passOf(pkm)
    expect([pass?.state, pass?.stage]).to.deep.equal(['abandoned', 'author'])
    expect(pass?.error).to.contain('No submission held in 8 attempts')
    pkm.model.intervene(() => undefined)
    expect(await pkm.backend.retryPass?.('no-such', { userId: ada, ...none })).to.equal(false)
    expect(await pkm.backend.retryPass?.(pass?.id ?? '', { userId: 'user-2', ...none })).to.equal(false)
    expect(await pkm.backend.retryPass?.(pass?.id ?? '', { userId: ada, ...none })).to.equal(true)
    await pkm.sweep()
    expect((await passOf(pkm))?.state).to.equal('done')
    expect(await pkm.backend.retryPass?.(pass?.id ?? '', { userId: ada, ...none })).to.equal(false)
    expect(pkm.model.asked.filter((stage) => stage === 'extract')).to.have.length(1)
    await pkm.dispose()
  })

  it('leaves an abandoned pass alone when its chat changes without a new message, and deletes its results with the chat', async () => {
    const pkm = await openPkm(lore, { settings: { pkm_consolidation_max_attempts: 1 } })
    pkm.model.intervene((stage) => {
      if (stage === 'classify') throw new Error('The vendor is down.')
      return undefined
    })
    await pkm.chat('chat-1', ['I live in Graz.'])
    await pkm.sweep()
    const [abandoned, asked] = [await passOf(pkm), pkm.model.asked.length]
    expect(abandoned?.state).to.equal('abandoned')
    const report = (reason: 'messages' | 'deleted') =>
      pkm.backend.chatChanged(
        { userId: ada, chatId: 'chat-1', agentId: 'agent-1', spaceId: null, reason, at: new Date(pkm.clock.now()).toISOString() },
        none,
      )
    await report('messages')
    await pkm.clock.advance(3_600_000)
    await pkm.sweep()
    expect([await passesOf(pkm), pkm.model.asked.length]).to.deep.equal([[abandoned], asked])
    const results = async () => (await pkm.database.collection(checkpointCollection).query({ index: 'by_user', equals: [ada] })).items
    expect(JSON.stringify(await results())).to.contain('Graz')
    await report('deleted')
    await pkm.sweep()
    expect(await results()).to.deep.equal([])
    await pkm.dispose()
  })

  it('begins again after extraction when its base has changed; the third reset is final', async () => {
    const pkm = await openPkm(lore)
    await pkm.chat('chat-0', ['I live in Graz.'])
    await pkm.sweep()
    const id = (await pkm.export()).find(({ kind }) => kind === 'statement')?.id ?? ''
    let changes = 0
    pkm.model.intervene(async (stage) => {
      if (stage !== 'author') return undefined
      changes += 1
      await pkm.backend.change(id, { text: `Lives in Graz, ${changes}.` }, { userId: ada, ...none })
      return undefined
    })
    await pkm.chat('chat-1', ['I prefer trains.'])
    await pkm.sweep()
    const pass = await passOf(pkm)
    expect([pass?.state, changes]).to.deep.equal(['failed', 3])
    expect(pkm.model.asked.filter((stage) => stage === 'extract')).to.have.length(2)
    expect(await pkm.texts()).to.not.include('Prefers trains to planes.')
    // The chat goes on behind it.
    pkm.model.intervene(() => undefined)
    await pkm.chat('chat-1', ['Anna is my sister.'])
    await pkm.sweep()
    expect(await pkm.texts())
      .to.include('Anna is their sister.')
      .and.not.include('Prefers trains to planes.')
    expect(await pkm.backend.retryPass?.(pass?.id ?? '', { userId: ada, ...none })).to.equal(true)
    await pkm.sweep()
    expect(await pkm.texts()).to.include('Prefers trains to planes.')
    await pkm.dispose()
  })

  it('survives two resets', async () => {
    const pkm = await openPkm(lore)
    await pkm.chat('chat-0', ['I live in Graz.'])
    await pkm.sweep()
    const id = (await pkm.export()).find(({ kind }) => kind === 'statement')?.id ?? ''
    let changes = 0
    pkm.model.intervene(async (stage) => {
      if (stage !== 'author' || changes === 2) return undefined
      changes += 1
      await pkm.backend.change(id, { text: `Lives in Graz, ${changes}.` }, { userId: ada, ...none })
      return undefined
    })
    await pkm.chat('chat-1', ['I prefer trains.'])
    await pkm.sweep()
    expect((await passOf(pkm))?.state).to.equal('done')
    expect(await pkm.texts()).to.include.members(['Prefers trains to planes.', 'Lives in Graz, 2.'])
    await pkm.dispose()
  })

  it('keeps the newest finished passes, and nothing of their stages', async () => {
    const pkm = await openPkm(lore)
    for (let index = 0; index < 21; index += 1) {
      await pkm.chat(`chat-${index}`, ['I live in Graz.'])
      await pkm.sweep()
    }
    const passes = await passesOf(pkm)
    expect(passes.map(({ chatId }) => chatId)).to.deep.equal(Array.from({ length: 20 }, (_, index) => `chat-${20 - index}`))
    const left = await pkm.database.collection(checkpointCollection).query({ index: 'by_user', equals: [ada] })
    expect(left.items).to.deep.equal([])
    await pkm.dispose()
  })

  it('gives the model what is wrong with a submission, as often as allowed', async () => {
    const pkm = await openPkm(lore, { settings: { pkm_consolidation_max_submissions: 3 } })
    let bad = 0
    pkm.model.intervene((stage, request) => {
      if (stage !== 'classify' || bad === 2) return undefined
      bad += 1
      if (bad === 2) expect(JSON.stringify(request.messages.at(-1))).to.contain('Claim 0 has no answer')
      return { json: { claims: [], proposals: [] } }
    })
    await pkm.chat('chat-1', ['I live in Graz.'])
    await pkm.sweep()
    expect((await passOf(pkm))?.state).to.equal('done')
    expect(pkm.model.asked.filter((stage) => stage === 'classify')).to.have.length(3)
    await pkm.dispose()
  })

  it('answers look-ups as often as allowed, then offers no tools', async () => {
    const pkm = await openPkm(lore, { settings: { pkm_consolidation_max_tool_turns: 2 } })
    const offered: number[] = []
    pkm.model.intervene((stage, request) => {
      if (stage !== 'classify') return undefined
      offered.push(request.tools.length)
      return request.tools.length === 0
        ? undefined
        : {
            calls: [
              { name: 'ontology_search', arguments: { query: 'lives' } },
              { name: 'nothing', arguments: {} },
            ],
          }
    })
    await pkm.chat('chat-1', ['I live in Graz.'])
    await pkm.sweep()
    expect(offered).to.deep.equal([2, 2, 0])
    expect(JSON.stringify(pkm.model.requests.at(-1)?.messages)).to.contain('property lives_in (lives in')
    expect((await passOf(pkm))?.state).to.equal('done')
    await pkm.dispose()
  })

  it('never asks for more extractions and pages at a time than configured, of all users together', async () => {
    const pkm = await openPkm(lore, { settings: { pkm_extract_max_messages: 1, pkm_consolidation_concurrency: 4 } })
    pkm.model.intervene(() => new Promise((resolve) => setImmediate(() => setImmediate(() => resolve(undefined)))))
    for (const userId of ['user-1', 'user-2', 'user-3'])
      await pkm.chat(
        'chat-1',
        Array.from({ length: 8 }, () => 'I live in Graz.'),
        { userId },
      )
    await pkm.sweep()
    expect(pkm.model.asked.filter((stage) => stage === 'extract')).to.have.length(24)
    expect(pkm.model.mostAtOnce).to.equal(4)
    await pkm.dispose()
  })

  it('lets no long chat of one user keep all calls from others', async () => {
    const pkm = await openPkm(lore, { settings: { pkm_extract_max_messages: 1, pkm_consolidation_concurrency: 2 } })
    pkm.model.intervene(() => new Promise((resolve) => setImmediate(() => setImmediate(() => resolve(undefined)))))
    await pkm.chat(
      'chat-1',
      Array.from({ length: 12 }, () => 'I live in Graz.'),
      { userId: 'user-1' },
    )
    for (const [userId, place] of [
      ['user-2', 'Wien'],
      ['user-3', 'Linz'],
    ] as const)
      await pkm.chat('chat-1', [`I live in ${place}.`], { userId })
    await pkm.sweep()
    const texts = pkm.model.requests.map(({ messages }) => JSON.stringify(messages))
    const behind = texts.slice(texts.findIndex((text) => text.includes('in Linz'))).filter((text) => text.includes('in Graz'))
    expect(behind.length, 'parts of the long chat after the one that began last').to.be.greaterThan(4)
    await pkm.dispose()
  })

  it('gives each user one pass in turn', async () => {
    const pkm = await openPkm(lore)
    for (let index = 0; index < 3; index += 1) await pkm.chat(`many-${index}`, ['I live in Graz.'], { userId: 'user-1' })
    await pkm.chat('single', ['I live in Graz.'], { userId: 'user-2' })
    const first = await pkm.backend.sweep?.(none)
    expect(first).to.deep.equal({ users: 2, more: true })
    const count = async (userId: string) => (await pkm.backend.passes?.(userId, { limit: 9, ...none }))?.items.length
    expect([await count('user-1'), await count('user-2')]).to.deep.equal([1, 1])
    await pkm.dispose()
  })

  it('does not count the end of the service as a failure, and goes on afterwards', async () => {
    const pkm = await openPkm(lore)
    const stop = new AbortController()
    pkm.model.intervene((stage) => {
      if (stage === 'classify') stop.abort(new Error('stopping'))
      return undefined
    })
    await pkm.chat('chat-1', ['I live in Graz.'])
    const error = await pkm.backend.sweep?.({ signal: stop.signal }).catch((reason: unknown) => reason)
    expect(error).to.have.property('message', 'stopping')
    const pass = await passOf(pkm)
    expect([pass?.state, pass?.stage, pass?.attempt, pass?.error]).to.deep.equal(['running', 'classify', 1, null])
    pkm.model.intervene(() => undefined)
    await pkm.sweep()
    expect((await passOf(pkm))?.state).to.equal('done')
    await pkm.dispose()
  })

  it('leaves new messages to the next pass', async () => {
    const pkm = await openPkm(lore)
    let added = false
    pkm.model.intervene(async (stage) => {
      if (stage === 'classify' && !added) {
        added = true
        await pkm.chat('chat-1', ['I prefer trains.'])
      }
      return undefined
    })
    await pkm.chat('chat-1', ['I live in Graz.'])
    await pkm.backend.sweep?.(none)
    expect(await pkm.texts()).to.not.include('Prefers trains to planes.')
    await pkm.sweep()
    expect(await pkm.texts()).to.include('Prefers trains to planes.')
    expect(await passesOf(pkm)).to.have.length(2)
    await pkm.dispose()
  })

  it('needs a model to learn, and none to forget', async () => {
    const pkm = await openPkm(lore, { model: (await import('../test-support/scripted-model.js')).createScriptedModel(lore, []) })
    await pkm.backend.remember({ userId: ada, scope: { kind: 'user' }, text: 'Likes tea.', evidence: { chatId: 'gone' }, key: 'k' }, none)
    await pkm.chat('chat-1', ['I live in Graz.'])
    await pkm.backend.chatChanged(
      { userId: ada, chatId: 'gone', agentId: 'agent-1', spaceId: null, reason: 'deleted', at: '2026-01-01T00:00:00.000Z' },
      none,
    )
    await pkm.sweep()
    expect([pkm.model.asked, await pkm.texts()]).to.deep.equal([[], []])
    expect(documentId(ada, 'x')).to.equal('user-1/x')
    await pkm.dispose()
  })
})

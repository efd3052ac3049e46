import { expect } from 'chai'
import { lore } from '../test-support/lore.js'
import { ada, none, openPkm } from '../test-support/open-pkm.js'

const first = [
  'Hello! I live in Graz, and I prefer trains.',
  { role: 'agent', text: 'Nice.' },
  'Anna is my sister. I am tired today.',
] as const

describe('consolidation', () => {
  it('learns statements, pages and short memories from a chat', async () => {
    const pkm = await openPkm(lore)
    await pkm.chat('chat-1', first)
    await pkm.sweep()
    const records = await pkm.export()
    const byKind = (kind: string) => records.filter((each) => each.kind === kind).map(({ text }) => text)
    const statements = ['Lives in Graz.', 'Prefers trains to planes.', 'Anna is their sister.']
    expect(byKind('statement')).to.have.members(statements)
    expect(byKind('note')).to.have.members([...statements, 'Was tired today.'])
    expect(records.filter((each) => each.kind === 'summary').map(({ title }) => title)).to.have.members(['The person', 'Anna'])
    expect(
      records.flatMap(({ evidence }) => evidence).every(({ chatId, messageId }) => chatId === 'chat-1' && messageId !== undefined),
    ).to.equal(true)
    const passes = await pkm.backend.passes?.(ada, { limit: 10, ...none })
    expect(passes?.items.map(({ state, error, stage }) => [state, error, stage])).to.deep.equal([['done', null, 'commit']])
    const calls = pkm.model.requests.map(({ attribution, group }) => [attribution?.purpose, attribution?.userId, group])
    expect(new Set(calls.map((call) => call.join()))).to.deep.equal(new Set([`memory,${ada},memory`]))
    await pkm.dispose()
  })

  it('reads each message once, and strengthens what comes up again', async () => {
    const pkm = await openPkm(lore)
    await pkm.chat('chat-1', first)
    await pkm.sweep()
    const asked = pkm.model.asked.length
    await pkm.sweep()
    expect(pkm.model.asked).to.have.length(asked)
    await pkm.chat('chat-1', ['As I said, I prefer trains.'])
    await pkm.sweep()
    const found = (await pkm.export()).filter(({ text, kind }) => text === 'Prefers trains to planes.' && kind === 'note')
    expect(found).to.have.length(1)
    expect(found[0]?.details?.['pkm']).to.include({ reinforcements: 1, weight: 0.9 })
    expect(found[0]?.evidence).to.have.length(2)
    expect(pkm.model.requests.filter((_, index) => pkm.model.asked[index] === 'extract')).to.have.length(2)
    await pkm.dispose()
  })

  it('answers what held before and what holds now, and deletes nothing', async () => {
    const pkm = await openPkm(lore)
    await pkm.chat('chat-1', ['I live in Graz.'])
    await pkm.sweep()
    const between = new Date(pkm.clock.now()).toISOString()
    await pkm.clock.advance(86_400_000)
    await pkm.chat('chat-2', ['News: I have moved to Linz.'])
    await pkm.sweep()
    const search = async (asOf?: string) =>
      (
        await pkm.backend.search(
          { userId: ada, text: 'Graz Linz', limit: 9, kinds: ['statement'], ...(asOf !== undefined && { asOf }) },
          none,
        )
      ).map(({ item }) => item.text)
    expect(await search()).to.deep.equal(['Has moved to Linz.'])
    expect(await search(between)).to.deep.equal(['Lives in Graz.'])
    const graz = (await pkm.export()).find(({ kind, text }) => kind === 'statement' && text === 'Lives in Graz.')
    expect(graz?.validTo).to.be.a('string')
    expect(graz?.details?.['pkm']?.['superseded_by']).to.be.a('string')
    expect(await pkm.backend.promptText({ userId: ada, agentId: 'a', maxTokens: 900 }, none)).to.equal('Remembered:\n- Has moved to Linz.')
    await pkm.dispose()
  })

  it('lets the last of several values in one chat hold', async () => {
    const pkm = await openPkm([...lore, { quote: 'I am off to Wels', text: 'Has gone to Wels.', property: 'lives_in', value: 'Wels' }])
    await pkm.chat('chat-1', ['I live in Graz.'])
    await pkm.sweep()
    await pkm.chat('chat-2', ['I have moved to Linz.', 'No: I am off to Wels.'])
    await pkm.sweep()
    const statements = (await pkm.export()).filter(({ kind }) => kind === 'statement')
    expect(statements.filter(({ validTo }) => validTo === undefined).map(({ text }) => text)).to.deep.equal(['Has gone to Wels.'])
    expect(statements).to.have.length(3)
    await pkm.dispose()
  })

  it('only asks about what a person has corrected', async () => {
    const pkm = await openPkm(lore)
    await pkm.chat('chat-1', ['I live in Graz.'])
    await pkm.sweep()
    const id = (await pkm.export()).find(({ kind }) => kind === 'statement')?.id ?? ''
    await pkm.backend.change(id, { text: 'Lives in Salzburg.' }, { userId: ada, ...none })
    await pkm.chat('chat-2', ['News: I have moved to Linz.'])
    await pkm.sweep()
    const corrected = (await pkm.export()).find((each) => each.id === id)
    expect([corrected?.text, corrected?.validTo]).to.deep.equal(['Lives in Salzburg.', undefined])
    const prompt = await pkm.backend.promptText({ userId: ada, agentId: 'a', maxTokens: 900 }, none)
    expect(prompt).to.contain('“Lives in Salzburg.” is on record, but they have also said “Has moved to Linz.”')
    await pkm.dispose()
  })

  it('lets a question go with either statement that it repeats', async () => {
    for (const [settle, text] of [
      ['forget', 'Lives in Salzburg.'],
      ['forget', 'Has moved to Linz.'],
      ['change', 'Lives in Salzburg.'],
      ['close', 'Lives in Salzburg.'],
    ] as const) {
      const pkm = await openPkm([...lore, { quote: 'I am off to Wels', text: 'Has gone to Wels.', property: 'lives_in', value: 'Wels' }])
      const idOf = async (said: string) => (await pkm.export()).find((each) => each.kind === 'statement' && each.text === said)?.id ?? ''
      await pkm.chat('chat-1', ['I live in Graz.'])
      await pkm.sweep()
      await pkm.backend.change(await idOf('Lives in Graz.'), { text: 'Lives in Salzburg.' }, { userId: ada, ...none })
      await pkm.chat('chat-2', ['News: I have moved to Linz.'])
      await pkm.sweep()
      expect((await pkm.texts()).filter((each) => each.startsWith('To ask'))).to.have.length(1)
      if (settle === 'forget') expect(await pkm.backend.forget(await idOf(text), { userId: ada, ...none })).to.equal(true)
      if (settle === 'change') await pkm.backend.change(await idOf(text), { text: 'Lives in Hallein.' }, { userId: ada, ...none })
      if (settle === 'close') {
        const target = await idOf('Has moved to Linz.')
        pkm.model.intervene((stage) =>
          stage === 'reconcile' ? { json: { claims: [{ claim: 0, action: 'supersede', target }] } } : undefined,
        )
        await pkm.chat('chat-3', ['I am off to Wels.'])
        await pkm.sweep()
        expect((await pkm.export()).find(({ id }) => id === target)?.validTo).to.be.a('string')
      }
      const questions = (await pkm.texts()).filter((each) => each.startsWith('To ask'))
      expect(questions, `${settle} ${text}`).to.deep.equal([])
      if (settle === 'forget') expect(JSON.stringify(await pkm.export()), text).to.not.include(text)
      await pkm.dispose()
    }
  })

  it('learns neither again what was forgotten nor what was corrected', async () => {
    const pkm = await openPkm(lore)
    await pkm.chat('chat-1', first)
    await pkm.sweep()
    const records = await pkm.export()
    const idOf = (text: string) => records.find((each) => each.kind === 'statement' && each.text === text)?.id ?? ''
    expect(await pkm.backend.forget(idOf('Prefers trains to planes.'), { userId: ada, ...none })).to.equal(true)
    await pkm.backend.change(idOf('Lives in Graz.'), { text: 'Lives near Graz.' }, { userId: ada, ...none })
    await pkm.chat('chat-2', ['I prefer trains. I live in Graz. I am tired today.'])
    await pkm.sweep()
    const texts = await pkm.texts()
    expect(texts.filter((text) => text.includes('trains') || text === 'Lives in Graz.')).to.deep.equal([])
    expect(texts).to.include('Lives near Graz.')
    const found = records.find(({ text }) => text === 'Prefers trains to planes.')
    expect(found).to.not.equal(undefined)
    await pkm.backend.remember({ userId: ada, scope: { kind: 'user' }, text: 'Prefers trains to planes.', key: 'again' }, none)
    expect(await pkm.texts()).to.include('Prefers trains to planes.')
    await pkm.dispose()
  })

  it('takes accepted terms into the ontology of the person, and maps the others', async () => {
    const pkm = await openPkm(lore)
    pkm.model.intervene((stage) =>
      stage === 'adjudicate' ? { json: { terms: [{ proposal: 0, verdict: 'alias', of: 'owns' }] } } : undefined,
    )
    await pkm.chat('chat-1', ['I collect stamps.'])
    await pkm.sweep()
    expect((await pkm.export()).find(({ kind }) => kind === 'statement')?.details?.['pkm']?.['property']).to.equal('owns')
    await pkm.dispose()
  })

  it('keeps what is said in a space in that space', async () => {
    const pkm = await openPkm(lore)
    await pkm.chat('chat-1', ['I live in Graz.'], { spaceId: 'space-1' })
    await pkm.sweep()
    const read = (spaceId?: string) =>
      pkm.backend.promptText({ userId: ada, agentId: 'a', maxTokens: 900, ...(spaceId !== undefined && { spaceId }) }, none)
    expect([await read(), await read('space-2')]).to.deep.equal([undefined, undefined])
    expect(await read('space-1')).to.contain('Lives in Graz.')
    await pkm.dispose()
  })

  it('reads another branch of a chat from where it leaves the first', async () => {
    const pkm = await openPkm(lore)
    await pkm.chat('chat-1', ['Hello.', 'I live in Graz.'])
    await pkm.sweep()
    const before = await pkm.chats.messages({ userId: ada, chatId: 'chat-1', from: 0, limit: 9 }, none)
    if (!before) throw new Error('The chat is gone.')
    const items = before.items.map((item) => (item.sequence === 1 ? { ...item, id: 'edited', text: 'I prefer trains.' } : item))
    pkm.chats.put(ada, 'chat-1', { ...before, items })
    await pkm.backend.chatChanged(
      { userId: ada, chatId: 'chat-1', agentId: 'agent-1', spaceId: null, reason: 'messages', at: before.updatedAt.replace('00:', '01:') },
      none,
    )
    await pkm.clock.advance(7_200_000)
    await pkm.sweep()
    expect(await pkm.texts()).to.include('Prefers trains to planes.')
    await pkm.dispose()
  })
})

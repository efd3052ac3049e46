import { databaseToken } from '@agent-service/kernel/testing/tokens'
import type { JsonObject } from '@agent-service/sdk'
import { defineCollection } from '@agent-service/sdk/services/database'
import { expect } from 'chai'
import type { EventStream } from '../support/api.js'
import { endOf } from './support/agents-kernel.js'
import { type AskedPerson, type AskingKernel, askedOnce, callsWith, type SeenApproval, startAskingKernel } from './support/asking-kernel.js'
import placesPlugin, { places, resetPlaces } from './support/places-plugin.js'
import { resultsIn, says, setScript } from './support/scripted-plugin.js'

const agent = { tools: ['places__visit', 'tool__unsafe'], approval: { '*': 'first_time' } }

/** As they are stored, to see that nothing of them is left where no route shows it. */
const storedGrants = defineCollection<{
  readonly id: string
  readonly user_id: string
  readonly agent_id: string
  readonly tool: string
}>()({
  name: 'agents.approval_grants',
  version: 2,
  userField: 'user_id',
  indexes: { by_tool: { fields: ['agent_id', 'tool', 'id'] }, by_user: { fields: ['user_id', 'id'] } },
  migrations: [{ to: 2, description: 'Nothing is left of the first version.', migrate: (grant) => grant }],
})

interface Grant {
  readonly tool: string
  readonly scope: string
  readonly label: string
  readonly applies: boolean
}

describe('what an approval allows from now on', function () {
  this.timeout(60_000)
  let asking: AskingKernel
  let person: AskedPerson
  let stream: EventStream

  before(async () => {
    resetPlaces()
    asking = await startAskingKernel({
      more: { places: { plugin: placesPlugin, module: new URL('./support/places-plugin.js', import.meta.url) } },
    })
  })
  after(() => asking?.close())

  const as = async (username: string): Promise<void> => {
    resetPlaces()
    person = await asking.person(username, agent)
    stream = await person.stream()
  }
  afterEach(() => stream?.close())

  /** Has the agent make one call in a new chat. Resolves with the question, or with undefined once it ran unasked. */
  const call = async (input: JsonObject, name = 'places__visit'): Promise<SeenApproval | undefined> => {
    setScript({ answer: (request) => (resultsIn(request).length === 0 ? callsWith({ name, arguments: input }) : says('Done.')) })
    const { runId } = await person.begin()
    const next = await stream.until(
      ({ name: event, data }) => data['run_id'] === runId && (event === 'run.waiting' || event === 'run.completed'),
    )
    return next.name === 'run.waiting' ? askedOnce(stream, runId) : undefined
  }
  const decide = (asked: SeenApproval, decision: JsonObject) =>
    person.request('POST', `/api/runs/${asked.run_id}/approvals/${asked.call_id}`, decision)
  const allow = async (input: JsonObject, decision: JsonObject, name?: string): Promise<SeenApproval> => {
    const asked = (await call(input, name)) ?? expect.fail('Nothing was asked.')
    const { status, body } = await decide(asked, decision)
    expect(status, JSON.stringify(body)).to.equal(200)
    await endOf(stream, asked.run_id)
    return body as SeenApproval
  }
  /** Whether a call is asked about; it is then denied. */
  const asks = async (input: JsonObject, name?: string): Promise<boolean> => {
    const asked = await call(input, name)
    if (!asked) return false
    await decide(asked, { decision: 'deny' })
    await endOf(stream, asked.run_id)
    return true
  }
  const grants = async (): Promise<readonly Grant[]> =>
    (await person.request('GET', `/api/agents/${person.agentId}/grants`)).body['items'] as readonly Grant[]
  const scopesOf = (asked: SeenApproval): readonly { readonly key: string; readonly label: string }[] =>
    asked['scopes'] as readonly { readonly key: string; readonly label: string }[]

  it('is offered in words, from this very call to the widest kind that the tool names', async () => {
    await as('ada')
    const asked = (await call({ host: 'example.org', path: '/a' })) ?? expect.fail('Nothing was asked.')
    expect(scopesOf(asked).map(({ label }) => label)).to.deep.equal([
      'Exactly this call',
      'Visit example.org/a',
      'Visit every page of example.org',
    ])
    expect(asked).to.include({ scope: null, remembers: true })
    await decide(asked, { decision: 'deny' })
    await endOf(stream, asked.run_id)
  })

  it('is the chosen kind, and nothing beside it', async () => {
    await as('ben')
    const approved = await allow({ host: 'example.org', path: '/a' }, { decision: 'approve', scope: 'of:host example.org' })
    expect(approved).to.include({ scope: 'of:host example.org', remembers: true })
    expect(await asks({ host: 'example.org', path: '/b' })).to.equal(false)
    expect(places.visited.map(({ path }) => path)).to.deep.equal(['/a', '/b'])
    for (const host of ['example.com', 'EXAMPLE.org', 'example.org.evil.test', 'host example.org', ''])
      expect(await asks({ host }), host).to.equal(true)
    expect(await grants()).to.have.length(1)
  })

  it('is exactly this call if no kind is chosen, whatever the order of its arguments', async () => {
    await as('cleo')
    await allow({ host: 'example.org', path: '/a' }, { decision: 'approve' })
    expect(await asks({ path: '/a', host: 'example.org' })).to.equal(false)
    expect(await asks({ host: 'example.org', path: '/a ' })).to.equal(true)
    expect(await asks({ host: 'example.org' })).to.equal(true)
    expect((await grants()).map(({ label }) => label)).to.deep.equal(['Exactly this call'])
  })

  it('is what the first answer allows: another one is refused, whatever it allows', async () => {
    await as('twoclients')
    const asked = (await call({ host: 'example.org', path: '/a' })) ?? expect.fail('Nothing was asked.')
    const [exact, kind] = scopesOf(asked).map(({ key }) => key)
    const answers = [
      { decision: 'approve', scope: kind },
      { decision: 'approve_once' },
      { decision: 'approve', scope: exact },
    ] as JsonObject[]
    const statuses: number[] = []
    for (const answer of [...answers, { decision: 'approve' }, ...answers]) statuses.push((await decide(asked, answer)).status)
    expect(statuses).to.deep.equal([200, 409, 409, 409, 200, 409, 409])
    expect((await grants()).map(({ scope }) => scope)).to.deep.equal([kind])
    await endOf(stream, asked.run_id)
  })

  it('is nothing after an approval of one call', async () => {
    await as('dora')
    const approved = await allow({ host: 'example.org' }, { decision: 'approve_once' })
    expect(approved).to.include({ scope: null, remembers: false })
    expect(await grants()).to.deep.equal([])
    expect(await asks({ host: 'example.org' })).to.equal(true)
  })

  it('is never every call of a tool that names kinds; of another it is, if the person says so', async () => {
    await as('eli')
    const asked = (await call({ host: 'example.org' })) ?? expect.fail('Nothing was asked.')
    const refused = await decide(asked, { decision: 'approve', scope: 'every' })
    expect([refused.status, refused.body['errors']]).to.deep.equal([
      422,
      [
        {
          path: '/scope',
          message: `must be the key of one of the scopes of this approval: ${scopesOf(asked)
            .map(({ key }) => key)
            .join(', ')}`,
        },
      ],
    ])
    const denied = await decide(asked, { decision: 'deny', scope: 'of:host example.org' })
    expect(denied.status, 'a denial allows nothing').to.equal(422)
    expect(await grants()).to.deep.equal([])
    await decide(asked, { decision: 'deny' })
    await endOf(stream, asked.run_id)

    await allow({}, { decision: 'approve', scope: 'every' }, 'tool__unsafe')
    expect((await grants()).map(({ label }) => label)).to.deep.equal(['Every call of this tool, whatever its arguments'])
    expect(await asks({}, 'tool__unsafe')).to.equal(false)
  })

  it('is revoked one by one, or for a tool at once', async () => {
    await as('finn')
    for (const host of ['a.test', 'b.test', 'c.test']) await allow({ host }, { decision: 'approve', scope: `of:host ${host}` })
    await allow({}, { decision: 'approve' }, 'tool__unsafe')
    const place = `/api/agents/${person.agentId}/grants/places__visit`
    expect((await person.request('DELETE', `${place}?scope=${encodeURIComponent('of:host b.test')}`)).status).to.equal(204)
    expect((await person.request('DELETE', `${place}?scope=${encodeURIComponent('of:host b.test')}`)).status).to.equal(404)
    expect((await grants()).map(({ tool, scope }) => `${tool} ${scope}`)).to.include.members([
      'places__visit of:host a.test',
      'places__visit of:host c.test',
    ])
    expect(await asks({ host: 'b.test' })).to.equal(true)
    expect(await asks({ host: 'a.test' })).to.equal(false)
    expect((await person.request('DELETE', place)).status).to.equal(204)
    expect((await grants()).map(({ tool }) => tool)).to.deep.equal(['tool__unsafe'])
    expect(await asks({ host: 'a.test' })).to.equal(true)
  })

  it('is this very call alone if the tool fails to name kinds, or names what is not well-formed', async () => {
    const broken: readonly unknown[] = [Promise.resolve([]), [{ key: 'no label' }]]
    for (const [index, value] of broken.entries()) {
      await as('gus')
      await asking.restart({ between: () => (places.scopes = () => value as never) })
      person = await asking.person('gus', agent)
      stream.close()
      stream = await person.stream()
      const asked = (await call({ host: `${index}.test` })) ?? expect.fail('Nothing was asked.')
      expect(scopesOf(asked).map(({ label }) => label)).to.deep.equal(['Exactly this call'])
      await decide(asked, { decision: 'deny' })
      await endOf(stream, asked.run_id)
    }
  })

  it('of every call of a tool ends when the tool names kinds, and is listed as such', async () => {
    await asking.restart({ between: () => (places.scopes = undefined) })
    person = await asking.person('hana', agent)
    stream = await person.stream()
    await allow({ host: 'example.org' }, { decision: 'approve', scope: 'every' })
    expect(await asks({ host: 'example.com' })).to.equal(false)
    expect((await grants()).map(({ applies }) => applies)).to.deep.equal([true])
    stream.close()

    await asking.restart({ between: resetPlaces })
    person = await asking.person('hana', agent)
    stream = await person.stream()
    expect((await grants()).map(({ applies }) => applies)).to.deep.equal([false])
    expect(await asks({ host: 'example.com' })).to.equal(true)
  })

  it('is forgotten with the agent', async () => {
    await as('gone')
    await allow({ host: 'example.org' }, { decision: 'approve', scope: 'of:host example.org' })
    expect((await person.request('DELETE', `/api/agents/${person.agentId}`)).status).to.equal(204)
    const database = await asking.kernel.container.resolve(databaseToken).openFor('feature-agents', [storedGrants])
    expect((await database.collection(storedGrants).query({ index: 'by_user', equals: [person.userId] })).items).to.deep.equal([])
  })

  it('is read with every character that a screen would hide', async () => {
    await as('ines')
    places.purpose = () => 'Visit safe.test\u202e\nand more'
    const asked = (await call({ host: 'x\u202e.test' })) ?? expect.fail('Nothing was asked.')
    expect(asked['purpose']).to.equal('Visit safe.test<U+202E> ⏎ and more')
    expect(scopesOf(asked).map(({ label }) => label)).to.include('Visit every page of x<U+202E>.test')
    await decide(asked, { decision: 'deny' })
    await endOf(stream, asked.run_id)
  })
  it('is read by the title of a tool that fails to describe its call, with all arguments', async () => {
    await as('jana')
    places.purpose = () => {
      throw new Error('no words for it')
    }
    const asked = (await call({ host: 'safe.test' })) ?? expect.fail('Nothing was asked.')
    expect(asked['purpose']).to.equal('Visit a place')
    expect(asked['text']).to.equal('Visit a place (host: "safe.test")')
    await decide(asked, { decision: 'deny' })
    await endOf(stream, asked.run_id)
  })
})

import { channels } from '@agent-service/sdk/contracts/channel'
import type { Principal } from '@agent-service/sdk/contracts/http-route'
import { schedulerJobs } from '@agent-service/sdk/contracts/scheduler-job'
import { userData } from '@agent-service/sdk/contracts/user-data'
import { createTestContext, describeUserData, testAccount, testPrincipal } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import plugin from './index.js'
import { admin, bob, type ChannelBench, codeOf, openBench } from './test-support/channel-bench.js'
import { aMessage, createTown } from './test-support/town.js'

const body = { channel: 'town', title: 'Town bot', members: { place: 'here', token: 'town-secret-1' } }
const config = { channel: { retry: { max_retries: 5, initial_backoff_ms: 1_000, backoff_multiplier: 2, max_backoff_ms: 60_000 } } }

describe('the plugin of channels', () => {
  let bench: ChannelBench
  afterEach(() => bench.close())

  it('contributes what its manifest says, and leaves nothing behind', async () => {
    bench = await openBench()
    await bench.connect()
    const host = bench.host()
    expect(host.contributed(schedulerJobs)).to.have.length(1)
    await host.dispose()
    expect(host.scope.holdings()).to.deep.equal([])
    expect(bench.town.sessions[0]?.signal.aborted).to.equal(true)
  })

  it('exports no secret', async () => {
    bench = await openBench()
    const id = await bench.connect()
    await bench.town.receive(aMessage('1', { text: 'What I said.' }))
    const records: unknown[] = []
    for (const data of bench.host().contributed(userData))
      for await (const record of data.export(testAccount.id, new AbortController())) records.push(record)
    const text = JSON.stringify(records)
    expect(text).to.contain('Town bot').and.contain('What I said.').and.contain(id)
    expect(text).not.to.contain('town-secret-1').and.not.contain('sealed:').and.not.contain('webhook_key')
    expect(text).not.to.match(/"code":/)
  })

  it('shows the channels with their steps and forms', async () => {
    bench = await openBench()
    const [town] = await bench.items('GET /api/channels')
    expect(town).to.deep.include({ id: 'town', title: 'Town chat', set_up: [] })
  })

  it('refuses what does not fit, without a value, and too many connections', async () => {
    bench = await openBench()
    const create = (members: object) => bench.request('POST /api/channels/connections', { body: { ...body, ...members } })
    expect(await codeOf(create({ channel: 'village' }))).to.equal('channel_unknown')
    const wrong = await create({ members: { token: 'town-secret-9', other: 1 } }).catch((error: unknown) => error)
    expect(JSON.stringify(wrong)).not.to.contain('town-secret-9')
    expect(await codeOf(create({ agent_id: 'not-mine' }))).to.equal('invalid_request')
    for (let number = 0; number < 20; number += 1) await create({ enabled: false })
    expect(await codeOf(create({}))).to.equal('quota_exceeded')
  })

  it('keeps connections of others unknown, whatever their ids', async () => {
    bench = await openBench()
    const id = await bench.connect()
    await bench.town.receive(aMessage('1'))
    const [pairing] = await bench.items('GET /api/channels/connections/{connection_id}/pairings', { params: { connection_id: id } })
    const one = { connection_id: id }
    const two = { ...one, pairing_id: String(pairing?.['id']), sender_id: String(pairing?.['id']), delivery_id: 'x' }
    const base = 'connections/{connection_id}'
    const paramsOf = (route: string) => Object.fromEntries(Object.entries(two).filter(([name]) => route.includes(`{${name}}`)))
    for (const principal of [bob, { ...admin, userId: bob.userId }])
      for (const [route, given] of [
        [`GET /api/channels/${base}`, {}],
        [`PATCH /api/channels/${base}`, { body: { title: 'Mine' } }],
        [`DELETE /api/channels/${base}`, {}],
        [`POST /api/channels/${base}/retry`, {}],
        [`POST /api/channels/${base}/test`, {}],
        [`GET /api/channels/${base}/deliveries`, {}],
        [`POST /api/channels/${base}/deliveries/{delivery_id}/resend`, {}],
        [`GET /api/channels/${base}/pairings`, {}],
        [`GET /api/channels/${base}/senders`, {}],
        [`POST /api/channels/${base}/pairings/{pairing_id}/approve`, { body: {} }],
        [`POST /api/channels/${base}/pairings/{pairing_id}/deny`, {}],
        [`POST /api/channels/${base}/senders`, { body: { sender_id: 'mallory' } }],
        [`DELETE /api/channels/${base}/senders/{sender_id}`, {}],
      ] as const)
        expect(await codeOf(bench.request(route, { principal, params: paramsOf(route), ...given })), route).to.equal('not_found')
    expect(await codeOf(bench.request(`GET /api/admin/channels/${base}`, { principal: admin, params: one }))).to.equal('not_found')
    // A person of another connection cannot be reached over an own one.
    const own = await bench.request('POST /api/channels/connections', { principal: bob, body })
    const params = { connection_id: String(own['id']), pairing_id: two.pairing_id }
    expect(
      await codeOf(bench.request(`POST /api/channels/${base}/pairings/{pairing_id}/approve`, { principal: bob, params, body: {} })),
    ).to.equal('not_found')
    expect(
      await codeOf(
        bench.request(`DELETE /api/channels/${base}/senders/{sender_id}`, {
          principal: bob,
          params: { connection_id: params.connection_id, sender_id: two.sender_id },
        }),
      ),
    ).to.equal('not_found')
  })

  it('pairs each person of a shared connection with the account in which they enter their code', async () => {
    bench = await openBench()
    const create = (members: object) =>
      bench.request('POST /api/admin/channels/connections', { principal: admin, body: { ...body, ...members } })
    expect(await codeOf(create({ access: 'open' }))).to.equal('invalid_request')
    const { id } = await create({})
    await bench.until('a session', () => bench.town.sessions.length === 1)
    expect(bench.town.sessions[0]?.connection.origin).to.equal('system')
    await bench.until('connected', async () => {
      const params = { connection_id: String(id) }
      return (
        (await bench.request('GET /api/admin/channels/connections/{connection_id}', { principal: admin, params }))['state'] === 'connected'
      )
    })
    await bench.town.receive(aMessage('1', { from: 'bob-there' }))
    const code = String(/code is (\w+)/.exec((await bench.sent(1))[0] ?? '')?.[1])
    const params = { connection_id: String(id) }
    const pending = await bench.items('GET /api/admin/channels/connections/{connection_id}/pairings', { principal: admin, params })
    expect(JSON.stringify(pending)).not.to.contain(code)
    const claim = (given: string, of: object = {}) =>
      bench.request('POST /api/channels/pairings/claim', { principal: bob, body: { code: given, ...of } })
    expect(await codeOf(claim('AAAAAAAA'))).to.equal('pairing_code_invalid')
    const shown = await claim(code.toLowerCase())
    expect(shown).to.deep.include({ claimed: false, title: body.title, channel: 'town' })
    expect(shown['sender']).to.deep.include({ sender_id: 'bob-there', state: 'pending' })
    expect((shown['messages'] as readonly { readonly text: string }[]).map(({ text }) => text)).to.deep.equal(['Hello 1'])
    expect(await codeOf(claim(code, { sender_id: 'eve-there' }))).to.equal('pairing_code_invalid')
    expect(bench.started).to.deep.equal([])
    // Of two who enter it at once, one has it.
    const twice = await Promise.allSettled([claim(code, { sender_id: 'bob-there' }), claim(code, { sender_id: 'bob-there' })])
    expect(twice.map(({ status }) => status).sort()).to.deep.equal(['fulfilled', 'rejected'])
    await bench.until('the run', () => bench.started.length === 1)
    expect(bench.started[0]?.userId).to.equal(bob.userId)
    expect(await codeOf(claim(code))).to.equal('pairing_code_invalid')
    expect(bench.host().services.audit.noted.map(({ kind }) => kind)).to.include('channel.created')
    const own = () => bench.items('GET /api/channels/pairings', { principal: bob })
    const [paired] = await own()
    expect(paired).to.deep.include({ title: body.title })
    const pairing = { pairing_id: String((paired?.['sender'] as { readonly id?: string } | undefined)?.id) }
    const end = (principal: Principal) => bench.request('DELETE /api/channels/pairings/{pairing_id}', { principal, params: pairing })
    expect(await bench.items('GET /api/channels/pairings')).to.deep.equal([])
    expect(await codeOf(end(testPrincipal))).to.equal('not_found')
    await end(bob)
    expect(await own()).to.deep.equal([])
    await bench.town.receive(aMessage('2', { from: 'bob-there' }))
    await bench.until('another code', () => bench.town.sent.filter(({ text }) => text.includes('code is')).length === 2)
    expect(bench.started).to.have.length(1)
  })

  it('lets no one claim the code of a person’s own connection', async () => {
    bench = await openBench()
    await bench.connect()
    await bench.town.receive(aMessage('1'))
    const code = String(/code is (\w+)/.exec((await bench.sent(1))[0] ?? '')?.[1])
    expect(await codeOf(bench.request('POST /api/channels/pairings/claim', { principal: bob, body: { code } }))).to.equal(
      'pairing_code_invalid',
    )
  })

  it('reaches connections by their secret address alone, and the same 404 stands for everything else', async () => {
    bench = await openBench({ town: createTown({ supports: { webhook: true } }) })
    const id = await bench.connect()
    const url = new URL(String((await bench.state(id))['webhook_url']))
    const [connectionId = '', key = ''] = url.pathname.split('/').slice(-2)
    const post = (params: Readonly<Record<string, string>>, query = 'a=1%202&a=+&b=%zz') =>
      bench.host().request('POST /api/channels/webhook/{connection_id}/{key}', {
        ...{ params, rawTarget: `/api/channels/webhook/${params['connection_id']}/${params['key']}?${query}` },
        body: (async function* () {
          yield new Uint8Array(7)
        })(),
      })
    const response = await post({ connection_id: connectionId, key })
    expect(response.status).to.equal(200)
    expect(new TextDecoder().decode((response as unknown as { readonly bytes: Uint8Array }).bytes)).to.equal('7 ?a=1%202&a=+&b=%zz')
    const messageOf = (promise: Promise<unknown>) =>
      promise.then(
        () => 'none',
        (error: unknown) => String(error),
      )
    const wrong = await messageOf(post({ connection_id: connectionId, key: 'other' }))
    expect(wrong).to.match(/There is no/i)
    expect(await messageOf(post({ connection_id: 'other', key }))).to.equal(wrong)
    for (let number = 0; number < 60; number += 1) await messageOf(post({ connection_id: `other-${number}`, key }))
    expect(await codeOf(post({ connection_id: 'other', key }))).not.to.equal('not_found')
    expect((await post({ connection_id: connectionId, key })).status, 'behind the address of a stranger').to.equal(200)
    await bench.advance(60_000)
    await bench.request('PATCH /api/channels/connections/{connection_id}', { params: { connection_id: id }, body: { enabled: false } })
    expect(await messageOf(post({ connection_id: connectionId, key }))).to.equal(wrong)
  })

  it('fails where a request of the vendor says that the connection is over, and the vendor is told that it was heard', async () => {
    bench = await openBench({ town: createTown({ supports: { webhook: true } }) })
    const id = await bench.connect()
    const { pathname } = new URL(String((await bench.state(id))['webhook_url']))
    const [connection = '', key = ''] = pathname.split('/').slice(-2)
    const answer = await bench.host().request('POST /api/channels/webhook/{connection_id}/{key}', {
      ...{ params: { connection_id: connection, key }, rawTarget: `${pathname}?removed` },
      body: (async function* () {
        yield new Uint8Array(1)
      })(),
    })
    expect(answer.status).to.equal(200)
    await bench.until('the end', async () => (await bench.state(id))['state'] === 'failed')
  })
})

describeUserData({
  name: 'of channels',
  async create() {
    const host = createTestContext(plugin, { config })
    const town = createTown()
    host.services.contributions.add(channels, town.channel)
    await host.setup()
    const [data] = host.contributed(userData)
    if (!data) throw new Error('The plugin contributes no user data.')
    return {
      data,
      database: host.services.database,
      secrets: [body.members.token],
      async fill(userId) {
        const principal = { ...testPrincipal, userId, username: 'x', handle: 'x' }
        await host.request('POST /api/channels/connections', { principal, body: { ...body, enabled: false } })
        const { json } = (await host.request('GET /api/channels/connections', { principal })) as unknown as {
          readonly json: { readonly items: readonly { readonly id: string }[] }
        }
        await host.request('POST /api/channels/connections/{connection_id}/senders', {
          ...{ principal, params: { connection_id: json.items[0]?.id ?? '' }, body: { sender_id: 'grace' } },
        })
      },
    }
  },
})

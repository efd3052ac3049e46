import { chatsService } from '@agent-service/sdk/services/chats'
import { type HttpClient, httpClientService } from '@agent-service/sdk/services/http-client'
import { runsService } from '@agent-service/sdk/services/runs'
import { eventually, testAccount } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createVapid } from './push/vapid.js'
import { deviceCollection, pushCollection } from './store/push-store.js'
import { ada, type OpenedPlugin, openPlugin } from './test-support/open-plugin.js'
import { type PeerBrowser, type PushPeer, readVapid, refused, startPushPeer } from './test-support/push-peer.js'

const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))

describe('notifications on devices', () => {
  let peer: PushPeer
  let opened: OpenedPlugin
  let phone: PeerBrowser
  beforeEach(async () => {
    peer = await startPushPeer()
    opened = await openPlugin({ push_devices_per_user: 2 }, [[httpClientService, peer.client]])
    phone = await peer.browser('phone')
  })
  afterEach(async () => {
    await opened.dispose()
    await peer.close()
  })

  const principal = { ...testAccount, userId: testAccount.id, scopes: ['read', 'write'] as const, sessionId: 'session-1' }
  const body = async (route: string, request: object = {}) => {
    const answer = await opened.host.request(route, { principal, ...request })
    if (answer.kind !== 'json') return {}
    return answer.json as Readonly<Record<string, unknown>>
  }
  const add = (browser: PeerBrowser, more: object = {}, request: object = {}) =>
    body('POST /api/notifications/devices', { body: { ...browser.subscription, name: 'Phone', language: 'en', ...more }, ...request })
  const devices = async () => (await body('GET /api/notifications/devices'))['devices'] as readonly { readonly id: string }[]
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'none',
      ({ code }) => code,
    )
  const waiting = () => opened.host.services.database.documents(pushCollection.name)
  const outcomes = () =>
    opened.host.services.metrics.measured.filter(({ name }) => name === 'notification_pushes_total').map(({ labels }) => labels['outcome'])
  const settled = (count: number) => eventually(() => expect(outcomes()).to.have.length(count))

  it('reach a browser that can read them, signed for its push service, and say nothing in the clear', async () => {
    await add(phone)
    await opened.send({ key: 'a', title: 'Invoices', text: 'Two are overdue.', link: '/tasks/1' })
    await settled(1)
    expect(phone.messages).to.have.length(1)
    expect(phone.messages[0]).to.include({ title: 'A task failed', body: 'Invoices\nTwo are overdue.', link: '/tasks/1', unread: 1 })
    const [asked] = peer.asked
    expect([asked?.redirect, asked?.allowHttp, asked?.allowPrivate, asked?.ports]).to.deep.equal(['refuse', undefined, undefined, [443]])
    const [headers] = peer.received
    expect(headers).to.include({
      ttl: '86400',
      urgency: 'normal',
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
    })
    expect(headers?.['topic'])
      .to.match(/^[\w-]{32}$/)
      .and.equal(phone.messages[0]?.['tag'])
    const { claims, key } = await readVapid(headers?.authorization ?? '')
    expect(claims).to.include({ aud: 'https://push.example', sub: 'https://service.example/' })
    expect(key).to.equal((await body('GET /api/notifications/devices'))['public_key'])
    expect(waiting()).to.deep.equal([])
    expect(opened.host.services.audit.noted.map(({ kind }) => kind)).to.deep.equal(['push_device.added'])
  })

  it('are told once, in the language of the browser, and without contents if the person wants none', async () => {
    await add(phone, { language: 'de' })
    await body('PATCH /api/notifications/devices', { body: { content: false } })
    await opened.send({ key: 'a' }, { deliveries: 3 })
    await settled(1)
    expect(phone.messages).to.have.length(1)
    expect(phone.messages[0]).to.include({ title: 'Eine Aufgabe ist gescheitert', body: '' })
  })

  it('go only where the person wants that kind, also where it is in no list', async () => {
    await add(phone)
    await body('PATCH /api/notifications/preferences', { body: { kinds: { 'task.failed': { push: false } } } })
    await opened.send({ key: 'a' })
    expect(waiting()).to.deep.equal([])
    await body('PATCH /api/notifications/preferences', { body: { kinds: { 'task.failed': { app: false, push: true } } } })
    await opened.send({ key: 'b', title: 'B' })
    await settled(1)
    expect(phone.messages.map((message) => message['body'])).to.deep.equal(['B\nIt failed.'])
  })

  it('end with a subscription that the push service no longer has', async () => {
    await add(phone)
    peer.answer(410)
    await opened.send({ key: 'a' })
    await settled(1)
    expect(outcomes()).to.deep.equal(['gone'])
    expect(await devices()).to.deep.equal([])
    expect(opened.host.services.audit.noted.at(-1)).to.deep.include({ kind: 'push_device.removed', subject: ada.userId })
  })

  it('wait as long as the push service says, and are sent then', async () => {
    await add(phone)
    peer.answer(429, { 'retry-after': '600' })
    await opened.send({ key: 'a' })
    await settled(1)
    peer.answer(201)
    await opened.host.services.clock.advance(599_000)
    expect(peer.received).to.have.length(1)
    await opened.host.services.clock.advance(2_000)
    await settled(2)
    expect(outcomes()).to.deep.equal(['retried', 'sent'])
    expect(phone.messages).to.have.length(1)
  })

  it('give up on a push service that is down for a day', async () => {
    await add(phone)
    peer.answer(503, { 'retry-after': '90000' })
    await opened.send({ key: 'a' })
    await settled(1)
    expect(outcomes()).to.deep.equal(['expired'])
    expect(waiting()).to.deep.equal([])
    expect(await devices()).to.have.length(1)
  })

  it('follow no redirect: the device is removed', async () => {
    await add(phone)
    peer.answer(307, { location: 'https://other.example/' })
    await opened.send({ key: 'a' })
    await settled(1)
    expect([outcomes(), await devices()]).to.deep.equal([['refused'], []])
  })

  it('end when the guarded client refuses the address behind the name', async () => {
    await add(phone)
    peer.answer(refused)
    await opened.send({ key: 'a' })
    await settled(1)
    expect([outcomes(), await devices(), peer.received]).to.deep.equal([['refused'], [], []])
  })

  it('end with the session that asked for them', async () => {
    await add(phone)
    opened.host.services.accounts.endSession('session-1')
    await opened.send({ key: 'a' })
    expect(await devices()).to.deep.equal([])
    expect(peer.received).to.deep.equal([])
    expect(opened.host.services.audit.noted.at(-1)?.details).to.include({ reason: 'signed_out' })
  })

  it('are in no store an hour after the session ended, although nothing was sent', async () => {
    const { id } = (await add(phone)) as { readonly id: string }
    await add(await peer.browser('tablet'), {}, { principal: { ...principal, sessionId: 'session-2' } })
    opened.host.services.accounts.endSession('session-1')
    const { schedulerJobs } = await import('@agent-service/sdk/contracts/scheduler-job')
    const [job] = opened.host.contributed(schedulerJobs)
    await job?.run({ signal: new AbortController().signal, epoch: 1 })
    const left = opened.host.services.database.documents(deviceCollection.name)
    expect([left.length, left.some((device) => device.id === id)]).to.deep.equal([1, false])
  })

  it('do not leave for a session that ended while they waited', async () => {
    await add(phone)
    peer.answer(503)
    await opened.send({ key: 'a' })
    await settled(1)
    opened.host.services.accounts.endSession('session-1')
    await opened.host.services.clock.advance(60_000)
    await settled(2)
    expect(outcomes()).to.deep.equal(['retried', 'signed_out'])
    expect(peer.received).to.have.length(1)
  })

  it('are not sent once they were read, and newer ones about the same take the place of older ones', async () => {
    await add(phone)
    peer.answer(503)
    await opened.send({ key: 'a', title: 'First', link: '/tasks/1' })
    await settled(1)
    await opened.send({ key: 'b', title: 'Second', link: '/tasks/1' })
    await settled(2)
    expect(waiting().map((push) => (push as unknown as { title: string }).title)).to.deep.equal(['Second'])
    await body('POST /api/notifications/read', { body: {} })
    peer.answer(201)
    await opened.host.services.clock.advance(60_000)
    await settled(3)
    expect(outcomes()).to.deep.equal(['retried', 'retried', 'read'])
    expect(phone.messages).to.deep.equal([])
  })

  it('go to so many devices, whose browsers are known again', async () => {
    await add(phone)
    await add(await peer.browser('tablet'))
    expect(await codeOf(add(await peer.browser('third')))).to.equal('push_too_many_devices')
    await add(phone, { name: 'My phone' })
    expect(await devices()).to.have.length(2)
    const again = opened.host.services.database
      .documents(deviceCollection.name)
      .find((each) => (each as { name?: string }).name === 'My phone')
    expect(again).to.include({ session_id: 'session-1' })
  })

  it('are no more than that when several are added at the same moment', async () => {
    const browsers = await Promise.all([...'abcdef'].map((name) => peer.browser(name)))
    const codes = await Promise.all(browsers.map((browser) => codeOf(add(browser))))
    expect(codes.filter((code) => code === 'none')).to.have.length(2)
    expect(await devices()).to.have.length(2)
  })

  it('are told although the push services of another person do not answer', async () => {
    await opened.dispose()
    const request: HttpClient['request'] = (sent, options) =>
      sent.url.includes('/slow') ? untilAborted(options.signal) : peer.client.request(sent, options)
    opened = await openPlugin({}, [[httpClientService, { ...peer.client, request }]])
    const eve = { ...principal, userId: 'eve', sessionId: 'session-2' }
    opened.host.services.accounts.add({ ...testAccount, id: 'eve', username: 'eve' })
    for (let count = 0; count < 10; count += 1) await add(await peer.browser(`slow-${count}`), {}, { principal: eve })
    await add(phone)
    for (let count = 0; count < 5; count += 1) await opened.send({ to: { userId: 'eve' }, key: `eve-${count}`, title: `Eve ${count}` })
    await opened.send({ key: 'a', title: 'Invoices' })
    await eventually(() => expect(phone.messages).to.have.length(1))
  })

  it('belong to the person who signed in last on a browser, and are nobody else’s to remove or to test', async () => {
    const eve = { ...principal, userId: 'eve', sessionId: 'session-2' }
    opened.host.services.accounts.add({ ...testAccount, id: 'eve', username: 'eve' })
    const { id } = (await add(phone)) as { readonly id: string }
    const one = { params: { device_id: id }, principal: eve }
    expect(await codeOf(opened.host.request('DELETE /api/notifications/devices/{device_id}', one))).to.equal('not_found')
    expect(await codeOf(opened.host.request('POST /api/notifications/devices/{device_id}/test', one))).to.equal('not_found')
    await add(phone, {}, { principal: eve })
    expect(await devices()).to.deep.equal([])
    await opened.send({ key: 'a' })
    expect(peer.received).to.deep.equal([])
  })

  it('can be tried, and say what became of it', async () => {
    const { id } = (await add(phone)) as { readonly id: string }
    const test = () => body('POST /api/notifications/devices/{device_id}/test', { params: { device_id: id } })
    expect(await test()).to.deep.equal({ outcome: 'sent' })
    expect(phone.messages[0]).to.include({ title: 'Notifications arrive here.', link: '/notifications' })
    peer.answer(400)
    expect(await test()).to.deep.equal({ outcome: 'rejected' })
    expect(await opened.host.request('DELETE /api/notifications/devices/{device_id}', { principal, params: { device_id: id } })).to.include(
      { status: 204 },
    )
    expect(await devices()).to.deep.equal([])
  })

  it('are refused for addresses without https, of no public name, with a port or credentials, and for unsound keys', async () => {
    for (const endpoint of [
      ...[
        'http://push.example/a',
        'https://127.0.0.1/a',
        'https://[::1]/a',
        'https://localhost/a',
        'https://push.localhost/a',
        'https://2130706433/',
      ],
      ...['https://push.example:8443/a', 'https://user:word@push.example/a', 'no address'],
    ])
      expect(await codeOf(add(phone, { endpoint })), endpoint).to.equal('push_target_invalid')
    const { auth } = phone.subscription.keys
    expect(await codeOf(add(phone, { keys: { p256dh: 'AAAA', auth } }))).to.equal('push_target_invalid')
    expect(await devices()).to.deep.equal([])
  })

  it('keep endpoint and keys sealed, and out of the export', async () => {
    await add(phone)
    const { userData } = await import('@agent-service/sdk/contracts/user-data')
    const [part] = opened.host.contributed(userData)
    const exported: unknown[] = []
    for await (const entry of part?.export(ada.userId, { signal: new AbortController().signal }) ?? []) exported.push(entry)
    const text = JSON.stringify(exported)
    expect(text).to.include('"service":"push.example"')
    for (const secret of [phone.subscription.endpoint, phone.subscription.keys.auth]) expect(text).not.to.include(secret)
  })

  it('are signed by one key, whichever process needs it first, and by that of its time for devices from before', async () => {
    const { database, clock } = opened.host.services
    const sealedFields = { seal: async (text: string) => text, open: async (text: string) => text }
    const make = (current: number) => createVapid({ database, sealedFields, clock, current, contact: () => 'mailto:ada@example.org' })
    const keys = await Promise.all([make(1), make(1), make(2)].map((vapid) => vapid.publicKey(vapid.current)))
    expect(keys[0]).to.equal(keys[1])
    expect(keys[2]).not.to.equal(keys[0])
    const { key } = await readVapid(await make(2).authorization('https://push.example/a', 1))
    expect(key).to.equal(keys[0])
  })

  it('can be switched off for the whole service', async () => {
    await opened.dispose()
    opened = await openPlugin({ push: false }, [[httpClientService, peer.client]])
    expect(await body('GET /api/notifications/devices')).to.deep.equal({ public_key: null, content: true, devices: [] })
    expect(await codeOf(add(phone))).to.equal('push_disabled')
  })
})

describe('answers in chats', () => {
  let peer: PushPeer
  let opened: OpenedPlugin
  let phone: PeerBrowser
  let run: Record<string, unknown>
  const principal = { ...testAccount, userId: testAccount.id, scopes: ['read', 'write'] as const, sessionId: 'session-1' }
  beforeEach(async () => {
    peer = await startPushPeer()
    phone = await peer.browser('phone')
    run = { id: 'run', chatId: 'chat', status: 'completed', parent: null, reportsTo: null, ...times(31) }
    opened = await openPlugin({}, [
      [httpClientService, peer.client],
      [runsService, { get: async () => run }],
      [chatsService, { messages: async () => ({ title: 'Invoices', hidden: false }) }],
    ])
    await opened.host.request('POST /api/notifications/devices', {
      principal,
      body: { ...phone.subscription, name: 'Phone', language: 'en' },
    })
  })
  afterEach(async () => {
    await opened.dispose()
    await peer.close()
  })

  const times = (seconds: number) => ({ createdAt: new Date(0).toISOString(), finishedAt: new Date(seconds * 1_000).toISOString() })
  const ended = async (name = 'run.completed') => {
    const { events } = opened.host.services
    const before = events.recorded.length
    const at = { kind: 'event', recordedAt: new Date(0).toISOString(), attempt: 1, userId: ada.userId } as const
    await events.deliver({ ...at, id: `${name}-${before}`, name, data: { run_id: 'run', chat_id: 'chat' } })
    for (const [index, event] of events.recorded.slice(before).entries())
      await events.deliver({ ...event, ...at, id: `${before}-${index}` })
  }
  const told = () => eventually(() => expect(phone.messages).to.have.length(1)).then(() => phone.messages[0])
  const look = (visible: boolean) =>
    opened.host.request('POST /api/notifications/presence', { principal, body: { page: 'page-0001', visible } })

  it('that took a while are told to one who looks at no page, on devices alone', async () => {
    await ended()
    expect(await told()).to.include({ title: 'An answer is ready', body: 'Invoices', link: '/chats/chat' })
    const list = await opened.host.request('GET /api/notifications', { principal })
    expect(list.kind === 'json' && list.json).to.deep.include({ items: [], unread: 0, devices: true })
  })

  it('that wait for an approval are told as such', async () => {
    run = { ...run, status: 'waiting' }
    await ended('run.waiting')
    expect(await told()).to.include({ title: 'A chat waits for you' })
    expect(peer.received[0]?.['urgency']).to.equal('high')
  })

  it('are not told any more once their chat was deleted', async () => {
    peer.answer(503)
    await ended()
    await eventually(() => expect(peer.received).to.have.length(1))
    const { events, database, clock } = opened.host.services
    const at = { kind: 'event', recordedAt: new Date(0).toISOString(), attempt: 1, userId: ada.userId } as const
    const gone = (chat_id: string) =>
      events.deliver({ ...at, id: `gone-${chat_id}`, name: 'chat.deleted', data: { chat_id, erased_at: null } })
    await gone('another')
    expect(database.documents(pushCollection.name)).to.have.length(1)
    await gone('chat')
    expect(database.documents(pushCollection.name)).to.deep.equal([])
    peer.answer(201)
    await clock.advance(60_000)
    expect(phone.messages).to.deep.equal([])
  })

  it('are not told if they were quick, belong to a task, or the person looks, until the page is hidden or lost', async () => {
    const quiet = async (change: object) => {
      const before = run
      run = { ...run, ...change }
      await ended()
      run = before
      expect(opened.host.services.database.documents(pushCollection.name)).to.deep.equal([])
    }
    await quiet(times(29))
    await quiet({ reportsTo: { kind: 'task', id: '1' } })
    await quiet({ parent: { runId: 'other', callId: null, depth: 1 } })
    await look(true)
    await quiet({})
    await look(false)
    await ended()
    await told()
    await look(true)
    await opened.host.services.clock.advance(90_001)
    await ended()
    await eventually(() => expect(phone.messages).to.have.length(2))
  })
})

import { testAccount } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { notificationCollection } from './store/notification.js'
import { ada, type OpenedPlugin, openPlugin } from './test-support/open-plugin.js'

const dayMs = 24 * 3_600_000

describe('notifications', () => {
  let opened: OpenedPlugin
  beforeEach(async () => {
    opened = await openPlugin({ keep_days: 30, max_per_user: 10 })
  })
  afterEach(() => opened.dispose())

  const body = async (route: string, request: object = {}) => {
    const answer = await opened.host.request(route, request)
    if (answer.kind !== 'json') throw new Error(`${route} answered with ${answer.kind}.`)
    return answer.json as Readonly<Record<string, unknown>>
  }
  const list = async (query: object = {}) =>
    (await body('GET /api/notifications', { query })) as {
      readonly items: readonly { readonly id: string; readonly title: string; readonly read: boolean }[]
      readonly unread: number
    }
  const created = () => opened.host.services.events.recorded.filter(({ name }) => name === 'notification.created')

  it('are in the list once, however often they are delivered or sent', async () => {
    await opened.send({ key: 'a', link: '/tasks/1', about: { task_id: '1', chat_id: 'c' } }, { deliveries: 3 })
    await opened.send({ key: 'a', title: 'Again' })
    const { items, unread } = await list()
    expect(items).to.have.length(1)
    expect(items[0]).to.include({ kind: 'task.failed', title: 'Invoices', link: '/tasks/1', read: false })
    expect(unread).to.equal(1)
    expect(created()).to.have.length(1)
    expect(created()[0]?.data).to.include({ notification_id: items[0]?.id, chat_id: 'c', unread: 1 })
  })

  it('are part of the transaction that they are sent in', async () => {
    const { database, events } = opened.host.services
    const failed = database.transaction(async (transaction) => {
      await opened.notifications.send({ to: ada, kind: 'task.failed', key: 'x', title: 'X', text: '' }, { transaction })
      throw new Error('no')
    })
    expect(await failed.catch(({ message }) => message)).to.equal('no')
    await database.transaction((transaction) =>
      opened.notifications.send({ to: ada, kind: 'task.failed', key: 'y', title: 'Y', text: '' }, { transaction }),
    )
    expect(events.recorded.at(-1)).to.deep.include({ name: 'notification.requested', userId: ada.userId })
  })

  it('are counted, marked, read as a whole up to one, and deleted for good', async () => {
    for (const key of ['a', 'b', 'c']) await opened.send({ key, title: key })
    const [c, b, a] = (await list()).items
    expect([c, b, a].map((item) => item?.title)).to.deep.equal(['c', 'b', 'a'])
    const one = { params: { notification_id: b?.id ?? '' } }
    expect(await body('PATCH /api/notifications/{notification_id}', { ...one, body: { read: true } })).to.include({ read: true })
    expect((await list({ unread: true })).items.map(({ title }) => title)).to.deep.equal(['c', 'a'])
    await body('PATCH /api/notifications/{notification_id}', { ...one, body: { read: false } })
    expect(await body('POST /api/notifications/read', { body: { until: b?.id } })).to.deep.equal({ unread: 1 })
    expect((await opened.host.request('DELETE /api/notifications/{notification_id}', one)).status).to.equal(204)
    await opened.send({ key: 'b', title: 'b' })
    expect(await list()).to.deep.include({ unread: 1 })
    expect((await list()).items.map(({ title }) => title)).to.deep.equal(['c', 'a'])
    expect(await body('POST /api/notifications/read', { body: {} })).to.deep.equal({ unread: 0 })
    const changes = opened.host.services.events.recorded.filter(({ name }) => name === 'notification.updated')
    expect(changes.map(({ data }) => `${data['state']} ${data['unread']}`)).to.deep.equal([
      ...['read 2', 'unread 3', 'read 1', 'deleted 1', 'read 0'],
    ])
  })

  it('are bounded by number and age, with the right counts', async () => {
    for (let number = 1; number <= 25; number += 1) await opened.send({ key: String(number), title: String(number) })
    const full = await list({ limit: 200 })
    expect(full.items.map(({ title }) => title)).to.deep.equal(['25', '24', '23', '22', '21', '20', '19', '18', '17', '16'])
    expect(full.unread).to.equal(10)
    const { schedulerJobs } = await import('@agent-service/sdk/contracts/scheduler-job')
    await opened.host.services.clock.advance(31 * dayMs)
    await opened.send({ key: 'new', title: 'new' })
    const [job] = opened.host.contributed(schedulerJobs)
    await job?.run({ signal: new AbortController().signal, epoch: 1 })
    expect(await list()).to.deep.include({ unread: 1 })
    expect((await list()).items.map(({ title }) => title)).to.deep.equal(['new'])
  })

  it('go where the person wants them, by kind', async () => {
    const before = (await body('GET /api/notifications/preferences')) as { readonly kinds: readonly object[]; readonly mail: object }
    expect(before.kinds).to.have.length(3)
    const failed = { kind: 'task.failed', app: true, mail: false, push: true, default: { app: true, mail: false, push: true } }
    expect(before.kinds[2]).to.deep.include(failed)
    expect(before.mail).to.deep.equal({ available: true, reason: null, address: 'ada@example.com' })
    await body('PATCH /api/notifications/preferences', { body: { kinds: { 'task.failed': { app: false, mail: true } } } })
    await opened.send({ key: 'a', link: '/tasks/1' }, { deliveries: 2 })
    expect((await list()).items).to.deep.equal([])
    expect(created()).to.deep.equal([])
    expect(opened.mail.sent).to.have.length(1)
    expect(opened.mail.sent[0]).to.deep.include({ subject: 'Invoices', text: 'It failed.', link: { label: 'Open', path: '/tasks/1' } })
    await body('PATCH /api/notifications/preferences', { body: { kinds: { 'task.failed': { mail: false } } } })
    await opened.send({ key: 'b' })
    expect(opened.mail.sent).to.have.length(1)
    const after = await body('PATCH /api/notifications/preferences', { body: { kinds: { 'task.failed': { app: null, mail: null } } } })
    expect((after['kinds'] as readonly object[])[2]).to.include({ app: true, mail: false })
    const unknown = opened.host.request('PATCH /api/notifications/preferences', {
      body: { kinds: { 'backup.failed': { app: false } } },
    })
    expect(await unknown.catch(({ code }) => code)).to.equal('notification_kind_unknown')
    opened.host.services.accounts.setEmail('user-1', 'ada@example.org', { confirmed: false })
    expect((await body('GET /api/notifications/preferences'))['mail']).to.include({ reason: 'unconfirmed_address', address: null })
    opened.host.services.accounts.setEmail('user-1', null)
    expect((await body('GET /api/notifications/preferences'))['mail']).to.include({ reason: 'no_address' })
    opened.mail.become({ available: false, code: 'not_configured', reason: 'No.' })
    expect((await body('GET /api/notifications/preferences'))['mail']).to.include({ available: false, reason: 'not_configured' })
  })

  it('have the subject of their e-mail that says what has happened, in one line', async () => {
    await body('PATCH /api/notifications/preferences', { body: { kinds: { 'task.failed': { mail: true } } } })
    await opened.send({ key: 'a', subject: 'A task failed:\r\nBcc: eve@example.org' })
    await opened.send({ key: 'b', subject: ' ' })
    expect(opened.mail.sent.map(({ subject }) => subject)).to.deep.equal(['A task failed: Bcc: eve@example.org', 'Invoices'])
    expect((await list()).items.map(({ title }) => title)).to.deep.equal(['Invoices', 'Invoices'])
  })

  it('are sent by e-mail in the language of the person where the service has the words', async () => {
    await body('PATCH /api/notifications/preferences', { body: { kinds: { 'task.failed': { mail: true } } } })
    opened.host.services.accounts.setLanguage('user-1', 'de')
    await opened.send({ key: 'a', subject: 'A task failed: Invoices', link: '/tasks/1' })
    opened.host.services.accounts.setLanguage('user-1', 'fr')
    await opened.send({ key: 'b', subject: 'A task failed: Invoices', link: '/tasks/1' })
    opened.host.services.accounts.setLanguage('user-1', 'de')
    await opened.send({ key: 'c', title: 'A task failed' })
    const [german, other, whole] = opened.mail.sent
    expect(whole?.subject).to.equal('Eine Aufgabe ist gescheitert')
    expect(german).to.deep.include({ subject: 'Eine Aufgabe ist gescheitert: Invoices', link: { label: 'Öffnen', path: '/tasks/1' } })
    expect(german?.footer).to.match(
      /^Du bekommst diese E-Mail wegen deiner Einstellungen für „Eine Aufgabe ist gescheitert“\. Höchstens 3 /,
    )
    expect(other).to.deep.include({ subject: 'A task failed: Invoices', link: { label: 'Open', path: '/tasks/1' } })
  })

  it('that an earlier e-mail has told of are in the list alone, whatever the person wants', async () => {
    await body('PATCH /api/notifications/preferences', { body: { kinds: { 'task.failed': { mail: true } } } })
    await opened.send({ key: 'a' })
    await opened.send({ key: 'b', mail: false })
    expect((await list()).items).to.have.length(2)
    expect(opened.mail.sent).to.have.length(1)
  })

  it('of a kind with a limit go by e-mail so often within an hour, and are in the list alone then', async () => {
    await body('PATCH /api/notifications/preferences', { body: { kinds: { 'task.failed': { mail: true } } } })
    await opened.send({ key: 'told before', mail: false })
    for (const key of ['a', 'b', 'c', 'd', 'e']) await opened.send({ key, title: key }, { deliveries: 2 })
    expect(opened.mail.sent.map(({ subject }) => subject)).to.deep.equal(['a', 'b', 'c'])
    expect(opened.mail.sent[0]?.footer).to.contain('At most 3 of these come within an hour; the others are in your notifications.')
    expect((await list()).items).to.have.length(6)
    await opened.host.services.clock.advance(3_600_001)
    await opened.send({ key: 'f', title: 'f' })
    expect(opened.mail.sent.at(-1)?.subject).to.equal('f')
  })

  it('for administrators reach them alone', async () => {
    opened.host.services.accounts.add({ ...testAccount, id: 'root', username: 'root', role: 'admin' })
    await opened.send({ to: 'admins', kind: 'backup.failed', key: 'a', title: 'Backup' })
    await opened.send({ to: ada, kind: 'backup.failed', key: 'a', title: 'Backup' })
    expect(created().map(({ userId }) => userId)).to.deep.equal(['root'])
    expect(opened.mail.sent.map(({ userId }) => userId)).to.deep.equal(['root'])
  })

  it('of a kind that is not declared come again, and then are in the list alone', async () => {
    const early = opened.send({ kind: 'other.kind', key: 'a' })
    expect(await early.catch(({ code }) => code)).to.equal('notification_kind_missing')
    await opened.send({ kind: 'other.kind', key: 'a' }, { attempt: 4 })
    expect((await list()).items).to.have.length(1)
  })

  it('are cut and made one line, and refused with a link that leaves the service', async () => {
    await opened.send({ title: `${'x'.repeat(198)}\r\nBcc: 🙂 a`, text: 'y'.repeat(5_000) })
    const [item] = await opened.host.services.database
      .collection(notificationCollection)
      .query({ index: 'by_user', equals: [ada.userId] })
      .then(({ items }) => items)
    expect(item?.title).to.equal(`${'x'.repeat(198)} …`)
    expect(item?.text).to.have.length(4_000)
    for (const link of ['https://evil.example', '//evil.example', '/\\evil.example', 'tasks', '/a b', '/a\nb', `/${'x'.repeat(500)}`]) {
      const refused = opened.notifications.send({ to: ada, kind: 'task.failed', key: 'l', title: 'T', text: '', link })
      expect(await refused.catch(({ code }) => code), link).to.equal('notification_invalid')
    }
  })

  it('have kinds that are declared once, and well', () => {
    const sound = { id: 'a.b', title: { en: 'A' }, description: { en: 'A.' }, app: true, mail: false, audience: 'everyone' } as const
    const declared = opened.notifications.declare(sound)
    const codeOf = (kind: object): unknown => {
      try {
        opened.notifications.declare({ ...sound, ...kind })
      } catch (error) {
        return (error as { readonly code?: string }).code
      }
      return undefined
    }
    expect(codeOf({})).to.equal('notification_kind_conflict')
    for (const wrong of [{ id: 'A' }, { title: { de: 'A' } }, { title: { en: 'x'.repeat(61) } }, { audience: 'all' }, { mail: 'no' }])
      expect(codeOf({ id: 'c.d', ...wrong }), JSON.stringify(wrong)).to.equal('notification_invalid')
    void declared()
    expect(codeOf({})).to.equal(undefined)
  })
})

import { fakeApi, problem, type RenderOptions, render, runStart, screen, waitFor, within } from '@agent-service/sdk/web/testing'
import { expect } from 'chai'
import type { Schemas } from '../../api/index.js'
import type { paths } from '../../api/schema.js'
import { arrive, notification, preferences, tellOf } from '../../test-support/notifications.js'
import Notifications from './notifications.js'
import { start } from './start.js'

const invoices = notification()
const plans = notification({ title: 'Make plans', read: true })

/** The service with these notifications, which keeps what is done with them, and tells of it as it does. */
function serviceWith(...items: readonly Schemas['Notification'][]) {
  let kept = items
  const unread = (): number => kept.filter(({ read }) => !read).length
  const page = (shown: typeof kept) => ({ items: [...shown], unread: unread(), devices: false, next_cursor: null })
  return fakeApi<paths>({
    'get /api/notifications': ({ query }) => page(kept.filter(({ read }) => !(query.unread && read))),
    'get /api/notifications/preferences': () => preferences(),
    'patch /api/notifications/{notification_id}'({ path, body }) {
      kept = kept.map((each) => (each.id === path.notification_id ? { ...each, read: body.read } : each))
      tellOf({ notification_id: path.notification_id, state: body.read ? 'read' : 'unread', unread: unread() })
      return kept.find(({ id }) => id === path.notification_id) ?? invoices
    },
    'post /api/notifications/read'() {
      kept = kept.map((each) => ({ ...each, read: true }))
      tellOf({ notification_id: null, state: 'read', unread: 0 })
      return { unread: 0 }
    },
    'delete /api/notifications/{notification_id}'({ path }) {
      kept = kept.filter(({ id }) => id !== path.notification_id)
      tellOf({ notification_id: path.notification_id, state: 'deleted', unread: unread() })
    },
  })
}

function show(tab = '', options: RenderOptions = {}) {
  const { user } = render(() => <Notifications params={{ rest: tab }} />, {
    at: `/notifications/${tab}`,
    ...options,
  })
  // Knows the number of unread ones beside all screens.
  runStart(start)
  return {
    user,
    async choose(title: string, what: string): Promise<void> {
      await user.click(await screen.findByRole('button', { name: `Actions for “${title}”` }))
      await user.click(screen.getByRole('menuitem', { name: what }))
    },
  }
}

const rows = (): readonly HTMLElement[] => screen.queryAllByRole('listitem')
const textOf = (row: HTMLElement | undefined): string => row?.textContent ?? ''
const titles = (): readonly (string | undefined)[] => rows().map((row) => within(row).getByRole('link').textContent ?? undefined)
const whenShown = (...expected: readonly string[]): Promise<unknown> => waitFor(() => expect(titles()).to.deep.equal(expected))
const unreadRows = (): readonly boolean[] => rows().map((row) => within(row).queryByText('Unread') !== null)
const whenUnread = (...expected: readonly boolean[]): Promise<unknown> => waitFor(() => expect(unreadRows()).to.deep.equal(expected))
const tabOf = (name: string): HTMLElement => within(screen.getByRole('navigation')).getByRole('link', { name: new RegExp(`^${name}`) })
const whenCounted = (count: string): Promise<unknown> => waitFor(() => expect(tabOf('Unread').textContent).to.equal(`Unread${count}`))

describe('the list of notifications', () => {
  it('says what will be there while there is none', async () => {
    serviceWith()
    show()
    await screen.findByText('No notifications')
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Mark all as read' }).disabled).to.equal(true)
  })

  it('says what has happened, of which kind it is, and whether it was read', async () => {
    serviceWith(invoices, plans)
    show()
    await whenShown('Count the invoices', 'Make plans')
    await waitFor(() => expect(textOf(rows()[0])).to.include('A task is completed').and.include('Two of them are overdue.'))
    expect(unreadRows()).to.deep.equal([true, false])
    await whenCounted('1')
  })

  it('shows what arrives meanwhile', async () => {
    serviceWith(plans)
    show()
    await whenShown('Make plans')
    arrive(invoices, 1)
    await waitFor(() => expect(titles()).to.have.members(['Count the invoices', 'Make plans']))
  })

  it('marks as read and unread', async () => {
    const service = serviceWith(invoices, plans)
    const { choose } = show()
    await choose('Count the invoices', 'Mark as read')
    await whenUnread(false, false)
    await whenCounted('')
    await choose('Make plans', 'Mark as unread')
    await whenUnread(false, true)
    await whenCounted('1')
    const changes = service.requestsOf('patch /api/notifications/{notification_id}')
    expect(changes.map(({ path, body }) => [path.notification_id, body.read])).to.deep.equal([
      [invoices.id, true],
      [plans.id, false],
    ])
  })

  it('leads to what a notification is about, which is read then', async () => {
    serviceWith(invoices)
    const { user } = show()
    await user.click(await screen.findByRole('link', { name: 'Count the invoices' }))
    await whenUnread(false)
    expect(screen.getByRole('link', { name: 'Count the invoices' }).getAttribute('href')).to.equal('/tasks/task_1')
  })

  it('has no link where there is nothing to see', async () => {
    serviceWith(notification({ link: null }))
    show()
    await screen.findByText('Count the invoices')
    expect(within(screen.getByRole('listitem')).queryByRole('link')).to.equal(null)
  })

  it('takes back what could not be marked, and says why', async () => {
    const service = serviceWith(invoices)
    service.answer({ 'patch /api/notifications/{notification_id}': () => problem(503, 'unavailable', { detail: 'Not now.' }) })
    const held = service.hold('patch /api/notifications/{notification_id}')
    const { choose } = show()
    await choose('Count the invoices', 'Mark as read')
    await whenUnread(false)
    held.release()
    expect((await screen.findByRole('alert')).textContent).to.include('Not now.')
    await whenUnread(true)
  })

  it('leaves out what is gone already', async () => {
    const service = serviceWith(invoices, plans)
    service.answer({
      'patch /api/notifications/{notification_id}': () => problem(404, 'not_found'),
      'delete /api/notifications/{notification_id}': () => problem(404, 'not_found'),
    })
    const { choose } = show()
    await choose('Count the invoices', 'Mark as read')
    await whenShown('Make plans')
    await choose('Make plans', 'Delete')
    await screen.findByText('No notifications')
    expect(screen.queryByRole('alert')).to.equal(null)
  })

  it('deletes', async () => {
    const service = serviceWith(invoices, plans)
    const { choose } = show()
    await choose('Count the invoices', 'Delete')
    await whenShown('Make plans')
    await whenCounted('')
    const deletions = service.requestsOf('delete /api/notifications/{notification_id}')
    expect(deletions.map(({ path }) => path.notification_id)).to.deep.equal([invoices.id])
  })

  it('follows what is done in another tab', async () => {
    serviceWith(invoices, plans)
    show()
    await whenShown('Count the invoices', 'Make plans')
    tellOf({ notification_id: invoices.id, state: 'read', unread: 0 })
    await whenUnread(false, false)
    tellOf({ notification_id: plans.id, state: 'deleted', unread: 0 })
    await whenShown('Count the invoices')
  })

  it('has those that are unread, until all are marked as read', async () => {
    const service = serviceWith(invoices, plans)
    const { user } = show('unread')
    await whenShown('Count the invoices')
    await user.click(screen.getByRole('button', { name: 'Mark all as read' }))
    await screen.findByText('Nothing unread')
    await whenCounted('')
    expect(service.requestsOf('post /api/notifications/read').map(({ body }) => body)).to.deep.equal([{}])
  })

  it('says why not all could be marked as read', async () => {
    const service = serviceWith(invoices)
    service.answer({ 'post /api/notifications/read': () => problem(503, 'unavailable', { detail: 'Not now.' }) })
    const { user } = show()
    await whenCounted('1')
    await user.click(screen.getByRole('button', { name: 'Mark all as read' }))
    expect((await screen.findByRole('alert')).textContent).to.include('Not now.')
    await whenUnread(true)
  })

  it('has tabs with addresses of their own', async () => {
    serviceWith()
    show('unread')
    await screen.findByText('Nothing unread')
    expect(['All', 'Unread', 'Settings'].map((name) => tabOf(name).getAttribute('href'))).to.deep.equal([
      ...['/notifications', '/notifications/unread', '/notifications/settings'],
    ])
    expect(tabOf('Unread').getAttribute('aria-current')).to.equal('page')
  })

  it('is German for those who read German, with what kinds are called', async () => {
    const { en } = preferences().kinds[1]?.title ?? {}
    serviceWith(notification({ kind: 'task.failed', title: en ?? '' }), notification({ kind: 'task.failed' }))
    show('', { language: 'de' })
    await screen.findByRole('heading', { name: 'Benachrichtigungen', level: 1 })
    await whenShown('Eine Aufgabe ist gescheitert', 'Count the invoices')
    expect(rows().map((row) => within(row).getAllByText('Eine Aufgabe ist gescheitert').length)).to.deep.equal([1, 1])
  })
})

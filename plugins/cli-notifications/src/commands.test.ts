import type { JsonValue } from '@agent-service/sdk'
import { describeCliCommand } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { listNotificationsCommand } from './list-notifications.js'
import { preferencesCommand } from './preferences.js'
import { readNotificationsCommand } from './read-notifications.js'
import { testMailCommand } from './test-mail.js'

const failed = {
  ...{ id: 'n2', kind: 'task.failed', title: 'Invoices', text: 'The model\ncould not be called.', read: false },
  created_at: '2026-07-01T07:00:00.000Z',
}
const reminder = { ...failed, id: 'n1', kind: 'task.reminder', title: 'Water', text: '', read: true }
const kinds = [{ kind: 'task.failed', title: { en: 'A task failed' }, app: true, mail: false, push: true }]
const answers: Readonly<Record<string, JsonValue>> = {
  'GET /api/notifications?limit=200': { items: [failed], next_cursor: 'more', unread: 1 },
  'GET /api/notifications?limit=200&cursor=more': { items: [reminder], next_cursor: null, unread: 1 },
  'GET /api/notifications?limit=200&unread=true': { items: [], next_cursor: null, unread: 0 },
  'PATCH /api/notifications/n2': { ...failed, read: true },
  'POST /api/notifications/read': { unread: 0 },
  'GET /api/notifications/preferences': { kinds, mail: { available: false, reason: 'not_configured', address: null } },
  'PATCH /api/notifications/preferences': {
    kinds: [{ ...kinds[0], mail: true }],
    mail: { available: true, reason: null, address: 'ada@example.org' },
  },
  'POST /api/admin/mail/test': { to: 'ada@example.org' },
}
const answer = (method: string, at: string): JsonValue => answers[`${method} ${at}`] ?? null

describeCliCommand({
  name: 'notifications list',
  create: () => listNotificationsCommand,
  examples: [
    {
      title: 'all pages, each on a line',
      answer,
      check({ lines, json }) {
        expect(lines).to.deep.equal([
          'ID  TIME  KIND  READ  TITLE  TEXT',
          'n2  2026-07-01 07:00:00  task.failed  no  Invoices  The model could not be called.',
          'n1  2026-07-01 07:00:00  task.reminder  yes  Water',
          '1 unread.',
        ])
        expect(json).to.deep.equal({ items: [failed, reminder], unread: 1 })
      },
    },
    {
      title: 'that nothing is unread',
      answer,
      options: { unread: true },
      check: ({ lines }) => expect(lines).to.deep.equal(['There are no unread notifications.']),
    },
  ],
})
describeCliCommand({
  name: 'notifications read',
  create: () => readNotificationsCommand,
  examples: [
    {
      title: 'one, with what it says',
      arguments: ['n2'],
      answer,
      check: ({ lines }) => expect(lines).to.deep.equal(['Invoices', 'The model', 'could not be called.']),
    },
    { title: 'all', answer, check: ({ lines }) => expect(lines).to.deep.equal(['All notifications are read.']) },
  ],
})
describeCliCommand({
  name: 'notifications preferences',
  create: () => preferencesCommand,
  examples: [
    {
      title: 'shows the kinds, and why no e-mail is sent',
      answer,
      check: ({ lines }) =>
        expect(lines).to.deep.equal([
          'KIND  APP  MAIL  PUSH  TITLE',
          'task.failed  on  off  on  A task failed',
          'No e-mail is sent: no mail server is configured.',
        ]),
    },
    {
      title: 'turns a kind on',
      arguments: ['task.failed'],
      options: { mail: 'on' },
      answer,
      check: ({ lines }) => expect(lines).to.deep.equal(['KIND  APP  MAIL  PUSH  TITLE', 'task.failed  on  on  on  A task failed']),
    },
    {
      title: 'refuses another word than on, off and default',
      arguments: ['task.failed'],
      options: { mail: 'yes' },
      status: 1,
      answer,
      check: ({ warnings }) => expect(warnings).to.deep.equal(['--mail is on, off or default.']),
    },
    {
      title: 'refuses a change without a kind',
      options: { mail: 'on' },
      status: 1,
      answer,
      check: ({ warnings }) => expect(warnings[0]).to.include('name it and what to change'),
    },
  ],
})
describeCliCommand({
  name: 'mail test',
  create: () => testMailCommand,
  examples: [
    {
      title: 'says where the e-mail went',
      answer,
      check: ({ lines }) => expect(lines).to.deep.equal(['The mail server has taken an e-mail to ada@example.org.']),
    },
  ],
})

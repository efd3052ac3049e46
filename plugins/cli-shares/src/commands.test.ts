import type { JsonValue } from '@agent-service/sdk'
import { describeCliCommand } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createShareCommand } from './create-share.js'
import { listSharesCommand } from './list-shares.js'
import { revokeShareCommand } from './revoke-share.js'

const file = {
  ...{ id: 's1', kind: 'file', title: 'report.pdf', path: 'files/report.pdf', chat_id: null, expires_at: '2026-07-01T07:00:00.000Z' },
  ...{ expired: false, uses: 3 },
}
const chat = { ...file, id: 's2', kind: 'chat', title: 'Plan', path: null, chat_id: 'c1', expired: true, uses: 0 }
const urls = { page_url: 'https://example.org/p/secret', content_url: 'https://example.org/s/secret' }
const answers: Readonly<Record<string, JsonValue>> = {
  'GET /api/shares?limit=200': { items: [file], next_cursor: 'more' },
  'GET /api/shares?limit=200&cursor=more': { items: [chat], next_cursor: null },
}
const answer = (method: string, at: string, body?: JsonValue): JsonValue => {
  if (method !== 'POST') return answers[`${method} ${at}`] ?? null
  const { path } = body as { readonly path?: string }
  return { ...(path === undefined ? { ...chat, title: '' } : file), ...urls }
}

describeCliCommand({
  name: 'shares list',
  create: () => listSharesCommand,
  examples: [
    {
      title: 'all pages, with what has expired',
      answer,
      check({ lines, json }) {
        expect(lines).to.deep.equal([
          'ID  KIND  EXPIRES  USES  TARGET',
          's1  file  2026-07-01 07:00  3  files/report.pdf',
          's2  chat  expired  0  Plan',
        ])
        expect(json).to.deep.equal({ items: [file, chat] })
      },
    },
    {
      title: 'that there are none',
      answer: () => ({ items: [], next_cursor: null }),
      check: ({ lines }) => expect(lines).to.deep.equal(['There are no links.']),
    },
  ],
})
describeCliCommand({
  name: 'shares create',
  create: () => createShareCommand,
  examples: [
    {
      title: 'the link to a file, once',
      arguments: ['files/report.pdf'],
      options: { days: '7' },
      answer,
      check: ({ lines }) =>
        expect(lines).to.deep.equal([
          'Everyone with the link can read files/report.pdf until 2026-07-01 07:00 UTC.',
          'Page: https://example.org/p/secret',
          'Content: https://example.org/s/secret',
          'The link is not shown again. To revoke it: agent-service shares revoke s1',
        ]),
    },
    {
      title: 'the link to a file below “files”',
      arguments: ['report.pdf'],
      answer: (method, at, body) => {
        expect(body).to.deep.equal({ path: 'files/report.pdf' })
        return answer(method, at, body)
      },
      check: ({ lines }) => expect(lines[0]).to.equal('Everyone with the link can read files/report.pdf until 2026-07-01 07:00 UTC.'),
    },
    {
      title: 'the link to a chat',
      options: { chat: 'c1' },
      answer,
      check: ({ lines }) => expect(lines[0]).to.equal('Everyone with the link can read a chat until 2026-07-01 07:00 UTC.'),
    },
    {
      title: 'that something must be named',
      answer,
      status: 1,
      check: ({ warnings }) => expect(warnings).to.deep.equal(['Name a file, or a chat with --chat.']),
    },
    {
      title: 'that days are a number',
      arguments: ['files/report.pdf'],
      options: { days: 'soon' },
      answer,
      status: 1,
      check: ({ warnings }) => expect(warnings).to.deep.equal(['--days must be a whole number of days, not “soon”.']),
    },
  ],
})
describeCliCommand({
  name: 'shares revoke',
  create: () => revokeShareCommand,
  examples: [
    {
      title: 'that it no longer works',
      arguments: ['s1'],
      answer,
      check: ({ lines }) => expect(lines).to.deep.equal(['The link no longer works.']),
    },
  ],
})

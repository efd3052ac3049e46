import { collectOpened, openTestClient } from '@agent-service/kernel/testing'
import { channels } from '@agent-service/sdk/contracts/channel'
import { createTestContext, describeChannel } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import plugin from './index.js'
import { readBody } from './message-of-body.js'
import { isSigned, signatureOf } from './signature.js'
import { createWebhookBench } from './test-support/webhook-bench.js'

const opened = collectOpened()
after(() => opened.close())

describeChannel({
  name: 'webhook',
  create: (hooks) => createWebhookBench(hooks, openTestClient(opened)),
  supports: {
    ...{ markdown: true, groups: true, replies: true, buttons: true, attachmentsIn: true, edits: true, typing: true },
    ...{ idempotentSend: true, webhook: true },
  },
  faults: ['down', 'failing', 'silent', 'garbled', 'throttled', 'revoked', 'rejecting', 'losing'],
  bots: true,
  limitMs: 10_000,
})

describe('the signature of a webhook', () => {
  const [secret, body, now] = ['a secret that is long enough to be one', Buffer.from('{"id":"1"}'), 1_790_000_000_000]
  const good = signatureOf({ secret, body, now })

  it('is the one of the documented example', () => {
    expect(signatureOf({ secret: 'secret', body: Buffer.from('{}'), now: 1_790_000_000_000 })).to.equal(
      't=1790000000,v1=d0cadd434460d4af55e7ab90d79c1802591d7001a77c9e06471d0e3ec8cc85ae',
    )
  })

  it('may be one of several, while a secret takes the place of another', () => {
    const other = signatureOf({ secret: 'another', body, now }).split(',')[1]
    expect(isSigned(`${good.replace(',', `,${other},`)}`, { secret, body, now })).to.equal(true)
    expect(isSigned(`t=1790000000,${other}`, { secret, body, now })).to.equal(false)
  })

  it('holds for five minutes, and has exactly one time', () => {
    expect([-300_000, 300_000, -300_001, 300_001].map((by) => isSigned(good, { secret, body, now: now + by }))).to.deep.equal([
      true,
      true,
      false,
      false,
    ])
    expect(isSigned(`t=1790000000,${good}`, { secret, body, now })).to.equal(false)
  })
})

it('says what is wrong with a body', () => {
  const body = { id: '1', conversation: { id: 'c' }, sender: { id: 's' }, text: 'hello' }
  for (const [change, word] of [
    [{ id: 1 }, '“id”'],
    [{ sender: {} }, '“sender.id”'],
    [{ at: 1_790_000_000 }, '“at”'],
    [{ text: '' }, '“text”'],
    [{ attachments: [{ content: '?' }] }, '“attachments”'],
  ] as const)
    expect(readBody({ ...body, ...change }, 1_790_000_000_000))
      .to.have.property('problem')
      .that.includes(word)
  expect(readBody(body, 1_790_000_000_000)).to.deep.include({ id: '1', at: 1_790_000_000_000, mentioned: true })
})

it('contributes the channel', async () => {
  const test = createTestContext(plugin)
  await test.setup()
  expect(test.contributed(channels).map(({ id }) => id)).to.deep.equal(['webhook'])
  await test.dispose()
})

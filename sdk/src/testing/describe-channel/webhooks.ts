import { strict as assert } from 'node:assert'
import type { ChannelWebhookRequest } from '../../contracts/channel/webhook.js'
import { givenInput } from '../unchecked-rules.js'
import type { ChannelSuite } from './channel-suite.js'
import { failsWith } from './suite-bench.js'

/** How requests to the webhook are answered. */
export function describeWebhooks({ it, unchecked, options: { limitMs } }: ChannelSuite): void {
  it('refuses requests to its webhook that the vendor has not sent', async ({ open, exchange, forged, store, signal }) => {
    const { session } = await open()
    if (session.webhook === undefined) return
    await exchange({ place: 'direct', text: 'a message of the vendor' })
    const before = store.received.length
    const requests = Object.entries(forged?.() ?? {})
    assert.ok(requests.length >= 3, 'the bench must have at least three forged requests')
    for (const [what, request] of requests) {
      const { status } = await session.webhook(request, { signal })
      assert.ok(status >= 400 && status < 500, `a request ${what} was answered with ${status}`)
    }
    assert.equal(store.received.length, before, 'a forged message was received')
  })

  it('tells the vendor that its message was taken, which would come again otherwise', async ({
    open,
    exchange,
    until,
    webhookStatuses,
  }) => {
    const { session } = await open()
    if (session.webhook === undefined) return
    await exchange({ place: 'direct', text: 'a message of the vendor' })
    await until(() => webhookStatuses.length > 0, 'the request of the vendor was not answered')
    const refused = webhookStatuses.filter((status) => status < 200 || status >= 300)
    assert.deepEqual(refused, [], 'a request of the vendor was refused')
  })

  it('fails with channel_unauthorized when the vendor says that it has ended the connection', async ({ open, removal, signal }) => {
    const { session } = await open()
    if (session.webhook === undefined) return
    if (removal === undefined) unchecked.without('removal', 'a webhook fails when the vendor says that it has ended the connection')
    const request = givenInput(removal)
    if (request === undefined) return
    const work = Promise.resolve(session.webhook(request(), { signal }))
    await failsWith(work, 'channel_unauthorized', { what: 'the webhook', limitMs })
  })

  it('answers requests that make no sense, and receives nothing for them', async ({ open, connection, store, signal }) => {
    const { session } = await open()
    if (session.webhook === undefined) return
    const url = connection.webhookUrl ?? assert.fail('a connection of a channel with a webhook needs its address')
    const bodies = ['', '{', 'null', '[]', '"text"', '{"__proto__":null}', '\0\xff', 'a=b&a=c', '['.repeat(20_000)]
    const requests: readonly ChannelWebhookRequest[] = bodies.flatMap((body) => [
      { method: 'POST', url, headers: {}, body: Buffer.from(body, 'latin1') },
      { method: 'POST', url: `${url}/nowhere?x=%00`, headers: { 'content-type': 'application/json' }, body: Buffer.from(body, 'latin1') },
      { method: 'GET', url: `${url}?hub.challenge=<script>`, headers: {}, body: new Uint8Array() },
    ])
    for (const request of requests) {
      const { status } = await session.webhook(request, { signal })
      assert.ok(status >= 400 && status < 500, `${request.method} ${request.url} was answered with ${status}`)
    }
    assert.deepEqual(store.received, [])
  })
}

import type { JsonValue } from '@agent-service/sdk'
import type { Principal } from '@agent-service/sdk/contracts/http-route'
import { createTestClock } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { digestOf } from './digest.js'
import { identityOf } from './request-identity.js'
import { createTurnKeys } from './turn-keys.js'

const principal: Principal = { userId: 'u', username: 'ada', handle: 'ada', role: 'user', scopes: ['inference'], tokenId: 't' }
const request = (headers: Readonly<Record<string, string>>, changes: Partial<Principal> = {}, path = '/v1/chat/completions') => ({
  ...{ principal: { ...principal, ...changes }, headers, path },
})

describe('the identity of a request', () => {
  it('is that of its body, for clients that count their retries', async () => {
    const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }
    const first = await identityOf(request({ 'x-stainless-retry-count': '0' }), body)
    const second = await identityOf(request({ 'x-stainless-retry-count': '2' }), { ...body })
    expect([first?.isRetry, second?.isRetry, second?.isChosen]).to.deep.equal([false, true, false])
    expect(second?.id).to.equal(first?.id)
    const counted = { 'x-stainless-retry-count': '1' }
    const others = await Promise.all([
      identityOf(request(counted), { ...body, model: 'n' }),
      identityOf(request(counted, { userId: 'v' }), body),
      identityOf(request(counted, { tokenId: 'other' }), body),
      identityOf(request(counted, {}, '/v1/responses'), body),
    ])
    expect(new Set([first, ...others].map((identity) => identity?.id)).size).to.equal(5)
    expect(await identityOf(request({}), body)).to.equal(undefined)
  })

  it('is the key that the caller chose, of the user and the path', async () => {
    const keyed = { 'idempotency-key': 'k' }
    const first = await identityOf(request(keyed), { a: 1 })
    const second = await identityOf(request({ ...keyed, 'x-stainless-retry-count': '1' }, { tokenId: 'other' }), { a: 2 })
    expect(first).to.include({ isRetry: true, isChosen: true })
    expect(second?.id).to.equal(first?.id)
    expect(second?.digest).to.not.equal(first?.digest)
    expect((await identityOf(request(keyed, { userId: 'v' }), {}))?.id).to.not.equal(first?.id)
    // A program that acts for the user has keys of its own.
    const actor = { kind: 'agent', id: 'a', purpose: 'sandbox' } as const
    expect((await identityOf(request(keyed, { actor }), {}))?.id).to.not.equal(first?.id)
    for (const key of ['', 'a b', 'ä', 'x'.repeat(256)]) {
      const error = await identityOf(request({ 'idempotency-key': key }), {}).catch((thrown: unknown) => thrown)
      expect(error, key).to.include({ code: 'invalid_request' })
    }
  })

  it('distinguishes values, and takes long ones in pieces', async () => {
    const values: readonly (JsonValue | undefined)[] = [
      ...[undefined, null, true, 1, '1', '', 'a', [], {}, [1, 2], [12], ['1', '2'], ['12'], [[1], 2], [1, [2]]],
      ...[{ a: 1 }, { a: '1' }, { b: 1 }, { a: { b: 1 } }, [{ a: 1 }], 'x'.repeat(600_000), 'x'.repeat(600_001)],
    ]
    const digests = await Promise.all(values.map(digestOf))
    expect(new Set(digests).size).to.equal(values.length)
    expect(await digestOf({ text: 'x'.repeat(2_500_000) })).to.equal(await digestOf({ text: 'x'.repeat(2_500_000) }))
  })
})

describe('the keys of turns', () => {
  const identity = { id: 'a', digest: 'd', isRetry: false, isChosen: false }
  const retry = { ...identity, isRetry: true }

  it('are the same for a retry within 10 minutes, and new for the same request anew', async () => {
    const clock = createTestClock()
    const keys = createTurnKeys({ clock })
    const first = await keys.keyOf(identity)
    expect(await keys.keyOf(retry)).to.equal(first)
    await clock.advance(9 * 60_000)
    expect(await keys.keyOf(retry)).to.equal(first)
    await clock.advance(11 * 60_000)
    expect(await keys.keyOf(retry)).to.not.equal(first)
    expect(await keys.keyOf(identity)).to.not.equal(await keys.keyOf(identity))
    const chosen = { ...retry, isChosen: true }
    expect(await keys.keyOf(chosen)).to.equal(await createTurnKeys({ clock }).keyOf(chosen))
  })

  it('are at most 10,000', async () => {
    const keys = createTurnKeys({ clock: createTestClock() })
    const first = await keys.keyOf(identity)
    for (let index = 0; index < 10_000; index += 1) await keys.keyOf({ ...identity, id: `n${index}` })
    expect(await keys.keyOf(retry)).to.not.equal(first)
  })

  it('wait while the run of the first request is being cancelled', async () => {
    const keys = createTurnKeys({ clock: createTestClock() })
    const key = await keys.keyOf(identity)
    let end: () => void = () => undefined
    keys.cancelling(
      key,
      new Promise((resolve) => {
        end = resolve
      }),
    )
    const order: string[] = []
    const waiting = keys.keyOf(retry).then(() => order.push('key'))
    await new Promise((resolve) => setImmediate(resolve))
    order.push('cancelled')
    end()
    await waiting
    expect(order).to.deep.equal(['cancelled', 'key'])
  })
})

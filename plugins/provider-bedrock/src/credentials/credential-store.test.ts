import { expect } from 'chai'
import type { AwsCredentials } from '../common/aws-credentials.js'
import { createCredentialStore } from './credential-store.js'

const minute = 60_000
const { signal } = new AbortController()

describe('the store of credentials', () => {
  let now = 0
  let searches: (string | undefined)[] = []
  let find: (profile: string | undefined) => Promise<AwsCredentials>
  const store = () =>
    createCredentialStore({
      now: () => now,
      find: (profile) => {
        searches.push(profile)
        return find(profile)
      },
    })
  const made = (life?: number): AwsCredentials => ({
    accessKeyId: `KEY${searches.length}`,
    secretAccessKey: 's',
    ...(life !== undefined && { expiresAt: now + life }),
  })

  beforeEach(() => {
    now = 1_000_000
    searches = []
    find = async () => made(60 * minute)
  })

  it('keeps them until 5 minutes before they end', async () => {
    const kept = store()
    expect((await kept.get('a', signal)).accessKeyId).to.equal('KEY1')
    now += 55 * minute - 1
    expect((await kept.get('a', signal)).accessKeyId).to.equal('KEY1')
    now += 1
    expect((await kept.get('a', signal)).accessKeyId).to.equal('KEY2')
    expect((await kept.get(undefined, signal)).accessKeyId).to.equal('KEY3')
    expect(searches).to.deep.equal(['a', 'a', undefined])
  })

  it('searches once for concurrent callers, even if one of them gives up', async () => {
    const kept = store()
    let answer: ((credentials: AwsCredentials) => void) | undefined
    find = () =>
      new Promise((resolve) => {
        answer = resolve
      })
    const controller = new AbortController()
    const reason = new Error('stopped')
    const leaving = kept.get('a', controller.signal).catch((error: unknown) => error)
    const waiting = Promise.all([kept.get('a', signal), kept.get('a', signal)])
    controller.abort(reason)
    expect(await leaving).to.equal(reason)
    answer?.({ accessKeyId: 'SHARED', secretAccessKey: 's' })
    expect((await waiting).map(({ accessKeyId }) => accessKeyId)).to.deep.equal(['SHARED', 'SHARED'])
    expect(searches).to.have.length(1)
  })

  it('keeps valid ones if no others are available, and retries after a minute', async () => {
    const kept = store()
    await kept.get('a', signal)
    now += 56 * minute
    find = () => Promise.reject(new Error('down'))
    expect((await kept.get('a', signal)).accessKeyId).to.equal('KEY1')
    expect((await kept.get('a', signal)).accessKeyId).to.equal('KEY1')
    expect(searches).to.have.length(2)
    now += minute
    await kept.get('a', signal)
    expect(searches).to.have.length(3)
    now += 4 * minute
    const failed = await kept.get('a', signal).catch((error: unknown) => error)
    expect(failed).to.be.instanceOf(Error).with.property('message', 'down')
    find = async () => made(60 * minute)
    expect((await kept.get('a', signal)).accessKeyId).to.equal('KEY5')
  })

  it('looks those without an end up again after 5 minutes, and short-lived ones at most once a minute', async () => {
    const kept = store()
    find = async () => made()
    await kept.get('a', signal)
    now += 5 * minute - 1
    await kept.get('a', signal)
    expect(searches).to.have.length(1)
    now += 1
    await kept.get('a', signal)
    expect(searches).to.have.length(2)
    find = async () => made(3 * minute)
    await kept.get('b', signal)
    now += minute - 1
    await kept.get('b', signal)
    expect(searches).to.have.length(3)
  })

  it('replaces refused ones once for all callers, and reports whether there are others', async () => {
    const kept = store()
    const refused = await kept.get('a', signal)
    expect(await Promise.all([kept.replace('a', refused, signal), kept.replace('a', refused, signal)])).to.deep.equal([true, true])
    expect(searches).to.have.length(2)
    // A call that was signed earlier finds the new ones.
    expect(await kept.replace('a', refused, signal)).to.equal(true)
    expect(searches).to.have.length(2)
    const current = await kept.get('a', signal)
    find = async () => current
    expect(await kept.replace('a', current, signal)).to.equal(false)
  })
})

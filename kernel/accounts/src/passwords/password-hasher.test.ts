import { createSystemClock } from '@agent-service/kernel-core/clock'
import { createControlledClock } from '@agent-service/kernel-core/clock/testing'
import { expect } from 'chai'
import { signInBusyError } from '../records/errors.js'
import { cheapCost } from '../testing/auth-under-test.js'
import { createPasswordHasher, defaultPasswordCost } from './password-hasher.js'
import { createWorkGate } from './work-gate.js'

describe('createPasswordHasher', () => {
  it('hashes with argon2id at the documented cost, salted, and checks', async () => {
    const hasher = createPasswordHasher({ clock: createSystemClock() })
    const first = await hasher.hash('correct horse')
    const second = await hasher.hash('correct horse')
    expect(first).to.match(/^\$argon2id\$v=19\$m=65536,p=4,t=3\$|^\$argon2id\$v=19\$m=65536,t=3,p=4\$/)
    expect(second).not.to.equal(first)
    expect(await hasher.verify(first, 'correct horse')).to.equal(true)
    expect(await hasher.verify(first, 'correct house')).to.equal(false)
    expect(hasher.needsRehash(first)).to.equal(false)
    expect(createPasswordHasher({ clock: createSystemClock(), cost: { ...defaultPasswordCost, timeCost: 4 } }).needsRehash(first)).to.equal(
      true,
    )
  })

  it('fits no password to no hash', async () => {
    const hasher = createPasswordHasher({ clock: createSystemClock(), cost: cheapCost })
    for (const passwordHash of [null, undefined]) expect(await hasher.verify(passwordHash, '')).to.equal(false)
  })

  it('agrees with the argon2id vector of RFC 9106, as far as PHC text can express it', async () => {
    const hasher = createPasswordHasher({ clock: createSystemClock(), cost: cheapCost })
    // From the reference implementation's test.c: argon2id, t=2, m=65536, p=1, "password",
    // "somesalt".
    const reference = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    expect(await hasher.verify(reference, 'password')).to.equal(true)
    expect(await hasher.verify(reference, 'passwore')).to.equal(false)
  })
})

describe('createWorkGate', () => {
  const deferred = () => {
    let finish: () => void = () => undefined
    const promise = new Promise<void>((resolve) => {
      finish = resolve
    })
    return { promise, finish: () => finish() }
  }

  it('runs a few at once and the rest in order', async () => {
    const gate = createWorkGate({ clock: createControlledClock(), concurrency: 2, waiting: 10, maxWaitMs: 1_000 })
    let running = 0
    let most = 0
    const order: number[] = []
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        gate.run(async () => {
          running += 1
          most = Math.max(most, running)
          order.push(index)
          await new Promise((resolve) => setImmediate(resolve))
          running -= 1
        }),
      ),
    )
    expect(most).to.equal(2)
    expect(order).to.deep.equal([0, 1, 2, 3, 4, 5, 6, 7])
  })

  it('refuses at once while the queue is full, and accepts the next one when there is room', async () => {
    const gate = createWorkGate({ clock: createControlledClock(), concurrency: 1, waiting: 1, maxWaitMs: 1_000 })
    const first = deferred()
    const running = gate.run(() => first.promise)
    const waiting = gate.run(async () => 'second')
    const refused = await gate.run(async () => 'third').catch((error: unknown) => error)
    if (!signInBusyError.isInstance(refused)) throw refused
    expect(refused).to.include({ status: 503, retryAfterSeconds: 1 })
    first.finish()
    await running
    expect(await waiting).to.equal('second')
    expect(await gate.run(async () => 'fourth')).to.equal('fourth')
  })

  it('lets no task wait longer than the limit, and passes its slot on if work throws', async () => {
    const clock = createControlledClock()
    const gate = createWorkGate({ clock, concurrency: 1, waiting: 5, maxWaitMs: 1_000 })
    const first = deferred()
    const running = gate.run(() => first.promise)
    const late = gate.run(async () => 'late').catch((error: unknown) => error)
    await clock.advance(1_000)
    expect(signInBusyError.isInstance(await late)).to.equal(true)
    const failing = gate.run(() => Promise.reject(new Error('broken'))).catch((error: unknown) => (error as Error).message)
    const after = gate.run(async () => 'after')
    first.finish()
    await running
    expect(await failing).to.equal('broken')
    expect(await after).to.equal('after')
    expect(clock.pending()).to.equal(0)
  })
})

import { createControlledClock } from '@agent-service/kernel-core/clock/testing'
import { createRecordingLog } from '@agent-service/kernel-core/scheduler/testing'
import { createDisposableScope } from '@agent-service/sdk/host'
import type { LimitDefinition } from '@agent-service/sdk/services/quotas'
import { expect } from 'chai'
import { createQuotas, ownLimits } from './create-quotas.js'

const quotasUnderTest = () => createQuotas({ clock: createControlledClock(), log: createRecordingLog() })
const things = (changes: Partial<LimitDefinition> = {}): LimitDefinition => ({
  ...{ name: 'things', counts: 'things', maxPerHolder: 2 },
  ...changes,
})

describe('the registry of limits', () => {
  it('refuses a second limit of one name, until the first has ended', async () => {
    const quotas = quotasUnderTest()
    const { end } = quotas.declare(things())
    expect(() => quotas.limit(things()))
      .to.throw()
      .with.property('code', 'limit_conflict')
    await end()
    quotas.limit(things())
    await end()
    expect(() => quotas.limit(things()))
      .to.throw()
      .with.property('code', 'limit_conflict')
  })

  it('refuses definitions that are not valid', () => {
    const wrong: readonly Partial<LimitDefinition>[] = [
      { name: 'Things' },
      { name: 'things{a="b"}' },
      { name: `t${'h'.repeat(64)}` },
      { counts: ' ' },
      { maxPerHolder: Number.NaN },
      { maxPerHolder: -1 },
      { maxTotal: Number.NaN },
      { reserve: { amount: 1, upTo: 1 } },
      { maxTotal: 1, reserve: { amount: 2, upTo: 1 } },
      { maxTotal: 1, reserve: { amount: 1, upTo: Number.NaN } },
      { waiting: { maxPerHolder: 1, maxTotal: 1, maxMs: Number.POSITIVE_INFINITY } },
      { displaceIdleMs: -1 },
    ]
    for (const changes of wrong)
      expect(() => quotasUnderTest().limit(things(changes)), JSON.stringify(changes))
        .to.throw()
        .with.property('code', 'limit_invalid')
  })
})

describe('the limits of a plugin', () => {
  it('end with it', async () => {
    const quotas = quotasUnderTest()
    const scope = createDisposableScope({ name: 'feature-house' })
    ownLimits(quotas, { id: 'feature-house', builtIn: true }, scope).limit(things())
    await scope.dispose()
    expect(() => quotas.limit(things())).not.to.throw()
  })

  it('have names that begin with its id, if it is not built in', () => {
    const own = ownLimits(quotasUnderTest(), { id: 'tool-dice', builtIn: false }, createDisposableScope({ name: 'tool-dice' }))
    for (const name of ['things', 'tool-diced', 'event-streams'])
      expect(() => own.limit(things({ name })))
        .to.throw('begin with “tool-dice-”')
        .with.property('code', 'limit_invalid')
    expect(own.limit(things({ name: 'tool-dice-rolls' })).used('a')).to.equal(0)
    own.limit(things({ name: 'tool-dice' }))
  })

  it('are at most 32, since each is a series of the metrics', () => {
    const own = ownLimits(quotasUnderTest(), { id: 'feature-house', builtIn: true }, createDisposableScope({ name: 'feature-house' }))
    for (let index = 0; index < 32; index += 1) own.limit(things({ name: `things-${index}` }))
    expect(() => own.limit(things()))
      .to.throw('at most 32')
      .with.property('code', 'limit_invalid')
  })
})

import fc from 'fast-check'
import { playSteps, type Step } from './testing/event-streams-model.js'
import { endTestStores } from './testing/test-store.js'

const user = fc.nat({ max: 1 })
const client = fc.nat({ max: 2 })

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('record' as const), user, events: fc.integer({ min: 1, max: 3 }) }) },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('delta' as const), user }) },
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('connect' as const), user, client }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('disconnect' as const), user, client }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.integer({ min: 1, max: 50 }) }) },
    {
      weight: 5,
      arbitrary: fc.record({ kind: fc.constantFrom('prune' as const, 'restart' as const, 'settle' as const, 'settle' as const) }),
    },
  ),
  { minLength: 5, maxLength: 45, size: 'max' },
)

describe('the streams under random work', () => {
  afterEach(endTestStores)

  it('lose and repeat no kept event, with growing numbers, over resumption, pruning and restarts', async function () {
    this.timeout(120_000)
    const pauses = fc.array(fc.nat({ max: 6 }), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(steps, pauses, (all, turns) => playSteps(all, turns).finally(endTestStores)),
      { numRuns: 150 },
    )
  })
  it('owe no more to a client that left while a transaction took very long', async () => {
    const reader = { user: 1, client: 2 }
    await playSteps(
      [
        { kind: 'connect', ...reader },
        { kind: 'record', user: 0, events: 1 },
        { kind: 'record', user: 1, events: 1 },
        { kind: 'wait', seconds: 8 },
        { kind: 'connect', user: 0, client: 0 },
        { kind: 'wait', seconds: 38 },
        { kind: 'disconnect', ...reader },
        { kind: 'restart' },
        { kind: 'prune' },
        { kind: 'restart' },
        { kind: 'connect', ...reader },
        { kind: 'prune' },
        { kind: 'delta', user: 0 },
        { kind: 'prune' },
        { kind: 'prune' },
        { kind: 'prune' },
      ],
      [0],
    )
  })
  it('owe no more to a client that left without reading everything', async () => {
    const reader = { user: 0, client: 0 }
    await playSteps(
      [
        { kind: 'connect', ...reader },
        { kind: 'restart' },
        { kind: 'record', user: 0, events: 2 },
        { kind: 'wait', seconds: 29 },
        { kind: 'wait', seconds: 7 },
        { kind: 'wait', seconds: 10 },
        { kind: 'connect', ...reader },
        { kind: 'disconnect', ...reader },
        { kind: 'connect', user: 0, client: 1 },
        { kind: 'prune' },
        { kind: 'settle' },
        { kind: 'connect', ...reader },
        { kind: 'prune' },
      ],
      [0],
    )
  })
})

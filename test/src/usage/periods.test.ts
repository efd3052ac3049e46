import { expect } from 'chai'
import { type AgentsKernel, type Person, startAgentsKernel } from '../agents/support/agents-kernel.js'

const dateWords = 'must be a date of the years 1970 to 2999'
const tooLong = 'must not be earlier than 366 days before the end of the period (2026-12-31)'
const instantWords = 'must be a time by RFC 3339'

/** Query, and the beginning of the problem at its path; none if it is valid. */
const ofUsage: readonly (readonly [string, string?, string?])[] = [
  ['from=2026-13-45', '/from', dateWords],
  ['to=2026-13-45', '/to', dateWords],
  ['from=2026-02-30', '/from', dateWords],
  ['from=0001-01-01', '/from', dateWords],
  ['to=9999-01-01', '/to', dateWords],
  ['from=2026-03-02&to=2026-03-01', '/from', 'must not be after the end of the period (2026-03-01)'],
  ['from=2999-01-01', '/from', 'must not be after the end of the period'],
  ['from=2025-12-30&to=2026-12-31', '/from', tooLong],
  ['from=2025-12-31&to=2026-12-31'],
  ['from=2026-03-01&to=2026-03-01'],
  ['to=1970-01-01'],
]
const ofAudit: typeof ofUsage = [
  ['from=2026-13-45T00:00:00Z', '/from', instantWords],
  ['from=2026-02-30T00:00:00Z', '/from', instantWords],
  ['to=2026-12-31T23:59:60Z', '/to', instantWords],
  ['to=2026-12-31', '/to', instantWords],
  ['from=2026-03-01T10:00:01Z&to=2026-03-01T11:00:00%2B01:00', '/from', 'must not be after the end of the period'],
  ['from=2026-03-01T10:00:00Z&to=2026-03-01T11:00:00%2B01:00'],
]

describe('periods in queries', () => {
  let agents: AgentsKernel
  let admin: Person
  before(async () => {
    agents = await startAgentsKernel()
    admin = await agents.person('root')
  })
  after(async () => await agents?.close())

  for (const [path, cases] of [
    ['/api/usage', ofUsage],
    ['/api/admin/usage', ofUsage],
    ['/api/admin/audit', ofAudit],
  ] as const)
    for (const [query, at, words] of cases)
      it(`${at === undefined ? 'accepts' : 'refuses'} ${path}?${query}`, async () => {
        const { status, body } = await admin.request('GET', `${path}?${query}`)
        expect(status).to.equal(at === undefined ? 200 : 422)
        if (at === undefined || words === undefined) return
        const [problem] = body['errors'] as readonly { readonly path: string; readonly message: string }[]
        expect(problem?.path).to.equal(at)
        expect(problem?.message.slice(0, words.length)).to.equal(words)
        expect(body['detail']).to.include(`${at} ${words}`)
      })
})

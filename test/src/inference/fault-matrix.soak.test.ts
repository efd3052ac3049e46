import { expect } from 'chai'
import { answersOf, eventsOf, expectTexts, shownBeforeItWasTakenBack } from './support/expect-conversation.js'
import { type Fault, faults } from './support/faults.js'
import { type Conversation, type MatrixCase, type MatrixKernel, startMatrixKernel } from './support/matrix-kernel.js'
import { families } from './support/wires/index.js'

/** How much later than its deadlines a conversation may end, in milliseconds, on a busy machine. */
const graceMs = 20_000

const caseOf = (fault: Fault, family: string): MatrixCase => ({
  name: `f${faults.indexOf(fault)}-${family}`,
  family,
  retries: fault.retries,
  replays: fault.replays,
  fallback: true,
})
const familiesOf = ({ only }: Fault): readonly string[] => families.filter((family) => only === undefined || family === only)

describe('a failing upstream behind a group with a fallback of another family', function () {
  this.timeout(30_000)
  let matrix: MatrixKernel

  before(async () => {
    matrix = await startMatrixKernel(faults.flatMap((fault) => familiesOf(fault).map((family) => caseOf(fault, family))))
  })
  after(() => matrix?.close())

  for (const fault of faults) {
    it(`${fault.title}: ${fault.failure === undefined ? 'the first model answers' : 'the fallback answers'}, once`, async () => {
      const asked = await Promise.all(
        familiesOf(fault).map(async (family) => ({ family, conversation: await matrix.ask(caseOf(fault, family).name) })),
      )
      for (const { family, conversation } of asked) inFamily(family, () => check(fault, family, conversation))
      expect(await matrix.tools.executions(), 'tools that nobody called').to.deep.equal([])
    })
  }
})

function inFamily(family: string, work: () => void): void {
  try {
    work()
  } catch (error) {
    if (error instanceof Error) error.message = `${family}: ${error.message}`
    throw error
  }
}

function check(fault: Fault, family: string, conversation: Conversation): void {
  const { end, calls, requests, tookMs } = conversation
  const name = caseOf(fault, family).name
  const moves = fault.failure !== undefined
  const failures = moves ? fault.calls : fault.calls - 1

  expect(end.name, JSON.stringify(end.data)).to.equal('run.completed')
  expectTexts(conversation, ['Hello, world'])
  expect(answersOf(conversation).map(({ status }) => status)).to.deep.equal(['complete'])
  if (failures > 0 && fault.shown !== true) expect(shownBeforeItWasTakenBack(conversation)).to.equal('')

  // The upstream's own count, then the service's.
  expect(requests).to.deep.equal({ first: fault.calls, spare: moves ? 1 : 0 })
  expect(
    calls.map(({ provider, fallback, retries, outcome, failure, in_one_piece: whole }) => ({
      provider,
      fallback,
      retries,
      outcome,
      failure,
      whole,
    })),
  ).to.deep.equal([
    ...Array.from({ length: failures }, (_, retries) => ({
      ...{ provider: name, fallback: 0, retries, outcome: 'failed' },
      ...{ failure: fault.failure ?? fault.passing, whole: false },
    })),
    moves
      ? { provider: `${name}-spare`, fallback: 1, retries: 0, outcome: 'completed', failure: null, whole: false }
      : { provider: name, fallback: 0, retries: failures, outcome: 'completed', failure: null, whole: fault.inOnePiece === true },
  ])

  expect(eventsOf(conversation, 'run.retrying').map(({ failure }) => failure)).to.deep.equal(
    Array.from({ length: fault.calls - 1 }, () => fault.failure ?? fault.passing),
  )
  expect(eventsOf(conversation, 'run.fallback').map(({ failure }) => failure)).to.deep.equal(moves ? [fault.failure] : [])

  const leastMs = fault.atLeastMs ?? 0
  expect(tookMs).to.be.within(leastMs, leastMs + graceMs)
}

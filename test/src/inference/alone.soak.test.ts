import { expect } from 'chai'
import { answersOf, eventsOf } from './support/expect-conversation.js'
import { type Fault, faults } from './support/faults.js'
import { type Conversation, type MatrixCase, type MatrixKernel, startMatrixKernel } from './support/matrix-kernel.js'
import { families } from './support/wires/index.js'

/** Faults that retries do not mend. */
const lasting = faults.filter(({ failure }) => failure !== undefined)
const caseOf = (fault: Fault, family: string): MatrixCase => ({
  name: `a${faults.indexOf(fault)}-${family}`,
  family,
  retries: 0,
  replays: fault.replays,
  fallback: false,
})
const familiesOf = ({ only }: Fault): readonly string[] => families.filter((family) => only === undefined || family === only)

describe('a failing upstream behind a group without a fallback', function () {
  this.timeout(30_000)
  let matrix: MatrixKernel

  before(async () => {
    matrix = await startMatrixKernel(lasting.flatMap((fault) => familiesOf(fault).map((family) => caseOf(fault, family))))
  })
  after(() => matrix?.close())

  for (const fault of lasting) {
    it(`${fault.title}: the run fails with a reason, and shows no partial answer as complete`, async () => {
      const asked = await Promise.all(
        familiesOf(fault).map(async (family) => ({ family, conversation: await matrix.ask(caseOf(fault, family).name) })),
      )
      for (const { family, conversation } of asked) check(fault, family, conversation)
      expect(await matrix.tools.executions()).to.deep.equal([])
    })
  }
})

function check(fault: Fault, family: string, conversation: Conversation): void {
  const { end, calls, requests } = conversation
  expect(end.name, family).to.equal('run.failed')
  const { code, message } = end.data['failure'] as { readonly code: string; readonly message: string }
  expect(code, family).to.equal('provider_error')
  expect(message, family).to.contain(fault.failure).and.not.contain('key-of-nobody')
  expect(
    answersOf(conversation).filter(({ status }) => status === 'complete' || status === 'open'),
    family,
  ).to.deep.equal([])
  const texts = answersOf(conversation).flatMap(({ content }) => content.flatMap((part) => (part.type === 'text' ? [part.text] : [])))
  // A slow stream has shown its text until its time was over.
  expect(
    texts.every((text) => 'Hello, world'.startsWith(text ?? '')),
    family,
  ).to.equal(true)
  expect(texts.join('').startsWith('Hello, '), family).to.equal(fault.shown === true)
  expect(requests, family).to.deep.equal({ first: 1, spare: 0 })
  expect(
    calls.map(({ outcome, failure }) => [outcome, failure]),
    family,
  ).to.deep.equal([['failed', fault.failure]])
  expect(eventsOf(conversation, 'run.retrying'), family).to.deep.equal([])
  expect(eventsOf(conversation, 'run.fallback'), family).to.deep.equal([])
}

import { expect } from 'chai'
import { eventsOf, expectTexts } from './support/expect-conversation.js'
import { asking, cutInCall, cutInText } from './support/faults.js'
import { type MatrixCase, type MatrixKernel, startMatrixKernel } from './support/matrix-kernel.js'
import { calledTool } from './support/wires/family-wire.js'
import { families } from './support/wires/index.js'

const cases = families.map(
  (family): MatrixCase => ({
    name: `t-${family}`,
    family,
    retries: 1,
    // Half a call, the complete call, and then no answer to its result.
    replays: (wire) => [cutInCall(wire), asking(wire), cutInText(wire), cutInText(wire)],
    fallback: true,
  }),
)

describe('a tool whose call was first interrupted, and whose result another model answers', function () {
  this.timeout(30_000)
  let matrix: MatrixKernel

  before(async () => {
    matrix = await startMatrixKernel(cases)
  })
  after(() => matrix?.close())

  for (const { name, family } of cases) {
    it(`runs once (${family})`, async () => {
      const before = (await matrix.tools.executions()).length
      const conversation = await matrix.ask(name)
      expect(conversation.end.name, JSON.stringify(conversation.end.data)).to.equal('run.completed')
      const executions = (await matrix.tools.executions()).slice(before)
      expect(executions.map(({ kind, tool }) => ({ kind, tool }))).to.deep.equal([{ kind: 'execute', tool: calledTool.name }])
      expect(eventsOf(conversation, 'tool_call.finished')).to.have.length(1)
      expectTexts(conversation, ['', 'Hello, world'])
      expect(conversation.requests).to.deep.equal({ first: 4, spare: 1 })
      expect(conversation.calls.map(({ fallback, retries, outcome }) => [fallback, retries, outcome])).to.deep.equal([
        [0, 0, 'failed'],
        [0, 1, 'completed'],
        [0, 0, 'failed'],
        [0, 1, 'failed'],
        [1, 0, 'completed'],
      ])
      // The other family received the call and its result.
      const told = matrix.upstream.seen.find(({ url }) => url.includes(`/spare/${name}/`))?.body ?? ''
      expect(told).to.contain(`${calledTool.name} is done`)
    })
  }
})

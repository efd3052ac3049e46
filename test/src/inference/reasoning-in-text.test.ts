import type { Replay } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { type MatrixCase, type MatrixKernel, startMatrixKernel } from './support/matrix-kernel.js'
import type { FamilyWire } from './support/wires/family-wire.js'
import { families } from './support/wires/index.js'

const thinking = '<think>\nThe person greets.\n</think>\n\nHello, world'

/** A whole answer whose text begins with reasoning. */
const wholeAnswer = (wire: FamilyWire): Replay => ({
  headers: { 'content-type': 'application/json' },
  pieces: [Buffer.from(wire.whole.replaceAll('Hello, world', JSON.stringify(thinking).slice(1, -1)))],
})

/** The same as a stream whose tag is cut between two pieces. */
function streamedAnswer(wire: FamilyWire): Replay {
  const written = (bytes: Uint8Array, from: string, to: string): Buffer =>
    Buffer.from(Buffer.from(bytes).toString('utf8').replaceAll(from, JSON.stringify(to).slice(1, -1)))
  const [first, second] = [thinking.slice(0, 30), thinking.slice(30)]
  return {
    headers: { 'content-type': wire.contentType },
    pieces: [
      written(wire.text, 'Hello, ', first),
      // Some protocols repeat the whole text at its end.
      written(written(wire.end, 'Hello, world', thinking), 'world', second),
    ],
  }
}

const caseOf = (name: string, family: string, replay: (wire: FamilyWire) => Replay): MatrixCase => ({
  ...{ name, family, retries: 0, fallback: false },
  replays: (wire) => [replay(wire)],
})

/** Its frames have checksums, so that a text in them cannot be replaced here. */
const binary = 'bedrock'

describe('reasoning that a model writes into its text', function () {
  this.timeout(60_000)
  let matrix: MatrixKernel

  before(async () => {
    matrix = await startMatrixKernel([
      ...families.map((family) => caseOf(`whole-${family}`, family, wholeAnswer)),
      ...families.filter((family) => family !== binary).map((family) => caseOf(`streamed-${family}`, family, streamedAnswer)),
    ])
  })
  after(() => matrix?.close())

  const names = families.flatMap((family) => [`whole-${family}`, ...(family === binary ? [] : [`streamed-${family}`])])
  for (const name of names) {
    it(`is a part of its own and does not go back (${name})`, async () => {
      const { chatId, messages, end } = await matrix.ask(name)
      expect(end.name).to.equal('run.completed')
      expect(messages.at(-1)?.['content']).to.deep.equal([
        { type: 'reasoning', text: 'The person greets.\n' },
        { type: 'text', text: 'Hello, world' },
      ])
      const { body } = await matrix.person.request('POST', `/api/chats/${chatId}/messages`, { content: 'And now?' })
      const stream = await matrix.person.stream()
      await stream.until((event) => event.data['run_id'] === (body['run'] as { readonly id: string }).id && event.name === 'run.completed')
      stream.close()
      const asked = matrix.upstream.seen.filter(({ url }) => url.includes(`/first/${name}/`)).at(-1)?.body ?? ''
      expect(asked).to.contain('And now?').and.contain('Hello, world')
      expect(asked).to.not.contain('think>')
      expect(asked).to.not.contain('The person greets.')
    })
  }
})

import { type AnswerAssembler, createCompletionsAssembler } from '@agent-service/sdk/provider-kit'
import { chunkingsOfRun, createRandom, cutRandomly, type Recording, requestTo, seedOfRun } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { readQuirks } from './completions/quirks.js'
import { toolNamesOf } from './connection/tool-names.js'
import { createResponsesAssembler } from './responses/assemble-answer.js'
import { decode } from './test-support/decode.js'
import { completionsRecordings, openProviderRecordings, quirksOf } from './test-support/recordings.js'
import { responsesRecordings } from './test-support/responses-recordings.js'

const chunkings = chunkingsOfRun(process.env['CHUNKINGS'])
/** From this size on a stream is cut at every seventh byte; a run with more chunkings looks closer. */
const everyByteUpTo = chunkings > 20 ? 6_000 : 2_000

const library = openProviderRecordings(process.env['FIXTURES_DIR'])
const streams = (recordings: readonly Recording[]): readonly Recording[] => recordings.filter(({ kind }) => kind === 'sse')

const protocols: readonly {
  readonly name: string
  readonly recordings: readonly Recording[]
  create(recording: Recording): AnswerAssembler
}[] = [
  {
    name: 'completions',
    recordings: streams(completionsRecordings(library)),
    create(recording) {
      const { mergeChoices } = readQuirks(quirksOf(recording.name))
      return createCompletionsAssembler({ vendor: 'x', request: requestTo(''), echoesReasoning: true, mergeChoices })
    },
  },
  {
    name: 'responses',
    recordings: streams(responsesRecordings(library)),
    create() {
      const request = requestTo('')
      return createResponsesAssembler({ vendor: 'x', request, names: toolNamesOf(request) })
    },
  },
]

for (const { name, recordings, create } of protocols) {
  describe(`recorded streams of ${name}, decoded without the network`, () => {
    const seed = seedOfRun(process.env['SEED'])

    it('are there', () => expect(recordings.length).to.be.greaterThan(15))

    for (const recording of recordings) {
      const { bytes } = recording

      it(`${recording.name}: single bytes and ${chunkings} random chunkings give the same answer (seed ${seed})`, () => {
        const random = createRandom(seed)
        const whole = decode([bytes], create(recording))
        expect(
          decode(
            Array.from(bytes, (_, index) => bytes.subarray(index, index + 1)),
            create(recording),
          ),
        ).to.deep.equal(whole)
        for (let round = 0; round < chunkings; round += 1) {
          expect(decode(cutRandomly(bytes, random), create(recording)), `chunking ${round}`).to.deep.equal(whole)
        }
      })

      it(`${recording.name}: it is complete from one byte on, and never another answer before`, () => {
        const whole = decode([bytes], create(recording))
        const step = bytes.length <= everyByteUpTo ? 1 : 7
        let isWhole = false
        for (let offset = 0; offset < bytes.length; offset += step) {
          const cut = decode([bytes.subarray(0, offset)], create(recording))
          expect(whole.text.startsWith(cut.text), `the text at byte ${offset}`).to.equal(true)
          expect(whole.reasoning.startsWith(cut.reasoning), `the reasoning at byte ${offset}`).to.equal(true)
          // Usage may follow the end of the model's words.
          const { content } = (cut.finished ?? {}) as { readonly content?: unknown }
          if (content === undefined) expect(isWhole, `not whole any more at byte ${offset}`).to.equal(false)
          else expect(content, `at byte ${offset}`).to.deep.equal((whole.finished as { readonly content?: unknown }).content)
          isWhole ||= content !== undefined
        }
      })
    }
  })
}

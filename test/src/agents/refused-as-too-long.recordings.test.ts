import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Replay } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { good } from '../inference/support/faults.js'
import { type MatrixCase, type MatrixKernel, startMatrixKernel } from '../inference/support/matrix-kernel.js'
import { fixturesFolder } from '../support/recordings.js'

/** By family: a vendor's own refusal of a conversation that is too long. */
const refusals: Readonly<Record<string, string>> = {
  anthropic: 'ruby--real-error-scenarios-anthropic-claude-haiku-4-5-handles-context-length-exceeded-errors',
  bedrock: 'ruby--eal-error-scenarios-bedrock-amazon-nova-2-lite-v1-0-handles-context-length-exceeded-errors',
  cohere: 'ruby--real-error-scenarios-cohere-command-a-03-2025-handles-context-length-exceeded-errors',
  completions: 'ruby--real-error-scenarios-deepseek-deepseek-chat-handles-context-length-exceeded-errors',
  responses: 'ruby--real-error-scenarios-openai-gpt-5-nano-handles-context-length-exceeded-errors',
}

function recordedRefusal(name: string): Replay {
  const file = path.join(fixturesFolder, 'providers', 'errors', name)
  const { status, responseHeaders } = JSON.parse(readFileSync(`${file}.meta.json`, 'utf8')) as {
    readonly status: number
    readonly responseHeaders: Readonly<Record<string, string>>
  }
  return { status, headers: { 'content-type': 'application/json', ...responseHeaders }, pieces: [readFileSync(`${file}.response.json`)] }
}

const cases = Object.entries(refusals).map(
  ([family, name]): MatrixCase => ({
    name: `o-${family}`,
    family,
    retries: 0,
    // An answer; the refusal, the summary, and the answer.
    replays: (wire) => [good(wire), recordedRefusal(name), good(wire), good(wire)],
    fallback: false,
  }),
)

describe('a conversation that a vendor refuses as too long', function () {
  this.timeout(30_000)
  let matrix: MatrixKernel

  before(async () => {
    matrix = await startMatrixKernel(cases)
  })
  after(() => matrix?.close())

  for (const { name, family } of cases) {
    it(`is summarised and asked again (${family})`, async () => {
      const { chatId, end } = await matrix.ask(name)
      expect(end.name).to.equal('run.completed')
      const { person, upstream } = matrix
      const stream = await person.stream({ chatId })
      const posted = await person.request('POST', `/api/chats/${chatId}/messages`, { content: 'Go on' })
      const runId = (posted.body['run'] as { readonly id: string }).id
      const second = await stream.until(({ name: event, data }) => data['run_id'] === runId && /^run\.(completed|failed)$/.test(event))
      expect(second.name, JSON.stringify(second.data['failure'])).to.equal('run.completed')
      const bodies = upstream.seen.filter(({ url }) => url.includes(`/first/${name}/`)).map(({ body }) => body)
      expect(bodies.map((body) => body.includes('You write the summary'))).to.deep.equal([false, false, true, false])
      expect(bodies[3]).to.include('Summary of the conversation before this point')
      const summaries = (await person.request('GET', `/api/chats/${chatId}/summaries`)).body['items']
      expect(summaries).to.have.length(1)
      stream.close()
    })
  }
})

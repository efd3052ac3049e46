import { expect } from 'chai'
import type { JsonObject } from '../core/json.js'
import { bytesOf, type CallOutcome } from '../testing/replay/index.js'
import type { AnswerAssembler } from './answer-assembler.js'
import { createCompletionsAssembler } from './completions/assemble-answer.js'
import { streamLimit } from './read-answer.js'
import { singleBytes, testCalls } from './test-call.test.js'

const chunk = (content: string, finish: string | null = null): JsonObject => ({
  id: 'answer-1',
  choices: [{ index: 0, delta: content === '' ? {} : { content }, finish_reason: finish }],
})
const chunks = [chunk('Grüße, '), chunk('Welt 👋'), chunk('', 'stop')]
const events = (documents: readonly unknown[]): string => documents.map((each) => `data: ${JSON.stringify(each)}\n\n`).join('')
const lines = (documents: readonly unknown[]): string => documents.map((each) => `${JSON.stringify(each)}\n`).join('')
const whole = {
  id: 'answer-1',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Grüße, Welt 👋' }, finish_reason: 'stop' }],
}

const types = [
  'text/event-stream',
  'application/json; charset=utf-8',
  'text/plain',
  'application/octet-stream',
  'application/x-ndjson',
  'text/html',
  undefined,
]

const streamed: Readonly<Record<string, string>> = {
  events: `${events(chunks)}data: [DONE]\n\n`,
  'events after a byte order mark, blank lines and a comment': `\uFEFF\r\n\r\n: PROCESSING\r\n\r\n${events(chunks).replaceAll('\n', '\r\n')}data: [DONE]\r\n\r\n`,
  'events after blanks in their line': ` \n \t ${events(chunks)}data: [DONE]\n\n`,
  'events that begin with a name': `event: message\nid: 1\n${events(chunks)}`,
  'events that begin with an identifier': `id: 1\nretry: 3000\n${events(chunks)}`,
  'events that begin with an unknown field': `server: gateway\n${events(chunks)}data: [DONE]\n\n`,
  lines: lines(chunks),
  'lines, the last without its end': lines(chunks).trimEnd(),
  'documents without anything between them': chunks.map((each) => JSON.stringify(each)).join(''),
  'a list': `[${chunks.map((each) => JSON.stringify(each)).join(',\r\n')}]`,
  'a list in many lines': JSON.stringify(chunks, null, 2),
}
const inOnePiece: Readonly<Record<string, string>> = {
  'one document': JSON.stringify(whole),
  'one document and a line end': `${JSON.stringify(whole)}\n`,
  'one document in many lines': `\n${JSON.stringify(whole, null, 2)}\n`,
  'one document after a byte order mark': `\uFEFF${JSON.stringify(whole)}`,
  'one document as an event, with an empty delta beside its message': `data: ${JSON.stringify({
    ...whole,
    choices: whole.choices.map((choice) => ({ ...choice, delta: { role: 'assistant', content: '' } })),
  })}\n\n`,
  'one document as an event': `data: ${JSON.stringify(whole)}\n\ndata: [DONE]\n\n`,
}

describe('the framing of an answer, whatever its content type says', () => {
  const calls = testCalls()
  const check = ({ error, text, finished }: CallOutcome): void => {
    expect(error?.message).to.equal(undefined)
    expect(text).to.equal('Grüße, Welt 👋')
    expect(finished).to.deep.include({ content: [{ type: 'text', text: 'Grüße, Welt 👋' }], stop_reason: 'stop' })
  }

  for (const type of types) {
    for (const [name, body] of Object.entries(streamed)) {
      it(`${name} under ${type ?? 'no type'}, at once and byte by byte`, async () => {
        for (const pieces of [[bytesOf(body)], singleBytes(body)]) {
          const outcome = await calls.outcomeOfBody(body, type, { pieces })
          check(outcome)
          expect(outcome.events[0]).to.not.have.property('in_one_piece')
        }
      })
    }
    for (const [name, body] of Object.entries(inOnePiece)) {
      it(`${name} under ${type ?? 'no type'} is an answer in one piece`, async () => {
        for (const pieces of [[bytesOf(body)], singleBytes(body)]) {
          const outcome = await calls.outcomeOfBody(body, type, { pieces })
          check(outcome)
          expect(outcome.events[0]).to.include({ type: 'response.started', in_one_piece: true })
        }
      })
    }
  }

  it('a stream that was not asked for is read as one answer', async () => {
    calls.answer({ headers: { 'content-type': 'application/json' }, pieces: [bytesOf(streamed['events'] ?? '')] })
    check(await calls.outcome({ stream: false }))
  })

  for (const [name, first] of [
    ['events', events(chunks.slice(0, 1))],
    ['lines', lines(chunks.slice(0, 1))],
    ['a list', `[${JSON.stringify(chunks[0])}`],
  ] as const) {
    it(`the first piece of ${name} under a wrong type does not wait for the next`, async () => {
      for (const type of ['application/json', 'text/plain']) {
        calls.answer({ headers: { 'content-type': type }, pieces: [bytesOf(first)], end: 'hold' })
        const seen: string[] = []
        for await (const event of calls.events()) {
          if (event.type !== 'text.delta') continue
          seen.push(event.text)
          break
        }
        expect(seen).to.deep.equal(['Grüße, '])
      }
    })
  }

  it('blanks and lines without meaning cost no more than their length', async () => {
    const blanks = bytesOf(' '.repeat(4_000))
    const pieces = Array.from({ length: 8_000 }, () => blanks)
    const { error } = await calls.outcomeOfBody('', 'text/plain', { pieces: [...pieces, bytesOf(`\n${events(chunks)}data: [DONE]\n\n`)] })
    expect(error?.message).to.equal(undefined)
    const { text } = await calls.outcomeOfBody(`: begun\n\n${'{"a\n'.repeat(19_000)}\n${events(chunks)}`, 'text/event-stream')
    expect(text).to.equal('Grüße, Welt 👋')
  })

  it('lines that are no events are not read for ever', async () => {
    for (const line of ['busy\n', 'data: busy\n\n', ' {"a\n']) {
      const { error } = await calls.outcomeOfBody(`: begun\n\n${line.repeat(50_000)}`, 'text/event-stream', { end: 'hold' })
      expect(error?.details).to.include({ failure: 'invalid_response' })
      expect(error?.details['reason']).to.contain('More than 20000 lines')
    }
    const { text } = await calls.outcomeOfBody(
      chunks.map((each) => `${'data: busy\n\n'.repeat(15_000)}${events([each])}`).join(''),
      'text/event-stream',
    )
    expect(text).to.equal('Grüße, Welt 👋')
  })

  it('a stream without an end is not read for ever', async () => {
    const piece = bytesOf(events([{ choices: [{ index: 0, delta: { images: [`data:image/png;base64,${'A'.repeat(16_000_000)}`] } }] }]))
    const pieces = Array.from({ length: 20 }, () => piece)
    // 320 MB take a busy machine longer than a call waits in other tests; here only the size may end it.
    const timeouts = { connectMs: 600_000, firstTokenMs: 600_000, idleMs: 600_000, totalMs: 600_000 }
    calls.answer({ headers: { 'content-type': 'text/event-stream' }, pieces })
    const { error } = await calls.outcome({ timeouts })
    expect(error?.details['reason']).to.equal(`The answer is larger than ${streamLimit} bytes.`)
  })

  it('a broken document in the middle is no answer', async () => {
    for (const body of [
      `${events(chunks.slice(0, 1))}data: {oops\n\n${events(chunks.slice(2))}`,
      `${lines(chunks.slice(0, 1))}{"oops\n${lines(chunks.slice(2))}`,
    ]) {
      for (const type of ['text/event-stream', 'application/x-ndjson', 'application/json']) {
        const { error, text, finished } = await calls.outcomeOfBody(body, type)
        expect(finished).to.equal(undefined)
        expect(text).to.equal('Grüße, ')
        expect(error?.details['failure']).to.be.oneOf(['invalid_response', 'truncated'])
      }
    }
  })
})

describe('the framing of an answer whose assembler cannot tell a whole one', () => {
  const calls = testCalls((request) => {
    const { isWhole: _, ...rest } = Object.getOwnPropertyDescriptors(
      createCompletionsAssembler({ vendor: 'test', request, echoesReasoning: false }),
    )
    return Object.defineProperties({}, rest) as AnswerAssembler
  })

  it('a document that is alone is the answer, others are pieces', async () => {
    for (const type of ['application/json', 'text/plain']) {
      for (const body of [JSON.stringify(whole), `${JSON.stringify(whole)}\n`, lines(chunks), `[${JSON.stringify(whole)}]`.slice(1, -1)]) {
        const { text, error } = await calls.outcomeOfBody(body, type)
        expect(error).to.equal(undefined)
        expect(text).to.equal('Grüße, Welt 👋')
      }
    }
  })

  it('the only document before a connection breaks is shown', async () => {
    const { text, error } = await calls.outcomeOfBody(lines(chunks.slice(0, 1)), 'application/json', { end: 'destroy' })
    expect(text).to.equal('Grüße, ')
    expect(error?.details['failure']).to.equal('truncated')
  })
})

describe('a page instead of an answer', () => {
  const calls = testCalls()
  const failureOf = async (page: string, type = 'text/html; charset=utf-8') => (await calls.outcomeOfBody(page, type)).error?.details ?? {}

  it('a page where one signs in is called that, with its title, and asked for once', async () => {
    const page =
      '<!DOCTYPE html><html><head><title>Sign in &amp; go on</title></head><body><form><input type="password"></form></body></html>'
    for (const type of ['text/html', 'application/json', 'text/event-stream', '']) {
      const details = await failureOf(page, type)
      expect(details).to.include({ failure: 'invalid_response', retryable: false })
      expect(details['reason']).to.contain('a page where one signs in').and.contain('“Sign in & go on”').and.contain('base_url')
    }
  })

  it('the error page of a proxy counts as the status in its title', async () => {
    const page = (title: string): string =>
      `<html><head><title>${title}</title></head><body><center><h1>${title}</h1></center></body></html>`
    expect(await failureOf(page('502 Bad Gateway'))).to.include({ failure: 'overloaded', retryable: true, httpStatus: 502 })
    expect((await failureOf(page('502 Bad Gateway')))['reason'])
      .to.contain('an error page')
      .and.contain('“502 Bad Gateway”')
    expect(await failureOf(page('403 Forbidden'))).to.include({ failure: 'authentication', retryable: false })
    expect(await failureOf(page('404 Not Found'))).to.include({ failure: 'bad_request', retryable: false })
  })

  it('a long page is known by what stands far down in it', async () => {
    const page = `<!doctype html>\n<html><head>\n${'<meta name="x" content="y">\n'.repeat(400)}<title>Welcome</title></head>\n<body><input type="password"></body></html>`
    const details = await failureOf(page, 'text/event-stream')
    expect(details).to.include({ failure: 'invalid_response', retryable: false })
    expect(details['reason']).to.contain('“Welcome”')
  })

  it('any other page is an answer that cannot be read', async () => {
    const details = await failureOf('<html><body>Hello</body></html>')
    expect(details).to.include({ failure: 'invalid_response', retryable: true })
    expect(details['reason']).to.contain('a web page').and.contain('“Hello”')
  })
})

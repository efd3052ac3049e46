import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { expect } from 'chai'
import { chatSamples } from './support/chat-samples.js'
import type { FieldSample, WireValue } from './support/field-sample.js'
import { type FieldRow, type Protocol, readFieldTable } from './support/field-table.js'
import { type FieldsKernel, startFieldsKernel } from './support/fields-kernel.js'
import type { Json, WireBody } from './support/recording-upstream.js'
import { responsesSamples } from './support/responses-samples.js'

const samples: Readonly<Record<Protocol, Readonly<Record<string, FieldSample>>>> = { chat: chatSamples, responses: responsesSamples }
const upstreams = ['completions', 'responses'] as const

/** The value at a dotted path. */
const at = (body: WireBody, dotted: string): Json | undefined =>
  dotted.split('.').reduce<Json | undefined>((value, name) => {
    if (typeof value !== 'object' || value === null) return undefined
    return (value as Readonly<Record<string, Json>>)[name]
  }, body)

const readReasoning = new Set(['messages[].reasoning_content', 'input[].summary'])

const paramOf = (field: string): string => field.replaceAll('[]', '[0]')

const rows = await readFieldTable()

describe('the table of fields in kernel/docs/model-api-fields.md', function () {
  this.timeout(30_000)
  let kernel: FieldsKernel

  before(async () => {
    kernel = await startFieldsKernel()
  })
  after(() => kernel?.close())

  it('has a sample for each field, and each sample a row', () => {
    for (const protocol of ['chat', 'responses'] as const) {
      const fields = rows.filter((row) => row.protocol === protocol).map(({ field }) => field)
      expect(fields, 'fields that stand there twice').to.have.length(new Set(fields).size)
      expect(Object.keys(samples[protocol])).to.have.members(fields)
    }
  })

  it('has every field of a request that the official client knows', async () => {
    const types = path.dirname(createRequire(import.meta.url).resolve('openai'))
    const files = { chat: 'chat/completions/completions.d.ts', responses: 'responses/responses.d.ts' }
    const names = { chat: 'ChatCompletionCreateParamsBase', responses: 'ResponseCreateParamsBase' }
    for (const protocol of ['chat', 'responses'] as const) {
      const text = await readFile(path.join(types, 'resources', files[protocol]), 'utf8')
      const members = text.slice(text.indexOf(`export interface ${names[protocol]}`)).split('\n}\n')[0] ?? ''
      const known = [...members.matchAll(/^ {4}(\w+)\??:/gm)].map(([, name = '']) => name)
      expect(known).to.include('model').and.have.length.above(25)
      const listed = new Set(rows.filter((row) => row.protocol === protocol).map(({ field }) => field.split(/[.[]/)[0]))
      expect(known.filter((name) => !listed.has(name))).to.deep.equal([])
    }
  })

  for (const row of rows) {
    it(`holds for ${row.protocol}: ${row.field} (${row.verdict.kind})`, () => hold(row))
  }

  async function hold({ protocol, field, verdict }: FieldRow): Promise<void> {
    const { value, place, wire = {}, param = paramOf(field) } = samples[protocol][field] ?? expect.fail('has no sample')
    for (const group of upstreams) {
      const refuse = async () => {
        const refusal = await kernel.refusal(protocol, group, place(value))
        expect({ status: refusal.status, param: refusal.param }).to.deep.equal({ status: 400, param })
        return refusal
      }
      const plain = () => kernel.wire(protocol, group, place(undefined))
      if (verdict.kind === 'passed on') {
        const sent: WireValue | undefined = wire[group]
        if (sent) expect(at(await kernel.wire(protocol, group, place(value)), sent[0]), sent[0]).to.deep.equal(sent[1])
        else expect((await refuse()).code).to.equal('unsupported_by_model')
      } else if (verdict.kind === 'no effect') {
        const reference = await plain()
        expect(await kernel.wire(protocol, group, place(value))).to.deep.equal(reference)
        // Reasoning is read, and left out by the providers that do not take it.
        const { ignored } = await kernel.ask(protocol, group, place(value))
        if (!readReasoning.has(field)) expect(ignored).to.deep.equal([field])
      } else {
        expect((await refuse()).code).to.equal('unsupported_parameter')
        for (const accepted of verdict.kind === 'only' ? verdict.values : [])
          expect(await kernel.wire(protocol, group, place(accepted as Json))).to.deep.equal(await plain())
        if (verdict.kind === 'only') expect(verdict.values).to.have.length.above(0)
      }
    }
  }

  it('is complete: a field that it does not have is refused with its name, if it could change what is asked for', async () => {
    const tool = { type: 'function', name: 'f', parameters: {} }
    const cases: readonly (readonly [Protocol, object, string])[] = [
      ['chat', { temprature: 0.1 }, 'temprature'],
      ['chat', { messages: [{ role: 'user', content: 'Hi', images: ['x'] }] }, 'messages[0].images'],
      ['chat', { messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi', file: { id: 1 } }] }] }, 'messages[0].content[0].file'],
      ['chat', { tools: [{ type: 'function', function: { name: 'f', examples: [1] } }] }, 'tools[0].function.examples'],
      ['chat', { tools: [{ type: 'function', function: { name: 'f' }, cost: 1 }] }, 'tools[0].cost'],
      ['chat', { response_format: { type: 'json_schema', json_schema: { schema: {}, mode: 'x' } } }, 'response_format.json_schema.mode'],
      ['responses', { temprature: 0.1 }, 'temprature'],
      ['responses', { input: [{ role: 'user', content: 'Hi', attachments: [{}] }] }, 'input[0].attachments'],
      ['responses', { tools: [{ ...tool, examples: [1] }] }, 'tools[0].examples'],
      ['responses', { text: { style: 'terse' } }, 'text.style'],
      ['responses', { text: { format: { type: 'json_object', depth: 2 } } }, 'text.format.depth'],
      ['responses', { reasoning: { depth: 2 } }, 'reasoning.depth'],
    ]
    for (const [protocol, members, param] of cases) {
      const refusal = await kernel.refusal(protocol, 'completions', members)
      expect([refusal.status, refusal.param, refusal.code]).to.deep.equal([400, param, 'unsupported_parameter'])
      expect(refusal.message).to.contain(param)
    }
  })

  it('counts null as absent', async () => {
    const members = {
      n: null,
      store: null,
      logprobs: null,
      logit_bias: null,
      temprature: null,
      messages: [{ role: 'user', content: 'Hi', name: null }],
    }
    expect(await kernel.wire('chat', 'responses', members)).to.deep.equal(await kernel.wire('chat', 'responses', {}))
  })
})

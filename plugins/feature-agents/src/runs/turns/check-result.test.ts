import { createFakeQuotas } from '@agent-service/sdk/testing'
import { expect } from 'chai'
import { createForeignSchemas } from '../../foreign-schemas/foreign-schemas.js'
import { readResult } from './check-result.js'

const schemas = createForeignSchemas({ quotas: createFakeQuotas(), limitMs: 2_000 })
const options = { userId: 'ada', signal: new AbortController().signal }
const read = (text: string, schema = {}) =>
  readResult({ name: 'result', schema }, { content: [{ type: 'text', text }], stopReason: 'stop' }, schemas, options)

describe('the value of a final answer', () => {
  it('is read with and without a fence around it', async () => {
    for (const text of ['{"a":1}', ' \n{"a":1}\n', '```json\n{"a":1}\n```', '  ```  \n\n{"a":\n1}\n\n  ``` \n'])
      expect(await read(text), text).to.deep.equal({ value: { a: 1 } })
    for (const text of ['```json {"a":1} ```', '```ts\n{"a":1}\n```', '```\n', '``````'])
      expect(await read(text), text)
        .to.have.property('problems')
        .that.matches(/not JSON/)
  })

  it('is read in time in proportion to its length', async () => {
    for (const text of ['\n'.repeat(200_000), `\`\`\`${'\n'.repeat(200_000)}x`, `\`\`\`\n${'\n``` '.repeat(50_000)}x`]) {
      // Quadratic time would be minutes, far beyond the limit of a test.
      expect(await read(text))
        .to.have.property('problems')
        .that.matches(/not JSON/)
    }
  })

  it('is refused if the check against its schema takes too long', async () => {
    const { problems } = (await read(`"${'a'.repeat(60)}!"`, { type: 'string', pattern: '^(a|a)*$' })) as { readonly problems: string }
    expect(problems).to.match(/more than 2 seconds/)
  })
})

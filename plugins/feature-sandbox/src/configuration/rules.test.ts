import { expect } from 'chai'
import { rules } from './rules.js'

const facts = { environmentNames: [], catalogue: {}, extensions: [], thirdPartyPoints: [] }
const sound = { disabled: false, max_cpu_pct: 95, max_memory_pct: 80, max_total_cpu_pct: 98, max_total_memory_pct: 90 }
const findings = (changes: object) => rules.flatMap((rule) => rule({ sandbox: { ...sound, ...changes } }, facts))

describe('the rules of section sandbox', () => {
  it('find nothing in the defaults', () => {
    expect(findings({})).to.deep.equal([])
  })

  it('warn when files are not confined, and stop nothing', () => {
    expect(findings({ disabled: true }).map(({ path, severity }) => [path, severity])).to.deep.equal([['sandbox.disabled', 'warning']])
  })

  it('warn of a limit that is never reached', () => {
    expect(findings({ max_total_memory_pct: 50, max_cpu_pct: 99 }).map(({ path }) => path)).to.deep.equal([
      'sandbox.max_cpu_pct',
      'sandbox.max_memory_pct',
    ])
  })
})

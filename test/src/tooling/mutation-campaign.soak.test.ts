import { expect } from 'chai'
import { run } from '../campaigns/mutation.js'

describe('the campaign “mutation”', function () {
  this.timeout(60_000)

  it('tries changes of one package in a copy, and counts those that its tests detect', async () => {
    const lines: string[] = []
    const seed = Number(process.env['SEED'] ?? 1)
    const before = process.env['PACKAGE']
    process.env['PACKAGE'] = 'plugins/feature-model-api'
    try {
      const { killed, beyond, survivors } = await run({ seed, seconds: 15, full: false, print: (line) => lines.push(line) })
      expect(killed + beyond.length + survivors.length).to.equal(2)
      expect(lines[0]).to.equal(`SEED=${seed}`)
      expect(survivors.every((text) => /^plugins\/feature-model-api\/src\/\S+\.ts:\d+: .+ → /.test(text))).to.equal(true)
    } finally {
      if (before === undefined) delete process.env['PACKAGE']
      else process.env['PACKAGE'] = before
    }
  })
})

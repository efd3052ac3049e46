import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { createCollectingRunner } from './collecting-runner.js'
import { collectUncheckedRules } from './unchecked-rules.js'

const unchecked = new URL('./unchecked-rules.js', import.meta.url).href
const suite = `
  import { collectUncheckedRules } from ${JSON.stringify(unchecked)}
  import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
  const runner = { describe, it, before, after, beforeEach, afterEach }
  runner.describe('house', () => {
    collectUncheckedRules(runner, 'house').without('doors', 'they shut')
    runner.it('stands', () => undefined)
  })
`

describe('collectUncheckedRules', () => {
  it('notes one line for each absent input, after the last test, and each rule once', async () => {
    const runner = createCollectingRunner()
    const notesDuringTests: number[] = []
    runner.describe('house', () => {
      const rules = collectUncheckedRules(runner, 'house of straw')
      rules.without('doors', 'they shut', 'they open')
      runner.it('stands', () => {
        rules.without('windows', 'they are clean')
        rules.without('doors', 'they open', 'they have a key')
        notesDuringTests.push(runner.notes.length)
      })
    })
    await runner.run()
    expect(notesDuringTests).to.deep.equal([0])
    expect(runner.notes).to.deep.equal([
      'house of straw: not checked, because “doors” was not given: they shut; they open; they have a key',
      'house of straw: not checked, because “windows” was not given: they are clean',
    ])
  })

  it('notes nothing when everything was given', async () => {
    const runner = createCollectingRunner()
    runner.describe('house', () => {
      collectUncheckedRules(runner, 'house of brick')
      runner.it('stands', () => undefined)
    })
    await runner.run()
    expect(runner.notes).to.deep.equal([])
  })

  it('prints the line under a framework that has no place for notes', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', suite])
    expect(stdout).to.include('house: not checked, because “doors” was not given: they shut\n')
  })
})

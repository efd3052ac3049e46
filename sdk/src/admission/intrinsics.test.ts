import { spawnSync } from 'node:child_process'
import { expect } from 'chai'

const module = new URL('./intrinsics.js', import.meta.url).href

/** What two comparisons say after a change that a program of its own makes, since not all can be undone. */
function linesAfter(change: string, before = ''): readonly (readonly string[])[] {
  const program = `${before}
    const { restoreIntrinsics } = await import(${JSON.stringify(module)})
    const { stringify } = JSON; const { write } = process.stdout
    ${change}
    const lines = [[...restoreIntrinsics()], [...restoreIntrinsics()]]
    write.call(process.stdout, stringify(lines))`
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
  expect(stderr).to.equal('')
  return JSON.parse(stdout) as string[][]
}

const deeds = (lines: readonly string[]): readonly string[] => lines.map((line) => line.split(', but')[0] as string)

describe('what the language provides', () => {
  it('may be wrapped where error trackers and serializers do', () => {
    for (const change of [
      'const text = Function.prototype.toString; Function.prototype.toString = function () { return text.call(this) }',
      'BigInt.prototype.toJSON = function () { return String(this) }',
      `Object.defineProperty(Array.prototype, 'polyfilled', { value: () => 1, configurable: true })`,
    ])
      expect(linesAfter(change), change).to.deep.equal([[], []])
  })

  it('may get the metadata of decorators from a second copy of their library', () => {
    const load = `Object.defineProperty(Reflect, 'getMetadata', { value: () => undefined, configurable: true, writable: true })`
    expect(linesAfter(load, load)).to.deep.equal([[], []])
    expect(deeds(linesAfter('Reflect.get = () => undefined')[0] ?? [])).to.deep.equal(['it replaced Reflect.get'])
  })

  it('gets no member that an await or JSON asks for, also an unseen one', () => {
    for (const [object, key] of [
      ['Array', 'then'],
      ['Map', 'then'],
      ['Array', 'toJSON'],
      ['Error', 'toJSON'],
    ]) {
      const change = `Object.defineProperty(${object}.prototype, '${key}', { value: () => undefined, configurable: true })`
      const [first, second] = linesAfter(change)
      expect(deeds(first ?? []), change).to.deep.equal([`it added ${object}.prototype.${key}`])
      expect(second).to.deep.equal([])
    }
  })

  it('gets its prototypes back', () => {
    const [first, second] = linesAfter('Object.setPrototypeOf(Array.prototype, { then() {} })')
    expect(deeds(first ?? [])).to.deep.equal(['it replaced the prototype of Array.prototype'])
    expect(second).to.deep.equal([])
  })

  it('is told once where it cannot be put back, so that no later plugin is refused for it', () => {
    for (const [change, deed] of [
      ['Object.freeze(Promise.prototype)', 'it locked Promise.prototype.then'],
      [`Object.defineProperty(JSON, 'parse', { get() { throw new Error('no') }, configurable: false })`, 'it replaced JSON.parse'],
      [`Object.defineProperty(Object.prototype, 'added', { value: 1 })`, 'it added Object.prototype.added'],
      ['delete Math.max; Object.preventExtensions(Math)', 'it removed Math.max'],
    ] as const) {
      const [first, second] = linesAfter(change)
      expect(deeds(first ?? []), change).to.include(deed)
      expect(
        first?.every((line) => line.includes('That cannot be put back')),
        change,
      ).to.equal(true)
      expect(second, change).to.deep.equal([])
    }
  })
})

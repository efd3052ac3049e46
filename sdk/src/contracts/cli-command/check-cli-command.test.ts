import { expect } from 'chai'
import { checkCliCommand } from './check-cli-command.js'

describe('the definition of a command', () => {
  const problemsOf = (changes: Readonly<Record<string, unknown>>): readonly string[] =>
    checkCliCommand({
      ...{ specVersion: 1, name: 'dice', summary: 'Roll dice', run: async () => ({ status: 0 }) },
      ...changes,
    }).map(({ path, message }) => `${path} ${message}`)
  const argument = (name: string, required: boolean) => ({ name, required, description: 'what it is' })
  const option = (name: string, more = {}) => ({ name, description: 'what it does', ...more })

  it('holds with everything, and with as little as there must be', () => {
    const options = [option('loaded'), option('number-of-sides', { value: 'sides' })]
    expect(problemsOf({ name: 'dice roll-all', arguments: [argument('count', true), argument('label', false)], options })).to.deep.equal([])
    expect(problemsOf({})).to.deep.equal([])
  })

  for (const [what, changes, problem] of [
    ['three words', { name: 'roll the dice' }, /^\/name /],
    ['upper case', { name: 'Dice' }, /^\/name /],
    ['a word that reads as an option', { name: '--dice' }, /^\/name /],
    ['two lines of summary', { summary: 'Roll\ndice' }, /^\/summary /],
    ['no summary', { summary: undefined }, /^\/summary /],
    ['nothing to run', { run: 'dice' }, /^\/run must be a function/],
    ['a required argument behind an optional one', { arguments: [argument('a', false), argument('b', true)] }, /^\/arguments\/1 .*behind/],
    ['an argument with a space', { arguments: [argument('a b', true)] }, /^\/arguments\/0\/name /],
    ['an option with dashes', { options: [option('--loaded')] }, /^\/options\/0\/name /],
    ['an option twice', { options: [option('loaded'), option('loaded')] }, /^\/options\/1\/name must not be there twice/],
    ['a reserved option', { options: [option('json')] }, /^\/options\/0\/name .*--json belongs to the program/],
    ['an option that denies', { options: [option('no-dice')] }, /^\/options\/0\/name .*--no-dice belongs to the program/],
  ] as const) {
    it(`is refused with ${what}`, () => {
      const problems = problemsOf(changes)
      expect(problems).to.have.length(1)
      expect(problems[0]).to.match(problem)
    })
  }
})

import { expect } from 'chai'
import { contributionChecks } from './index.js'
import { nothing, problemsOf, sound } from './sound-contributions.test.js'

/** Members of the examples that are not required by themselves. */
const alternatives: ReadonlySet<string> = new Set([
  'scheduler.job everySeconds',
  'agent.run-hook mask',
  'search.provider keyVariable',
  'search.provider selfHosted',
])

describe('the checks of contributions', () => {
  it('are there for every point with an example here, and for no other', () => {
    expect([...contributionChecks.keys()]).to.have.members(Object.keys(sound))
  })

  for (const [point, contribution] of Object.entries(sound)) {
    it(`take a sound one of ${point}, also with absent members written as undefined`, () => {
      expect(problemsOf(point, contribution)).to.deep.equal([])
      expect(problemsOf(point, { ...contribution, anything: undefined })).to.deep.equal([])
    })

    it(`name each member that ${point} lacks, and each that it does not have`, () => {
      for (const name of Object.keys(contribution).filter((each) => !alternatives.has(`${point} ${each}`)))
        expect(problemsOf(point, { ...contribution, [name]: undefined }), name).to.include(`/${name} is required`)
      expect(problemsOf(point, { ...contribution, summry: 1 }).join()).to.match(/^\/summry is not known here/)
    })

    it(`refuse something else than an object of ${point}`, () => {
      for (const other of [undefined, null, 'text', 7, [], () => undefined])
        expect(problemsOf(point, other)).to.deep.equal(['/ must be an object'])
    })

    it(`refuse each member of ${point} that has another type`, () => {
      for (const name of Object.keys(contribution))
        expect(problemsOf(point, { ...contribution, [name]: Symbol('x') }).join(), name).to.contain(`/${name}`)
    })
  }

  it('never throw for a member that cannot be read', () => {
    const hostile = Object.defineProperty({ ...sound['tool'] }, 'title', {
      enumerable: true,
      get() {
        throw new Error('not for you')
      },
    })
    expect(problemsOf('tool', hostile)).to.deep.equal(['/title cannot be read: not for you'])
    const nested = Object.defineProperty({}, 'probe', Object.getOwnPropertyDescriptor(hostile, 'title') ?? {})
    expect(problemsOf('tool', { ...sound['tool'], supports: nested })).to.deep.equal(['/supports cannot be read: not for you'])
  })

  it('take an instance of a class that keeps fields of its own', () => {
    class Dice {
      readonly specVersion = 1
      readonly id = 'tool-dice'
      readonly title = 'Dice'
      readonly rolled: readonly number[] = []
      erase = nothing
      export = nothing
      import = nothing
    }
    expect(problemsOf('chat.part', new Dice())).to.deep.equal([])
    expect(problemsOf('chat.part', Object.assign(new Dice(), { title: '' }))).to.deep.equal([
      '/title must be one line of 1 to 200 characters',
    ])
  })

  it('name what is wrong with a schema beside everything else', () => {
    const problems = problemsOf('http.route', {
      ...sound['http.route'],
      summary: '',
      answers: { 200: { description: 'A roll.', schema: { type: 'Date' } } },
      body: { kind: 'json', schema: { not: {} } },
    })
    expect(problems.map((problem) => problem.split(' ')[0])).to.have.members(['/summary', '/answers/200/schema/type', '/body/schema/not'])
  })
})

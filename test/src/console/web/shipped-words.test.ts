import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { runWebModules } from '../support/run-web-modules.js'
import { translated } from '../support/translated-descriptions.js'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const read = (...parts: readonly string[]): string => readFileSync(path.join(root, ...parts), 'utf8')
const namesIn = (folder: string): readonly string[] => readdirSync(path.join(root, folder))

type Reasons = readonly (readonly [english: string, german: string])[]

const englishOf = (reasons: Reasons): readonly string[] => reasons.map(([english]) => english)

describe('what the product says of its parts, in German', () => {
  let words: Readonly<Record<'germanShipped' | 'germanTitles' | 'germanFindings', Reasons>> & {
    readonly germanDescriptions: Readonly<Record<string, string>>
    readonly germanAgentNames: Readonly<Record<string, string>>
    readonly agentName: (name: string) => string
    readonly chooseLanguage: (language: 'en' | 'de') => void
  }
  before(async () => {
    words = await runWebModules([
      'ui/shipped-words.ts',
      'ui/agent-name.ts',
      'i18n/language.ts',
      'screens/plugins/words-de.ts',
      'screens/health/check-words.ts',
    ])
  })

  it('covers the descriptions of all shipped agents and skills, and no others', () => {
    const agents = namesIn('resources/agents').map(
      (file) => (JSON.parse(read('resources/agents', file)) as { description: string }).description,
    )
    const skills = namesIn('resources/skills').map((name) => /^description: (.*)$/m.exec(read('resources/skills', name, 'SKILL.md'))?.[1])
    expect(englishOf(words.germanShipped)).to.have.members([...agents, ...skills])
  })

  it('covers the names of all shipped agents, and leaves others as their owners call them', () => {
    const shipped = namesIn('resources/agents').map((file) => (JSON.parse(read('resources/agents', file)) as { name: string }).name)
    expect(Object.keys(words.germanAgentNames)).to.have.members(shipped)
    words.chooseLanguage('de')
    expect(['Editor', 'Edith', 'constructor'].map(words.agentName)).to.deep.equal(['Lektor', 'Edith', 'constructor'])
    words.chooseLanguage('en')
    expect(words.agentName('Editor')).to.equal('Editor')
  })

  it('covers the descriptions of all plugins, as they are, and no others', () => {
    // What is only announced is not built, and not shown.
    const built = namesIn('plugins').filter((name) => existsSync(path.join(root, 'plugins', name, 'dist/plugin.json')))
    const own = built.map(
      (name) => JSON.parse(read('plugins', name, 'dist/plugin.json')) as { readonly id: string; readonly description: string },
    )
    expect(built.length).to.be.greaterThan(50)
    expect(Object.keys(words.germanDescriptions)).to.have.members(own.map(({ id }) => id))
    // One that says another thing by now needs another German sentence.
    expect(Object.fromEntries(own.map(({ id, description }) => [id, description]))).to.deep.equal(translated)
  })

  it('covers the titles of the checks, and the sentences that they find', () => {
    const sources = [
      ...['browser', 'mail', 'search', 'skills', 'sso', 'tasks'].map((name) => `plugins/feature-${name}/src/doctor.ts`),
      'plugins/memory-pkm/src/ontology/doctor.ts',
      'kernel/cli/src/composition/health-routes.ts',
      'sdk/src/contracts/sandbox-driver/sandbox-doctor-check.ts',
    ].map((file) => read(file))
    const titles = sources.flatMap((source) => [...source.matchAll(/\btitle: '([^']+)'/g)].map(([, title]) => title))
    expect(englishOf(words.germanTitles)).to.have.members([...new Set(titles)])
    const findings = sources.flatMap((source) => [...source.matchAll(/\btext: '([^']+)'/g)].map(([, text]) => text))
    expect(findings.length).to.be.greaterThan(3)
    expect(englishOf(words.germanFindings)).to.include.members(findings)
  })

  it('is German', () => {
    for (const reasons of [words.germanShipped, words.germanFindings])
      for (const [english, german] of reasons) expect(german, english).to.not.equal(english)
  })
})

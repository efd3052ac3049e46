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
  let words: Readonly<Record<'germanShipped' | 'germanPermissions' | 'germanTaskFailures' | 'germanTitles' | 'germanFindings', Reasons>> & {
    readonly germanDescriptions: Readonly<Record<string, string>>
    readonly germanAgentNames: Readonly<Record<string, string>>
    readonly agentName: (name: string) => string
    readonly taskNotificationText: (text: string) => string
    readonly taskFailureText: (message: string) => { readonly text: string; readonly lang: string }
    readonly chooseLanguage: (language: 'en' | 'de') => void
  }
  before(async () => {
    words = await runWebModules([
      'sdk/web/ui/shipped-words.ts',
      'sdk/web/ui/agent-name.ts',
      'sdk/web/i18n/language.ts',
      'plugins/feature-console/web/screens/plugins/permissions-de.ts',
      'sdk/web/i18n/reasons/task-failures.ts',
      'plugins/feature-console/web/screens/plugins/words-de.ts',
      'plugins/feature-console/web/screens/health/check-words.ts',
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

  it('covers the reasons for which plugins need what they may do, and no others', () => {
    const built = namesIn('plugins').filter((name) => existsSync(path.join(root, 'plugins', name, 'dist/plugin.json')))
    const reasons = built.flatMap((name) => {
      const { permissions = [] } = JSON.parse(read('plugins', name, 'dist/plugin.json')) as {
        readonly permissions?: readonly { readonly reason: string }[]
      }
      return permissions.map(({ reason }) => reason)
    })
    expect(reasons.length).to.be.greaterThan(40)
    expect(englishOf(words.germanPermissions)).to.have.members([...new Set(reasons)])
  })

  it('covers every sentence with which tasks fail, are cancelled, or are late', () => {
    const engine = namesIn('plugins/feature-tasks/src/engine').filter((name) => name.endsWith('.ts') && !name.includes('.test.'))
    const sources = engine.map((name) => read('plugins/feature-tasks/src/engine', name))
    const patterns = [
      /\bmessage:\s*'([^']+)'/g,
      /\bmessage:\s*`([^`$]*\$\{message\})`/g,
      /\bconst message = .*?['`]([^'`]+)['`]$/gm,
      /\?\? '([^']{20,})'/g,
    ]
    const found = sources.flatMap((source) => patterns.flatMap((pattern) => [...source.matchAll(pattern)].map(([, text = '']) => text)))
    const said = [...new Set(found.map((text) => text.replaceAll(/\$\{[^}]*\}/g, 'X')))]
    words.chooseLanguage('de')
    expect(said.length).to.be.greaterThan(18)
    expect(said.filter((text) => words.taskFailureText(text).lang !== 'de')).to.deep.equal([])
    expect(words.taskFailureText('It is tried again: The model could not be called: busy').text).to.equal(
      'Sie wird noch einmal versucht: Das Modell ließ sich nicht aufrufen: busy',
    )
    const told = 'The task was cancelled.\n\nIt has failed 3 more times since the last e-mail about it.\n\nIt burns.'
    expect(words.taskNotificationText(told)).to.equal(
      'Die Aufgabe wurde abgebrochen.\n\nSie ist seit der letzten E-Mail darüber noch 3-mal gescheitert.\n\nIt burns.',
    )
    expect(words.taskFailureText('It burns.')).to.deep.equal({ text: 'It burns.', lang: 'en' })
    words.chooseLanguage('en')
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
    for (const reasons of [words.germanShipped, words.germanPermissions, words.germanTaskFailures, words.germanFindings])
      for (const [english, german] of reasons) expect(german, english).to.not.equal(english)
  })
})

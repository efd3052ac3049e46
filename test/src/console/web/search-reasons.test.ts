import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const textOf = (file: string): string => readFileSync(fileURLToPath(new URL(`../../../../plugins/${file}`, import.meta.url)), 'utf8')

describe('the reasons of web search in German', () => {
  it('cover every reason that the service has for a provider that cannot be used, and no other', () => {
    const templates = [
      ...textOf('feature-search/src/selection/choose-provider.ts').matchAll(/(?:missing\(|reason = |[?:] )`([^`]+)`/g),
    ].map(([, text = '']) => text.replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, '{}'))
    const known = [...textOf('feature-search/web/screens/web-access/reasons.ts').matchAll(/\['([^']+)', '([^']+)'\]/g)]
    expect(known.map(([, english]) => english)).to.have.members(templates)
    for (const [, english = '', german = ''] of known) expect(german.split('{}').length, english).to.equal(english.split('{}').length)
  })
})

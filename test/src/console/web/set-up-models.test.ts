import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { closeBrowser, openPage } from '../open-page.js'
import { bundleWebModules, callExport, openWebModules } from '../support/web-modules.js'

const offered = (id: string, input?: number, more: Readonly<Record<string, unknown>> = {}) => ({
  ...{ id, name: null, context_window: null, max_output_tokens: null, input: [], abilities: [], answers: null, tools: null },
  ...{ price: input === undefined ? null : { input, output: input * 4 }, ...more },
})
const brand = (id: string, name: string, more: Readonly<Record<string, unknown>> = {}) => ({
  id,
  name,
  kind: 'built_in',
  enabled: true,
  ...more,
})

describe('what the set-up recommends', () => {
  let page: Page
  before(async () => {
    page = (await openPage({ url: 'http://console.localhost' })).page
    await openWebModules(
      page,
      await bundleWebModules([
        'plugins/feature-inference/web/screens/models/recommended-models.ts',
        'plugins/feature-inference/web/screens/providers/form/brands.ts',
        'sdk/web/i18n/language.ts',
      ]),
    )
  })
  after(() => closeBrowser())

  it('is a small model of the same kind: most in common first, then the cheapest', async () => {
    const small = (main: string, models: readonly unknown[]) => callExport(page, 'smallModelFor', main, models)
    const openai = [offered('gpt-5', 1.25), offered('gpt-5-mini', 0.25), offered('gpt-5-nano', 0.05), offered('gpt-4.1-nano', 0.1)]
    expect(await small('gpt-5', openai)).to.equal('gpt-5-nano')
    const anthropic = [
      offered('claude-sonnet-4-5', 3),
      offered('claude-3-haiku', 0.25),
      offered('claude-haiku-4-5', 1),
      offered('claude-opus-4-5', 5),
    ]
    expect(await small('claude-sonnet-4-5', anthropic)).to.equal('claude-haiku-4-5')
    expect(await small('house-large', [offered('house-large'), offered('house-small')])).to.equal('house-small')
  })

  it('is none if there is no such one, it takes no tools, or it costs more', async () => {
    const small = (models: readonly unknown[]) => callExport(page, 'smallModelFor', 'house-large', models)
    expect(await small([offered('house-large', 1), offered('house-huge', 2)])).to.equal(undefined)
    expect(await small([offered('house-large', 1), offered('house-mini', 0.1, { tools: false })])).to.equal(undefined)
    expect(await small([offered('house-large', 1), offered('house-mini', 2)])).to.equal(undefined)
    expect(await small([offered('house-large', 1), offered('other-mini', 0.1)])).to.equal(undefined)
  })

  it('gives a further model a name of its own', async () => {
    expect(await callExport(page, 'groupNameFor', 'vendor/Big.Model:free', ['primary'])).to.equal('big-model-free')
    expect(await callExport(page, 'groupNameFor', 'small', ['primary', 'small'])).to.equal('small-2')
  })

  it('are the common brands, filled up, and any other one is found by its name', async () => {
    const brands = [
      ...[brand('openai', 'OpenAI'), brand('groq', 'Groq'), brand('anthropic', 'Anthropic'), brand('ollama', 'Ollama')],
      ...[brand('deepseek', 'DeepSeek'), brand('xai', 'xAI'), brand('opencode', 'OpenCode', { kind: 'compatible' })],
    ]
    const idsOf = async (found: Promise<unknown>) => ((await found) as readonly { readonly id: string }[]).map(({ id }) => id)
    expect(await idsOf(callExport(page, 'commonBrands', brands))).to.deep.equal([
      'openai',
      'anthropic',
      'ollama',
      'groq',
      'deepseek',
      'xai',
    ])
    expect(await idsOf(callExport(page, 'matchingBrands', brands, ' open'))).to.deep.equal(['openai', 'opencode'])
    expect(await idsOf(callExport(page, 'matchingBrands', brands, 'ai'))).to.deep.equal(['openai', 'xai'])
  })
})

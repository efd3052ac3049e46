import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Api } from '../../support/api.js'

export const demoPlugin = path.resolve(fileURLToPath(new URL('../../../../examples/provider-scripted', import.meta.url)))

/** The environment of a service with the model of the demo, which pauses this long between words. */
export const demoEnvironment = (wordDelayMs: number): Readonly<Record<string, string>> => ({
  SERVICE_PLUGINS_SETTINGS: JSON.stringify({ 'provider-scripted': { models: { demo: { word_delay_ms: wordDelayMs, plays_demo: true } } } }),
  SERVICE_PROVIDERS: JSON.stringify({ demo: { provider: 'demo', adapter: 'adapter_scripted', base_url: 'http://demo.invalid' } }),
  SERVICE_MODELS: JSON.stringify({ primary: { provider: 'demo', model: 'demo', api: 'scripted' } }),
})

export const ideaNames = ['approval', 'chart', 'file', 'table', 'task'] as const
type IdeaName = (typeof ideaNames)[number]

const texts = (language: 'en' | 'de'): string =>
  fileURLToPath(new URL(`../../../../plugins/feature-agents/web/texts/${language}.json`, import.meta.url))

/** What the ideas of the start page write into the field, as its own texts have it. */
export function ideaTexts(language: 'en' | 'de'): Readonly<Record<IdeaName, string>> {
  const { home } = JSON.parse(readFileSync(texts(language), 'utf8')) as { readonly home: Readonly<Record<string, string>> }
  const found = ideaNames.map((name) => {
    const text = home[`idea_${name}_text`]
    if (text === undefined) throw new Error(`The start page has no text of the idea ${name} in ${language}.`)
    return [name, text] as const
  })
  return Object.fromEntries(found) as Record<IdeaName, string>
}

/** All that the agent has said in a chat. */
export async function saidIn(ada: Api, chat: string): Promise<string> {
  const { items } = (await ada.request('GET', `/api/chats/${chat}/messages`)).body as {
    readonly items: readonly { readonly role: string; readonly content: readonly { readonly text?: string }[] }[]
  }
  return items.flatMap(({ role, content }) => (role === 'assistant' ? content.flatMap(({ text }) => text ?? []) : [])).join('\n')
}

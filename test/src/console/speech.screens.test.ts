import { expect } from 'chai'
import { type AgentsKernel, startAgentsKernel } from '../agents/support/agents-kernel.js'
import { says, setScript } from '../agents/support/scripted-plugin.js'
import { ask, openChat } from './chat-support.js'
import { type ConsolePage, closeBrowser, openPage } from './open-page.js'

interface TextField {
  readonly selectionStart: number
  setSelectionRange(start: number, end: number): void
}

const ada = { username: 'ada', password: 'a long enough password' }

/** The browser of the tests has neither voices nor a recognition: both are played, and what the console asks of them is kept. */
const played = `
  const spoken = (window.spoken = [])
  let current
  Object.defineProperty(window, 'speechSynthesis', { value: Object.assign(new EventTarget(), {
    getVoices: () => [
      { voiceURI: 'anna', name: 'Anna', lang: 'de-DE', default: true },
      { voiceURI: 'kate', name: 'Kate', lang: 'en-GB' },
    ],
    speak(utterance) { current = utterance; spoken.push([utterance.text, utterance.voice?.name, utterance.rate]) },
    cancel() { const was = current; current = undefined; was?.onerror?.({ error: 'canceled' }) },
  }), configurable: true })
  window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text } }
  window.isSpeaking = () => current !== undefined
  window.endSentence = () => { const was = current; current = undefined; was.onend() }
  window.failSentence = (error) => { const was = current; current = undefined; was.onerror({ error }) }
  const listeners = (window.listeners = [])
  window.SpeechRecognition = window.webkitSpeechRecognition = class extends EventTarget {
    start() { listeners.push(this) }
    stop() { this.dispatchEvent(new Event('end')) }
    abort() { this.stop() }
  }
  window.hear = (...results) => listeners.at(-1).dispatchEvent(Object.assign(new Event('result'), { results: results.map((transcript) => [{ transcript }]) }))
  window.fail = (error) => { const last = listeners.at(-1); last.dispatchEvent(Object.assign(new Event('error'), { error })); last.stop() }
`

describe('reading aloud and dictation in the console', function () {
  this.timeout(120_000)
  let agents: AgentsKernel
  let opened: ConsolePage
  before(async () => {
    setScript({ answer: () => says('The **first** sentence. The second one 🎉.\n\n```js\na()\n```') })
    agents = await startAgentsKernel()
    opened = await openPage(agents.kernel, { credentials: ada, at: 'none' })
    await opened.context.addInitScript(played)
    await opened.open('/')
  })
  after(async () => {
    await closeBrowser()
    await agents.close()
  })
  const button = (name: string) => opened.page.getByRole('button', { name, exact: true })
  const spoken = () => opened.page.evaluate<readonly (readonly unknown[])[]>('spoken')
  const marked = () => opened.page.evaluate("[...(CSS.highlights.get('read-aloud') ?? [])].map(String)")
  const field = () => opened.page.getByRole('textbox', { name: 'Message' })
  const rest = () => button('Dictate').waitFor()

  it('read an answer sentence by sentence, pause, go on, and end', async () => {
    const { page, inspect, complaints } = opened
    await openChat(opened)
    await ask(opened, 'Say two sentences')
    await button('Read aloud').click()
    expect(await spoken()).to.deep.equal([['The first sentence.', 'Kate', 1]])
    expect(await marked()).to.deep.equal(['The first sentence.'])
    await page.evaluate('endSentence()')
    expect((await spoken()).at(-1)?.[0]).to.equal('The second one .')
    expect(await inspect('reading-aloud')).to.deep.equal([])
    await button('Pause reading').click()
    await button('Go on reading').click()
    expect((await spoken()).map(([text]) => text).slice(1)).to.deep.equal(['The second one .', 'The second one .'])
    await page.evaluate('endSentence()')
    expect((await spoken()).at(-1)?.[0]).to.equal('Code, 1 line.')
    await page.evaluate('endSentence()')
    await button('Read aloud').waitFor()
    expect(await marked()).to.deep.equal([])
    expect(complaints).to.deep.equal([])
  })

  it('read one answer at a time, by a key too, and none once the chat is left', async () => {
    const { page } = opened
    await ask(opened, 'And again')
    await button('Read aloud').nth(1).waitFor()
    await button('Read aloud').first().click()
    await button('Read aloud').click()
    expect(await button('Stop reading').count()).to.equal(1)
    await button('Stop reading').click()
    await page.locator('.chat > .chat-scroll').focus()
    await page.keyboard.press('v')
    await button('Stop reading').waitFor()
    await page.evaluate("failSentence('network')")
    await page.getByText('The voice comes from the network').first().waitFor()
    await button('Read aloud').nth(1).click()
    const before = (await spoken()).length
    await page.keyboard.press('g')
    await page.keyboard.press('h')
    await page.getByLabel('What should get done?').waitFor()
    expect(await page.evaluate('isSpeaking()')).to.equal(false)
    expect(await spoken()).to.have.length(before)
  })

  it('say where the sound goes before the first dictation, and listen only then', async () => {
    const { page, complaints } = opened
    await openChat(opened)
    await field().fill('Dear , bye')
    await field().evaluate((element: TextField) => element.setSelectionRange(5, 5))
    await button('Dictate').click()
    const note = page.getByRole('dialog', { name: 'Where the sound goes' })
    await note.getByRole('button', { name: 'Do not dictate' }).click()
    expect(await page.evaluate('listeners.length')).to.equal(0)
    await button('Dictate').click()
    await note.getByRole('button', { name: 'Dictate', exact: true }).click()
    await button('Stop dictating').waitFor()
    expect(await page.evaluate('[listeners[0].lang, listeners[0].interimResults]')).to.deep.equal(['en-GB', true])
    await page.evaluate("hear('Ada')")
    expect(await field().inputValue()).to.equal('Dear Ada, bye')
    await field().evaluate((element: TextField) => element.setSelectionRange(0, 0))
    await page.keyboard.type('My ')
    await page.evaluate("hear('Ada', ' Lovelace')")
    expect(await field().inputValue()).to.equal('My Dear Ada Lovelace, bye')
    expect(await field().evaluate((element: TextField) => element.selectionStart)).to.equal(3)
    await page.keyboard.press('Escape')
    await rest()
    await button('Dictate').click()
    await button('Stop dictating').click()
    await rest()
    expect(complaints).to.deep.equal([])
  })

  it('end a dictation with the message that is sent, and name the cause of a failure', async () => {
    const { page, inspect } = opened
    await button('Dictate').click()
    await page.evaluate("hear('to be sent')")
    expect(await inspect('dictating')).to.deep.equal([])
    await page.keyboard.press('Enter')
    await page.locator('.turn.you', { hasText: 'to be sent' }).waitFor()
    await page.evaluate("hear('to be sent', ' and more')")
    await rest()
    expect(await field().inputValue()).to.equal('')
    const causes = {
      'not-allowed': 'does not let this page use the microphone',
      'audio-capture': 'No microphone was found',
      network: 'did not reach what recognises speech',
      'bad-grammar': 'could not recognise speech: bad-grammar',
    }
    for (const [error, words] of Object.entries(causes)) {
      await button('Dictate').click()
      await button('Stop dictating').waitFor()
      await page.evaluate(`fail('${error}')`)
      await page.getByText(words).first().waitFor()
      await rest()
    }
  })

  it('have a voice, a speed and a language by choice, kept on this device', async () => {
    const { page, inspect } = opened
    await opened.open('/profile')
    await page.getByLabel('Speed of reading').selectOption('1.5')
    await page.getByLabel('Voice that reads').selectOption('kate')
    await page.getByLabel('Language of dictations').selectOption('de-AT')
    expect(await inspect('speech-choices')).to.deep.equal([])
    await openChat(opened)
    await ask(opened, 'Once more')
    await button('Read aloud').click()
    expect((await spoken()).at(-1)).to.deep.equal(['The first sentence.', 'Kate', 1.5])
    await button('Dictate').click()
    expect(await page.evaluate('listeners.at(-1).lang')).to.equal('de-AT')
  })

  it('are not offered where the browser has neither, and give the microphone to no frame', async () => {
    const { page, context } = opened
    const allowed = await page.evaluate("document.featurePolicy?.getAllowlistForFeature('microphone') ?? null")
    const { headers } = { headers: (await context.request.get('/')).headers() }
    expect(headers['permissions-policy']).to.include('microphone=(self)')
    if (allowed !== null) expect(allowed).to.deep.equal([new URL(page.url()).origin])
    await context.addInitScript('delete window.speechSynthesis; delete window.webkitSpeechRecognition; delete window.SpeechRecognition')
    await openChat(opened)
    await ask(opened, 'And now')
    await button('Copy').nth(1).waitFor()
    expect(await button('Read aloud').count()).to.equal(0)
    expect(await button('Dictate').count()).to.equal(0)
    await opened.open('/profile')
    expect(await page.getByText('Reading aloud and dictation').count()).to.equal(0)
  })
})

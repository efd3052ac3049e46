import { createTestKernel, type TestKernel } from '@agent-service/kernel/testing'
import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { demoEnvironment, demoPlugin } from '../demo/support/demo-ideas.js'
import { closeBrowser, looks, openPage } from './open-page.js'

const words = {
  'en-GB': {
    ideas: ['Introduce yourself', 'Draw a chart', 'Compare three options', 'Plan something'],
    list: 'Ideas to begin with',
    file: 'Write a checklist',
    banner: 'This is a demo',
    read: 'Got it',
    answer: 'Answer',
    once: 'Approve once',
    results: [/profile now says Ada/, /population\.svg|moving\.md/, /External disk/, /every Friday at 16:00/],
    task: 'Weekly review',
  },
  'de-DE': {
    ideas: ['Dich vorstellen', 'Ein Diagramm zeichnen', 'Drei Möglichkeiten', 'Etwas planen'],
    list: 'Ideen für den Anfang',
    file: 'Eine Checkliste schreiben',
    banner: 'Das ist eine Demo',
    read: 'Verstanden',
    answer: 'Antworten',
    once: 'Einmal erlauben',
    results: [/steht jetzt Ada/, /bevoelkerung\.svg|umzug\.md/, /Externe Festplatte/, /jeden Freitag um 16:00/],
    task: 'Wochenrückblick',
  },
} as const

describe('the first minute with the demo in the console', function () {
  this.timeout(120_000)
  let kernel: TestKernel
  before(async () => {
    kernel = await createTestKernel({ plugins: [demoPlugin], environment: demoEnvironment(0), demo: true })
  })
  after(async () => {
    await closeBrowser()
    await kernel.stop()
  })

  for (const [locale, look] of [
    ['en-GB', looks[0]],
    ['de-DE', looks[3]],
  ] as const)
    it(`leads from each of four ideas to its result, in ${locale} (${look.theme}, ${look.size})`, async () => {
      const said = words[locale]
      const { page, complaints, inspect, close } = await openPage(kernel, { locale, look })
      await page.goto(`/#demo=${kernel.auth.issueDemoLink?.()}`)
      const ideas = page.getByRole('list', { name: said.list }).getByRole('button')
      const banner = page.locator('.banner')
      await ideas.nth(3).waitFor()
      const titles = await ideas.allInnerTexts()
      // Without a sandbox the file is written by the agent itself.
      for (const [index, title] of said.ideas.entries()) {
        expect(titles[index]).to.satisfy((text: string) => text.startsWith(title) || (index === 1 && text.startsWith(said.file)))
      }
      expect(titles).to.have.length(4)
      expect(await banner.allInnerTexts()).to.have.length(1)
      expect(await banner.innerText()).to.include(said.banner)
      expect(await inspect(`demo-home-${locale}`)).to.deep.equal([])
      for (const [index, result] of said.results.entries()) {
        await begin(page, said.list, index)
        if (index === 0) {
          await page.locator('section.ask textarea').fill('Ada')
          await page.getByRole('button', { name: said.answer, exact: true }).click()
        }
        if (index === 0 || (index === 1 && titles[1]?.startsWith(said.ideas[1])))
          await page.getByRole('button', { name: said.once }).click()
        await page.locator('.turn.agent .prose', { hasText: result }).waitFor()
        expect(await banner.count()).to.equal(1)
      }
      await page.goto('/tasks')
      const task = page.locator('main').getByText(said.task).first()
      await task.waitFor()
      await banner.getByRole('button', { name: said.read }).click()
      await banner.waitFor({ state: 'detached' })
      await page.reload()
      await task.waitFor()
      expect(await banner.count()).to.equal(0)
      expect(complaints).to.deep.equal([])
      await close()
    })
})

/** Sends an idea by keyboard. */
async function begin(page: Page, list: string, index: number): Promise<void> {
  if (new URL(page.url()).pathname !== '/') await page.goto('/')
  const idea = page.getByRole('list', { name: list }).getByRole('button').nth(index)
  await idea.waitFor()
  await idea.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/chats\/[^/]+$/)
}

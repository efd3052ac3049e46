import { expect } from 'chai'
import { originsOf, saidHtml } from './said.js'

const urls = {
  api: (path: string) => `https://api.service.example/base${path}`,
  external: (path: string) => `https://service.example${path}`,
  page: (path: string) => `https://service.example${path}`,
}

async function html(markdown: string): Promise<string> {
  let all = ''
  for await (const piece of saidHtml(markdown, { breaks: false, ownOrigins: originsOf(urls) })) all += piece
  return all
}

describe('what is said on the page of a link', () => {
  it('has its tables in a box that scrolls', async () => {
    expect(await html('|a|\n|-|\n|1|')).to.match(/^<div class="wide" tabindex="0"><table dir="ltr">.*<\/table><\/div>$/)
  })

  it('has no link that begins an operation at any address of the service', async () => {
    for (const origin of ['https://service.example', 'https://api.service.example'])
      expect(await html(`[a](${origin}/api/auth/sso/login?confirm=true)`)).to.equal('<p dir="auto">a</p>')
    expect(await html('[a](https://service.example/p/abc)')).to.contain('href="https://service.example/p/abc"')
  })

  it('is formatted up to a length, and is there in whole', async () => {
    const shown = await html('**word**\n\n'.repeat(40_000))
    expect(shown.match(/<strong>/g)?.length).to.be.within(25_000, 30_000)
    expect(shown.match(/word/g)).to.have.length(40_000)
  })

  it('lets others work after each piece', async () => {
    let turns = 0
    let isDone = false
    const work = html('word\n\n'.repeat(10_000)).finally(() => {
      isDone = true
    })
    while (!isDone) {
      await new Promise((resolve) => setImmediate(resolve))
      turns += 1
    }
    await work
    expect(turns).to.be.above(10)
  })
})

import { expect } from 'chai'
import { mrkdwnOf } from './mrkdwn.js'
import { blocksOf, targetOf } from './outgoing.js'

describe('texts for Slack', () => {
  it('puts Markdown into the marks of Slack', () => {
    const texts = {
      '# A *title*': '*A _title_*',
      '**bold**, *slanted*, ~~gone~~, `a < b`': '*bold*, _slanted_, ~gone~, `a &lt; b`',
      '[the town](https://town.example/?a=1&b=2)': '<https://town.example/?a=1&amp;b=2|the town>',
      '- one\n- two\n  - three': '• one\n• two\n    • three',
      '```js\nif (a < b) {}\n```': '```\nif (a &lt; b) {}\n```',
      '> said\n> so': '> said\n> so',
    }
    for (const [markdown, text] of Object.entries(texts)) expect(mrkdwnOf(markdown)).to.equal(text)
  })

  it('leaves nothing of a model that Slack would act on', () => {
    const hostile = [
      '<!channel>',
      '<@UANN>',
      '<!here|x>',
      '`<!everyone>`',
      '```\n<!channel>\n```',
      '[x](!channel)',
      '[x](<@UANN>)',
      '&lt;!channel&gt;',
      '\\<!here>',
    ]
    for (const text of [...hostile, '![x](javascript:alert(1))', '<b><!channel></b>', '| <!here> |\n|-|\n| <@U1> |'])
      expect(mrkdwnOf(text)).not.to.match(/<[!@#]|<javascript/)
    expect(mrkdwnOf('[<!channel>](https://a.example/<!here>|x)')).not.to.match(/<[!@#]/)
    expect(mrkdwnOf('[a|b](https://a.example/|<!here>)')).not.to.match(/<[!@#]/)
  })

  it('reads hostile texts in a moment', () => {
    for (const text of ['> '.repeat(2_000), '*'.repeat(4_000), '['.repeat(4_000), '- '.repeat(2_000), '_a'.repeat(2_000)])
      expect(mrkdwnOf(text).length).to.be.below(40_000)
  })

  it('shows emphasis beyond what one text may have as it was written', () => {
    const shown = mrkdwnOf('**a** '.repeat(200)).split(' ')
    expect(shown.filter((word) => word === '*a*')).to.have.length(120)
    expect(shown.filter((word) => word === '**a**')).to.have.length(80)
    expect(mrkdwnOf('a*_'.repeat(1_300))).to.have.length(3_900)
  })

  it('keeps each section within what Slack takes, also when everything is escaped', () => {
    const blocks = blocksOf('& '.repeat(2_000), [{ label: 'Yes', value: 'yes' }]) as readonly {
      readonly text?: { readonly text: string }
    }[]
    expect(blocks.length).to.be.within(3, 50)
    for (const { text } of blocks.slice(0, -1)) expect(text?.text.length).to.be.within(1, 3_000)
  })

  it('knows channels and threads, and nothing else', () => {
    expect(targetOf('C1')).to.deep.equal({ channel: 'C1' })
    expect(targetOf('C1:1790000000.000100')).to.deep.equal({ channel: 'C1', thread_ts: '1790000000.000100' })
    for (const id of ['', 'general', 'C1:', 'C1:x', 'C1&x'])
      expect(() => targetOf(id))
        .to.throw()
        .with.property('code', 'channel_rejected')
  })
})

import { expect } from 'chai'
import { metricText } from './metric-text.js'

describe('metricText', () => {
  it('writes each series on a line of its own, with labels escaped', () => {
    const text = metricText([
      {
        ...{ name: 'things_total', help: 'Things.', kind: 'counter' },
        samples: () => [
          { labels: { plugin: 'notes' }, value: 3 },
          { labels: { plugin: 'a "b" \\ c\nd' }, value: 1 },
        ],
      },
      { name: 'open', help: 'Open.', kind: 'gauge', samples: () => [{ labels: {}, value: 0 }] },
    ])
    expect(text.split('\n')).to.deep.equal([
      '# HELP things_total Things.',
      '# TYPE things_total counter',
      'things_total{plugin="notes"} 3',
      'things_total{plugin="a \\"b\\" \\\\ c\\nd"} 1',
      '# HELP open Open.',
      '# TYPE open gauge',
      'open 0',
      '',
    ])
  })

  it('returns no text without metrics', () => {
    expect(metricText([])).to.equal('')
  })
})

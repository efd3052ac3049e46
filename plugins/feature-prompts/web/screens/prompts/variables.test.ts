import { expect } from 'chai'
import { filledIn, variablesOf } from './variables.js'

describe('the variables of a prompt', () => {
  it('are asked for once, with their first default; other braces are left alone', () => {
    const text = '{{language=German}} {{ text }} {{language}} {{date}} {{a=}} {{a=1}} {{}} {x} {{1}} {{a|b}} {{größe = 2 }}'
    expect(variablesOf(text)).to.deep.equal([
      { name: 'language', preset: 'German' },
      { name: 'text', preset: '' },
      { name: 'a', preset: '1' },
      { name: 'größe', preset: '2' },
    ])
  })

  it('are filled in once: what looks like a variable in a value stays', () => {
    const values = { language: '{{text}}', text: '$& <b>' }
    const filled = filledIn('{{language}}/{{text=a}}/{{date}}/{{other=1}}/{{constructor}}', values, 'today')
    expect(filled).to.equal('{{text}}/$& <b>/today/{{other=1}}/{{constructor}}')
  })
})

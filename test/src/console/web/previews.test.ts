import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { closeBrowser, openPage } from '../open-page.js'
import { bundleWebModules, callExport, openWebModules } from '../support/web-modules.js'

interface Table {
  readonly header?: readonly string[]
  readonly rows: readonly (readonly string[])[]
  readonly columnCount: number
  readonly isCut: boolean
  readonly numeric: readonly boolean[]
}

describe('previews of files', function () {
  this.timeout(60_000)
  let page: Page
  before(async () => {
    ;({ page } = await openPage({ url: 'http://console.localhost' }))
    await openWebModules(
      page,
      await bundleWebModules(['sdk/web/preview/parse-table.ts', 'sdk/web/preview/content-kind.ts', 'sdk/web/preview/read-beside.ts']),
    )
  })
  after(() => closeBrowser())

  const read = async (text: string, name = 'a.csv'): Promise<Table> => (await callExport(page, 'parseTable', text, name)) as Table

  const cells: Readonly<
    Record<string, readonly [text: string, header: readonly string[] | undefined, rows: readonly (readonly string[])[]]>
  > = {
    commas: ['a,b\n1,2\n', ['a', 'b'], [['1', '2']]],
    'semicolons with commas in numbers': ['a;b\r\n1,5;2\r\n', ['a', 'b'], [['1,5', '2']]],
    'a delimiter that the file names': ['sep=|\na|b\nx|y', ['a', 'b'], [['x', 'y']]],
    'quotes, with delimiters, lines and quotes in them': ['a,b\n"x,""y""\nz",2\n', ['a', 'b'], [['x,"y"\nz', '2']]],
    'text behind a quote': ['a,b\n"x"y,2\n', ['a', 'b'], [['xy', '2']]],
    'a quote that is never closed': ['a,b\n"x,2\n3,4', ['a', 'b'], [['x,2\n3,4']]],
    'a mark at the beginning': ['\uFEFFa,b\n1,2', ['a', 'b'], [['1', '2']]],
    'empty lines, and an empty cell at the end': ['a,b\n\n1,\n', ['a', 'b'], [['1', '']]],
    'no header': [
      '1,2\n3,4\n',
      undefined,
      [
        ['1', '2'],
        ['3', '4'],
      ],
    ],
    'old ends of lines': ['a,b\r1,2\r', ['a', 'b'], [['1', '2']]],
    'one line': ['only', undefined, [['only']]],
    nothing: ['', undefined, []],
  }
  for (const [name, [text, header, rows]] of Object.entries(cells))
    it(`read tables with ${name}`, async () => {
      const table = await read(text)
      expect([table.header, table.rows]).to.deep.equal([header, rows])
    })

  it('read tabs by the name of the file, and know which columns are numbers', async () => {
    const table = await read('name\tprice\tshare\nA, b\t1.200,50 €\t12 %\nC\t-3e5\tnone\n', 'a.tsv')
    expect(table.rows[0]).to.deep.equal(['A, b', '1.200,50 €', '12 %'])
    expect(table.numeric).to.deep.equal([false, true, false])
  })

  it('keep tables within bounds, whatever the file is', async () => {
    const wide = await read(`${'x,'.repeat(1_000_000)}\n${'1,'.repeat(10)}`)
    expect([wide.columnCount, wide.header?.length ?? wide.rows[0]?.length, wide.numeric.length]).to.deep.equal([1_000_001, 50, 50])
    const long = await read('a\n'.repeat(200_000))
    expect([long.isCut, long.rows.length <= 50_000]).to.deep.equal([true, true])
    const line = await read(`a,b\n${'y'.repeat(2_000_000)},2`)
    expect(line.rows[0]?.[0]).to.have.length(1_001)
    const quotes = await read('"'.repeat(500_001))
    expect(quotes.rows).to.have.length(1)
  })

  it('tell files apart by what the service found, and texts by their names', async () => {
    const kindOf = (type: string, name: string, bytes: readonly number[] = [65]): Promise<unknown> =>
      page.evaluate(`web.contentKind(${JSON.stringify(type)}, ${JSON.stringify(name)}, Uint8Array.from(${JSON.stringify(bytes)}))`)
    expect(await kindOf('image/png', 'a.html')).to.equal('image')
    expect(await kindOf('application/pdf', 'a.csv')).to.equal('pdf')
    expect(await kindOf('application/octet-stream', 'a.HTM')).to.equal('page')
    expect(await kindOf('application/octet-stream', 'a.svg')).to.equal('drawing')
    expect(await kindOf('application/octet-stream', 'a.csv', [65, 0, 66])).to.equal('none')
    expect(await kindOf('application/octet-stream', 'a.csv', [0xff, 0xfe, 65, 0])).to.equal('table')
    expect(await kindOf('application/octet-stream', 'a.xlsx', [80, 75, 3, 4, 0])).to.equal('none')
    expect(await kindOf('text/plain; charset=utf-8', 'Makefile')).to.equal('text')
  })

  it('decode UTF-8, UTF-16 and Windows-1252, also where a character is cut', async () => {
    const textOf = (bytes: readonly number[], isCut = false): Promise<unknown> =>
      page.evaluate(`web.decodeText(Uint8Array.from(${JSON.stringify(bytes)}), ${isCut})`)
    expect(await textOf([...Buffer.from('Höhe')])).to.equal('Höhe')
    expect(await textOf([...Buffer.from('Hö')].slice(0, 2), true)).to.equal('H')
    expect(await textOf([0x48, 0xf6, 0x68, 0x65, 0x20, 0x80])).to.equal('Höhe €')
    expect(await textOf([0xff, 0xfe, 0x48, 0, 0xf6, 0])).to.equal('Hö')
    expect(await textOf([0xfe, 0xff, 0, 0x48, 0, 0xf6])).to.equal('Hö')
  })

  it('put only into pages what lies in their folder or below', async () => {
    for (const name of ['a.css', 'css/a b.css', '..a/b.png', 'ü/ö.js'])
      expect(await callExport(page, 'isBeside', name), name).to.equal(true)
    for (const name of ['', '/a', 'a/', 'a//b', '.', '..', 'a/../b', './a', 'a\\b', 'a\nb', 'x'.repeat(501)])
      expect(await callExport(page, 'isBeside', name), name).to.equal(false)
  })
})

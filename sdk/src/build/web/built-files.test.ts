import { expect } from 'chai'
import { checkBuiltScreens } from '../../contracts/console-panel/built-screens.js'
import { screensOf } from './built-files.js'
import type { BuiltChunk, Bundle } from './vite.js'

const chunk = (fileName: string, given: Partial<BuiltChunk> & { readonly css?: readonly string[] } = {}): BuiltChunk => {
  const { css = [], ...members } = given
  const name = fileName.replace(/-\w+\.js$/, '')
  return { type: 'chunk', name, fileName, isEntry: false, imports: [], viteMetadata: { importedCss: new Set(css) }, ...members }
}
const bundleOf = (...chunks: readonly BuiltChunk[]): Bundle => ({
  ...Object.fromEntries(chunks.map((each) => [each.fileName, each])),
  'rolls-c1.css': { type: 'asset' },
})

describe('what screens.json says of a build', () => {
  it('names of each screen its module, its styles, all that it imports and parts of the kit, each once and without what comes with the first load', () => {
    const bundle = bundleOf(
      chunk('rolls-a1.js', {
        isEntry: true,
        imports: ['rows-a3.js', 'marks-a4.js', '../../kit/web.js', '../../kit/solid.js'],
        css: ['rolls-c1.css'],
      }),
      chunk('board-a2.js', { isEntry: true }),
      chunk('rows-a3.js', { imports: ['marks-a4.js', '../../kit/forms.js'], css: ['rows-c2.css', 'rolls-c1.css'] }),
      chunk('marks-a4.js', { css: ['marks-c3.css'] }),
      chunk('later-a5.js', { css: ['later-c4.css'] }),
    )
    const screens = screensOf(bundle)
    expect(screens).to.deep.equal({
      specVersion: 1,
      screens: {
        board: { module: 'board-a2.js', styles: [], imports: [] },
        rolls: {
          module: 'rolls-a1.js',
          styles: ['rolls-c1.css', 'rows-c2.css', 'marks-c3.css'],
          imports: ['rows-a3.js', 'marks-a4.js'],
          kit: ['forms'],
        },
      },
    })
    expect(Object.keys(screens.screens)).to.deep.equal(['board', 'rolls'])
    expect(checkBuiltScreens(screens)).to.deep.equal([])
  })

  it('has what runs beside every screen with its screen', () => {
    const bundle = bundleOf(
      chunk('rolls.start-a2.js', { name: 'rolls.start', isEntry: true, imports: ['count-a3.js'], css: ['start-c1.css'] }),
      chunk('rolls-a1.js', { isEntry: true, imports: ['count-a3.js'] }),
      chunk('count-a3.js'),
    )
    const screens = screensOf(bundle)
    expect(screens.screens).to.deep.equal({
      rolls: {
        module: 'rolls-a1.js',
        styles: [],
        imports: ['count-a3.js'],
        start: { module: 'rolls.start-a2.js', styles: ['start-c1.css'], imports: ['count-a3.js'] },
      },
    })
    expect(checkBuiltScreens(screens)).to.deep.equal([])
  })

  it('ends where modules import each other', () => {
    const bundle = bundleOf(chunk('rolls-a1.js', { isEntry: true, imports: ['one-a2.js'] }), {
      ...chunk('one-a2.js', { imports: ['rolls-a1.js'] }),
    })
    expect(screensOf(bundle).screens['rolls']?.imports).to.deep.equal(['one-a2.js'])
  })
})
